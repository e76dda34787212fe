// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

// What nvcc compiles for us: kernels and the functions that launch them. Plain types only, as nvcc
// and the C++ compiler read this header in different dialects.
//
// Every function enqueues its kernels on a stream and returns; failures to launch stay with
// cudaGetLastError. Matrices without rows or columns launch nothing. No kernel adds floats
// atomically, and how sums are cut into parts follows from shapes alone: equal calls give equal
// bits, on any number of multiprocessors.
namespace pw::exec::cuda {

enum class Type : unsigned char
{
    Float32,
    BFloat16
};

/// Rows by columns of a type, row after row, `stride` elements apart.
struct View
{
    void* data = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;
    Type type = Type::Float32;
};

/// The same of floats that lie densely.
struct FloatView
{
    float* data = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

// Element by element.
void launchToFloat(View from, FloatView out, cudaStream_t stream);
void launchFromFloat(FloatView from, View out, cudaStream_t stream);
/// out = a + b; out may be a or b
void launchAdd(View a, View b, View out, cudaStream_t stream);
/// x += bias in every row
void launchAddBias(View x, const float* bias, cudaStream_t stream);
/// out = residual + (x + bias), the sum in brackets rounded to the type; out may be residual
void launchAddBiasAndResidual(View x, const float* bias, View residual, View out,
                              cudaStream_t stream);
/// x += bias in every row, out = gelu(x)
void launchAddBiasAndGelu(View x, const float* bias, View out, cudaStream_t stream);
/// out = normalized ∘ scale + shift
void launchAffine(View normalized, const float* scale, const float* shift, View out,
                  cudaStream_t stream);
/// out may be x
void launchGelu(View x, View out, cudaStream_t stream);
/// out may be gradient or x
void launchGeluBackward(View gradient, View x, View out, cudaStream_t stream);
/// out += in
/// out[i] = deviation · bell(scramble(key + i)), as `Ops::draw`
void launchDraw(float* out, std::int64_t count, std::uint64_t key, float deviation,
                cudaStream_t stream);
void launchAddFloats(const float* in, float* out, std::int64_t count, cudaStream_t stream);
/// x *= factor, in doubles
void launchScale(float* x, double factor, std::int64_t count, cudaStream_t stream);

// Sums of squares: numbers are cut into parts by their count alone, to be added in their order.
std::int64_t squareParts(std::int64_t count);
/// parts[i] = Σ x² of part i
void launchSquares(const float* x, std::int64_t count, double* parts, cudaStream_t stream);

// Row by row.
/// normalized = (x − mean) ⁄ σ, inverse = 1 ⁄ σ; σ² = variance + epsilon
void launchNormalize(View x, View normalized, float* inverse, float epsilon, cudaStream_t stream);
/// out = residual + gradient of x; out may be residual or gradient; residual.data may be null
void launchNormalizeBackward(View gradient, View normalized, const float* inverse,
                             const float* scale, View residual, View out, cudaStream_t stream);
/// In place: row r becomes the softmax of its first `firstKeys` + r mod `queries` elements, times
/// `scale` before; the rest becomes 0.
void launchCausalSoftmax(View scores, std::int64_t queries, std::int64_t firstKeys, float scale,
                         cudaStream_t stream);
/// In place: gradients of probabilities become those of scores.
void launchCausalSoftmaxBackward(View probabilities, View gradient, std::int64_t queries,
                                 std::int64_t firstKeys, float scale, cudaStream_t stream);
/// logits become their gradients times `scale`; losses[row] is the row's loss.
void launchCrossEntropy(View logits, const std::int32_t* targets, float scale, float* losses,
                        cudaStream_t stream);
/// *sum += the sum of `count` values, always added in one order
void launchAddSum(const float* values, std::int64_t count, float* sum, cudaStream_t stream);

// Attention that keeps no scores.
/// Heads are at most so wide.
constexpr int widestFlashHead = 256;

/// The queries of one segment against the keys and values of one, for all heads of all samples.
/// Rows are tokens, sample after sample; heads are neighbouring columns. Over several segments one
/// call follows the other, `first` at the first.
struct FlashAttention
{
    int samples = 1;
    int heads = 1;
    int headSize = 1;
    int queries = 1; ///< of a sample
    int keys = 1;    ///< of a sample, in this segment
    int before = 0;  ///< query i sees keys 0 … before + i of the segment
    float scale = 1; ///< of the scores
    bool first = true;
    View query;
    View key;
    View value;
    float* logSum = nullptr; ///< of the exponentials, by sample, head and query
    bool tensorCores = true; ///< where the GPU has them for this; else CUDA cores in any case
};
/// Largest size of a head on tensor cores, whose numbers stay in registers.
constexpr int widestTensorHead = 128;
/// Whether the thread's current GPU computes attention of such heads on tensor cores, where rows
/// begin at addresses that 16 divides.
bool flashOnTensorCores(Type type, int headSize);
/// Writes the output and the logarithms of the sums, or carries those of earlier segments on.
void launchFlashAttention(const FlashAttention& what, View out, cudaStream_t stream);

struct FlashGradients
{
    View out;      ///< of the forward
    View gradient; ///< of it
    View ofQuery;  ///< written at the first segment, added to at the others
    View ofKey;
    View ofValue;
    bool adds = false;      ///< to ofKey and ofValue
    float* slope = nullptr; ///< scratch: a float for every sample, head and query
};
/// Forms the scores again, twice: once for the queries' gradients, once for the keys'.
void launchFlashAttentionBackward(const FlashAttention& what, const FlashGradients& gradients,
                                  cudaStream_t stream);

// Column sums: rows are cut into parts whose sums are added in order.
/// Floats of scratch that the functions below need; 0: none.
std::int64_t columnSumScratch(std::int64_t rows, std::int64_t columns, int sums);
/// bias += sum of the rows
void launchAddRowSums(View gradient, float* bias, float* scratch, cudaStream_t stream);
/// scale += Σ gradient ∘ normalized, shift += Σ gradient
void launchAddAffineGradients(View gradient, View normalized, float* scale, float* shift,
                              float* scratch, cudaStream_t stream);

// Embedding. Position of row i: first + i mod positions.
void launchEmbed(const std::int32_t* tokens, std::int64_t positions, std::int64_t first, View table,
                 View positionTable, View out, cudaStream_t stream);
/// Scratch of the function below.
std::int64_t tokenSortBytes(std::int64_t count, std::int64_t vocabulary);
/// Adds the rows of every token to the table's: rows are sorted by token, then each token's are
/// summed up, always in one order.
/// @param scratch  of `tokenSortBytes`, at an address that 256 divides
void launchAddTokenGradients(const std::int32_t* tokens, std::int64_t vocabulary, View gradient,
                             float* table, void* scratch, std::int64_t scratchBytes,
                             cudaStream_t stream);
void launchAddPositionGradients(std::int64_t positions, std::int64_t first, View gradient,
                                float* positionTable, cudaStream_t stream);

// Optimizers.
struct SgdRule
{
    float rate = 0;
    float momentum = 0;
};
void launchSgd(SgdRule rule, std::int64_t count, float* parameters, const float* gradients,
               float* velocity, cudaStream_t stream);

struct AdamWRule
{
    float rate = 0;
    float beta1 = 0;
    float beta2 = 0;
    float fresh1 = 1; ///< 1 − β₁
    float fresh2 = 1; ///< 1 − β₂
    float epsilon = 0;
    float decay = 0;       ///< 0 where none applies
    float correction1 = 1; ///< 1 ⁄ (1 − β₁ᵗ)
    float correction2 = 1; ///< 1 ⁄ (1 − β₂ᵗ)
    /// Both of them on the device, in the place of those here; or null.
    const float* corrections = nullptr;
};
void launchAdamW(AdamWRule rule, std::int64_t count, float* parameters, const float* gradients,
                 float* mean, float* square, cudaStream_t stream);

} // namespace pw::exec::cuda

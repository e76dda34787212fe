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
/// out = normalized ∘ scale + shift
void launchAffine(View normalized, const float* scale, const float* shift, View out,
                  cudaStream_t stream);
/// out may be x
void launchGelu(View x, View out, cudaStream_t stream);
/// out may be gradient or x
void launchGeluBackward(View gradient, View x, View out, cudaStream_t stream);
/// out += in
void launchAddFloats(const float* in, float* out, std::int64_t count, cudaStream_t stream);

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
/// Adds the rows of a token in the order in which they come.
void launchAddTokenGradients(const std::int32_t* tokens, View gradient, float* table,
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
};
void launchAdamW(AdamWRule rule, std::int64_t count, float* parameters, const float* gradients,
                 float* mean, float* square, cudaStream_t stream);

} // namespace pw::exec::cuda

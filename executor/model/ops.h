// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/trace/records.h"
#include "executor/api/device_error.h"
#include "executor/api/run_plan.h"
#include "executor/api/worker.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace pw::exec {

/// Rows by columns of the device's element type, row after row, `stride` elements apart.
struct Matrix
{
    void* data = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;

    std::int64_t size() const { return rows * columns; }
};

/// The same of 32-bit floats: gradients, statistics, norm weights and biases. A vector has one row.
struct FloatMatrix
{
    float* data = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    std::int64_t size() const { return rows * columns; }
};

/// Token numbers on the device.
struct Tokens
{
    const std::int32_t* data = nullptr;
    std::int64_t count = 0;
};

enum class Transpose : bool
{
    No,
    Yes
};

/// What a row's variance is raised by in `Ops::normalize`.
constexpr float normEpsilon = 1e-5F;

/// Causal attention of the queries of one segment over the keys of this and all earlier segments.
///
/// Rows of a matrix are tokens, sample after sample. Keys and values stand side by side: columns
/// 0 … h−1 and h … 2h−1. Heads are adjacent columns. Probabilities have a row for each sample, head
/// and query, in this nesting, and a column for each key.
struct Attention
{
    int samples = 1;
    int heads = 1;
    int headSize = 1;
    int queries = 1;           ///< tokens of this segment, of one sample
    std::span<const int> keys; ///< tokens of every segment up to this one; the last is
                               ///< `queries`
    int hidden() const { return heads * headSize; }
    int keyCount() const
    {
        int sum = 0;
        for (const int count : keys)
            sum += count;
        return sum;
    }
};

/// A piece of memory on the device, and its place on the host.
struct HostPiece
{
    void* device = nullptr;
    std::byte* host = nullptr;
    Bytes bytes = 0;
};

/// A copy between the device and its host, which may still be on its way.
struct HostTransfer
{
    Mark start;
    Mark end;
    std::shared_ptr<void> done{}; ///< of the device's own kind; none: it has ended
};

/// A tensor device: memory, and the few operations that a transformer stage is made of. One object
/// a rank; all calls come from the rank's thread. Operations run in the order of the calls; on a
/// device apart from the host they may still be running when the call returns.
///
/// Failures are thrown as `DeviceError`. `out` may be an input where it says so.
class Ops
{
public:
    virtual ~Ops() = default;

    virtual Element element() const = 0;
    std::int64_t elementBytes() const { return element() == Element::Float32 ? 4 : 2; }

    // Memory. `Buffer` below is what owns it.
    virtual void* allocate(Bytes bytes, MemoryUse use) = 0;
    virtual void release(void* data, Bytes bytes, MemoryUse use) noexcept = 0;
    /// Counts memory under another use from now on.
    virtual void relabel(Bytes bytes, MemoryUse from, MemoryUse to) = 0;
    virtual MemoryNow memory() const = 0;
    /// The most of each use, alone, since the last call.
    virtual MemoryNow takePeaks() = 0;
    virtual void zero(void* data, Bytes bytes) = 0;
    virtual void copy(void* to, const void* from, Bytes bytes) = 0;
    virtual void upload(void* to, const void* host, Bytes bytes) = 0;
    /// Waits for the device.
    virtual void download(void* host, const void* from, Bytes bytes) = 0;

    // Elements and floats.
    virtual void toFloat(Matrix from, FloatMatrix out) = 0;
    virtual void fromFloat(FloatMatrix from, Matrix out) = 0;

    /// out = op(a)·op(b)
    virtual void multiply(Matrix a, Transpose ta, Matrix b, Transpose tb, Matrix out) = 0;
    /// out += op(a)·op(b), in floats: weight gradients
    virtual void multiplyAdd(Matrix a, Transpose ta, Matrix b, Transpose tb, FloatMatrix out) = 0;

    /// out = a + b; out may be a or b
    virtual void add(Matrix a, Matrix b, Matrix out) = 0;
    /// x += bias in every row
    virtual void addBias(Matrix x, FloatMatrix bias) = 0;
    /// The same, and out = residual + x; out may be residual. What x holds after it is not said.
    virtual void addBiasAndResidual(Matrix x, FloatMatrix bias, Matrix residual, Matrix out)
    {
        addBias(x, bias);
        add(residual, x, out);
    }
    /// bias += sum of the rows of gradient
    virtual void addRowSums(Matrix gradient, FloatMatrix bias) = 0;

    /// normalized = (x − mean) ⁄ σ by row, inverse = 1 ⁄ σ a row; σ² = variance + normEpsilon
    virtual void normalize(Matrix x, Matrix normalized, FloatMatrix inverse) = 0;
    /// out = normalized ∘ scale + shift
    virtual void affine(Matrix normalized, FloatMatrix scale, FloatMatrix shift, Matrix out) = 0;
    /// out = residual + gradient of x from that of affine(normalize(x)); out may be residual or
    /// gradient; a residual without data counts as 0
    virtual void normalizeBackward(Matrix gradient, Matrix normalized, FloatMatrix inverse,
                                   FloatMatrix scale, Matrix residual, Matrix out) = 0;
    /// scale += Σ gradient ∘ normalized, shift += Σ gradient
    virtual void addAffineGradients(Matrix gradient, Matrix normalized, FloatMatrix scale,
                                    FloatMatrix shift) = 0;

    /// GELU in its tanh form; out may be x
    virtual void gelu(Matrix x, Matrix out) = 0;
    /// x += bias in every row, and out = gelu(x); out is not x
    virtual void addBiasAndGelu(Matrix x, FloatMatrix bias, Matrix out)
    {
        addBias(x, bias);
        gelu(x, out);
    }
    /// out = gradient ∘ gelu′(x); out may be x or gradient
    virtual void geluBackward(Matrix gradient, Matrix x, Matrix out) = 0;

    /// Writes the probabilities, which the backward needs, and out.
    /// @param keysValues  one matrix a segment of `shape.keys`
    virtual void attention(const Attention& shape, Matrix queries,
                           std::span<const Matrix> keysValues, Matrix probabilities,
                           Matrix out) = 0;
    /// Writes the gradients of the queries and of this segment's keys and values, and adds those of
    /// earlier segments to `earlier` (one matrix each). Destroys nothing.
    virtual void attentionBackward(const Attention& shape, Matrix queries,
                                   std::span<const Matrix> keysValues, Matrix probabilities,
                                   Matrix gradient, Matrix queryGradient, Matrix keyValueGradient,
                                   std::span<const Matrix> earlier) = 0;

    /// Attention that keeps no probabilities, but for every sample, head and query (in this
    /// nesting) the logarithm of the sum of the exponentials of its scores. The backward forms the
    /// scores again.
    /// @source arXiv:2205.14135
    virtual void flashAttention(const Attention& shape, Matrix queries,
                                std::span<const Matrix> keysValues, FloatMatrix logSums,
                                Matrix out) = 0;
    /// As `attentionBackward`, from what the forward wrote.
    virtual void flashAttentionBackward(const Attention& shape, Matrix queries,
                                        std::span<const Matrix> keysValues, FloatMatrix logSums,
                                        Matrix out, Matrix gradient, Matrix queryGradient,
                                        Matrix keyValueGradient,
                                        std::span<const Matrix> earlier) = 0;

    /// Row i of out = row tokens[i] of table + row firstPosition + i mod positions of the other
    /// table, where `positions` is the number of tokens of one sample in `tokens`.
    virtual void embed(Tokens tokens, int positions, int firstPosition, Matrix table,
                       Matrix positionTable, Matrix out) = 0;
    virtual void addEmbeddingGradients(Tokens tokens, int positions, int firstPosition,
                                       Matrix gradient, FloatMatrix table,
                                       FloatMatrix positionTable) = 0;

    /// Replaces logits by their gradient times `scale`, and adds the losses of all rows (not
    /// scaled) to `loss`, one float on the device.
    virtual void crossEntropy(Matrix logits, Tokens targets, float scale, float* loss) = 0;

    /// One step of an optimizer over `count` parameters: `states` are one (Sgd) or two (AdamW)
    /// arrays of the same length, `decay` says whether weight decay applies. Step counts from 1.
    /// What Muon does with single numbers is AdamW; see `muonStep`.
    virtual void update(const Optimizer& optimizer, int step, std::int64_t count, bool decay,
                        float* parameters, const float* gradients, float* state0,
                        float* state1) = 0;
    /// out[i] = deviation · bell(scramble(key + i)), of random.h: the same bits on every device
    virtual void draw(float* out, std::int64_t count, std::uint64_t key, float deviation) = 0;
    /// out += in, in floats
    virtual void addFloats(const float* in, float* out, std::int64_t count) = 0;
    /// Sum of the squares, in doubles and always added in one order. Waits for the device.
    virtual double squares(const float* in, std::int64_t count) = 0;
    /// x *= factor, rounded once
    virtual void scale(float* x, double factor, std::int64_t count) = 0;

    // Time and results on their way.
    virtual Mark mark() = 0;
    virtual std::optional<Ticks> time(Mark mark) = 0;
    virtual Result<void> health() { return {}; }
    /// Makes a packet of memory that was allocated as `Messages` and is full once the operations
    /// so far are done; the packet owns it.
    virtual Packet pack(void* data, Bytes bytes) = 0;
    /// Takes the memory of a packet over, counted as `Messages`; operations from now on see it
    /// full.
    virtual void* unpack(Packet packet, Bytes bytes) = 0;

    // Copies to the host and back. Either direction does one after another, in the order of the
    // calls, beside the operations.
    /// Memory on the host that copies go to.
    virtual void* allocateHost(Bytes bytes) = 0;
    /// @param after  the copy that is the last to use it
    virtual void releaseHost(void* data, Bytes bytes, const HostTransfer& after) noexcept = 0;
    /// Copies to the host what the operations so far have made. The device's memory is read until
    /// `waitFor`, and not to be written.
    virtual HostTransfer copyToHost(std::span<const HostPiece> pieces) = 0;
    /// Copies back, after the copy there, into memory that the operations so far no longer use.
    /// @param emptied  a copy to the host that still reads the memory that is written; or none
    virtual HostTransfer copyFromHost(std::span<const HostPiece> pieces, const HostTransfer& there,
                                      const HostTransfer* emptied) = 0;
    /// Operations from now on come after the copy.
    virtual void waitFor(const HostTransfer& transfer) = 0;

    // Overlapped pairs: what is called between `beginSecond` and `join` may run beside what was
    // called between `fork` and `beginSecond`.
    virtual bool overlaps() const { return false; }
    virtual void fork() {}
    virtual void beginSecond() {}
    virtual void join() {}
};

/// Device memory that one owner holds.
class Buffer
{
public:
    Buffer() = default;
    Buffer(Ops& ops, Bytes bytes, MemoryUse use)
        : m_ops(&ops)
        , m_data(ops.allocate(bytes, use))
        , m_bytes(bytes)
        , m_use(use)
    {
    }
    /// Takes memory over that was allocated elsewhere.
    Buffer(Ops& ops, void* data, Bytes bytes, MemoryUse use)
        : m_ops(&ops)
        , m_data(data)
        , m_bytes(bytes)
        , m_use(use)
    {
    }
    ~Buffer() { reset(); }
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept
    {
        Buffer taken(std::move(other));
        swap(taken);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    void* data() const { return m_data; }
    Bytes bytes() const { return m_bytes; }
    MemoryUse use() const { return m_use; }
    explicit operator bool() const { return m_data != nullptr; }

    void relabel(MemoryUse use)
    {
        m_ops->relabel(m_bytes, m_use, use);
        m_use = use;
    }
    void reset() noexcept
    {
        if (m_data != nullptr)
            m_ops->release(m_data, m_bytes, m_use);
        m_data = nullptr;
        m_bytes = 0;
    }
    /// Gives the memory away, still counted.
    void* surrender() { return std::exchange(m_data, nullptr); }

private:
    void swap(Buffer& other) noexcept
    {
        std::swap(m_ops, other.m_ops);
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        std::swap(m_use, other.m_use);
    }

    Ops* m_ops = nullptr;
    void* m_data = nullptr;
    Bytes m_bytes = 0;
    MemoryUse m_use = MemoryUse::Workspace;
};

} // namespace pw::exec

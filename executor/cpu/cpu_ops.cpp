// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_ops.h"

#include "core/base/assert.h"
#include "executor/cpu/cpu_gemm.h"
#include "executor/cpu/cpu_kernels.h"
#include "executor/cpu/host_pool.h"
#include "executor/model/memory_ledger.h"
#include "executor/transport/host_payload.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace pw::exec {

namespace {

class CpuOps final : public Ops
{
public:
    CpuOps(const RunClock& clock, Bytes limit)
        : m_clock(clock)
        , m_ledger(limit)
    {
    }

    Element element() const override { return Element::Float32; }

    void* allocate(Bytes bytes, MemoryUse use) override
    {
        m_ledger.take(bytes, use);
        try {
            return m_pool.take(bytes);
        } catch (const std::bad_alloc&) {
            m_ledger.giveBack(bytes, use);
            throw DeviceError("out of memory: the host refuses " + std::to_string(bytes) +
                              " bytes of " + std::string(name(use)) + "; " +
                              std::to_string(m_ledger.total()) + " in use");
        }
    }
    void release(void* data, Bytes bytes, MemoryUse use) noexcept override
    {
        m_ledger.giveBack(bytes, use);
        // Twice what was ever in use: enough for the sizes of one pass to wait for those of
        // another.
        m_pool.giveBack(data, bytes, 2 * m_ledger.peakTotal() - m_ledger.total());
    }
    void relabel(Bytes bytes, MemoryUse from, MemoryUse to) override
    {
        m_ledger.relabel(bytes, from, to);
    }
    MemoryNow memory() const override { return m_ledger.now(); }
    MemoryNow takePeaks() override { return m_ledger.takePeaks(); }

    void zero(void* data, Bytes bytes) override
    {
        if (bytes > 0)
            std::memset(data, 0, static_cast<std::size_t>(bytes));
    }
    void copy(void* to, const void* from, Bytes bytes) override
    {
        if (bytes > 0)
            std::memcpy(to, from, static_cast<std::size_t>(bytes));
    }
    void upload(void* to, const void* host, Bytes bytes) override { copy(to, host, bytes); }
    void download(void* host, const void* from, Bytes bytes) override { copy(host, from, bytes); }

    // The copy engines are the rank's own thread: a copy has ended when its call returns, and the
    // host's memory is a pool apart from the device's.
    void* allocateHost(Bytes bytes) override
    {
        try {
            void* const data = m_hostPool.take(bytes);
            m_onHost += bytes;
            m_mostOnHost = std::max(m_mostOnHost, m_onHost);
            return data;
        } catch (const std::bad_alloc&) {
            throw DeviceError("out of memory: the host refuses " + std::to_string(bytes) +
                              " bytes for an activation of a device");
        }
    }
    void releaseHost(void* data, Bytes bytes, const HostTransfer&) noexcept override
    {
        m_onHost -= bytes;
        m_hostPool.giveBack(data, bytes, m_mostOnHost);
    }
    HostTransfer copyToHost(std::span<const HostPiece> pieces) override
    {
        HostTransfer transfer{mark(), {}};
        for (const HostPiece& piece : pieces)
            copy(piece.host, piece.device, piece.bytes);
        transfer.end = mark();
        return transfer;
    }
    HostTransfer copyFromHost(std::span<const HostPiece> pieces, const HostTransfer&,
                              const HostTransfer*) override
    {
        HostTransfer transfer{mark(), {}};
        for (const HostPiece& piece : pieces)
            copy(piece.device, piece.host, piece.bytes);
        transfer.end = mark();
        return transfer;
    }
    void waitFor(const HostTransfer&) override {}

    void toFloat(Matrix from, FloatMatrix out) override
    {
        copyRows(from, {out.data, out.rows, out.columns, out.columns});
    }
    void fromFloat(FloatMatrix from, Matrix out) override
    {
        copyRows({from.data, from.rows, from.columns, from.columns}, out);
    }

    void multiply(Matrix a, Transpose ta, Matrix b, Transpose tb, Matrix out) override
    {
        cpu::multiply(shapeOf(a, ta, b, tb, out.rows, out.columns), 1.0F, factor(a, ta),
                      factor(b, tb), cpu::Into::Nothing, cpu::row(out, 0), out.stride);
    }
    void multiplyAdd(Matrix a, Transpose ta, Matrix b, Transpose tb, FloatMatrix out) override
    {
        cpu::multiply(shapeOf(a, ta, b, tb, out.rows, out.columns), 1.0F, factor(a, ta),
                      factor(b, tb), cpu::Into::Sum, out.data, out.columns);
    }

    void add(Matrix a, Matrix b, Matrix out) override { cpu::add(a, b, out); }
    void addBias(Matrix x, FloatMatrix bias) override { cpu::addBias(x, bias); }
    void draw(float* out, std::int64_t count, std::uint64_t key, float deviation) override
    {
        cpu::draw(out, count, key, deviation);
    }
    void addRowSums(Matrix gradient, FloatMatrix bias) override { cpu::addRowSums(gradient, bias); }

    void normalize(Matrix x, Matrix normalized, FloatMatrix inverse) override
    {
        cpu::normalize(x, normalized, inverse);
    }
    void affine(Matrix normalized, FloatMatrix scale, FloatMatrix shift, Matrix out) override
    {
        cpu::affine(normalized, scale, shift, out);
    }
    void normalizeBackward(Matrix gradient, Matrix normalized, FloatMatrix inverse,
                           FloatMatrix scale, Matrix residual, Matrix out) override
    {
        cpu::normalizeBackward(gradient, normalized, inverse, scale, residual, out);
    }
    void addAffineGradients(Matrix gradient, Matrix normalized, FloatMatrix scale,
                            FloatMatrix shift) override
    {
        cpu::addAffineGradients(gradient, normalized, scale, shift);
    }

    void gelu(Matrix x, Matrix out) override { cpu::gelu(x, out); }
    void geluBackward(Matrix gradient, Matrix x, Matrix out) override
    {
        cpu::geluBackward(gradient, x, out);
    }

    void attention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                   Matrix probabilities, Matrix out) override
    {
        cpu::attention(shape, queries, keysValues, probabilities, out);
    }
    void attentionBackward(const Attention& shape, Matrix queries,
                           std::span<const Matrix> keysValues, Matrix probabilities,
                           Matrix gradient, Matrix queryGradient, Matrix keyValueGradient,
                           std::span<const Matrix> earlier) override
    {
        const Bytes floats = static_cast<Bytes>(shape.queries) * shape.keyCount();
        const Buffer scratch(*this, floats * Bytes{sizeof(float)}, MemoryUse::Workspace);
        cpu::attentionBackward(shape, queries, keysValues, probabilities, gradient, queryGradient,
                               keyValueGradient, earlier, static_cast<float*>(scratch.data()));
    }

    void flashAttention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                        FloatMatrix logSums, Matrix out) override
    {
        const Buffer scratch = scoreBlocks(shape, 1);
        cpu::flashAttention(shape, queries, keysValues, logSums, out,
                            static_cast<float*>(scratch.data()));
    }
    void flashAttentionBackward(const Attention& shape, Matrix queries,
                                std::span<const Matrix> keysValues, FloatMatrix logSums, Matrix out,
                                Matrix gradient, Matrix queryGradient, Matrix keyValueGradient,
                                std::span<const Matrix> earlier) override
    {
        const Buffer scratch = scoreBlocks(shape, 2);
        cpu::flashAttentionBackward(shape, queries, keysValues, logSums, out, gradient,
                                    queryGradient, keyValueGradient, earlier,
                                    static_cast<float*>(scratch.data()));
    }

    void embed(Tokens tokens, int positions, int firstPosition, Matrix table, Matrix positionTable,
               Matrix out) override
    {
        cpu::embed(tokens, positions, firstPosition, table, positionTable, out);
    }
    void addEmbeddingGradients(Tokens tokens, int positions, int firstPosition, Matrix gradient,
                               FloatMatrix table, FloatMatrix positionTable) override
    {
        cpu::addEmbeddingGradients(tokens, positions, firstPosition, gradient, table,
                                   positionTable);
    }
    void crossEntropy(Matrix logits, Tokens targets, float scale, float* loss) override
    {
        cpu::crossEntropy(logits, targets, scale, loss);
    }

    void update(const Optimizer& optimizer, int step, std::int64_t count, bool decay,
                float* parameters, const float* gradients, float* state0, float* state1) override
    {
        cpu::update(optimizer, step, count, decay, parameters, gradients, state0, state1);
    }
    void addFloats(const float* in, float* out, std::int64_t count) override
    {
        cpu::addFloats(in, out, count);
    }
    double squares(const float* in, std::int64_t count) override { return cpu::squares(in, count); }
    void scale(float* x, double factor, std::int64_t count) override
    {
        cpu::scale(x, factor, count);
    }

    Mark mark() override { return {m_clock.now()}; }
    std::optional<Ticks> time(Mark mark) override { return mark.value; }

    Packet pack(void* data, Bytes bytes) override
    {
        Packet packet{std::make_shared<HostPayload>(data, bytes)};
        m_ledger.giveBack(bytes, MemoryUse::Messages);
        return packet;
    }
    void* unpack(Packet packet, Bytes bytes) override
    {
        auto* payload = dynamic_cast<HostPayload*>(packet.payload.get());
        if (payload == nullptr || payload->data() == nullptr)
            throw DeviceError("a packet without host memory came to the CPU device");
        if (payload->bytes() != bytes)
            throw DeviceError("a packet of " + std::to_string(payload->bytes()) +
                              " bytes came where " + std::to_string(bytes) + " were expected");
        m_ledger.take(bytes, MemoryUse::Messages);
        return payload->surrender();
    }

private:
    /// Memory for the scores of a few queries, so often.
    Buffer scoreBlocks(const Attention& shape, Bytes count)
    {
        const Bytes floats = std::min(shape.queries, cpu::flashQueries) * Bytes{shape.keyCount()};
        return {*this, count * floats * Bytes{sizeof(float)}, MemoryUse::Workspace};
    }
    static cpu::Factor factor(Matrix matrix, Transpose transpose)
    {
        return {cpu::row(matrix, 0), matrix.stride, transpose};
    }
    static cpu::ProductShape shapeOf(Matrix a, Transpose ta, Matrix b, Transpose tb,
                                     std::int64_t rows, std::int64_t columns)
    {
        const std::int64_t inner = ta == Transpose::No ? a.columns : a.rows;
        PW_ASSERT(rows == (ta == Transpose::No ? a.rows : a.columns));
        PW_ASSERT(inner == (tb == Transpose::No ? b.rows : b.columns));
        PW_ASSERT(columns == (tb == Transpose::No ? b.columns : b.rows));
        return {rows, columns, inner};
    }
    void copyRows(Matrix from, Matrix to)
    {
        for (std::int64_t i = 0; i < to.rows; ++i)
            copy(cpu::row(to, i), cpu::row(from, i), to.columns * Bytes{sizeof(float)});
    }

    const RunClock& m_clock;
    HostPool m_hostPool;
    Bytes m_onHost = 0;
    Bytes m_mostOnHost = 0;
    MemoryLedger m_ledger;
    HostPool m_pool;
};

} // namespace

std::unique_ptr<Ops> makeCpuOps(const RunClock& clock, Bytes limit)
{
    if (!cpu::prepareProducts())
        throw std::bad_alloc();
    return std::make_unique<CpuOps>(clock, limit);
}

} // namespace pw::exec

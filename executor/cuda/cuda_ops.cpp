// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/cuda_ops.h"

#include "core/base/assert.h"
#include "executor/cuda/cuda_attention.h"
#include "executor/cuda/gradient_norm.h"
#include "executor/cuda/kernels.h"
#include "executor/cuda/op_scratch.h"
#include "executor/cuda/staging.h"
#include "executor/cuda/step_numbers.h"

#include <optional>

namespace pw::exec::cuda {

namespace {

Bytes floatBytes(std::int64_t count)
{
    return count * static_cast<Bytes>(sizeof(float));
}

class CudaOps final : public Ops
{
public:
    CudaOps(std::shared_ptr<RankDevice> device, Element element, Ticks patience, Products products)
        : m_device(std::move(device))
        , m_element(element)
        , m_type(element == Element::Float32 ? Type::Float32 : Type::BFloat16)
        , m_staging(*m_device)
        , m_blas(m_device->compute(0), m_device->gpu->multiprocessors(), products)
        , m_secondBlas(m_device->compute(1), m_device->gpu->multiprocessors(), products)
    {
        m_device->patience = patience;
        if (launches().graphs())
            m_step.emplace();
        warmUp();
    }
    ~CudaOps() override;

    Element element() const override { return m_element; }

    void* allocate(Bytes bytes, MemoryUse use) override
    {
        // Only what passes between streams has its own waited for.
        return m_device->memory->take(
            bytes, use, use == MemoryUse::Messages ? m_device->now() : m_device->launches.stream());
    }
    void release(void* data, Bytes bytes, MemoryUse use) noexcept override
    {
        if (m_device->memory->passesOn(data))
            m_device->launches.flushQuietly(); // before the end of its use is marked
        m_device->memory->release(data, bytes, use, m_device->launches.stream());
    }
    void relabel(Bytes bytes, MemoryUse from, MemoryUse to) override
    {
        m_device->memory->relabel(bytes, from, to);
    }
    MemoryNow memory() const override { return m_device->memory->now(); }
    MemoryNow takePeaks() override { return m_device->memory->takePeaks(); }
    void zero(void* data, Bytes bytes) override
    {
        if (bytes > 0)
            launches().add<launchFill>("zero", data, bytes);
    }
    void copy(void* to, const void* from, Bytes bytes) override
    {
        if (bytes > 0)
            launches().add<launchCopy>("copy", to, from, bytes);
    }
    void upload(void* to, const void* host, Bytes bytes) override
    {
        m_staging.upload(to, host, bytes, m_device->patience);
    }
    void download(void* host, const void* from, Bytes bytes) override
    {
        cuda::download(*m_device, host, from, bytes, m_device->patience);
    }

    void* allocateHost(Bytes bytes) override { return m_device->hostLink().take(bytes); }
    void releaseHost(void* data, Bytes /*bytes*/, const HostTransfer& after) noexcept override
    {
        m_device->hostLink().put(data, after);
    }
    HostTransfer copyToHost(std::span<const HostPiece> pieces) override
    {
        return m_device->hostLink().copyThere(pieces, stream());
    }
    HostTransfer copyFromHost(std::span<const HostPiece> pieces, const HostTransfer& there,
                              const HostTransfer* emptied) override
    {
        return m_device->hostLink().copyBack(pieces, there, emptied, stream());
    }
    void waitFor(const HostTransfer& transfer) override { cuda::waitFor(stream(), transfer); }
    void toFloat(Matrix from, FloatMatrix out) override;
    void fromFloat(FloatMatrix from, Matrix out) override;
    void multiply(Matrix a, Transpose ta, Matrix b, Transpose tb, Matrix out) override;
    void multiplyAdd(Matrix a, Transpose ta, Matrix b, Transpose tb, FloatMatrix out) override;
    void add(Matrix a, Matrix b, Matrix out) override;
    void addBias(Matrix x, FloatMatrix bias) override;
    void addBiasAndResidual(Matrix x, FloatMatrix bias, Matrix residual, Matrix out) override;
    void addRowSums(Matrix gradient, FloatMatrix bias) override;
    void normalize(Matrix x, Matrix normalized, FloatMatrix inverse) override;
    void affine(Matrix normalized, FloatMatrix scale, FloatMatrix shift, Matrix out) override;
    void normalizeBackward(Matrix gradient, Matrix normalized, FloatMatrix inverse,
                           FloatMatrix scale, Matrix residual, Matrix out) override;
    void addAffineGradients(Matrix gradient, Matrix normalized, FloatMatrix scale,
                            FloatMatrix shift) override;
    void gelu(Matrix x, Matrix out) override;
    void addBiasAndGelu(Matrix x, FloatMatrix bias, Matrix out) override;
    void geluBackward(Matrix gradient, Matrix x, Matrix out) override;
    void attention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                   Matrix probabilities, Matrix out) override;
    void attentionBackward(const Attention& shape, Matrix queries,
                           std::span<const Matrix> keysValues, Matrix probabilities,
                           Matrix gradient, Matrix queryGradient, Matrix keyValueGradient,
                           std::span<const Matrix> earlier) override;
    void flashAttention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                        FloatMatrix logSums, Matrix out) override;
    void flashAttentionBackward(const Attention& shape, Matrix queries,
                                std::span<const Matrix> keysValues, FloatMatrix logSums, Matrix out,
                                Matrix gradient, Matrix queryGradient, Matrix keyValueGradient,
                                std::span<const Matrix> earlier) override;
    void embed(Tokens tokens, int positions, int firstPosition, Matrix table, Matrix positionTable,
               Matrix out) override;
    void addEmbeddingGradients(Tokens tokens, int positions, int firstPosition, Matrix gradient,
                               FloatMatrix table, FloatMatrix positionTable) override;
    void crossEntropy(Matrix logits, Tokens targets, float scale, float* loss) override;
    void update(const Optimizer& optimizer, int step, std::int64_t count, bool decay,
                float* parameters, const float* gradients, float* state0, float* state1) override;
    void draw(float* out, std::int64_t count, std::uint64_t key, float deviation) override
    {
        launches().add<launchDraw>("draw", out, count, key, deviation);
    }
    void addFloats(const float* in, float* out, std::int64_t count) override
    {
        launches().add<launchAddFloats>("addFloats", in, out, count);
    }
    double squares(const float* in, std::int64_t count) override
    {
        return sumOfSquares(*m_device, in, count, m_device->patience);
    }
    void scale(float* x, double factor, std::int64_t count) override
    {
        launches().add<launchScale>("scale", x, factor, count);
    }

    Mark mark() override { return m_device->marks.mark(stream()); }
    std::optional<Ticks> time(Mark mark) override { return m_device->marks.time(mark); }
    Result<void> health() override { return m_device->health(); }
    Packet pack(void* data, Bytes bytes) override;
    void* unpack(Packet packet, Bytes bytes) override;

    bool overlaps() const override { return true; }
    void fork() override;
    void beginSecond() override { m_device->useSecond(true); }
    void join() override;

private:
    void warmUp();
    void addProduct(const Matrix& a, Transpose ta, const Matrix& b, Transpose tb, Product out);
    cudaStream_t stream() { return m_device->now(); }
    Launches& launches() { return m_device->launches; }
    Blas& blas() { return m_device->onSecond() ? m_secondBlas : m_blas; }
    View viewOf(const Matrix& matrix) const
    {
        return {matrix.data, matrix.rows, matrix.columns, matrix.stride, m_type};
    }

    std::shared_ptr<RankDevice> m_device;
    Element m_element;
    Type m_type;
    Staging m_staging;
    std::optional<StepNumbers> m_step; ///< where there are graphs
    Blas m_blas;
    Blas m_secondBlas;
};

FloatView viewOf(const FloatMatrix& matrix)
{
    return {matrix.data, matrix.rows, matrix.columns};
}

CudaOps::~CudaOps()
{
    // What is still enqueued reads memory that goes with this object. A device that does not come
    // to its end keeps it: the process ends sooner than such a kernel.
    try {
        m_device->enter();
        m_device->awaitEnd(closingLimit);
        m_device->launches.end(); // graphs use what goes with this object
    } catch (const std::exception&) {
        m_device->launches.abandon();
        m_device->memory->abandon();
        if (m_device->hasHostLink())
            m_device->hostLink().abandon();
        m_staging.abandon();
        if (m_step)
            m_step->abandon();
        m_blas.abandon();
        m_secondBlas.abandon();
    }
}

/// The first product of a library loads its kernels, which may wait for the whole device.
void CudaOps::warmUp()
{
    constexpr std::int64_t size = 64;
    for (const bool second : {false, true}) {
        m_device->useSecond(second);
        const OpScratch memory(*m_device, 2 * floatBytes(size * size));
        zero(memory.data(), 2 * floatBytes(size * size));
        const Matrix in{memory.data(), size, size, size};
        const FloatMatrix sum{memory.floats() + size * size, size, size};
        multiplyAdd(in, Transpose::Yes, in, Transpose::No, sum);
        multiply(in, Transpose::No, in, Transpose::No, {sum.data, size, size, size});
        await(*m_device->events->record(stream()), m_device->wait(m_device->patience),
              "the first product");
    }
    m_device->useSecond(false);
}

void CudaOps::toFloat(Matrix from, FloatMatrix out)
{
    launches().add<launchToFloat>("toFloat", viewOf(from), cuda::viewOf(out));
}

void CudaOps::fromFloat(FloatMatrix from, Matrix out)
{
    launches().add<launchFromFloat>("fromFloat", cuda::viewOf(from), viewOf(out));
}

void CudaOps::addProduct(const Matrix& a, Transpose ta, const Matrix& b, Transpose tb, Product out)
{
    out.inner = ta == Transpose::Yes ? a.rows : a.columns;
    launches().add<launchProduct>("multiply", &blas(), m_type,
                                  Factor{a.data, a.stride, ta == Transpose::Yes},
                                  Factor{b.data, b.stride, tb == Transpose::Yes}, out);
}

void CudaOps::multiply(Matrix a, Transpose ta, Matrix b, Transpose tb, Matrix out)
{
    addProduct(a, ta, b, tb,
               {.data = out.data,
                .rows = out.rows,
                .columns = out.columns,
                .stride = out.stride,
                .type = m_type});
}

void CudaOps::multiplyAdd(Matrix a, Transpose ta, Matrix b, Transpose tb, FloatMatrix out)
{
    addProduct(a, ta, b, tb,
               {.data = out.data,
                .rows = out.rows,
                .columns = out.columns,
                .stride = out.columns,
                .type = Type::Float32,
                .adds = true});
}

void CudaOps::add(Matrix a, Matrix b, Matrix out)
{
    launches().add<launchAdd>("add", viewOf(a), viewOf(b), viewOf(out));
}

void CudaOps::addBias(Matrix x, FloatMatrix bias)
{
    launches().add<launchAddBias>("addBias", viewOf(x), bias.data);
}

void CudaOps::addBiasAndResidual(Matrix x, FloatMatrix bias, Matrix residual, Matrix out)
{
    launches().add<launchAddBiasAndResidual>("addBiasAndResidual", viewOf(x), bias.data,
                                             viewOf(residual), viewOf(out));
}

void CudaOps::addBiasAndGelu(Matrix x, FloatMatrix bias, Matrix out)
{
    launches().add<launchAddBiasAndGelu>("addBiasAndGelu", viewOf(x), bias.data, viewOf(out));
}

void CudaOps::addRowSums(Matrix gradient, FloatMatrix bias)
{
    const OpScratch parts(*m_device,
                          floatBytes(columnSumScratch(gradient.rows, gradient.columns, 1)));
    launches().add<launchAddRowSums>("addRowSums", viewOf(gradient), bias.data, parts.floats());
}

void CudaOps::normalize(Matrix x, Matrix normalized, FloatMatrix inverse)
{
    launches().add<launchNormalize>("normalize", viewOf(x), viewOf(normalized), inverse.data,
                                    normEpsilon);
}

void CudaOps::affine(Matrix normalized, FloatMatrix scale, FloatMatrix shift, Matrix out)
{
    launches().add<launchAffine>("affine", viewOf(normalized), scale.data, shift.data, viewOf(out));
}

void CudaOps::normalizeBackward(Matrix gradient, Matrix normalized, FloatMatrix inverse,
                                FloatMatrix scale, Matrix residual, Matrix out)
{
    launches().add<launchNormalizeBackward>("normalizeBackward", viewOf(gradient),
                                            viewOf(normalized), inverse.data, scale.data,
                                            viewOf(residual), viewOf(out));
}

void CudaOps::addAffineGradients(Matrix gradient, Matrix normalized, FloatMatrix scale,
                                 FloatMatrix shift)
{
    const OpScratch parts(*m_device,
                          floatBytes(columnSumScratch(gradient.rows, gradient.columns, 2)));
    launches().add<launchAddAffineGradients>("addAffineGradients", viewOf(gradient),
                                             viewOf(normalized), scale.data, shift.data,
                                             parts.floats());
}

void CudaOps::gelu(Matrix x, Matrix out)
{
    launches().add<launchGelu>("gelu", viewOf(x), viewOf(out));
}

void CudaOps::geluBackward(Matrix gradient, Matrix x, Matrix out)
{
    launches().add<launchGeluBackward>("geluBackward", viewOf(gradient), viewOf(x), viewOf(out));
}

void CudaOps::attention(const Attention& shape, Matrix queries, std::span<const Matrix> keysValues,
                        Matrix probabilities, Matrix out)
{
    attend({blas(), launches(), m_type}, shape, queries, keysValues, probabilities, out);
}

void CudaOps::attentionBackward(const Attention& shape, Matrix queries,
                                std::span<const Matrix> keysValues, Matrix probabilities,
                                Matrix gradient, Matrix queryGradient, Matrix keyValueGradient,
                                std::span<const Matrix> earlier)
{
    const OpScratch memory(*m_device, probabilities.size() * elementBytes());
    const Matrix scores{memory.data(), probabilities.rows, probabilities.columns,
                        probabilities.columns};
    attendBackward({blas(), launches(), m_type}, shape, queries, keysValues, probabilities,
                   gradient, queryGradient, keyValueGradient, earlier, scores);
}

void CudaOps::flashAttention(const Attention& shape, Matrix queries,
                             std::span<const Matrix> keysValues, FloatMatrix logSums, Matrix out)
{
    attendFlash({blas(), launches(), m_type}, shape, queries, keysValues, logSums.data, out);
}

void CudaOps::flashAttentionBackward(const Attention& shape, Matrix queries,
                                     std::span<const Matrix> keysValues, FloatMatrix logSums,
                                     Matrix out, Matrix gradient, Matrix queryGradient,
                                     Matrix keyValueGradient, std::span<const Matrix> earlier)
{
    const OpScratch slopes(*m_device, floatBytes(logSums.size()));
    attendFlashBackward(
        {blas(), launches(), m_type}, shape, queries, keysValues,
        {logSums.data, out, gradient, queryGradient, keyValueGradient, earlier, slopes.floats()});
}

void CudaOps::embed(Tokens tokens, int positions, int firstPosition, Matrix table,
                    Matrix positionTable, Matrix out)
{
    launches().add<launchEmbed>("embed", tokens.data, positions, firstPosition, viewOf(table),
                                viewOf(positionTable), viewOf(out));
}

void CudaOps::addEmbeddingGradients(Tokens tokens, int positions, int firstPosition,
                                    Matrix gradient, FloatMatrix table, FloatMatrix positionTable)
{
    const Bytes bytes = tokenSortBytes(gradient.rows, table.rows);
    const OpScratch scratch(*m_device, bytes);
    launches().add<launchAddTokenGradients>("addEmbeddingGradients", tokens.data, table.rows,
                                            viewOf(gradient), table.data, scratch.data(), bytes);
    launches().add<launchAddPositionGradients>("addEmbeddingGradients", positions, firstPosition,
                                               viewOf(gradient), positionTable.data);
}

void CudaOps::crossEntropy(Matrix logits, Tokens targets, float scale, float* loss)
{
    const OpScratch losses(*m_device, floatBytes(logits.rows));
    launches().add<launchCrossEntropy>("crossEntropy", viewOf(logits), targets.data, scale,
                                       losses.floats());
    launches().add<launchAddSum>("crossEntropy", losses.floats(), logits.rows, loss);
}

void CudaOps::update(const Optimizer& optimizer, int step, std::int64_t count, bool decay,
                     float* parameters, const float* gradients, float* state0, float* state1)
{
    switch (optimizer.kind) {
    case OptimizerKind::Sgd:
        launches().add<launchSgd>("update", sgdRule(optimizer), count, parameters, gradients,
                                  state0);
        break;
    case OptimizerKind::AdamW:
    case OptimizerKind::Muon: {
        AdamWRule rule = adamWRule(optimizer, step, decay);
        if (m_step)
            m_step->put(rule, m_staging, m_device->patience);
        launches().add<launchAdamW>("update", rule, count, parameters, gradients, state0, state1);
        break;
    }
    }
}

Packet CudaOps::pack(void* data, Bytes bytes)
{
    return {std::make_shared<DevicePayload>(m_device->memory, data, bytes,
                                            m_device->events->record(stream())),
            0};
}

void* CudaOps::unpack(Packet packet, Bytes bytes)
{
    auto& payload = static_cast<DevicePayload&>(*packet.payload);
    PW_ASSERT(payload.bytes() == bytes && payload.owner() == m_device->memory.get());
    cuda::waitFor(stream(), payload.ready());
    return payload.surrender();
}

void CudaOps::fork()
{
    m_device->memory->fork();
    cuda::waitFor(m_device->compute(1), m_device->events->record(m_device->compute(0)));
}

void CudaOps::join()
{
    m_device->useSecond(false);
    cuda::waitFor(m_device->compute(0), m_device->events->record(m_device->compute(1)));
    m_device->memory->join();
}

} // namespace

std::unique_ptr<Ops> makeCudaOps(std::shared_ptr<RankDevice> device, Element element,
                                 Ticks patience, Products products)
{
    return std::make_unique<CudaOps>(std::move(device), element, patience, products);
}

} // namespace pw::exec::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/pass_ranges.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/pass_label.h"

#include <nvtx3/nvToolsExt.h>
#include <optional>
#include <utility>

namespace pw::exec::cuda {

namespace {

nvtxDomainHandle_t domain()
{
    static const nvtxDomainHandle_t pipewright = nvtxDomainCreateA("Pipewright");
    return pipewright;
}

/// A range on the calling thread, from here to the end of the scope.
class Range
{
public:
    Range(const std::string& text, int iteration, RankId rank)
    {
        nvtxEventAttributes_t attributes{};
        attributes.version = NVTX_VERSION;
        attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        attributes.category = static_cast<std::uint32_t>(rank) + 1;
        attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
        attributes.payload.llValue = iteration;
        attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
        attributes.message.ascii = text.c_str();
        nvtxDomainRangePushEx(domain(), &attributes);
    }
    ~Range() { nvtxDomainRangePop(domain()); }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
};

class RangedWorker final : public Worker
{
public:
    RangedWorker(std::unique_ptr<Worker> worker, RankId rank, std::shared_ptr<RankDevice> device,
                 Ticks patience, const RunClock& clock, std::shared_ptr<KernelWatch> watch)
        : m_device(std::move(device))
        , m_worker(std::move(worker))
        , m_rank(rank)
        , m_patience(patience)
        , m_clock(clock)
        , m_watch(std::move(watch))
    {
    }

    void setStop(const Stop& ended) override
    {
        m_device->stop = &ended;
        m_worker->setStop(ended);
    }
    Result<void> begin() override
    {
        PW_DO(m_worker->begin());
        keep(beside().atStart(m_rank, m_device->share(), m_clock.now()), m_readings);
        return {};
    }
    Result<void> beginIteration(int iteration) override
    {
        m_iteration = iteration;
        m_device->beginIteration(iteration, m_patience);
        return m_worker->beginIteration(iteration);
    }
    Result<void> deliver(const Pass& producer, Packet packet) override
    {
        return m_worker->deliver(producer, std::move(packet));
    }
    Result<Computed> compute(const OrderEntry& entry) override
    {
        std::string text = entryLabel(entry) + ", iteration " + std::to_string(m_iteration) +
                           ", rank " + std::to_string(m_rank);
        if (entry.pass.segment > 0)
            text += ", segment " + std::to_string(entry.pass.segment);
        const Range range(text, m_iteration, m_rank);
        if (m_device != nullptr)
            m_device->beginEntry();
        const WatchedScope watched(m_iteration < 0 ? nullptr : m_watch.get(),
                                   {m_rank, m_iteration, entry});
        Result<Computed> computed = m_worker->compute(entry);
        if (m_device != nullptr && computed)
            m_device->launches.flush(); // within the range and the watch
        return computed;
    }
    Result<Packet> take(const Pass& producer) override { return m_worker->take(producer); }
    Result<Packet> gradients(HostedStage stage, int update) override
    {
        return m_worker->gradients(stage, update);
    }
    Result<void> addGradients(HostedStage stage, int update, Packet packet) override
    {
        return m_worker->addGradients(stage, update, std::move(packet));
    }
    Result<Packet> shard(HostedStage stage, int update, ReductionKind kind, int shard) override
    {
        return m_worker->shard(stage, update, kind, shard);
    }
    Result<void> takeShard(HostedStage stage, int update, ReductionKind kind, int shard,
                           Packet packet) override
    {
        return m_worker->takeShard(stage, update, kind, shard, std::move(packet));
    }
    Result<void> move(const HostMove& move, InstructionKind what) override
    {
        return m_worker->move(move, what);
    }
    Result<double> gradientSquares(int update) override
    {
        return m_worker->gradientSquares(update);
    }
    Result<void> scaleGradients(int update, double factor) override
    {
        return m_worker->scaleGradients(update, factor);
    }
    Result<void> keepForRollback(int update) override { return m_worker->keepForRollback(update); }
    Result<void> rollBack(int update, double factor) override
    {
        return m_worker->rollBack(update, factor);
    }
    Result<void> forget(const OrderEntry& entry) override { return m_worker->forget(entry); }
    void settled(int update) override { m_worker->settled(update); }
    Result<void> end() override
    {
        // First of all: the clocks are still those of the work.
        if (m_device != nullptr)
            keep(beside().atEnd(m_rank, m_device->share(), m_clock.now(),
                                m_device->memory->reserved(), m_device->memory->peak()),
                 m_atEnd);
        m_readings.insert(m_readings.end(), m_atEnd.begin(), m_atEnd.end());
        return m_worker->end();
    }
    std::vector<GpuReading> takeGpuReadings() override { return std::exchange(m_readings, {}); }
    std::vector<Copied> takeCopies() override { return m_worker->takeCopies(); }
    std::vector<MicroBatchLoss> takeLosses() override { return m_worker->takeLosses(); }
    std::optional<Ticks> time(Mark mark) override { return m_worker->time(mark); }
    Result<void> health() override { return m_worker->health(); }
    std::vector<std::string> notes() override
    {
        std::vector<std::string> notes = m_worker->notes();
        notes.push_back("took " + byteText(m_device->memory->reserved()) + " of GPU " +
                        std::to_string(m_device->gpu->gpu()) + "'s memory in " +
                        std::to_string(m_device->memory->growths()) + " pieces");
        for (std::string& graphs : m_device->launches.takeNotes())
            notes.push_back(std::move(graphs));
        // The last rank of the GPU says what the driver says.
        for (const Sentence& line : gpuMemories(m_atEnd))
            notes.push_back(line.english());
        return notes;
    }

private:
    GpuBeside& beside() { return m_device->gpu->beside(); }
    static void keep(const std::optional<GpuReading>& reading, std::vector<GpuReading>& all)
    {
        if (reading)
            all.push_back(*reading);
    }

    std::shared_ptr<RankDevice> m_device;
    std::unique_ptr<Worker> m_worker;
    RankId m_rank;
    Ticks m_patience;
    const RunClock& m_clock;
    std::shared_ptr<KernelWatch> m_watch; ///< may be null
    std::vector<GpuReading> m_readings;   ///< that nobody has taken
    std::vector<GpuReading> m_atEnd;
    int m_iteration = 0;
};

} // namespace

std::unique_ptr<Worker> withRanges(std::unique_ptr<Worker> worker, RankId rank,
                                   std::shared_ptr<RankDevice> device, Ticks patience,
                                   const RunClock& clock, std::shared_ptr<KernelWatch> watch)
{
    return std::make_unique<RangedWorker>(std::move(worker), rank, std::move(device), patience,
                                          clock, std::move(watch));
}

} // namespace pw::exec::cuda

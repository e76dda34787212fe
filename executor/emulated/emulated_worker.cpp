// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/emulated/emulated_worker.h"

#include "core/base/text.h"
#include "core/model/known_sizes.h"
#include "executor/emulated/emulated_host.h"
#include "executor/transport/host_payload.h"
#include "executor/transport/pacing.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace pw::exec {

namespace {

/// How long after the plan's clock the threads saw passes end.
class Lateness
{
public:
    void add(Ticks late)
    {
        if (m_late.size() < mostKept)
            m_late.push_back(late);
    }

    std::string text()
    {
        std::sort(m_late.begin(), m_late.end());
        const auto at = [&](std::size_t part, std::size_t of) {
            return timeText(m_late[(m_late.size() - 1) * part / of]);
        };
        return "ends of passes were seen late by " + at(1, 2) + " in the middle, " + at(99, 100) +
               " at the 99th percentile, " + at(1, 1) + " at most";
    }

    bool any() const { return !m_late.empty(); }

private:
    static constexpr std::size_t mostKept = 1 << 20;
    std::vector<Ticks> m_late;
};

/// A number that says which result this is.
std::uint64_t patternOf(const Pass& producer, int iteration)
{
    std::uint64_t pattern = static_cast<std::uint64_t>(producer.kind) + 1;
    for (const int part : {producer.stage.value, producer.microBatch, producer.segment, iteration})
        pattern = (pattern ^ static_cast<std::uint32_t>(part)) * 0x9E37'79B9'7F4A'7C15U;
    return pattern;
}

class EmulatedWorker final : public Worker
{
public:
    EmulatedWorker(const RunPlan& plan, RankId rank, const RunClock& clock, EmulatedDevice device)
        : m_plan(plan)
        , m_spec(plan.schedule.spec())
        , m_rank(rank)
        , m_clock(clock)
        , m_device(std::move(device))
        , m_spin(coresFor(plan.schedule.devices()))
        , m_host(plan)
    {
    }

    Result<void> begin() override
    {
        tightenSleeps();
        const StandingMemory standing =
            standingMemory(m_plan.costs, m_spec)[deviceOf(m_rank).index()];
        memory(MemoryUse::Weights) = standing.weights;
        memory(MemoryUse::Gradients) = standing.gradients;
        memory(MemoryUse::Optimizer) = standing.optimizer;
        memory(MemoryUse::Messages) = standing.buffers;
        memory(MemoryUse::Workspace) = standing.workspace;
        return {};
    }

    Result<void> beginIteration(int iteration) override
    {
        m_iteration = iteration;
        m_base = m_device.iterationStart();
        m_device.planned->setFree(m_rank, 0);
        m_host.beginIteration(m_base);
        m_inputsDue = 0;
        m_inputsCame = 0;
        m_ended = 0;
        m_updateDue.clear();
        m_gradientsReady.clear();
        return {};
    }

    Result<void> deliver(const Pass& producer, Packet packet) override
    {
        m_inputsDue = std::max(m_inputsDue, packet.due);
        m_inputsCame = std::max(m_inputsCame, packet.at);
        return verify(producer, packet);
    }

    Result<Computed> compute(const OrderEntry& entry) override;

    Result<void> move(const HostMove& move, InstructionKind what) override
    {
        const bool within = (what == InstructionKind::Free && move.freedWithin) ||
                            (what == InstructionKind::Fetch && move.fetchedWithin);
        if (within)
            m_within.emplace_back(&move, what);
        else
            carryOut(move, what, m_device.planned->free(m_rank));
        return {};
    }
    std::vector<Copied> takeCopies() override { return m_host.takeCopies(); }

    Result<Packet> take(const Pass& producer) override
    {
        // The result of the entry that has just ended.
        return pack(producer, producer.kind, m_device.planned->free(m_rank));
    }

    Result<Packet> gradients(HostedStage stage, int update) override
    {
        const auto ready = m_gradientsReady.find({stage.route, stage.stage, update});
        return pack(updatePass(stage.stage, update), PassKind::U,
                    ready == m_gradientsReady.end() ? 0 : ready->second);
    }

    Result<void> addGradients(HostedStage stage, int update, Packet packet) override
    {
        Ticks& due = m_updateDue[{stage.route, stage.stage, update}];
        due = std::max(due, packet.due);
        m_inputsCame = std::max(m_inputsCame, packet.at);
        return verify(updatePass(stage.stage, update), packet);
    }

    /// As a simulation has it, all gradients leave at once, and handing their sum on takes no time.
    Result<Packet> shard(HostedStage stage, int update, ReductionKind kind, int /*shard*/) override
    {
        if (kind == ReductionKind::Scatter)
            return gradients(stage, update);
        return pack(updatePass(stage.stage, update), PassKind::U, 0);
    }
    Result<void> takeShard(HostedStage stage, int update, ReductionKind kind, int /*shard*/,
                           Packet packet) override
    {
        if (kind == ReductionKind::Scatter)
            return addGradients(stage, update, std::move(packet));
        return verify(updatePass(stage.stage, update), packet);
    }

    std::vector<MicroBatchLoss> takeLosses() override { return {}; }
    std::optional<Ticks> time(Mark mark) override { return mark.value; }
    std::vector<std::string> notes() override;

private:
    using Key = std::tuple<int, int, int>; ///< route, stage, update

    static Pass updatePass(StageId stage, int update) { return {PassKind::U, 0, stage, update, 0}; }
    Bytes& memory(MemoryUse use) { return m_memory[static_cast<std::size_t>(use)]; }

    /// As planned, or longer where this worker is slow on purpose.
    Ticks takes(const OrderEntry& entry) const
    {
        const auto planned = static_cast<double>(entryTime(m_plan.costs, m_spec, entry));
        return static_cast<Ticks>(std::llround(planned * slowness(m_plan.slow, m_spec, entry)));
    }
    Result<Packet> pack(const Pass& producer, PassKind kind, Ticks ready);
    Result<void> verify(const Pass& producer, const Packet& packet) const;
    void add(const Pass& pass);
    void release(const Pass& pass);
    void carryOut(const HostMove& move, InstructionKind what, Ticks moment);
    Ticks inputsOf(const Pass& pass) const;
    void noteGradients(const Pass& pass, Ticks end);

    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    const RankId m_rank;
    const RunClock& m_clock;
    EmulatedDevice m_device;
    const bool m_spin;
    int m_iteration = 0;
    Ticks m_base = 0;                      ///< of the plan's clock on the run's
    Ticks m_inputsDue = 0;                 ///< of the entry to come
    Ticks m_inputsCame = 0;                ///< of the entry to come, on the run's clock
    Ticks m_ended = 0;                     ///< of the entry before, on the run's clock
    std::map<Key, Ticks> m_updateDue;      ///< when the other replica's gradients are there
    std::map<Key, Ticks> m_gradientsReady; ///< end of the last W or BW of an update
    EmulatedHost m_host;
    std::vector<std::pair<const HostMove*, InstructionKind>> m_within; ///< the entry to come
    MemoryNow m_memory{};
    Lateness m_lateness;
    Bytes m_largest = 0; ///< message that was cut
};

Result<Computed> EmulatedWorker::compute(const OrderEntry& entry)
{
    Ticks start = std::max(m_device.planned->free(m_rank), std::exchange(m_inputsDue, 0));
    if (entry.pass.kind == PassKind::U)
        start = std::max(start, inputsOf(entry.pass));
    start = std::max(start, m_host.arrival(entry.pass));
    if (entry.paired)
        start = std::max(start, m_host.arrival(entry.partner));
    const Ticks time = takes(entry);
    const Ticks end = start + time;
    m_device.planned->setFree(m_rank, end);
    if (m_device.listener)
        m_device.listener(entry, start, end);

    Computed computed;
    const auto paced = [&](Ticks moment) {
        return paceUntil(m_clock, m_base + moment, m_spin, m_device.ended);
    };
    if (!paced(start))
        return fail(ErrorCode::Cancelled, "stopped");
    // The device goes by itself: it begins when it is free and its inputs are there, whenever this
    // thread wakes up to see it, but for a stall.
    computed.start.value = std::max(
        {m_base + start, m_ended, std::exchange(m_inputsCame, 0), m_clock.now() - mostWakeUp});
    add(entry.pass);
    if (entry.paired)
        add(entry.partner);
    computed.atStart = m_memory;
    for (const auto& [move, what] : m_within)
        carryOut(*move, what, start);
    if (!m_within.empty())
        computed.within = m_memory;
    m_within.clear();
    m_ended = computed.start.value + time;
    if (!paced(m_ended - m_base))
        return fail(ErrorCode::Cancelled, "stopped");
    computed.end.value = m_ended;
    m_lateness.add(m_clock.now() - m_base - end);
    for (const Pass& pass : {entry.pass, entry.partner}) {
        release(pass);
        noteGradients(pass, end);
        if (!entry.paired)
            break;
    }
    computed.atEnd = m_memory;
    return computed;
}

/// @param moment  by the plan's clock
void EmulatedWorker::carryOut(const HostMove& move, InstructionKind what, Ticks moment)
{
    switch (what) {
    case InstructionKind::Stow:
        m_host.stow(move.cell, moment);
        break;
    case InstructionKind::Free:
        memory(MemoryUse::Activations) -= m_host.bytesOf(move.cell);
        break;
    default:
        m_host.fetch(move.cell, moment);
        memory(MemoryUse::Activations) += m_host.bytesOf(move.cell);
        break;
    }
}

Ticks EmulatedWorker::inputsOf(const Pass& pass) const
{
    const auto due = m_updateDue.find({pass.route, pass.stage, pass.microBatch});
    return due == m_updateDue.end() ? 0 : due->second;
}

void EmulatedWorker::noteGradients(const Pass& pass, Ticks end)
{
    if (m_spec.routeCount() < 2 || (pass.kind != PassKind::W && pass.kind != PassKind::BW))
        return;
    m_gradientsReady[{pass.route, pass.stage, m_spec.updateOf(pass.microBatch)}] = end;
}

Result<Packet> EmulatedWorker::pack(const Pass& producer, PassKind kind, Ticks ready)
{
    const PassKind consumer = kind == PassKind::U ? PassKind::U : PassKind::F;
    const Bytes bytes = messageBytes(m_plan.costs, m_spec, producer, consumer);
    if (bytes > mostEmulatedBytes)
        m_largest = std::max(m_largest, bytes);
    const Bytes real =
        std::max(std::min(bytes, mostEmulatedBytes), static_cast<Bytes>(sizeof(std::uint64_t)));
    auto payload = std::make_shared<HostPayload>(real);
    const std::uint64_t pattern = patternOf(producer, m_iteration);
    auto* out = static_cast<unsigned char*>(payload->data());
    for (Bytes at = 0; at + static_cast<Bytes>(sizeof(pattern)) <= real; at += sizeof(pattern))
        std::memcpy(out + at, &pattern, sizeof(pattern));
    return Packet{std::move(payload), ready, kind == PassKind::U ? 0 : m_ended};
}

Result<void> EmulatedWorker::verify(const Pass& producer, const Packet& packet) const
{
    const std::uint64_t pattern = patternOf(producer, m_iteration);
    const auto* payload = dynamic_cast<const HostPayload*>(packet.payload.get());
    if (payload == nullptr)
        return fail(ErrorCode::Fault, "the message of %1 is empty", describe(producer, m_spec));
    const auto* in = static_cast<const unsigned char*>(payload->data());
    for (Bytes at = 0; at + static_cast<Bytes>(sizeof(pattern)) <= payload->bytes();
         at += sizeof(pattern)) {
        if (std::memcmp(in + at, &pattern, sizeof(pattern)) != 0)
            return fail(ErrorCode::Fault, "the message of %1 has another content from byte %2 on",
                        describe(producer, m_spec), at);
    }
    return {};
}

void EmulatedWorker::add(const Pass& pass)
{
    if (pass.kind != PassKind::F && pass.kind != PassKind::R)
        return;
    const ActivationCost& cost =
        m_plan.costs.activation[cellIndex(m_spec, pass.stage, pass.segment)];
    memory(MemoryUse::Activations) +=
        activationChange(cost, pass.kind, m_plan.schedule.recomputed(pass)).bytes;
}

void EmulatedWorker::release(const Pass& pass)
{
    if (!isBackward(pass.kind) && pass.kind != PassKind::W)
        return;
    const ActivationCost& cost =
        m_plan.costs.activation[cellIndex(m_spec, pass.stage, pass.segment)];
    const Bytes change = activationChange(cost, pass.kind, false).bytes;
    memory(pass.kind == PassKind::W ? MemoryUse::HeldForWeight : MemoryUse::Activations) += change;
    if (pass.kind != PassKind::B)
        return;
    // What B leaves is held for W from here on.
    memory(MemoryUse::Activations) -= cost.keptForWeight;
    memory(MemoryUse::HeldForWeight) += cost.keptForWeight;
}

std::vector<std::string> EmulatedWorker::notes()
{
    std::vector<std::string> notes;
    if (m_lateness.any())
        notes.push_back(m_lateness.text());
    if (m_largest > 0)
        notes.push_back("of messages up to " + byteText(m_largest) + " the first " +
                        byteText(mostEmulatedBytes) + " travelled");
    return notes;
}

} // namespace

std::unique_ptr<Worker> makeEmulatedWorker(const RunPlan& plan, RankId rank, const RunClock& clock,
                                           EmulatedDevice device)
{
    return std::make_unique<EmulatedWorker>(plan, rank, clock, std::move(device));
}

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_records.h"

#include "executor/mpi/mpi_packing.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <type_traits>

namespace pw::exec {

namespace {

/// What a mail of the kind Record has in it; its `flags`.
enum What : std::int32_t
{
    Passes,
    Messages,
    Memory,
    Copies,
    Loss,
    Log,
    Snapshot,
    End,
    Gpus
};

template<typename Record>
std::vector<Record> recordsOf(const Mail& mail)
{
    static_assert(std::is_trivially_copyable_v<Record>);
    const std::string_view bytes = mail.text();
    std::vector<Record> records(bytes.size() / sizeof(Record));
    if (!records.empty())
        std::memcpy(records.data(), bytes.data(), records.size() * sizeof(Record));
    return records;
}

void pack(MpiPacker& packer, const std::optional<RunFault>& fault)
{
    packer.number(fault.has_value());
    if (fault)
        packer.number(fault->rank.value)
            .number(fault->peer.value)
            .text(fault->pass)
            .text(fault->text);
}

std::optional<RunFault> faultOf(MpiUnpacker& unpacker)
{
    if (!unpacker.number<bool>())
        return std::nullopt;
    RunFault fault;
    fault.rank = RankId(unpacker.number<std::int32_t>());
    fault.peer = RankId(unpacker.number<std::int32_t>());
    fault.pass = unpacker.text();
    fault.text = unpacker.text();
    return fault;
}

PartEnd endOf(const Mail& mail)
{
    MpiUnpacker unpacker(mail.text());
    PartEnd end;
    end.status = unpacker.number<RunStatus>();
    end.error.code = unpacker.number<ErrorCode>();
    end.error.message = unpacker.text();
    end.faultTime = unpacker.number<Ticks>();
    end.fault = faultOf(unpacker);
    end.cutWait = faultOf(unpacker);
    return end;
}

} // namespace

void RecordMailer::send(std::int32_t what, std::span<const std::byte> body)
{
    m_session.send(leadRank, {.kind = MailKind::Record, .run = m_run, .flags = what}, body);
}

void RecordMailer::passes(std::span<const RecordedPass> batch)
{
    send(Passes, std::as_bytes(batch));
}

void RecordMailer::messages(std::span<const RecordedMessage> batch)
{
    send(Messages, std::as_bytes(batch));
}

void RecordMailer::memory(std::span<const MemorySample> batch)
{
    send(Memory, std::as_bytes(batch));
}

void RecordMailer::copies(std::span<const RecordedCopy> batch)
{
    send(Copies, std::as_bytes(batch));
}

void RecordMailer::gpus(std::span<const GpuReading> batch)
{
    send(Gpus, std::as_bytes(batch));
}

void RecordMailer::loss(const StepLoss& loss)
{
    send(Loss, std::as_bytes(std::span<const StepLoss>(&loss, 1)));
}

void RecordMailer::log(const RunLog& log)
{
    MpiPacker packer;
    send(Log,
         packer.number(log.time).number(log.rank.value).number(log.level).text(log.text).bytes());
}

void RecordMailer::snapshot(const StageSnapshot& snapshot)
{
    MpiPacker packer;
    packer.number(snapshot.stage).number(snapshot.update);
    send(Snapshot, packer.floats(snapshot.parameters).floats(snapshot.gradients).bytes());
}

void RecordMailer::end(const Result<RunFigures>& result)
{
    if (!result)
        m_end.error = result.error();
    MpiPacker packer;
    packer.number(m_end.status).number(m_end.error.code).text(m_end.error.message.english());
    packer.number(m_end.faultTime);
    pack(packer, m_end.fault);
    pack(packer, m_end.cutWait);
    send(End, packer.bytes());
}

RecordMerger::RecordMerger(const RunPlan& plan, const RunClock& clock, RunEnvironment environment,
                           RunSink& sink, const SnapshotListener& snapshots)
    : m_clock(clock)
    , m_environment(std::move(environment))
    , m_sink(sink)
    , m_snapshots(snapshots)
    , m_tally(plan)
    , m_ends(static_cast<std::size_t>(plan.schedule.devices()))
{
    const PipelineSpec& spec = plan.schedule.spec();
    std::set<int> hosts;
    for (int j = 0; j < spec.microBatches; ++j)
        hosts.insert(spec.device(spec.route(j), StageId(spec.stages() - 1)));
    m_lossParts = static_cast<int>(hosts.size());
}

void RecordMerger::started(const RunPlan& plan, const RunEnvironment&)
{
    const std::lock_guard lock(m_mutex);
    m_started = true;
    m_sink.started(plan, m_environment);
    for (const Mail& mail : m_early)
        put(mail);
    m_early.clear();
}

void RecordMerger::passes(std::span<const RecordedPass> batch)
{
    const std::lock_guard lock(m_mutex);
    m_tally.add(batch);
    m_sink.passes(batch);
}

void RecordMerger::messages(std::span<const RecordedMessage> batch)
{
    const std::lock_guard lock(m_mutex);
    m_sink.messages(batch);
}

void RecordMerger::memory(std::span<const MemorySample> batch)
{
    const std::lock_guard lock(m_mutex);
    m_tally.add(batch);
    m_sink.memory(batch);
}

void RecordMerger::copies(std::span<const RecordedCopy> batch)
{
    const std::lock_guard lock(m_mutex);
    m_sink.copies(batch);
}

void RecordMerger::gpus(std::span<const GpuReading> batch)
{
    const std::lock_guard lock(m_mutex);
    m_sink.gpus(batch);
}

void RecordMerger::loss(const StepLoss& loss)
{
    const std::lock_guard lock(m_mutex);
    add(leadRank, loss);
}

void RecordMerger::add(RankId rank, const StepLoss& part)
{
    std::map<RankId, double>& parts = m_losses[part.step];
    parts[rank] = part.loss;
    if (static_cast<int>(parts.size()) < m_lossParts)
        return;
    StepLoss whole{part.step, 0};
    for (const auto& [from, loss] : parts)
        whole.loss += loss;
    m_losses.erase(part.step);
    m_tally.add(whole);
    m_sink.loss(whole);
}

void RecordMerger::log(const RunLog& log)
{
    const std::lock_guard lock(m_mutex);
    m_sink.log(log);
}

void RecordMerger::fault(const RunFault& fault)
{
    const std::lock_guard lock(m_mutex);
    m_own.fault = fault;
    m_own.faultTime = m_clock.now();
}

void RecordMerger::cutWait(const RunFault& wait)
{
    const std::lock_guard lock(m_mutex);
    m_own.cutWait = wait;
}

void RecordMerger::finished(RunStatus status, const RunFigures&)
{
    const std::lock_guard lock(m_mutex);
    m_own.status = status;
}

void RecordMerger::snapshot(StageSnapshot snapshot)
{
    const std::lock_guard lock(m_mutex);
    if (m_snapshots)
        m_snapshots(std::move(snapshot));
}

void RecordMerger::end(const Result<RunFigures>& result)
{
    const std::lock_guard lock(m_mutex);
    if (!result)
        m_own.error = result.error();
    m_ends[leadRank.index()] = m_own;
}

void RecordMerger::take(Mail mail)
{
    const std::lock_guard lock(m_mutex);
    // The sink hears nothing before the start; another rank may be ahead of this one.
    if (!m_started && mail.head.flags != End)
        m_early.push_back(std::move(mail));
    else
        put(mail);
}

void RecordMerger::put(const Mail& mail)
{
    switch (mail.head.flags) {
    case Passes: {
        const std::vector<RecordedPass> batch = recordsOf<RecordedPass>(mail);
        m_tally.add(batch);
        m_sink.passes(batch);
        return;
    }
    case Messages:
        m_sink.messages(recordsOf<RecordedMessage>(mail));
        return;
    case Memory: {
        const std::vector<MemorySample> batch = recordsOf<MemorySample>(mail);
        m_tally.add(batch);
        m_sink.memory(batch);
        return;
    }
    case Copies:
        m_sink.copies(recordsOf<RecordedCopy>(mail));
        return;
    case Gpus:
        m_sink.gpus(recordsOf<GpuReading>(mail));
        return;
    case Loss:
        for (const StepLoss& loss : recordsOf<StepLoss>(mail))
            add(mail.from, loss);
        return;
    case Log: {
        MpiUnpacker unpacker(mail.text());
        RunLog log;
        log.time = unpacker.number<Ticks>();
        log.rank = RankId(unpacker.number<std::int32_t>());
        log.level = unpacker.number<LogLevel>();
        log.text = unpacker.text();
        m_sink.log(log);
        return;
    }
    case Snapshot: {
        MpiUnpacker unpacker(mail.text());
        StageSnapshot snapshot;
        snapshot.stage = unpacker.number<HostedStage>();
        snapshot.update = unpacker.number<int>();
        snapshot.parameters = unpacker.floats();
        snapshot.gradients = unpacker.floats();
        if (m_snapshots)
            m_snapshots(std::move(snapshot));
        return;
    }
    case End:
        if (mail.from.index() < m_ends.size())
            m_ends[mail.from.index()] = endOf(mail);
        return;
    default:
        return;
    }
}

std::vector<RankId> RecordMerger::missing() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<RankId> ranks;
    for (const RankId rank : Ids<RankId>(m_ends.size())) {
        if (!m_ends[rank.index()])
            ranks.push_back(rank);
    }
    return ranks;
}

/// Where ranks wait for each other in a row, the one whose limit passes first is chance; what
/// counts is the last one of the row, who waits for the rank that does not come. Where several wait
/// for that rank, the last of them in the pipeline tells it. In a ring the first fault is as good
/// as any.
const RunFault& RecordMerger::rootOf(const PartEnd& first) const
{
    if (!first.cutWait)
        return *first.fault;
    const auto partOf = [this](RankId rank) -> const PartEnd* {
        const std::size_t index = rank.index(); // none is beyond all
        const bool waits = index < m_ends.size() && m_ends[index] && m_ends[index]->cutWait;
        return waits ? &*m_ends[index] : nullptr;
    };
    RankId peer = first.cutWait->peer;
    std::size_t length = 0;
    for (; length < m_ends.size() && partOf(peer) != nullptr; ++length)
        peer = partOf(peer)->cutWait->peer;
    const RunFault* root = &*first.cutWait;
    if (length < m_ends.size()) {
        for (const std::optional<PartEnd>& end : m_ends)
            if (end && end->cutWait && end->cutWait->peer == peer)
                root = &*end->cutWait;
        return *root;
    }
    // Now within the ring; once around it.
    RankId last = peer;
    for (std::size_t i = 0; i < m_ends.size(); ++i) {
        peer = partOf(peer)->cutWait->peer;
        last = std::max(last, peer);
    }
    return *partOf(last)->cutWait;
}

Result<RunFigures> RecordMerger::close()
{
    const std::lock_guard lock(m_mutex);
    const RunFigures figures = m_tally.figures();
    const PartEnd* first = nullptr; // the fault that came before the others
    const Error* refused = nullptr; // a part that did not begin
    bool isStopped = false;
    std::optional<RunFault> gone;
    for (const RankId rank : Ids<RankId>(m_ends.size())) {
        if (!m_ends[rank.index()]) {
            gone = RunFault{RankId::none(), rank, "",
                            "rank " + std::to_string(rank) +
                                " is gone: its process has not said how its part of the run ended"};
            continue;
        }
        const PartEnd& end = *m_ends[rank.index()];
        if (end.fault && (first == nullptr || end.faultTime < first->faultTime))
            first = &end;
        isStopped = isStopped || end.status == RunStatus::Stopped;
        if (!end.fault && end.status == RunStatus::Running && !end.error.message.empty())
            refused = &end.error;
    }
    if (!m_started)
        return fail(refused != nullptr ? *refused
                                       : Error{ErrorCode::Fault, said("no rank has begun")});
    if (first != nullptr || gone) {
        const RunFault fault = first != nullptr ? rootOf(*first) : *gone;
        m_sink.fault(fault);
        m_sink.finished(RunStatus::Failed, figures);
        return fail(first != nullptr ? first->error.code : ErrorCode::Fault, fault.text);
    }
    if (isStopped) {
        m_sink.finished(RunStatus::Stopped, figures);
        return fail(ErrorCode::Cancelled, "the run was stopped");
    }
    m_sink.finished(RunStatus::Finished, figures);
    return figures;
}

} // namespace pw::exec

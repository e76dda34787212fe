// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/rank_runner.h"

#include "core/base/text.h"
#include "core/io/pass_label.h"

#include <chrono>
#include <new>
#include <thread>

namespace pw::exec {

void RunShared::fault(RunFault fault, ErrorCode code, bool isWait)
{
    if (fault.peer.valid())
        fault.text += whereIs(fault.peer);
    {
        const std::lock_guard lock(mutex);
        if (isWait)
            cutWait = fault;
        if (!ended.requested() && !stop.requested()) {
            firstFault = std::move(fault);
            // A run that nobody stopped has not been stopped.
            firstCode = code == ErrorCode::Cancelled ? ErrorCode::Fault : code;
        }
        ended.request();
    }
    changed.notify_all();
}

std::string placeText(std::int64_t place, const Schedule& schedule)
{
    switch (place) {
    case placeBegin:
        return "its begin";
    case placeBarrier:
        return "the start of an iteration";
    case placeUpdates:
        return "the updates after an iteration";
    case placeIterationEnd:
        return "the end of an iteration";
    case placeEnd:
        return "its end";
    default:
        return entryLabel(schedule.entry(EntryId(place)));
    }
}

RankRunner::RankRunner(RunShared& shared, RankId rank, std::unique_ptr<Endpoint> endpoint)
    : m_shared(shared)
    , m_plan(shared.plan)
    , m_rank(rank)
    , m_committed(shared.plan.schedule.spec().messages == MessageRule::Committed)
    , m_endpoint(std::move(endpoint))
{
    const Schedule& schedule = m_plan.schedule;
    m_inputs.assign(static_cast<std::size_t>(schedule.end(device()) - schedule.begin(device())),
                    {-1, -1});
    for (std::size_t i = 0; i < m_plan.program.messages.size(); ++i) {
        const Message& message = m_plan.program.messages[i];
        if (message.to != rank)
            continue;
        const EntryId entry = schedule.entryOf(schedule.table().id(message.consumer));
        auto& inputs = m_inputs[static_cast<std::size_t>(entry - schedule.begin(device()))];
        inputs[inputs[0] < 0 ? 0 : 1] = static_cast<std::int32_t>(i);
    }
    for (const InjectedFault& fault : m_plan.faults) {
        Pass pass = fault.pass;
        if (pass.kind != PassKind::U)
            pass.route = static_cast<std::uint8_t>(schedule.spec().route(pass.microBatch));
        if (schedule.spec().device(pass.route, pass.stage) == device())
            m_faults.push_back({fault.kind, pass, fault.iteration});
    }
}

void RankRunner::run() noexcept
{
    // What is said of a failure takes memory, too, and may find none.
    try {
        runAndReport();
    } catch (...) {
        m_shared.exhaust(m_rank);
    }
    try {
        close();
    } catch (...) {
        // The run is over; what a device says while it is closed changes nothing.
    }
    m_ended.store(true, std::memory_order_release);
    {
        const std::lock_guard lock(m_shared.mutex);
        --m_shared.running;
    }
    m_shared.changed.notify_all();
}

void RankRunner::runAndReport()
{
    try {
        if (const Result<void> done = runAll(); !done)
            report(done.error(), done.error().code);
    } catch (const std::bad_alloc&) {
        report(Error{ErrorCode::Fault, said("%1: out of memory", what())}, ErrorCode::Fault);
    } catch (const std::exception& failure) {
        report(Error{ErrorCode::Fault, said("%1: %2", what(), failure.what())}, ErrorCode::Fault);
    } catch (...) {
        report(Error{ErrorCode::Fault, said("%1: an exception of an unknown kind", what())},
               ErrorCode::Fault);
    }
}

void RankRunner::close()
{
    if (m_shared.ended.requested())
        m_endpoint->abort();
    m_worker.reset();
    m_endpoint.reset();
}

void RankRunner::report(const Error& error, ErrorCode code)
{
    RunFault fault;
    fault.rank = m_rank;
    fault.peer = peer();
    fault.pass = m_hasEntry ? entryLabel(m_entry) : "";
    fault.text = error.message;
    const bool isWait = fault.peer.valid() && (m_overdue || code == ErrorCode::Cancelled);
    m_shared.fault(std::move(fault), code, isWait);
}

Result<void> RankRunner::runAll()
{
    if (auto begun = begin(); !begun)
        return begun;
    for (int iteration = -m_plan.warmup; iteration < m_plan.iterations; ++iteration) {
        if (auto done = iterate(iteration); !done)
            return done;
    }
    return finish();
}

Result<void> RankRunner::begin()
{
    enter(placeBegin, {});
    m_computingSince.store(0, std::memory_order_relaxed);
    Result<std::unique_ptr<Worker>> worker = m_shared.workers(m_rank, m_shared.clock);
    if (!worker)
        return named(worker.error());
    m_worker = std::move(*worker);
    m_worker->setStop(m_shared.ended);
    if (auto begun = m_worker->begin(); !begun)
        return named(begun.error());
    noteGpus();
    return m_plan.hint > 0 ? prepareHint() : Result<void>();
}

Result<void> RankRunner::iterate(int iteration)
{
    m_iteration = iteration;
    enter(placeBarrier, {});
    if (auto met = m_endpoint->barrier(patience()); !met)
        return met;
    if (auto begun = m_worker->beginIteration(iteration); !begun)
        return named(begun.error());
    m_clipped = 0;
    if (auto done = instructions(); !done)
        return done;
    if (!m_plan.schedule.spec().updates) {
        if (auto done = updates(); !done)
            return done;
    }
    if (auto valid = validate(); !valid)
        return valid;
    if (auto settled = settleShards(); !settled)
        return settled;
    return settle();
}

Result<void> RankRunner::instructions()
{
    if (m_hint)
        return instructionsByHint();
    const auto& all = m_plan.program.ranks[static_cast<std::size_t>(m_rank)];
    for (std::size_t i = 0; i < all.size();) {
        const Instruction& instruction = all[i];
        Result<void> done;
        std::size_t next = i + 1;
        switch (instruction.kind) {
        case InstructionKind::Compute:
            done = computeInTurn(EntryId(instruction.index));
            break;
        case InstructionKind::Reduce:
            done = reduce(instruction.index);
            break;
        case InstructionKind::Send:
        case InstructionKind::Receive:
            while (next < all.size() && (all[next].kind == InstructionKind::Send ||
                                         all[next].kind == InstructionKind::Receive))
                ++next;
            done = meet(i, next);
            break;
        case InstructionKind::Stow:
        case InstructionKind::Free:
        case InstructionKind::Fetch:
            done = moveToHost(instruction);
            break;
        }
        if (!done)
            return done;
        if (m_shared.ended.requested())
            return fail(ErrorCode::Cancelled, "%1: stopped", what());
        i = next;
    }
    return {};
}

Result<void> RankRunner::handOver(std::int32_t index)
{
    const Pass& producer = m_plan.program.messages[static_cast<std::size_t>(index)].producer;
    Result<Packet> packet = m_worker->take(producer);
    if (!packet)
        return named(packet.error());
    if (strikes(FaultKind::LoseMessage, producer))
        return {};
    for (Early& early : m_early) {
        if (early.entry.pass != producer)
            continue;
        packet->optimistic = true;
        early.sent.push_back(index);
    }
    const std::int32_t tag = strikes(FaultKind::WrongTag, producer) ? wrongTag(index) : index;
    return m_endpoint->send(tag, m_iteration, std::move(*packet));
}

Result<void> RankRunner::receive(std::int32_t index)
{
    const Message& message = m_plan.program.messages[static_cast<std::size_t>(index)];
    m_peer.store(message.from, std::memory_order_relaxed);
    if (m_committed) {
        const Schedule& schedule = m_plan.schedule;
        const EntryId user = schedule.entryOf(schedule.table().id(message.consumer));
        enter(user, schedule.entry(user));
    }
    Result<Arrival> arrival = m_endpoint->wait(index, m_iteration, patience());
    if (!arrival)
        return fail(arrival.error());
    if (m_plan.postValidation) {
        if (auto valid = confirm(index, *arrival); !valid)
            return valid;
    }
    m_peer.store(RankId::none(), std::memory_order_relaxed);
    return accept(index, std::move(*arrival));
}

/// Takes the result of another rank in.
Result<void> RankRunner::accept(std::int32_t index, Arrival arrival)
{
    const Message& message = m_plan.program.messages[static_cast<std::size_t>(index)];
    Pending pending;
    pending.isMessage = true;
    pending.start = arrival.start;
    pending.end = arrival.end;
    RecordedMessage& record = pending.message;
    record = {m_iteration, index,          message.from,      message.to,     message.producer,
              0,           arrival.posted, arrival.startTime, arrival.endTime};
    // Of a modelled result only a part travels.
    const PipelineSpec& spec = m_plan.schedule.spec();
    if (arrival.packet.due > 0)
        record.bytes = messageBytes(m_plan.costs, spec, message.producer, message.consumer.kind);
    else if (arrival.packet.payload)
        record.bytes = arrival.packet.payload->bytes();
    m_pending.push_back(pending);
    if (auto taken = m_worker->deliver(message.producer, std::move(arrival.packet)); !taken)
        return named(taken.error());
    return {};
}

namespace {

std::int64_t placeOf(EntryId index)
{
    return index.valid() ? index.value : std::int64_t{placeUpdates};
}

} // namespace

Result<void> RankRunner::compute(EntryId index, const OrderEntry& entry)
{
    const std::int64_t where = placeOf(index);
    enter(where, entry);
    Early early{index, entry};
    if (!m_committed && index.valid()) {
        const auto place = static_cast<std::size_t>(index - m_plan.schedule.begin(device()));
        for (const std::int32_t message : m_inputs[place]) {
            if (message < 0)
                continue;
            if (m_open) {
                if (auto there = inputOrNorm(message); !there)
                    return there;
                enter(where, entry);
                early.input = message;
            }
            if (auto came = receive(message); !came)
                return came;
        }
    }
    if (m_open && entry.pass.kind != PassKind::U)
        m_early.push_back(std::move(early));
    return work(index, entry);
}

/// Computes an entry whose inputs are there.
Result<void> RankRunner::work(EntryId index, const OrderEntry& entry)
{
    enter(placeOf(index), entry);
    m_computingSince.store(m_shared.clock.now(), std::memory_order_relaxed);
    if (!m_faults.empty())
        strike(entry);
    Result<Computed> computed = m_worker->compute(entry);
    m_computingSince.store(0, std::memory_order_relaxed);
    if (!computed)
        return named(computed.error());
    Pending pending;
    pending.start = computed->start;
    pending.end = computed->end;
    pending.entry = entry;
    pending.pass = {m_iteration, m_rank, index, entry.pass, 0, 0};
    pending.atStart = computed->atStart;
    pending.within = computed->within;
    pending.atEnd = computed->atEnd;
    m_pending.push_back(pending);
    noteCopies();
    drain();
    return {};
}

/// Waits until the device has come to everything that it was told in this iteration.
Result<void> RankRunner::settle()
{
    m_place.store(placeIterationEnd, std::memory_order_relaxed);
    for (const MicroBatchLoss& loss : m_worker->takeLosses())
        m_records.losses.add({m_iteration, loss});
    Ticks progress = m_shared.clock.now();
    for (int turn = 0;; ++turn) {
        const std::size_t left = m_pending.size();
        drain();
        if (m_pending.empty())
            return {};
        const Ticks now = m_shared.clock.now();
        if (m_pending.size() < left)
            progress = now;
        const Pending& first = m_pending.front();
        if (!first.isMessage && !first.isCopy && first.entry.pass != m_entry.pass) {
            m_entry = first.entry;
            m_what.clear();
        }
        if (auto fine = m_worker->health(); !fine)
            return named(fine.error());
        if (m_shared.ended.requested())
            return fail(ErrorCode::Cancelled, "%1: stopped", what());
        if (now - progress >= m_shared.patience)
            return fail(ErrorCode::Fault, "%1: the device has not ended it after %2", what(),
                        timeText(now - progress));
        if (turn < 100)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

Result<void> RankRunner::finish()
{
    enter(placeEnd, {});
    if (auto met = m_endpoint->barrier(patience()); !met)
        return met;
    if (auto ended = m_worker->end(); !ended)
        return named(ended.error());
    noteGpus();
    noteClipping();
    noteHint();
    for (std::string& note : m_worker->notes())
        m_records.logs.add({m_shared.clock.now(), m_rank, LogLevel::Info, std::move(note)});
    return {};
}

void RankRunner::enter(std::int64_t place, const OrderEntry& entry)
{
    m_place.store(place, std::memory_order_relaxed);
    m_entry = entry;
    m_hasEntry = place >= 0 || place == placeUpdates;
    m_what.clear();
}

const std::string& RankRunner::what()
{
    if (!m_what.empty())
        return m_what;
    const std::int64_t place = m_place.load(std::memory_order_relaxed);
    m_what = "rank " + std::to_string(m_rank) + ", ";
    if (m_hasEntry)
        m_what += entryLabel(m_entry);
    else if (place == placeBarrier)
        m_what += "start of iteration " + std::to_string(m_iteration);
    else
        m_what += place == placeBegin ? "begin" : "end of the run";
    return m_what;
}

Patience RankRunner::patience()
{
    return {m_shared.ended, m_shared.patience, what(), &m_overdue};
}

tl::unexpected<Error> RankRunner::named(const Error& error)
{
    return fail(error.code, "%1: %2", what(), error.message);
}

} // namespace pw::exec

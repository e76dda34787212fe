// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/program_follower.h"

#include "core/base/try.h"
#include "executor/api/hinted_order.h"

#include <algorithm>
#include <utility>

namespace pw::exec {

ProgramFollower::ProgramFollower(const RunShared& shared, RankPosition& position, Worker& worker,
                                 Endpoint& endpoint, RankRecorder& recorder)
    : m_plan(shared.plan)
    , m_committed(shared.plan.schedule.spec().messages == MessageRule::Committed)
    , m_position(position)
    , m_endpoint(endpoint)
    , m_recorder(recorder)
    , m_faults(shared, position.rank())
    , m_passes(position, worker, m_faults, recorder)
    , m_messages(shared.plan, position, worker, endpoint, m_faults, recorder)
    , m_replicas(shared.plan, position, worker, endpoint, recorder)
    , m_early(position, worker, m_passes, m_messages, recorder)
    , m_clipping(shared, position, worker, endpoint, m_messages, m_replicas, m_early)
{
    if (m_plan.hint > 0)
        m_hint = std::make_unique<HintedOrder>(shared, position, m_messages);
}

ProgramFollower::~ProgramFollower() = default;

Result<void> ProgramFollower::iterate()
{
    m_clipping.beginIteration();
    PW_DO(m_hint ? followHint() : followOrder());
    if (!m_plan.schedule.spec().updates)
        PW_DO(updateStages());
    return m_clipping.finishIteration();
}

void ProgramFollower::logSummary()
{
    if (std::optional<std::string> note = m_clipping.note())
        m_recorder.log(std::move(*note));
    if (m_hint)
        m_recorder.log(m_hint->note());
}

Result<void> ProgramFollower::followOrder()
{
    const auto& all = m_plan.program.ranks[static_cast<std::size_t>(m_position.rank())];
    for (std::size_t i = 0; i < all.size();) {
        const Instruction& instruction = all[i];
        Result<void> done;
        std::size_t next = i + 1;
        switch (instruction.kind) {
        case InstructionKind::Compute:
            done = computeEntry(EntryId(instruction.index));
            break;
        case InstructionKind::Reduce:
            done = exchangeCopies(instruction.index);
            break;
        case InstructionKind::Send:
        case InstructionKind::Receive:
            while (next < all.size() && (all[next].kind == InstructionKind::Send ||
                                         all[next].kind == InstructionKind::Receive))
                ++next;
            done = exchangeMessages(i, next);
            break;
        case InstructionKind::Stow:
        case InstructionKind::Free:
        case InstructionKind::Fetch:
            done = m_passes.move(m_plan.program.moves[static_cast<std::size_t>(instruction.index)],
                                 instruction.kind);
            break;
        }
        if (!done)
            return done;
        PW_DO(m_position.checkEnded());
        i = next;
    }
    return {};
}

Result<void> ProgramFollower::followHint()
{
    PW_DO(m_hint->begin());
    while (true) {
        for (const std::int32_t reduction : m_hint->dueExchanges())
            PW_DO(exchangeCopies(reduction));
        if (m_hint->over())
            return {};
        PW_TRY(const EntryId chosen, m_hint->choose());
        PW_DO(computeEntry(chosen));
        m_hint->take(chosen);
        for (const std::int32_t message : m_hint->sendsOf(chosen))
            PW_DO(send(message));
        PW_DO(m_position.checkEnded());
    }
}

/// The sends and receives between two entries. Early ones are only set going.
Result<void> ProgramFollower::exchangeMessages(std::size_t first, std::size_t last)
{
    const auto& all = m_plan.program.ranks[static_cast<std::size_t>(m_position.rank())];
    const auto isSend = [](const Instruction& one) { return one.kind == InstructionKind::Send; };
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = all.begin() + static_cast<std::ptrdiff_t>(last);
    const bool several = std::count_if(from, to, isSend) > 1;
    if (several)
        m_endpoint.beginMoment();
    for (auto one = from; one != to; ++one)
        PW_DO(isSend(*one) ? send(one->index) : m_messages.post(one->index));
    if (several)
        PW_DO(m_endpoint.endMoment());
    if (!m_committed)
        return {};
    for (auto one = from; one != to; ++one)
        PW_DO(isSend(*one) ? m_messages.waitPosted(one->index) : receive(one->index));
    return {};
}

Result<void> ProgramFollower::send(std::int32_t message)
{
    const Message& one = m_plan.program.messages[static_cast<std::size_t>(message)];
    return m_early.send(one.producer, message);
}

Result<void> ProgramFollower::receive(std::int32_t message)
{
    PW_TRY(Arrival arrival, m_messages.wait(message));
    PW_DO(m_clipping.confirm(message, arrival));
    m_position.endWait();
    return m_messages.accept(message, std::move(arrival));
}

Result<void> ProgramFollower::exchangeCopies(std::int32_t reduction)
{
    const Reduction& one = m_plan.program.reductions[static_cast<std::size_t>(reduction)];
    const bool weights = one.kind == ReductionKind::Weights;
    if (weights)
        PW_DO(m_clipping.beforeWeights());
    return m_replicas.exchange(reduction, weights && m_clipping.isOpen());
}

/// An entry where it stands in the order.
Result<void> ProgramFollower::computeEntry(EntryId index)
{
    const OrderEntry entry = m_plan.schedule.entry(index);
    PW_DO(m_clipping.beforeEntry(entry));
    return compute(index, entry);
}

/// @param index  none: an update that does not stand in the order
Result<void> ProgramFollower::compute(EntryId index, const OrderEntry& entry)
{
    m_position.enterEntry(index, entry);
    std::int32_t input = -1;
    if (!m_committed && index.valid()) {
        for (const std::int32_t message : m_messages.inputsOf(index)) {
            if (message < 0)
                continue;
            if (m_clipping.isOpen()) {
                PW_DO(m_clipping.waitForInputOrNorm(message));
                m_position.enterEntry(index, entry);
                input = message;
            }
            PW_DO(receive(message));
        }
    }
    if (m_clipping.isOpen() && entry.pass.kind != PassKind::U)
        m_early.add(index, entry, input);
    return m_passes.run(index, entry);
}

/// The updates of an iteration that do not stand in its order.
Result<void> ProgramFollower::updateStages()
{
    PW_DO(m_clipping.beforeUpdates());
    const PipelineSpec& spec = m_plan.schedule.spec();
    const RankId rank = m_position.rank();
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) != deviceOf(rank))
                continue;
            const Pass update{PassKind::U, static_cast<std::uint8_t>(route), stage, 0, 0};
            PW_DO(compute(EntryId::none(), single(update)));
        }
    }
    const std::vector<Reduction>& all = m_plan.program.reductions;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool here = all[i].ranks[0] == rank || all[i].ranks[1] == rank;
        if (all[i].kind == ReductionKind::Weights && here)
            PW_DO(exchangeCopies(static_cast<std::int32_t>(i)));
    }
    return {};
}

} // namespace pw::exec

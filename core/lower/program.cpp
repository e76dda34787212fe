// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lower/program.h"

#include "core/lower/reductions.h"
#include "core/sim/dependencies.h"
#include "core/sim/ring.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace pw {

namespace {

/// Walks all ranks round and round, one entry a turn, and writes the instructions in the order in
/// which they happen.
class Lowering
{
public:
    Lowering(const Schedule& schedule, ReceivePlacement receives)
        : m_schedule(schedule)
        , m_dependencies(schedule)
        , m_receives(receives)
    {
    }

    Result<Program> run()
    {
        const int p = m_schedule.devices();
        m_program.ranks.resize(static_cast<std::size_t>(p));
        m_waitsFor.assign(static_cast<std::size_t>(m_schedule.table().size()), DeviceId::none());
        m_nextWaiter.assign(static_cast<std::size_t>(p), DeviceId::none());
        for (const DeviceId device : Ids<DeviceId>(p)) {
            m_next.push_back(m_schedule.begin(device));
            m_turn.insert(device);
        }
        while (!m_turn.empty()) {
            while (!m_turn.empty()) {
                m_now = *m_turn.begin();
                m_turn.erase(m_turn.begin());
                takeTurn(m_now);
            }
            m_turn.swap(m_later);
        }
        for (const DeviceId device : Ids<DeviceId>(p)) {
            if (m_next[static_cast<std::size_t>(device)] != m_schedule.end(device))
                return fail(deadlockError(m_schedule, m_next));
        }
        return std::move(m_program);
    }

private:
    bool done(PassId id) const
    {
        const DeviceId device = m_schedule.device(id);
        return m_schedule.entryOf(id) < m_next[static_cast<std::size_t>(device)];
    }

    /// The first input of an entry that has not happened.
    PassId missing(const Schedule::Places& entry)
    {
        for (const PassId id : {entry.first, entry.second}) {
            if (!id.valid())
                continue;
            m_needs.clear();
            m_dependencies.append(id, m_needs);
            for (const Dependency& need : m_needs) {
                if (!done(need.producer))
                    return need.producer;
            }
        }
        return {};
    }

    /// One entry of a rank, if its inputs are there; else the rank sleeps until the input has
    /// happened.
    void takeTurn(DeviceId device)
    {
        EntryId& next = m_next[device.index()];
        const EntryId index = next;
        if (index == m_schedule.end(device))
            return;
        const Schedule::Places& entry = m_schedule.places()[static_cast<std::size_t>(index)];
        if (const PassId open = missing(entry); open.valid()) {
            DeviceId& head = m_waitsFor[open.index()];
            m_nextWaiter[device.index()] = head;
            head = device;
            return;
        }
        if (m_receives == ReceivePlacement::BeforeUse)
            receive(entry);
        instructionsOf(device).push_back({InstructionKind::Compute, index});
        ++next;
        send(entry);
        wake(entry);
        m_later.insert(device);
    }

    void wake(const Schedule::Places& entry)
    {
        for (const PassId id : {entry.first, entry.second}) {
            if (!id.valid())
                continue;
            DeviceId waiter = std::exchange(m_waitsFor[id.index()], DeviceId::none());
            while (waiter.valid()) {
                // A later rank has its turn still in this round.
                (waiter > m_now ? m_turn : m_later).insert(waiter);
                waiter = m_nextWaiter[waiter.index()];
            }
        }
    }

    void send(const Schedule::Places& entry)
    {
        for (const PassId id : {entry.first, entry.second}) {
            if (!id.valid())
                continue;
            const DeviceId from = m_schedule.device(id);
            m_receivers.clear();
            m_dependencies.appendReceivers(id, m_receivers);
            for (const PassId receiver : m_receivers) {
                const DeviceId to = m_schedule.device(receiver);
                const auto tag = static_cast<std::int32_t>(m_program.messages.size());
                m_program.messages.push_back(
                    {m_schedule.pass(id), m_schedule.pass(receiver), rankOf(from), rankOf(to)});
                instructionsOf(from).push_back({InstructionKind::Send, tag});
                if (m_receives == ReceivePlacement::AsSent) {
                    instructionsOf(to).push_back({InstructionKind::Receive, tag});
                } else {
                    m_tagFor[id.value] = tag;
                }
            }
        }
    }

    void receive(const Schedule::Places& entry)
    {
        for (const PassId id : {entry.first, entry.second}) {
            if (!id.valid() || m_schedule.kind(id) == PassKind::U)
                continue;
            m_needs.clear();
            m_dependencies.append(id, m_needs);
            for (const Dependency& need : m_needs) {
                if (!need.message)
                    continue;
                const auto found = m_tagFor.find(need.producer.value);
                instructionsOf(m_schedule.device(id))
                    .push_back({InstructionKind::Receive, found->second});
                m_tagFor.erase(found);
            }
        }
    }

    std::vector<Instruction>& instructionsOf(DeviceId device)
    {
        return m_program.ranks[rankOf(device).index()];
    }

    const Schedule& m_schedule;
    Dependencies m_dependencies;
    ReceivePlacement m_receives;
    Program m_program;
    std::vector<EntryId> m_next;                   // by device: entry to come
    std::vector<DeviceId> m_waitsFor;              // by place: the head of those that wait for it
    std::vector<DeviceId> m_nextWaiter;            // by device
    std::map<std::int32_t, std::int32_t> m_tagFor; // messages under way, by place of the producer
    std::set<DeviceId> m_turn;                     // to come in this round
    std::set<DeviceId> m_later;                    // and in the next one
    DeviceId m_now{0};
    std::vector<Dependency> m_needs;
    std::vector<PassId> m_receivers;
};

/// Exchanges between copies of stages, in pairs; twice where there are more than two copies.
std::int64_t exchangesOf(const PipelineSpec& spec)
{
    const std::int64_t routes = spec.routeCount();
    const std::int64_t ofUpdate = routes > 2 ? routes * (routes - 1) : routes - 1;
    return ofUpdate * spec.stages() * spec.updatesPerStage();
}

} // namespace

ReceivePlacement usualReceives(MessageRule rule)
{
    return rule == MessageRule::Early ? ReceivePlacement::AsSent : ReceivePlacement::BeforeUse;
}

Result<Program> lower(const Schedule& schedule, ReceivePlacement receives)
{
    const PipelineSpec& spec = schedule.spec();
    if (const std::int64_t exchanges = exchangesOf(spec); exchanges > maxPasses)
        return fail(ErrorCode::TooLarge,
                    "%1 copies of each stage would exchange %2 times; at most %3",
                    spec.routeCount(), exchanges, maxPasses);
    Result<Program> program = Lowering(schedule, receives).run();
    if (program && spec.routeCount() > 1)
        addReductions(*program, schedule);
    return program;
}

Result<Program> lower(const Schedule& schedule)
{
    return lower(schedule, usualReceives(schedule.spec().messages));
}

std::vector<std::int32_t> overtakingMessages(const Program& program)
{
    // Rank in the order of sending on its connection; a receive below the highest so far was
    // overtaken.
    std::vector<std::int32_t> sentAs(program.messages.size(), 0);
    std::map<std::pair<RankId, RankId>, std::int32_t> sent;
    auto connection = [&](std::int32_t tag) {
        const Message& message = program.messages[static_cast<std::size_t>(tag)];
        return std::pair(message.from, message.to);
    };
    for (const auto& instructions : program.ranks) {
        for (const Instruction& instruction : instructions) {
            if (instruction.kind == InstructionKind::Send) {
                sentAs[static_cast<std::size_t>(instruction.index)] =
                    sent[connection(instruction.index)]++;
            }
        }
    }
    std::map<std::pair<RankId, RankId>, std::int32_t> expected;
    std::vector<std::int32_t> overtaking;
    for (const auto& instructions : program.ranks) {
        for (const Instruction& instruction : instructions) {
            if (instruction.kind != InstructionKind::Receive)
                continue;
            std::int32_t& next = expected[connection(instruction.index)];
            if (sentAs[static_cast<std::size_t>(instruction.index)] != next)
                overtaking.push_back(instruction.index);
            ++next;
        }
    }
    return overtaking;
}

std::string describe(const Instruction& instruction, const Program& program,
                     const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const auto index = static_cast<std::size_t>(instruction.index);
    switch (instruction.kind) {
    case InstructionKind::Compute: {
        const OrderEntry entry = schedule.entry(EntryId(instruction.index));
        std::string text = describe(entry.pass, spec);
        if (entry.paired)
            text += " with " + describe(entry.partner, spec);
        return text;
    }
    case InstructionKind::Send: {
        const Message& message = program.messages[index];
        return "send of " + describe(message.producer, spec) + " to rank " +
               std::to_string(message.to);
    }
    case InstructionKind::Receive: {
        const Message& message = program.messages[index];
        return "receive of " + describe(message.producer, spec) + " from rank " +
               std::to_string(message.from);
    }
    case InstructionKind::Stow:
        return "copy to the host of " + describe(program.moves[index].cell, spec);
    case InstructionKind::Free:
        return "room of " + describe(program.moves[index].cell, spec);
    case InstructionKind::Fetch:
        return "copy back of " + describe(program.moves[index].cell, spec);
    case InstructionKind::Reduce: {
        const Reduction& reduction = program.reductions[index];
        const bool weights = reduction.kind == ReductionKind::Weights;
        return std::string(weights ? "exchange of the weights" : "reduction of the gradients") +
               " of stage " + std::to_string(reduction.stage) + (weights ? " after" : " for") +
               " step " + std::to_string(reduction.update);
    }
    }
    return {};
}

} // namespace pw

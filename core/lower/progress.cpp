// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/lower/program.h"
#include "core/sim/dependencies.h"
#include "core/sim/ring.h"

#include <algorithm>
#include <deque>

namespace pw {

namespace {

/// Runs a program without times: every rank goes on until it has to wait for something of another
/// rank.
class Progress
{
public:
    Progress(const Schedule& schedule, const Program& program, MessageRule rule)
        : m_schedule(schedule)
        , m_program(program)
        , m_dependencies(schedule)
        , m_committed(rule == MessageRule::Committed)
        , m_ranks(program.ranks.size())
        , m_events(2 * (program.messages.size() + program.reductions.size()))
        , m_tagOf(static_cast<std::size_t>(schedule.table().size()), -1)
        , m_entryDone(static_cast<std::size_t>(schedule.entryCount()))
    {
    }

    Result<void> run()
    {
        PW_DO(checkEnds());
        const Ids<RankId> ranks(m_ranks.size());
        for (const RankId rank : ranks)
            m_ready.push_back(rank);
        while (!m_ready.empty()) {
            const RankId rank = m_ready.front();
            m_ready.pop_front();
            PW_DO(advance(rank));
        }
        for (const RankId rank : ranks) {
            if (m_ranks[rank.index()].at < m_program.ranks[rank.index()].size())
                return fail(ErrorCode::Deadlock, ringText(rank));
        }
        return {};
    }

private:
    struct Rank
    {
        std::size_t at = 0;       ///< instruction to come
        std::size_t groupEnd = 0; ///< instructions before it are posted
        RankId waitsForRank;
        std::string what; ///< that it waits for
    };

    /// Something that happens once on one rank and that at most one rank waits for.
    struct Event
    {
        bool happened = false;
        RankId waiter;
    };

    // Of message i: 2i sent, 2i+1 receive posted. Reductions follow, one event for each of their
    // two ranks.
    std::size_t sentEvent(std::int32_t tag) const { return 2 * static_cast<std::size_t>(tag); }
    std::size_t postedEvent(std::int32_t tag) const { return sentEvent(tag) + 1; }
    std::size_t reduceEvent(std::int32_t index, int side) const
    {
        return 2 * (m_program.messages.size() + static_cast<std::size_t>(index)) +
               static_cast<std::size_t>(side);
    }

    /// Every message has one send, on its rank, and one receive.
    Result<void> checkEnds()
    {
        std::vector<std::uint8_t> ends(m_events.size());
        for (const RankId rank : Ids<RankId>(m_program.ranks.size())) {
            for (const Instruction& instruction : m_program.ranks[rank.index()]) {
                if (instruction.kind != InstructionKind::Send &&
                    instruction.kind != InstructionKind::Receive)
                    continue;
                const Message& message =
                    m_program.messages[static_cast<std::size_t>(instruction.index)];
                const bool sends = instruction.kind == InstructionKind::Send;
                const std::size_t event =
                    sends ? sentEvent(instruction.index) : postedEvent(instruction.index);
                if (rank != (sends ? message.from : message.to) || ends[event] != 0) {
                    return fail(ErrorCode::BadSchedule, "rank %1: %2 %3", rank,
                                describe(instruction, m_program, m_schedule),
                                ends[event] != 0 ? said("appears twice") : said("is misplaced"));
                }
                ends[event] = 1;
            }
        }
        for (std::size_t i = 0; i < m_program.messages.size(); ++i) {
            const auto tag = static_cast<std::int32_t>(i);
            const Message& message = m_program.messages[i];
            if (ends[sentEvent(tag)] == 0 || ends[postedEvent(tag)] == 0) {
                return fail(ErrorCode::BadSchedule, "the message of %1 has no %2",
                            describe(message.producer, m_schedule.spec()),
                            ends[sentEvent(tag)] == 0 ? said("send") : said("receive"));
            }
            m_tagOf[static_cast<std::size_t>(m_schedule.table().id(message.producer).value)] = tag;
        }
        return {};
    }

    void happen(std::size_t event)
    {
        Event& one = m_events[event];
        one.happened = true;
        if (one.waiter.valid())
            m_ready.push_back(std::exchange(one.waiter, RankId::none()));
    }

    /// Whether the event has happened; else the rank sleeps until it does.
    bool wait(RankId rank, std::size_t event, RankId other, std::string what)
    {
        Event& one = m_events[event];
        if (one.happened)
            return true;
        one.waiter = rank;
        block(rank, other, std::move(what));
        return false;
    }

    void block(RankId rank, RankId other, std::string what)
    {
        m_ranks[rank.index()].waitsForRank = other;
        m_ranks[rank.index()].what = std::move(what);
    }

    Result<void> advance(RankId rank)
    {
        const auto& instructions = m_program.ranks[rank.index()];
        Rank& state = m_ranks[rank.index()];
        while (state.at < instructions.size()) {
            const Instruction& instruction = instructions[state.at];
            if (instruction.kind == InstructionKind::Compute) {
                PW_TRY(bool ready, inputs(rank, EntryId(instruction.index)));
                if (!ready)
                    return {};
                m_entryDone[static_cast<std::size_t>(instruction.index)] = 1;
            } else {
                post(rank);
                if (!finished(rank, instruction))
                    return {};
            }
            ++state.at;
        }
        return {};
    }

    /// Posts the group of messages that starts here; a reduction is posted alone, when the rank has
    /// come to it.
    void post(RankId rank)
    {
        const auto& instructions = m_program.ranks[rank.index()];
        Rank& state = m_ranks[rank.index()];
        for (state.groupEnd = std::max(state.groupEnd, state.at);
             state.groupEnd < instructions.size(); ++state.groupEnd) {
            const Instruction& instruction = instructions[state.groupEnd];
            if (instruction.kind == InstructionKind::Compute)
                return;
            if (instruction.kind == InstructionKind::Reduce && state.groupEnd != state.at)
                return;
            switch (instruction.kind) {
            case InstructionKind::Send:
                happen(sentEvent(instruction.index));
                break;
            case InstructionKind::Receive:
                happen(postedEvent(instruction.index));
                break;
            case InstructionKind::Reduce:
                for (int side = 0; side < 2; ++side) {
                    if (m_program.reductions[static_cast<std::size_t>(instruction.index)]
                            .ranks[side] == rank)
                        happen(reduceEvent(instruction.index, side));
                }
                break;
            case InstructionKind::Compute:
            case InstructionKind::Stow:
            case InstructionKind::Free:
            case InstructionKind::Fetch:
                break;
            }
        }
    }

    bool finished(RankId rank, const Instruction& instruction)
    {
        switch (instruction.kind) {
        case InstructionKind::Send:
        case InstructionKind::Receive: {
            if (!m_committed)
                return true;
            const bool sends = instruction.kind == InstructionKind::Send;
            const Message& message =
                m_program.messages[static_cast<std::size_t>(instruction.index)];
            const Instruction other{sends ? InstructionKind::Receive : InstructionKind::Send,
                                    instruction.index};
            return wait(rank, sends ? postedEvent(instruction.index) : sentEvent(instruction.index),
                        sends ? message.to : message.from, describe(other, m_program, m_schedule));
        }
        case InstructionKind::Reduce: {
            const Reduction& reduction =
                m_program.reductions[static_cast<std::size_t>(instruction.index)];
            const int side = reduction.ranks[0] == rank ? 1 : 0;
            return wait(rank, reduceEvent(instruction.index, side), reduction.ranks[side],
                        describe(instruction, m_program, m_schedule));
        }
        // What a device copies to its host and back waits for nobody else.
        case InstructionKind::Compute:
        case InstructionKind::Stow:
        case InstructionKind::Free:
        case InstructionKind::Fetch:
            break;
        }
        return true;
    }

    /// Whether an entry can start.
    Result<bool> inputs(RankId rank, EntryId entry)
    {
        const Schedule::Places& places = m_schedule.places()[static_cast<std::size_t>(entry)];
        for (const PassId id : {places.first, places.second}) {
            if (!id.valid())
                continue;
            m_needs.clear();
            m_dependencies.append(id, m_needs);
            for (const Dependency& need : m_needs) {
                const Pass producer = m_schedule.pass(need.producer);
                if (!need.message) {
                    const EntryId where = m_schedule.entryOf(need.producer);
                    if (m_entryDone[static_cast<std::size_t>(where)] == 0) {
                        block(rank, rank, describe(producer, m_schedule.spec()));
                        return false;
                    }
                    continue;
                }
                // The reduction before an update stands for the gradients of the other rank.
                if (m_schedule.kind(id) == PassKind::U)
                    continue;
                const std::int32_t tag = m_tagOf[static_cast<std::size_t>(need.producer.value)];
                if (tag < 0 || !m_events[postedEvent(tag)].happened) {
                    return fail(ErrorCode::BadSchedule,
                                "rank %1: %2 has no receive of %3 before it", rank,
                                describe(m_schedule.pass(id), m_schedule.spec()),
                                describe(producer, m_schedule.spec()));
                }
                if (!wait(rank, sentEvent(tag), rankOf(m_schedule.device(need.producer)),
                          describe(producer, m_schedule.spec())))
                    return false;
            }
        }
        return true;
    }

    Sentence ringText(RankId start) const
    {
        // Every rank that is left waits for exactly one other that is left, so the walk comes back.
        std::vector<RankId> walk;
        RankId rank = start;
        while (rank.valid() && std::find(walk.begin(), walk.end(), rank) == walk.end()) {
            walk.push_back(rank);
            rank = m_ranks[rank.index()].waitsForRank;
        }
        walk.erase(walk.begin(), std::find(walk.begin(), walk.end(), rank));
        return pw::ringText(walk.size(), [&](std::size_t i) {
            const std::size_t at = walk[i].index();
            const Instruction& instruction = m_program.ranks[at][m_ranks[at].at];
            return said("rank %1 waits in %2 for rank %3 to come to %4", walk[i],
                        describe(instruction, m_program, m_schedule), m_ranks[at].waitsForRank,
                        m_ranks[at].what);
        });
    }

    const Schedule& m_schedule;
    const Program& m_program;
    Dependencies m_dependencies;
    bool m_committed;
    std::vector<Rank> m_ranks;
    std::vector<Event> m_events;
    std::vector<std::int32_t> m_tagOf; // by place of the producer; −1: no message
    std::vector<std::uint8_t> m_entryDone;
    std::deque<RankId> m_ready;
    std::vector<Dependency> m_needs;
};

} // namespace

Result<void> proveProgress(const Schedule& schedule, const Program& program, MessageRule rule)
{
    return Progress(schedule, program, rule).run();
}

} // namespace pw

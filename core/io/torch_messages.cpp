// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/torch_parts.h"
#include "core/lower/program.h"

#include <array>

namespace pw {

namespace {

/// Compares the sends and receives of a file with those that its passes need, and runs the file's
/// own program.
class MessageChecker
{
public:
    explicit MessageChecker(TorchCsv& csv)
        : m_csv(csv)
        , m_spec(csv.draft.spec)
        , m_ends(4 * static_cast<std::size_t>(m_spec.stages()) *
                 static_cast<std::size_t>(m_spec.microBatches))
    {
    }

    void run()
    {
        for (std::size_t row = 0; row < m_csv.table.size(); ++row)
            collect(row);
        compareEnds();
        if (!m_csv.problems.none())
            return;
        // Only a complete order can be run; what it lacks is told by problems(Draft).
        const auto schedule = Schedule::make(m_spec, m_csv.draft.orders);
        if (schedule)
            runThrough(*schedule);
    }

private:
    /// Where a send or a receive stands; column −1: nowhere.
    struct End
    {
        std::int32_t row = -1;
        std::int32_t column = -1;
    };

    static FilePlace placeOf(const End& end) { return {end.row + 1, end.column + 1}; }

    End& end(TorchKind kind, StageId stage, int microBatch)
    {
        const auto slot =
            static_cast<std::size_t>(kind) - static_cast<std::size_t>(TorchKind::SendF);
        return m_ends[(static_cast<std::size_t>(stage) *
                           static_cast<std::size_t>(m_spec.microBatches) +
                       static_cast<std::size_t>(microBatch)) *
                          4 +
                      slot];
    }

    /// The other stage of a message, −1 or S beyond the ends.
    static StageId otherStage(const TorchAction& action)
    {
        const bool up = action.kind == TorchKind::SendF || action.kind == TorchKind::RecvB;
        return up ? action.stage + 1 : action.stage - 1;
    }

    void collect(std::size_t row)
    {
        const auto& fields = m_csv.table[row];
        for (std::size_t column = 0; column < fields.size(); ++column) {
            const TorchAction& action = fields[column].first;
            if (fields[column].shape != TorchField::Shape::Single || !isMessage(action.kind))
                continue;
            const End here{static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)};
            if (fits(action, here)) {
                End& known = end(action.kind, action.stage, action.microBatch);
                if (known.column >= 0)
                    refuse(here, said("%1 appears twice", actionText(action)), said("delete one"));
                known = here;
            }
        }
    }

    void refuse(const End& where, Sentence text, Sentence repair)
    {
        m_csv.problems.add(placeOf(where), std::move(text), std::move(repair));
    }

    bool fits(const TorchAction& action, const End& here)
    {
        const std::string text = actionText(action);
        if (action.stage >= m_spec.stages() || action.microBatch >= m_spec.microBatches) {
            refuse(here, said("%1 belongs to no pass of the file", text), said("delete it"));
            return false;
        }
        const DeviceId rank = m_spec.device(0, action.stage);
        if (rank != here.row) {
            refuse(here,
                   said("%1 is in row %2, and stage %3 in row %4", text, here.row + 1, action.stage,
                        rank + 1),
                   said("move it there"));
            return false;
        }
        const StageId other = otherStage(action);
        if (other < 0 || other >= m_spec.stages()) {
            refuse(here, said("%1: there is no stage beyond %2", text, action.stage),
                   said("delete it"));
            return false;
        }
        if (m_spec.device(0, other) == rank) {
            refuse(here,
                   said("%1: stage %2 is on the same rank, which hands over without a message",
                        text, other),
                   said("delete it"));
            return false;
        }
        return true;
    }

    /// Every crossing of a pass that stands in the file needs both ends, in the right place.
    void compareEnds()
    {
        for (std::size_t row = 0; row < m_csv.draft.orders.size(); ++row) {
            const auto& order = m_csv.draft.orders[row];
            for (std::size_t i = 0; i < order.size(); ++i) {
                const FilePlace place = m_csv.places[row][i];
                const End here{place.line - 1, place.column - 1};
                comparePass(order[i].pass, here);
                if (order[i].paired)
                    comparePass(order[i].partner, here);
            }
        }
    }

    void comparePass(const Pass& pass, const End& here)
    {
        if (pass.kind == PassKind::W)
            return;
        const bool forward = pass.kind == PassKind::F;
        const StageId next = forward ? pass.stage + 1 : pass.stage - 1;
        const StageId previous = forward ? pass.stage - 1 : pass.stage + 1;
        const DeviceId rank = m_spec.device(0, pass.stage);
        auto crosses = [&](StageId stage) {
            return stage >= 0 && stage < m_spec.stages() && m_spec.device(0, stage) != rank;
        };
        auto demand = [&](TorchKind kind, bool behind) {
            const TorchAction action{kind, pass.stage, pass.microBatch};
            const End& found = end(kind, pass.stage, pass.microBatch);
            const std::string text = actionText(action);
            if (found.column < 0) {
                refuse(here, said("%1 is missing for this pass", text),
                       said("add it %1 this field", behind ? said("behind") : said("before")));
            } else if (found.row == here.row && (found.column > here.column) != behind) {
                refuse(found,
                       said("%1 comes %2 its pass", text, behind ? said("before") : said("after")),
                       said("move it %1 column %2", behind ? said("behind") : said("before"),
                            here.column + 1));
            }
        };
        if (crosses(next))
            demand(forward ? TorchKind::SendF : TorchKind::SendB, true);
        if (crosses(previous))
            demand(forward ? TorchKind::RecvF : TorchKind::RecvB, false);
    }

    void runThrough(const Schedule& schedule)
    {
        Program program;
        program.ranks.resize(m_csv.table.size());
        // Tags follow from the sends, so that receives can stand in any row before or behind.
        std::vector<std::int32_t> tagOf(m_ends.size() / 2, -1);
        auto tag = [&](bool forward, int producerStage, int microBatch) -> std::int32_t& {
            return tagOf[(static_cast<std::size_t>(producerStage) *
                              static_cast<std::size_t>(m_spec.microBatches) +
                          static_cast<std::size_t>(microBatch)) *
                             2 +
                         (forward ? 0 : 1)];
        };
        for (std::size_t row = 0; row < m_csv.table.size(); ++row) {
            EntryId entry(schedule.begin(DeviceId(row)));
            for (const TorchField& field : m_csv.table[row]) {
                if (field.shape == TorchField::Shape::Blank)
                    continue;
                auto& instructions = program.ranks[row];
                const TorchAction& action = field.first;
                if (isPass(action.kind)) {
                    instructions.push_back({InstructionKind::Compute, entry++});
                } else if (isMessage(action.kind)) {
                    const bool sends =
                        action.kind == TorchKind::SendF || action.kind == TorchKind::SendB;
                    const bool forward =
                        action.kind == TorchKind::SendF || action.kind == TorchKind::RecvF;
                    const StageId producer(sends ? action.stage : otherStage(action));
                    std::int32_t& number = tag(forward, producer, action.microBatch);
                    if (number < 0) {
                        number = static_cast<std::int32_t>(program.messages.size());
                        program.messages.push_back(
                            messageFrom(schedule, forward, producer, action.microBatch));
                    }
                    instructions.push_back(
                        {sends ? InstructionKind::Send : InstructionKind::Receive, number});
                }
            }
        }
        if (const auto proof = proveProgress(schedule, program, MessageRule::Early); !proof)
            m_csv.problems.add({}, proof.error().message);
        const auto overtaking = overtakingMessages(program);
        if (!overtaking.empty()) {
            const Message& first = program.messages[static_cast<std::size_t>(overtaking.front())];
            m_csv.notes.add(
                {},
                said("%1 messages are received in another order than sent, the first is that of %2 "
                     "from rank %3 to rank %4; a transport without tags would mix them up",
                     overtaking.size(), describe(first.producer, m_spec), first.from, first.to));
        }
    }

    Message messageFrom(const Schedule& schedule, bool forward, StageId stage, int microBatch) const
    {
        auto pass = [&](StageId where) {
            Pass one{PassKind::F, 0, where, microBatch, 0};
            if (!forward) {
                one.kind = PassKind::BW;
                one.kind = schedule.kind(schedule.table().id(one));
            }
            return one;
        };
        const StageId other(forward ? stage + 1 : stage - 1);
        return {pass(stage), pass(other), rankOf(m_spec.device(0, stage)),
                rankOf(m_spec.device(0, other))};
    }

    TorchCsv& m_csv;
    const PipelineSpec& m_spec;
    std::vector<End> m_ends; // by stage, micro-batch and type
};

} // namespace

void checkTorchMessages(TorchCsv& csv)
{
    MessageChecker(csv).run();
}

} // namespace pw

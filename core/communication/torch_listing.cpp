// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/torch_listing.h"

#include "core/base/try.h"

#include <map>
#include <tuple>

namespace pw::communication {

namespace {

/// Turns the fields of a file into actions of its schedule.
class FieldActions
{
public:
    FieldActions(const TorchCsv& csv, const Schedule& schedule)
        : m_csv(csv)
        , m_schedule(schedule)
    {
    }

    Listing run(bool& gathers)
    {
        for (const RankId rank : Ids<RankId>(m_csv.table.size())) {
            auto& row = m_listing.ranks.emplace_back();
            EntryId entry = m_schedule.begin(deviceOf(rank));
            for (const TorchField& field : m_csv.table[rank.index()]) {
                if (field.shape == TorchField::Shape::Blank)
                    continue;
                const Action action = actionOf(field, entry);
                gathers |= action.kind != ActionKind::Compute && !isMessageAction(action.kind);
                row.push_back(action);
            }
        }
        return std::move(m_listing);
    }

private:
    Action actionOf(const TorchField& field, EntryId& entry)
    {
        const TorchAction& action = field.first;
        switch (action.kind) {
        case TorchKind::F:
        case TorchKind::I:
        case TorchKind::B:
        case TorchKind::W:
            break;
        case TorchKind::Unshard:
            return {ActionKind::Gather, action.stage};
        case TorchKind::Reshard:
            return {ActionKind::Free, action.stage};
        case TorchKind::ReduceGrad:
            return {ActionKind::Reduce, action.stage};
        case TorchKind::SendF:
            return {ActionKind::Send, message(true, action.stage, action.microBatch)};
        case TorchKind::RecvF:
            return {ActionKind::Receive, message(true, action.stage - 1, action.microBatch)};
        case TorchKind::SendB:
            return {ActionKind::Send, message(false, action.stage, action.microBatch)};
        case TorchKind::RecvB:
            return {ActionKind::Receive, message(false, action.stage + 1, action.microBatch)};
        }
        return {ActionKind::Compute, entry++};
    }

    /// The message that a stage's forward or backward makes.
    std::int32_t message(bool forward, StageId stage, int microBatch)
    {
        const auto next = static_cast<std::int32_t>(m_listing.messages.size());
        const auto [found, isNew] = m_numbers.try_emplace({forward, stage, microBatch}, next);
        if (isNew) {
            const StageId other(forward ? stage + 1 : stage - 1);
            const PipelineSpec& spec = m_schedule.spec();
            m_listing.messages.push_back(
                {pass(forward, stage, microBatch), pass(forward, other, microBatch),
                 rankOf(spec.device(0, stage)), rankOf(spec.device(0, other))});
        }
        return found->second;
    }

    Pass pass(bool forward, StageId stage, int microBatch) const
    {
        Pass one{forward ? PassKind::F : PassKind::BW, 0, stage, microBatch, 0};
        if (!forward)
            one.kind = m_schedule.kind(m_schedule.table().id(one));
        return one;
    }

    const TorchCsv& m_csv;
    const Schedule& m_schedule;
    Listing m_listing;
    std::map<std::tuple<bool, StageId, int>, std::int32_t> m_numbers;
};

TorchKind torchKindOf(const Action& action, const Listing& listing)
{
    const bool forward = isMessageAction(action.kind) && isForward(listing.message(action));
    switch (action.kind) {
    case ActionKind::Send:
        return forward ? TorchKind::SendF : TorchKind::SendB;
    case ActionKind::Receive:
        return forward ? TorchKind::RecvF : TorchKind::RecvB;
    case ActionKind::Gather:
        return TorchKind::Unshard;
    case ActionKind::Free:
        return TorchKind::Reshard;
    case ActionKind::Compute: // fields of their own, or refused
    case ActionKind::WaitSend:
    case ActionKind::WaitReceive:
    case ActionKind::Reduce:
    case ActionKind::Exchange: // of two routes, which are refused before
        break;
    }
    return TorchKind::ReduceGrad;
}

} // namespace

Result<TorchListing> listingOf(const TorchCsv& csv)
{
    if (!csv.problems.none())
        return fail(csv.problems.error());
    PW_TRY(Schedule schedule, Schedule::make(csv.draft.spec, csv.draft.orders));
    bool gathers = false;
    Listing listing = FieldActions(csv, schedule).run(gathers);
    PW_DO(check(listing, schedule));
    return TorchListing{std::move(schedule), std::move(listing), gathers};
}

Result<TorchTable> torchTableOf(const Listing& listing, const Schedule& schedule)
{
    // What the passes look like, and whether they can be written at all, is known there.
    Result<TorchTable> passes = torchTable(schedule, TorchForm::ComputeOnly);
    if (!passes)
        return passes;
    TorchTable table(listing.ranks.size());
    for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
        const EntryId first = schedule.begin(deviceOf(rank));
        auto& row = table[rank.index()];
        for (const Action& action : listing.of(rank)) {
            if (action.kind == ActionKind::Compute) {
                row.push_back(
                    (*passes)[rank.index()][static_cast<std::size_t>(action.index - first)]);
                continue;
            }
            if (action.kind == ActionKind::WaitSend || action.kind == ActionKind::WaitReceive)
                return fail(ErrorCode::BadValue, "PyTorch's schedule file has no waits; %1 is one",
                            actionText(action, listing, schedule));
            TorchAction written{torchKindOf(action, listing), StageId(action.index), -1};
            if (isMessageAction(action.kind)) {
                const Message& message = listing.message(action);
                const Pass& named =
                    action.kind == ActionKind::Send ? message.producer : message.consumer;
                written.stage = named.stage;
                written.microBatch = named.microBatch;
            }
            row.push_back({TorchField::Shape::Single, written, {}});
        }
    }
    return table;
}

} // namespace pw::communication

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Passes under the pointer: those that stand already, and new ones from the tiles.
#include "core/base/try.h"
#include "web/engine/calls.h"
#include "web/engine/scene.h"

#include <algorithm>
#include <array>
#include <limits>

namespace pw::web {

namespace {

constexpr std::int64_t farAway = std::numeric_limits<std::int64_t>::max() / 4;

/// Takes hold of an entry, or with `whole` of its micro-batch on all devices.
Result<void> grab(const Call& call)
{
    const DeviceId device(call.in.count("device", 0));
    const int position = call.in.count("position", 0);
    const bool whole = call.in.truth("whole", false);
    PW_DO(call.read());
    PW_TRY(Draft draft, draftOf(call.session.project()));
    std::vector<EntryAt> grabbed{{device, position}};
    if (whole && device < draft.spec.devices &&
        static_cast<std::size_t>(position) < draft.orders[device.index()].size())
        grabbed = strandOf(
            draft,
            draft.orders[device.index()][static_cast<std::size_t>(position)].pass.microBatch);
    PW_TRY(Drag drag, Drag::begin(std::move(draft), costsOf(call.session.project()),
                                  std::move(grabbed), DragMode::Strict));
    call.session.setDrag(std::make_unique<Drag>(std::move(drag)));
    return {};
}

Result<Drag*> dragOf(const Call& call)
{
    if (call.session.drag() == nullptr)
        return fail(ErrorCode::BadValue, "nothing is grabbed");
    return call.session.drag();
}

/// What a drag by some time would give: its lanes, the grabbed entries in them, and why not.
Result<void> drag(const Call& call)
{
    const Ticks offset = call.in.integer("offset", -farAway, farAway);
    PW_DO(call.read());
    PW_TRY(Drag * drag, dragOf(call));
    const DragTrial& trial = drag->trial(offset);
    const Draft& draft = drag->draft();
    const DraftTimes& times = drag->times();
    if (trial.refused()) {
        call.out.key("refusal");
        writeSentence(call.out, refusalText(trial.why, draft.spec));
    }
    std::vector<EntryId> grabbed;
    for (const EntryAt& at : trial.grabbed)
        grabbed.push_back(times.entry(at.device, static_cast<std::size_t>(at.position)));
    writeEntryIds(call.out, "grabbed", grabbed);
    call.out.member("moves", !trial.edit.empty());
    writeScene(call.out, draft, costsOf(call.session.project()), times, &drag->held());
    return {};
}

/// Does what the last trial shows.
Result<void> drop(const Call& call)
{
    const Ticks offset = call.in.integer("offset", -farAway, farAway);
    PW_DO(call.read());
    PW_TRY(Drag * drag, dragOf(call));
    Edit edit = drag->trial(offset).edit;
    call.session.setDrag(nullptr);
    // What a family makes becomes an order of its own first.
    if (!edit.empty() && call.session.project().family) {
        PW_TRY(Draft draft, draftOf(call.session.project()));
        edit.changes.insert(edit.changes.begin(), SetSchedule{std::nullopt, std::move(draft)});
    }
    PW_DO(call.session.edit(edit));
    return writeState(call.out, call.session);
}

Result<void> release(const Call& call)
{
    call.session.setDrag(nullptr);
    return {};
}

Result<PassKind> kindOf(const Call& call)
{
    const std::string word = call.in.text("kind");
    PW_DO(call.read());
    for (const PassKind kind : allPassKinds)
        if (name(kind) == word)
            return kind;
    return fail(ErrorCode::BadValue, "there is no kind of pass %1", word);
}

/// The pass of a kind that a drop on a device at a time means, as it would stand.
Result<std::pair<Pass, Proposal>> placedBy(const Call& call)
{
    const DeviceId device(call.in.count("device", 0));
    const Ticks time = call.in.integer("time", -farAway, farAway);
    PW_TRY(const PassKind kind, kindOf(call));
    const Project& project = call.session.project();
    PW_TRY(const auto meant, suggestions(project, device, time));
    const auto found = std::find_if(meant.begin(), meant.end(),
                                    [&](const Suggestion& one) { return one.pass.kind == kind; });
    if (found == meant.end())
        return fail(ErrorCode::BadSchedule, "device %1 misses no %2", device, name(kind));
    PW_TRY(Proposal proposal, insertPass(project, found->pass, time));
    return std::pair{found->pass, std::move(proposal)};
}

Result<void> tryPass(const Call& call)
{
    PW_TRY(const auto placed, placedBy(call));
    const auto& [pass, proposal] = placed;
    writePass(call.out, "pass", pass);
    writeEntryIds(call.out, "grabbed", proposal.added);
    call.out.member("moves", true);
    writeScene(call.out, proposal.draft, costsOf(call.session.project()), proposal.times);
    return {};
}

Result<void> placePass(const Call& call)
{
    PW_TRY(const auto placed, placedBy(call));
    PW_DO(call.session.edit(placed.second.edit));
    return writeState(call.out, call.session);
}

Result<void> removeEntry(const Call& call)
{
    const DeviceId device(call.in.count("device", 0));
    const int position = call.in.count("position", 0);
    PW_DO(call.read());
    PW_TRY(const Proposal gone, removeEntries(call.session.project(), {{device, position}}));
    PW_DO(call.session.edit(gone.edit));
    return writeState(call.out, call.session);
}

/// An entry to another place of its device, counted from 0: the drag of the keyboard. The order
/// decides where it is then.
Result<void> moveEntry(const Call& call)
{
    const DeviceId device(call.in.count("device", 0));
    const int position = call.in.count("position", 0);
    const int to = call.in.count("to", 0);
    PW_DO(call.read());
    PW_TRY(Draft draft, draftOf(call.session.project()));
    const int size =
        device < draft.spec.devices ? static_cast<int>(draft.orders[device.index()].size()) : 0;
    if (position >= size || to >= size)
        return fail(ErrorCode::BadValue, "device %1 has no entry %2", device,
                    std::max(position, to));
    Edit edit;
    if (call.session.project().family)
        edit.changes.emplace_back(SetSchedule{std::nullopt, draft});
    edit.changes.emplace_back(MoveEntries{device, {{position, to}}});
    // A place that breaks a rule is refused, as under the pointer; a ring that was there may go.
    PW_TRY(const DraftTimes before, draftTimes(draft, costsOf(call.session.project())));
    Project trial = call.session.project();
    PW_DO(apply(trial, edit));
    PW_TRY(const Draft moved, draftOf(trial));
    PW_TRY(const DraftTimes times, draftTimes(moved, costsOf(trial)));
    if (times.blocked.size() > before.blocked.size())
        return fail(ErrorCode::Deadlock, ringText(times, moved.spec));
    PW_DO(call.session.edit(edit));
    return writeState(call.out, call.session);
}

} // namespace

std::span<const Function> dragFunctions()
{
    static constexpr std::array<Function, 8> all = {{{"grab", grab},
                                                     {"drag", drag},
                                                     {"drop", drop},
                                                     {"release", release},
                                                     {"try", tryPass},
                                                     {"place", placePass},
                                                     {"remove", removeEntry},
                                                     {"move", moveEntry}}};
    return all;
}

} // namespace pw::web

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/compose.h"

#include "core/base/try.h"
#include "core/edit/placing.h"
#include "core/edit/present.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

struct Shown
{
    Draft draft;
    Costs costs;
    DraftTimes times;
};

Result<Shown> shown(const Project& project)
{
    PW_TRY(auto draft, draftOf(project));
    Costs costs = costsOf(project);
    PW_TRY(auto times, draftTimes(draft, costs));
    return Shown{std::move(draft), std::move(costs), std::move(times)};
}

Suggestion suggestionOf(const Pass& pass, const Shown& at, const Present& present)
{
    Suggestion found{pass, 0, true};
    const PipelineSpec& spec = at.draft.spec;
    const DeviceId to = spec.device(pass.route, pass.stage);
    std::vector<Pass> needs;
    present.producers(pass, needs);
    for (const Pass& need : needs) {
        const EntryId entry = present.entry(need);
        if (entry < 0) {
            found.complete = false;
            continue;
        }
        const DeviceId from = spec.device(need.route, need.stage);
        const Bytes bytes = messageBytes(at.costs, spec, need, pass.kind);
        found.ready =
            std::max(found.ready, arrival(at.costs, spec, from, to, bytes,
                                          at.times.times.end[static_cast<std::size_t>(entry)]));
    }
    return found;
}

/// The first missing pass of a kind on a stage for which the draft asks.
std::optional<Pass> firstMissing(PassKind kind, const HostedStage& hosted, const PipelineSpec& spec,
                                 const Present& present)
{
    Pass pass{kind, static_cast<std::uint8_t>(hosted.route), hosted.stage, 0, 0};
    if (kind == PassKind::U) {
        for (; spec.updates && pass.microBatch < spec.updatesPerStage(); ++pass.microBatch) {
            if (!present.has(pass))
                return pass;
        }
        return std::nullopt;
    }
    for (; pass.microBatch < spec.totalMicroBatches(); ++pass.microBatch) {
        if (spec.route(pass.microBatch) != hosted.route)
            continue;
        for (int q = 0; q < spec.segments(); ++q) {
            pass.segment = isBackward(kind) ? spec.segments() - 1 - q : q;
            if (present.has(pass))
                continue;
            const Pass backward = withKind(pass, PassKind::B);
            const bool forwardThere = present.has(withKind(pass, PassKind::F));
            const bool split = present.has(withKind(pass, PassKind::W));
            if (kind == PassKind::F || (kind == PassKind::B && forwardThere) ||
                (kind == PassKind::BW && forwardThere && !split) ||
                (kind == PassKind::W && present.has(backward) &&
                 present.kind(backward) == PassKind::B) ||
                (kind == PassKind::R && forwardThere && !present.has(backward)))
                return pass;
        }
    }
    return std::nullopt;
}

/// The first R that can still come between a forward and its backward, which are there.
std::optional<Pass> recomputeBetween(const HostedStage& hosted, const PipelineSpec& spec,
                                     const Present& present)
{
    for (int micro = 0; micro < spec.totalMicroBatches(); ++micro) {
        if (spec.route(micro) != hosted.route)
            continue;
        for (int q = 0; q < spec.segments(); ++q) {
            const Pass pass{PassKind::R, static_cast<std::uint8_t>(hosted.route), hosted.stage,
                            micro, q};
            if (!present.has(pass) && present.has(withKind(pass, PassKind::F)) &&
                present.has(withKind(pass, PassKind::B)))
                return pass;
        }
    }
    return std::nullopt;
}

/// Positions by device; refuses what is not there.
Result<std::vector<std::vector<std::int32_t>>> byDevice(std::vector<EntryAt> entries,
                                                        const Draft& draft)
{
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    std::vector<std::vector<std::int32_t>> positions(draft.orders.size());
    for (const EntryAt& at : entries) {
        if (at.device < 0 || static_cast<std::size_t>(at.device) >= positions.size() ||
            at.position < 0 ||
            static_cast<std::size_t>(at.position) >=
                draft.orders[static_cast<std::size_t>(at.device)].size()) {
            return fail(ErrorCode::BadValue, "device %1 has no entry %2", at.device, at.position);
        }
        positions[static_cast<std::size_t>(at.device)].push_back(at.position);
    }
    return positions;
}

/// A copy may come from a schedule of another shape.
Result<void> checkCopied(const Pass& pass, const PipelineSpec& spec)
{
    const auto outside = [](Pattern<int, int> text, int value, int end) {
        return fail(ErrorCode::BadValue, text, value, end);
    };
    if (pass.route >= spec.routeCount())
        return outside("the copy has route %1; the schedule has %2", pass.route, spec.routeCount());
    if (pass.stage < 0 || pass.stage >= spec.stages())
        return outside("the copy has stage %1; the schedule has %2", pass.stage, spec.stages());
    if (pass.segment < 0 || pass.segment >= spec.segments())
        return outside("the copy has segment %1; the schedule has %2", pass.segment,
                       spec.segments());
    return {};
}

Result<Proposal> fill(const Project& project, SetSchedule schedule,
                      std::optional<std::variant<UniformCosts, Costs>> costs)
{
    Edit edit{{std::move(schedule)}};
    if (costs)
        edit.changes.emplace_back(SetCosts{*std::move(costs)});
    auto proposal = proposed(project, std::move(edit));
    if (proposal) {
        for (const EntryId i : Ids<EntryId>(EntryId(0), proposal->times.begin.back()))
            proposal->added.push_back(i);
    }
    return proposal;
}

} // namespace

Result<Draft> draftOf(const Project& project)
{
    if (!project.family)
        return project.draft;
    PW_TRY(const auto schedule, scheduleOf(project));
    return draftOf(schedule);
}

Result<Proposal> fillWithFamily(const Project& project, const FamilyChoice& choice,
                                std::optional<std::variant<UniformCosts, Costs>> costs)
{
    PW_TRY(const auto family, findFamily(choice.id));
    PW_TRY(auto spec, specOf(*family, choice.options));
    return fill(project, {choice, {std::move(spec), {}}}, std::move(costs));
}

Result<Proposal> fillWithArrangement(const Project& project, const Arrangement& arrangement,
                                     std::optional<std::variant<UniformCosts, Costs>> costs)
{
    return fill(project, {std::nullopt, {arrangement.spec, ordersOf(arrangement)}},
                std::move(costs));
}

Result<std::vector<Suggestion>> suggestions(const Project& project, DeviceId device, Ticks time)
{
    PW_TRY(const auto at, shown(project));
    const PipelineSpec& spec = at.draft.spec;
    if (device < 0 || device >= spec.devices)
        return fail(ErrorCode::BadValue, "there is no device %1", device);
    const Present present(at.draft);
    std::vector<Suggestion> found, late;
    const auto chunks = chunksOfDevices(spec);
    for (const HostedStage& hosted : chunks[static_cast<std::size_t>(device)]) {
        for (const PassKind kind : allPassKinds) {
            if (const auto pass = firstMissing(kind, hosted, spec, present))
                found.push_back(suggestionOf(*pass, at, present));
        }
        if (const auto pass = recomputeBetween(hosted, spec, present))
            late.push_back(suggestionOf(*pass, at, present));
    }
    std::stable_sort(found.begin(), found.end(), [&](const Suggestion& a, const Suggestion& b) {
        const bool fitsA = a.complete && a.ready <= time, fitsB = b.complete && b.ready <= time;
        if (fitsA != fitsB)
            return fitsA;
        if (a.complete != b.complete)
            return a.complete;
        return a.pass.microBatch != b.pass.microBatch ? a.pass.microBatch < b.pass.microBatch
                                                      : a.ready < b.ready;
    });
    found.insert(found.end(), late.begin(), late.end());
    return found;
}

Result<Proposal> insertPass(const Project& project, const Pass& pass, Ticks time)
{
    PW_TRY(const auto at, shown(project));
    const PipelineSpec& spec = at.draft.spec;
    if (pass.stage < 0 || pass.stage >= spec.stages() || pass.route >= spec.routes.size() ||
        !belongs(spec, pass, spec.device(pass.route, pass.stage)))
        return fail(ErrorCode::BadSchedule, "the spec has no %1", describe(pass, spec));
    const Present present(at.draft);
    if (present.has(pass))
        return fail(ErrorCode::BadSchedule, "%1 is there already",
                    describe(withKind(pass, present.kind(pass)), spec));
    const DeviceId device = spec.device(pass.route, pass.stage);
    std::size_t position = 0;
    const auto& order = at.draft.orders[static_cast<std::size_t>(device)];
    for (; position < order.size(); ++position) {
        const auto entry = static_cast<std::size_t>(at.times.entry(device, position));
        if (at.times.times.start[entry] + at.times.times.end[entry] > 2 * time)
            break;
    }
    std::vector<std::vector<PlacedEntry>> placed(static_cast<std::size_t>(spec.devices));
    placed[static_cast<std::size_t>(device)].push_back(
        {static_cast<std::int32_t>(position), single(pass)});
    auto proposal = inserted(project, at.draft, std::move(placed));
    if (!proposal)
        return proposal;
    PW_TRY(const auto wrong, problems(proposal->draft));
    // Only what the new pass makes wrong stands in its way: it, or the cell that it belongs to.
    for (const Problem& problem : wrong.list) {
        if (problem.code != ProblemCode::Missing && problem.pass.stage == pass.stage &&
            problem.pass.microBatch == pass.microBatch && problem.pass.segment == pass.segment)
            return fail(ErrorCode::BadSchedule, pw::placed(problem));
    }
    return proposal;
}

Result<Proposal> removeEntries(const Project& project, std::vector<EntryAt> entries)
{
    PW_TRY(auto draft, draftOf(project));
    PW_TRY(auto positions, byDevice(std::move(entries), draft));
    Edit edit = ownOrders(project, draft);
    for (const DeviceId device : Ids<DeviceId>(positions.size())) {
        if (!positions[device.index()].empty())
            edit.changes.emplace_back(RemoveEntries{device, std::move(positions[device.index()])});
    }
    return proposed(project, std::move(edit));
}

Result<Clip> copyEntries(const Project& project, std::vector<EntryAt> entries)
{
    PW_TRY(const auto at, shown(project));
    PW_TRY(const auto positions, byDevice(std::move(entries), at.draft));
    Clip clip;
    for (const DeviceId device : Ids<DeviceId>(positions.size())) {
        for (const std::int32_t position : positions[device.index()]) {
            const auto place = static_cast<std::size_t>(position);
            const OrderEntry& entry = at.draft.orders[device.index()][place];
            const std::size_t index = at.times.entry(device, place).index();
            if (entry.pass.kind != PassKind::U)
                clip.entries.push_back({device, at.times.times.start[index], entry});
        }
    }
    if (clip.empty())
        return clip;
    Ticks first = clip.entries.front().offset;
    for (const Clip::Entry& entry : clip.entries)
        first = std::min(first, entry.offset);
    for (Clip::Entry& entry : clip.entries)
        entry.offset -= first;
    return clip;
}

Result<Proposal> paste(const Project& project, const Clip& clip, Ticks time, Growth growth)
{
    PW_TRY(auto at, shown(project));
    PipelineSpec& spec = at.draft.spec;
    std::map<int, std::vector<Pass>> passes; // by micro-batch of the clip
    for (const Clip::Entry& entry : clip.entries) {
        if (entry.device < 0 || entry.device >= spec.devices)
            return fail(ErrorCode::BadValue, "the clip has device %1; devices are 0 to %2",
                        entry.device, spec.devices - 1);
        PW_DO(checkCopied(entry.entry.pass, spec));
        if (auto ok = checkCopied(entry.entry.partner, spec); entry.entry.paired && !ok)
            return fail(ok.error());
        passes[entry.entry.pass.microBatch].push_back(entry.entry.pass);
        if (entry.entry.paired)
            passes[entry.entry.partner.microBatch].push_back(entry.entry.partner);
    }
    const Present present(at.draft);
    const PipelineSpec first = spec; // whose routes go on
    const int there = spec.totalMicroBatches();
    int next = 0;
    std::map<int, int> becomes;
    for (const auto& [from, list] : passes) {
        const auto occupied = [&, &own = list](int j) {
            return std::any_of(own.begin(), own.end(), [&](Pass pass) {
                pass.microBatch = j;
                return present.has(pass);
            });
        };
        const int route = list.front().route;
        bool taken = false;
        for (int j = 0; j < spec.microBatches && !taken; ++j)
            taken = spec.route(j) == route;
        if (!taken)
            return fail(ErrorCode::BadValue, "no micro-batch takes route %1 of the copy", route);
        while (next < spec.totalMicroBatches() && (spec.route(next) != route || occupied(next)))
            ++next;
        while (next >= spec.totalMicroBatches() || spec.route(next) != route) {
            if (growth == Growth::Refuse) {
                return fail(
                    ErrorCode::BadValue,
                    "there is no free micro-batch for micro-batch %1 of the copy; there are %2",
                    from, there);
            }
            if (next >= spec.totalMicroBatches()) {
                spec = first;
                PW_DO(grow(spec, next + 1));
            } else {
                ++next;
            }
        }
        becomes[from] = next++;
    }
    std::vector<Addition> additions;
    for (const Clip::Entry& entry : clip.entries) {
        Addition one{entry.device, time + entry.offset, entry.entry};
        one.entry.pass.microBatch = becomes[one.entry.pass.microBatch];
        if (one.entry.paired)
            one.entry.partner.microBatch = becomes[one.entry.partner.microBatch];
        additions.push_back(one);
    }
    return merged(project, at.draft, at.times, std::move(additions));
}

} // namespace pw

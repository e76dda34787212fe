// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/megatron_text.h"

#include "core/base/try.h"

#include <algorithm>

namespace pw {

namespace {

/// What of a schedule Megatron's order has no place for.
Result<void> checkMegatronShape(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const auto refuse = [](const Sentence& what) {
        return fail(ErrorCode::BadValue, "Megatron's order has no %1", what);
    };
    if (spec.segments() > 1)
        return refuse(said("segments; this schedule has %1", spec.segments()));
    if (spec.routeCount() > 1)
        return refuse(said("second route"));
    if (spec.steps > 1 || spec.updates)
        return refuse(said("optimizer updates in it"));
    if (schedule.anyRecompute())
        return refuse(said("recompute passes; --recompute-granularity is its way"));
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        if (spec.device(0, stage) != stage % spec.devices)
            return fail(ErrorCode::BadValue,
                        "Megatron has stage k on rank k mod P; here stage %1 is on device %2 of %3",
                        stage, spec.device(0, stage), spec.devices);
    }
    if (spec.stages() % spec.devices != 0)
        return fail(ErrorCode::BadValue, "%1 stages are not a whole number of chunks on %2 ranks",
                    spec.stages(), spec.devices);
    return {};
}

/// The order of a device as Megatron would tell it; W passes are counted and left out.
std::vector<MegatronPass> drawnOrder(const Schedule& schedule, DeviceId device,
                                     std::int64_t& splitOnes)
{
    std::vector<MegatronPass> order;
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        for (const Pass* pass : {&entry.pass, &entry.partner}) {
            if (pass == &entry.partner && !entry.paired)
                continue;
            if (pass->kind == PassKind::W) {
                ++splitOnes;
                continue;
            }
            order.push_back(
                {pass->kind == PassKind::F, pass->stage / schedule.devices(), pass->microBatch});
        }
    }
    return order;
}

/// The group that an order begins with, if it goes in groups: a device has its first chunk's
/// forwards of all of it before another chunk's.
int firstGroup(const std::vector<MegatronPass>& order)
{
    const auto end = std::find_if(order.begin(), order.end(), [](const MegatronPass& pass) {
        return !pass.forward || pass.chunk != 0;
    });
    return static_cast<int>(end - order.begin());
}

/// Passes of all devices that stand elsewhere in one of Megatron's orders.
std::int64_t distance(const PipelineSpec& spec, const std::vector<std::vector<MegatronPass>>& drawn,
                      int chunks, int group, bool overlap)
{
    std::int64_t apart = 0;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const auto& here = drawn[device.index()];
        const std::vector<MegatronPass> there =
            megatronOrder(device, spec.devices, chunks, spec.microBatches, group, overlap);
        const std::size_t both = std::min(here.size(), there.size());
        for (std::size_t i = 0; i < both; ++i)
            apart += here[i] == there[i] ? 0 : 1;
        apart += static_cast<std::int64_t>(std::max(here.size(), there.size()) - both);
    }
    return apart;
}

} // namespace

bool isMegatronGroup(int ranks, int microBatches, int group)
{
    if (group < std::max(ranks, 1) || group > microBatches)
        return false;
    const int rest = microBatches % group;
    return rest == 0 || rest >= ranks;
}

std::vector<int> megatronGroups(int ranks, int microBatches)
{
    constexpr int most = 256;
    std::vector<int> groups;
    for (int group = std::max(ranks, 1); group <= microBatches; ++group)
        if (group - ranks <= most ? isMegatronGroup(ranks, microBatches, group)
                                  : microBatches % group == 0)
            groups.push_back(group);
    return groups;
}

std::vector<MegatronPass> megatronOrder(int rank, int ranks, int chunks, int microBatches,
                                        int group, bool overlap)
{
    std::vector<MegatronPass> forwards;
    for (int first = 0; first < microBatches; first += group) {
        const int end = std::min(first + group, microBatches);
        for (int chunk = 0; chunk < chunks; ++chunk) {
            for (int microBatch = first; microBatch < end; ++microBatch)
                forwards.push_back({true, chunk, microBatch});
        }
    }
    std::vector<MegatronPass> backwards = forwards;
    for (MegatronPass& pass : backwards)
        pass = {false, chunks - 1 - pass.chunk, pass.microBatch};
    const std::size_t all = forwards.size();
    const int wanted = chunks == 1
                           ? ranks - rank - 1
                           : 2 * (ranks - rank - 1) + (chunks - 1) * group + (overlap ? 1 : 0);
    const std::size_t warmup = std::min(all, static_cast<std::size_t>(std::max(wanted, 0)));
    std::vector<MegatronPass> order(forwards.begin(),
                                    forwards.begin() + static_cast<std::ptrdiff_t>(warmup));
    for (std::size_t next = warmup; next < all; ++next) {
        order.push_back(forwards[next]);
        order.push_back(backwards[next - warmup]);
    }
    order.insert(order.end(), backwards.end() - static_cast<std::ptrdiff_t>(warmup),
                 backwards.end());
    return order;
}

Result<MegatronFit> fitMegatron(const Schedule& schedule)
{
    PW_DO(checkMegatronShape(schedule));
    const PipelineSpec& spec = schedule.spec();
    MegatronFit best;
    best.chunks = spec.stages() / spec.devices;
    std::vector<std::vector<MegatronPass>> drawn;
    for (const DeviceId device : Ids<DeviceId>(spec.devices))
        drawn.push_back(drawnOrder(schedule, device, best.splitOnes));
    // Without chunks a group changes nothing. The usual one first, so that it wins a draw.
    std::vector<int> groups = {std::min(spec.devices, spec.microBatches)};
    if (best.chunks > 1) {
        if (spec.devices < 2)
            return fail(ErrorCode::BadValue, "Megatron has no chunks on a single pipeline rank");
        groups = megatronGroups(spec.devices, spec.microBatches);
        if (groups.empty())
            return fail(ErrorCode::BadValue,
                        "Megatron's interleaved order goes in groups of at least %1 micro-batches, "
                        "as many as ranks, and takes no rest below that; %2 micro-batches are not "
                        "such a number",
                        spec.devices, spec.microBatches);
        if (const int begun = firstGroup(drawn.front());
            isMegatronGroup(spec.devices, spec.microBatches, begun) &&
            !std::binary_search(groups.begin(), groups.end(), begun))
            groups.push_back(begun);
    }
    best.apart = -1;
    for (const int group : groups)
        for (const bool overlap : {false, true}) {
            if (overlap && best.chunks == 1)
                continue;
            const std::int64_t apart = distance(spec, drawn, best.chunks, group, overlap);
            if (best.apart < 0 || apart < best.apart) {
                best.apart = apart;
                best.group = group;
                best.overlap = overlap;
            }
        }
    return best;
}

} // namespace pw

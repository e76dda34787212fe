// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/families/family.h"
#include "core/families/forms.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace pw::families {

namespace {

/// Micro-batches that enter together, the first half of them (the larger, if odd) at the first
/// device.
struct Unit
{
    int first = 0; ///< its first micro-batch
    int size = 0;  ///< at most p
    int slot = 0;  ///< slot of its first forward

    int down() const { return (size + 1) / 2; }
};

/// Units of p micro-batches, 2p slots apart, so that the forwards of one fill the bubbles of the
/// unit before. What is left over goes first: a short unit at the start costs fewer slots than one
/// at the end.
std::vector<Unit> unitsOf(int devices, int microBatches)
{
    std::vector<Unit> units;
    Unit next{0, microBatches % devices, 0};
    if (next.size > 0) {
        units.push_back(next);
        next = {next.size, 0, 2 * next.size};
    }
    next.size = devices;
    for (; next.first < microBatches; next.first += devices, next.slot += 2 * devices)
        units.push_back(next);
    return units;
}

/// A pass with its slot: the time it would start if F and BW took one slot each.
struct SlottedPass
{
    int slot = 0;
    Pass pass;

    /// Where a unit of odd size pushes two passes into one slot, the backward comes first: it frees
    /// memory.
    friend bool operator<(const SlottedPass& a, const SlottedPass& b)
    {
        const auto key = [](const SlottedPass& x) {
            return std::tuple(x.slot, !isBackward(x.pass.kind), x.pass.route);
        };
        return key(a) < key(b);
    }
};

/// The passes of one unit on a device, in no order.
void appendUnit(int devices, const Unit& unit, DeviceId device, std::vector<SlottedPass>& passes)
{
    for (int x = 0; x < unit.size; ++x) {
        const bool up = x >= unit.down();
        const StageId stage(up ? devices - 1 - device : device);
        const int slot = unit.slot + 2 * (up ? x - unit.down() : x);
        const auto route = static_cast<std::uint8_t>(up ? 1 : 0);
        const Pass forward{PassKind::F, route, stage, unit.first + x, 0};
        Pass backward = forward;
        backward.kind = PassKind::BW;
        passes.push_back({slot + stage, forward});
        passes.push_back({slot + 2 * devices - 1 - stage, backward});
    }
}

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    const int p = options.devices;
    if (p % 2 != 0) {
        return fail(ErrorCode::BadValue,
                    "devices is %1; chimera needs an even number: two pipelines meet in the middle",
                    p);
    }
    auto spec = placedShape(options, Placement::linear(p));
    if (!spec)
        return spec;
    spec->routes.push_back(Placement::reversed(p));
    for (const Unit& unit : unitsOf(p, spec->microBatches)) {
        for (int x = 0; x < unit.size; ++x)
            spec->routeOfMicroBatch.push_back(x < unit.down() ? 0 : 1);
    }
    return spec;
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    const std::vector<Unit> units = unitsOf(spec.devices, spec.microBatches);
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    std::vector<SlottedPass> passes;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        passes.clear();
        for (const Unit& unit : units)
            appendUnit(spec.devices, unit, device, passes);
        std::stable_sort(passes.begin(), passes.end());
        auto& order = orders[static_cast<std::size_t>(device)];
        order.reserve(passes.size());
        for (const SlottedPass& slotted : passes)
            order.push_back(single(slotted.pass));
    }
    return finish(spec, std::move(orders));
}

/// One unit. A device's 2p passes fall on 2p different slots modulo 2p, so the block repeats
/// without idle time.
Result<BuildingBlock> block(const FamilyOptions& options)
{
    const int p = options.devices;
    FamilyOptions one = options;
    one.microBatches = p;
    PW_TRY(const auto spec, shape(one));
    BuildingBlock made;
    made.devices = p;
    made.routes = spec.routes;
    made.microBatches = p;
    made.routeOfMicroBatch = spec.routeOfMicroBatch;
    made.interval = 2 * p;
    std::vector<SlottedPass> passes;
    for (const DeviceId device : Ids<DeviceId>(p))
        appendUnit(p, unitsOf(p, p).front(), device, passes);
    for (const SlottedPass& slotted : passes)
        made.passes.push_back({slotted.pass, slotted.slot, 1});
    return made;
}

/// For T_BW = T_F this is (p−2)T_F, the paper's part (p−2)/(2m+p−2) of the makespan. Where they
/// differ, every unit but the first waits for the difference: with T_BW = 2T_F, 1F1B idles less
/// from 3p micro-batches on (4p on four devices).
std::optional<double> bubble(const ClosedFormInput& in)
{
    if (in.hop != 0 || std::fmod(in.m, in.p) != 0)
        return std::nullopt;
    const double unequal = std::abs(in.fused() - in.forward);
    return (in.p - 2) * (std::max(in.forward, in.fused()) + (in.m / in.p - 1) * unequal);
}

std::optional<double> peak(const ClosedFormInput& in)
{
    return std::min(in.p, in.m);
}

} // namespace

Family chimera()
{
    constexpr std::string_view bubbleText = "(p−2)[max(T_F, T_BW) + (m/p−1)|T_BW−T_F|]";
    constexpr std::string_view condition = "T_c = 0, m a multiple of p";
    Family family;
    family.id = "chimera";
    family.title = "Chimera";
    family.summary = "Two pipelines in opposite directions over two copies of the model; each "
                     "fills the other's bubbles.";
    family.citation = "Li and Hoefler, Chimera: Efficiently Training Large-Scale Neural Networks "
                      "with Bidirectional Pipelines, SC 2021, arXiv:2107.06925";
    family.closedForms = {
        {Quantity::SpanBubble, bubbleText, condition, bubble},
        {Quantity::WallBubble, bubbleText, condition, bubble},
        {Quantity::PeakActivation, "min(p, m); p/2+1 on the end devices", "", peak}};
    family.spec = shape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families

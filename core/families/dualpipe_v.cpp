// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/dualpipe_order.h"
#include "core/families/family.h"
#include "core/families/forms.h"

#include <algorithm>
#include <string>

namespace pw::families {

namespace {

/// The order needs 2p−1 micro-batches: with fewer, the first device has no place for its main part.
Result<PipelineSpec> shape(const FamilyOptions& options)
{
    const int least = 2 * options.devices - 1;
    if (options.microBatches < least) {
        return fail(ErrorCode::BadValue,
                    "micro-batches is %1; dualpipe-v needs at least 2p-1 = %2 for %3 devices",
                    options.microBatches, least, options.devices);
    }
    return placedShape(options, Placement::vShape(options.devices));
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    const int p = spec.devices;
    DeviceOrders orders(static_cast<std::size_t>(p));
    for (const DeviceId device : Ids<DeviceId>(p)) {
        const std::array<PhaseChunk, 2> chunks = {PhaseChunk{0, StageId(device.value), 0},
                                                  PhaseChunk{0, StageId(2 * p - 1 - device), 0}};
        orders[static_cast<std::size_t>(device)] =
            DualPipeOrder(device, p, chunks).make(spec.microBatches - 2 * p + device + 1);
    }
    return finish(spec, std::move(orders));
}

/// One micro-batch in the steady state: every hop takes one overlapped pair of 3 units, and F of
/// one chunk shares its pair with BW of the other.
Result<BuildingBlock> block(const FamilyOptions& options)
{
    const int p = options.devices;
    BuildingBlock made;
    made.devices = p;
    made.routes = {Placement::vShape(p)};
    made.interval = 6;
    for (const StageId stage : Ids<StageId>(2 * p)) {
        made.passes.push_back({{PassKind::F, 0, stage, 0, 0}, 3 * Ticks{stage}, 1});
        made.passes.push_back(
            {{PassKind::BW, 0, stage, 0, 0}, 3 * (4 * Ticks{p} - 1 - stage) + 1, 2});
    }
    return made;
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (in.hop != 0 || in.pair != in.forward + in.fused())
        return std::nullopt;
    return dualPipeBubble(in.p, in.forward / 2, in.backward / 2, in.weight / 2);
}

std::optional<double> peak(const ClosedFormInput& in)
{
    return std::min(in.p + 0.5, in.m);
}

} // namespace

Family dualpipe_v()
{
    constexpr std::string_view bubbleText =
        "(p−1)[t_F + max(0, t_B−t_W)] + max((p−1)t_F, (p−1)t_B − t_F), t = T/2";
    constexpr std::string_view condition = "T_c = 0, an overlapped pair takes T_F + T_BW";
    Family family;
    family.id = "dualpipe-v";
    family.title = "DualPipeV";
    family.summary = "Half of DualPipe on a V placement: overlapped pairs with one copy of the "
                     "model.";
    family.citation = "DeepSeek-AI, DeepSeek-V3 Technical Report, arXiv:2412.19437; "
                      "github.com/deepseek-ai/DualPipe; Sea AI Lab, DualPipe could be better "
                      "without the Dual, 2025";
    family.closedForms = {{Quantity::SpanBubble, bubbleText, condition, bubble},
                          {Quantity::WallBubble, bubbleText, condition, bubble},
                          {Quantity::PeakActivation, "min(p+1/2, m)", "", peak}};
    family.spec = shape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families

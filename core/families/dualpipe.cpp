// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/dualpipe_order.h"
#include "core/families/family.h"
#include "core/families/forms.h"

#include <algorithm>
#include <string>

namespace pw::families {

namespace {

/// The order needs 2p−2 micro-batches: with fewer, the device at an end has no place for its main
/// part.
Result<PipelineSpec> shape(const FamilyOptions& options)
{
    const int p = options.devices;
    const int m = options.microBatches;
    if (p % 2 != 0) {
        return fail(
            ErrorCode::BadValue,
            "devices is %1; dualpipe needs an even number: two directions meet in the middle", p);
    }
    if (m % 2 != 0) {
        return fail(
            ErrorCode::BadValue,
            "micro-batches is %1; dualpipe needs an even number: half of them in each direction",
            m);
    }
    if (m < 2 * (p - 1)) {
        return fail(ErrorCode::BadValue,
                    "micro-batches is %1; dualpipe needs at least 2(p-1) = %2 for %3 devices", m,
                    2 * (p - 1), p);
    }
    auto spec = placedShape(options, Placement::linear(p));
    if (!spec)
        return spec;
    spec->routes.push_back(Placement::reversed(p));
    spec->routeOfMicroBatch.assign(static_cast<std::size_t>(m), 0);
    std::fill(spec->routeOfMicroBatch.begin() + m / 2, spec->routeOfMicroBatch.end(),
              std::uint8_t{1});
    return spec;
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    const int p = spec.devices;
    const int m = spec.microBatches;
    DeviceOrders orders(static_cast<std::size_t>(p));
    for (const DeviceId device : Ids<DeviceId>(p)) {
        const int position = std::min<int>(device, p - 1 - device);
        std::array<PhaseChunk, 2> chunks = {PhaseChunk{0, StageId(device.value), 0},
                                            PhaseChunk{1, StageId(p - 1 - device), m / 2}};
        if (device >= p / 2)
            std::swap(chunks[0], chunks[1]);
        orders[static_cast<std::size_t>(device)] =
            DualPipeOrder(position, p / 2, chunks).make(m / 2 - p + position + 1);
    }
    return finish(spec, std::move(orders));
}

/// A micro-batch of each direction, in the steady state: every hop takes one overlapped pair of 3
/// units, and F of one direction shares its pair with BW of the other.
Result<BuildingBlock> block(const FamilyOptions& options)
{
    const int p = options.devices;
    if (p % 2 != 0)
        return fail(shape(options).error());
    BuildingBlock made;
    made.devices = p;
    made.routes = {Placement::linear(p), Placement::reversed(p)};
    made.microBatches = 2;
    made.routeOfMicroBatch = {0, 1};
    made.interval = 6;
    for (int j = 0; j < 2; ++j) {
        for (const StageId stage : Ids<StageId>(p)) {
            const auto route = static_cast<std::uint8_t>(j);
            made.passes.push_back({{PassKind::F, route, stage, j, 0}, 3 * Ticks{stage}, 1});
            made.passes.push_back(
                {{PassKind::BW, route, stage, j, 0}, 3 * (2 * Ticks{p} - 1 - stage) + 1, 2});
        }
    }
    return made;
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (in.hop != 0 || in.pair != in.forward + in.fused())
        return std::nullopt;
    return dualPipeBubble(in.p / 2, in.forward, in.backward, in.weight);
}

std::optional<double> peak(const ClosedFormInput& in)
{
    return std::min(in.p + 1, in.m);
}

} // namespace

Family dualpipe()
{
    constexpr std::string_view bubbleText =
        "(p/2−1)[T_F + max(0, T_B−T_W)] + max((p/2−1)T_F, (p/2−1)T_B − T_F)";
    constexpr std::string_view condition = "T_c = 0, an overlapped pair takes T_F + T_BW";
    Family family;
    family.id = "dualpipe";
    family.title = "DualPipe";
    family.summary = "Micro-batches from both ends over two copies of the model; forwards and "
                     "backwards of opposite directions run as overlapped pairs.";
    family.citation = "DeepSeek-AI, DeepSeek-V3 Technical Report, arXiv:2412.19437; "
                      "github.com/deepseek-ai/DualPipe";
    family.closedForms = {{Quantity::SpanBubble, bubbleText, condition, bubble},
                          {Quantity::WallBubble, bubbleText, condition, bubble},
                          {Quantity::PeakActivation, "min(p+1, m)", "", peak}};
    family.spec = shape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families

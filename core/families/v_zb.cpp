// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/v_forms.h"

namespace pw::families {

namespace {

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    return vSchedule(spec, vOrderFromBlock(vZbBlock(spec.devices), spec.microBatches));
}

Result<BuildingBlock> block(const FamilyOptions& options)
{
    return vDrawnBlock(vZbBlock(options.devices));
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (!vUnit(in) || in.m < 2 * in.p)
        return std::nullopt;
    return 0;
}

std::optional<double> wall(const ClosedFormInput& in)
{
    const auto unit = vUnit(in);
    if (!unit || in.m < 2 * in.p)
        return std::nullopt;
    return (in.p - 1) * *unit;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    if (in.m < in.p)
        return std::nullopt;
    return in.p;
}

} // namespace

Family v_zb()
{
    constexpr std::string_view condition = "T_F = T_B = T_W, T_c = 0, m ≥ 2p";
    Family family;
    family.id = "v-zb";
    family.title = "V-ZB";
    family.summary = "V placement from a building block with long hops: 1F1B's activation and no "
                     "idle time inside a device's span.";
    family.citation = vCitation;
    family.closedForms = {{Quantity::SpanBubble, "0", condition, bubble},
                          {Quantity::WallBubble, "(p−1)·T_F/2", condition, wall},
                          {Quantity::PeakActivation, "p", "m ≥ p", peak}};
    family.spec = vRepeated;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/v_forms.h"

namespace pw::families {

namespace {

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    return vSchedule(spec, vOrderFromBlock(vHalfBlock(spec.devices), spec.microBatches));
}

Result<BuildingBlock> block(const FamilyOptions& options)
{
    return vDrawnBlock(vHalfBlock(options.devices));
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const auto unit = vUnit(in);
    if (!unit || in.p < 3 || in.m < in.p + 2)
        return std::nullopt;
    return (3 * in.p - (std::fmod(in.p, 2) == 0 ? 7 : 4)) * *unit;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    const double half = std::floor((in.p + 2) / 2);
    if (in.m < half)
        return std::nullopt;
    return half;
}

} // namespace

Family v_half()
{
    constexpr std::string_view text = "(3p−7)·T_F/2 for even p, (3p−4)·T_F/2 for odd";
    constexpr std::string_view condition = "T_F = T_B = T_W, T_c = 0, p ≥ 3, m ≥ p+2";
    Family family;
    family.id = "v-half";
    family.title = "V-Half";
    family.summary = "V placement with half of 1F1B's activation; steady where W+2B ≥ 2F and "
                     "W+2F ≥ 2B.";
    family.citation = vCitation;
    family.closedForms = {{Quantity::SpanBubble, text, condition, bubble},
                          {Quantity::WallBubble, text, condition, bubble},
                          {Quantity::PeakActivation, "⌊(p+2)/2⌋", "m ≥ ⌊(p+2)/2⌋", peak}};
    family.spec = vRepeated;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families

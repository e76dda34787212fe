// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/v_forms.h"

namespace pw::families {

namespace {

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    return vSchedule(spec, vOrderFromBlock(vMinBlock(spec.devices), spec.microBatches));
}

Result<BuildingBlock> block(const FamilyOptions& options)
{
    return vDrawnBlock(vMinBlock(options.devices));
}

double third(double p)
{
    return std::floor((p + 4) / 3);
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const auto unit = vUnit(in);
    if (!unit || in.p < 2 || 3 * in.m < 2 * in.p + 6)
        return std::nullopt;
    return (6 * in.p - 1 - 6 * third(in.p) + (std::fmod(in.p, 3) == 2 ? 4 : 0)) * *unit;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    // On two devices the fullest moment is one at which a B has been and its W has not.
    if (in.m < third(in.p) || (in.p == 2 && in.keptForWeight < 1))
        return std::nullopt;
    return third(in.p);
}

} // namespace

Family v_min()
{
    constexpr std::string_view text = "(6p−1−6⌊(p+4)/3⌋+4·[p mod 3 = 2])·T_F/2";
    constexpr std::string_view condition = "T_F = T_B = T_W, T_c = 0, p ≥ 2, m ≥ 2p/3+2";
    Family family;
    family.id = "v-min";
    family.title = "V-Min";
    family.summary = "V placement with a third of 1F1B's activation; unequal times cost idle time "
                     "in every micro-batch.";
    family.citation = vCitation;
    family.closedForms = {
        {Quantity::SpanBubble, text, condition, bubble},
        {Quantity::WallBubble, text, condition, bubble},
        {Quantity::PeakActivation, "⌊(p+4)/3⌋", "m ≥ ⌊(p+4)/3⌋, p ≠ 2 or all held until W", peak}};
    family.spec = vRepeated;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/v_auto.h"

#include "core/base/try.h"
#include "core/families/parameters.h"
#include "core/families/v_forms.h"

#include <algorithm>

namespace pw::families {

namespace {

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs& costs)
{
    const int limit = vLimit(chosen(options, memoryLimitParameter));
    const VAim aim = chosenWhole(options, aimParameter) == 0 ? VAim::Span : VAim::Makespan;
    PW_TRY(auto order, vAutoOrder(vProblemOf(spec, costs), limit, aim));
    return vSchedule(spec, order);
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const auto unit = vUnit(in);
    const int p = static_cast<int>(in.p);
    const int limit = vLimit(chosen(*in.options, memoryLimitParameter));
    if (!unit || in.m < 2 * in.p || limit < 2 * ((p + 4) / 3) ||
        chosenWhole(*in.options, aimParameter) != 0)
        return std::nullopt;
    return static_cast<double>(vBubbleBound(p, limit)) * *unit;
}

} // namespace

Family v_auto()
{
    Family family;
    family.id = "v-auto";
    family.title = "V-Auto";
    family.summary = "The best V-shaped schedule found for any memory limit and the given times.";
    family.citation = vCitation;
    family.parameters = {memoryLimitParameter, aimParameter};
    family.closedForms = {
        {Quantity::SpanBubble,
         "(6p−1−3k)·T_F/2 for k ≤ 2p−2, 3·T_F/2 for 2p−1, 0 for 2p; k = 2·memory-limit",
         "T_F = T_B = T_W, T_c = 0, m ≥ 2p, k ≥ 2⌊(p+4)/3⌋, aim span", bubble}};
    family.search = true;
    family.spec = vRepeated;
    family.build = build;
    return family;
}

} // namespace pw::families

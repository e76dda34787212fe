// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/label_choice.h"

#include "core/trace/span_name.h"

#include <optional>

namespace pw {

namespace {

bool isOwnStep(std::string_view name)
{
    return name.starts_with("PP:STEP");
}

} // namespace

bool isPlainPass(std::string_view name)
{
    return name.starts_with("Forward ") || name.starts_with("Backward ");
}

void LabelChoice::take(std::string_view name)
{
    if (isOwnStep(name))
        m_ownSteps = true;
    else if (name.starts_with("PP:"))
        m_actions = true;
    else if (name.starts_with("ProfilerStep#"))
        m_profilerSteps = true;
    else if (isPlainPass(name))
        m_plain = true;
}

bool LabelChoice::drops(std::string_view name) const
{
    return (m_actions && isPlainPass(name)) || (m_profilerSteps && isOwnStep(name));
}

void chooseLabels(Trace& trace, EventFile& file)
{
    LabelChoice choice;
    std::vector<bool> seen(trace.names.size(), false); // of names
    std::optional<MeshPlace> place;
    for (std::size_t i = file.firstSpan; i < trace.spans.size(); ++i) {
        const TraceSpan& span = trace.spans[i];
        const auto name = static_cast<std::size_t>(span.name);
        if (span.name < 0 || seen[name])
            continue;
        seen[name] = true;
        const std::string_view text = trace.nameOf(span);
        if (span.label >= 0)
            choice.take(text);
        else if (const MeshPlace said = readMeshPlace(text); said != MeshPlace())
            place = place && *place != said ? MeshPlace() : said;
    }
    if (place && place->rank >= 0) {
        if (file.rankNumber < 0)
            file.rankFrom = "label";
        file.rankNumber = file.rankNumber < 0 ? place->rank : file.rankNumber;
        file.replica = place->replica;
    }
    for (std::size_t i = file.firstSpan; choice.any() && i < trace.spans.size(); ++i) {
        TraceSpan& span = trace.spans[i];
        const SpanLabel* label = trace.labelOf(span);
        if (label == nullptr || !choice.drops(trace.nameOf(span)))
            continue;
        if (label->role == SpanRole::Pass) {
            EventProcess& owner = file.processes[processOf(span.rank).index()];
            --owner.labelled;
            owner.onTheHost -= span.trust == Trust::Device ? 0 : 1;
        }
        span.label = -1;
    }
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/gap_reasons.h"
#include "ui/timeline/hover_card.h"

#include <vector>

namespace pw::ui {

/// The span of an entry of a document, which counts through the devices' lists.
SpanRef spanOf(const ScheduleDocument& document, std::int32_t entry);

/// Spans that a span of a document waits for, or that wait for it.
std::vector<SpanRef> linkedSpans(const ScheduleDocument& document, SpanRef span, bool after);

/// Marks what is wrong in a document: the passes that break a rule or stand in a ring, and, from
/// what should have come first, an arrow to each of them.
void markProblems(const ScheduleDocument& document, Overlay& overlay);

/// What a card at the pointer says of an open schedule.
class ScheduleHover
{
public:
    explicit ScheduleHover(const ScheduleDocument& document)
        : m_document(document)
        , m_gaps(document)
    {
    }

    /// @param span  under the pointer; invalid: idle time of the lane
    HoverNews newsOf(SpanRef span, int lane, double time);

private:
    HoverNews passNews(SpanRef span) const;
    HoverNews gapNews(int lane, const Gap& gap) const;
    HoverNews draftGapNews(int lane, Ticks time) const;

    const ScheduleDocument& m_document;
    GapReasons m_gaps;
};

} // namespace pw::ui

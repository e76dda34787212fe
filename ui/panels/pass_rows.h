// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/panels/findings.h"
#include "ui/panels/number_rows.h"

namespace pw::ui {

/// A pass in short: "B 3 · stage 6 · chunk 1".
QString shortName(const Pass& pass, const PipelineSpec& spec);

/// What is known of one pass. @param found  null: not known yet
std::vector<NumberRow> passRows(const ScheduleDocument& document, SpanRef span,
                                const ScheduleFindings* found);

/// What several passes are together. @pre at least one
std::vector<NumberRow> selectionRows(const ScheduleDocument& document,
                                     const std::vector<SpanRef>& spans,
                                     const ScheduleFindings* found);

} // namespace pw::ui

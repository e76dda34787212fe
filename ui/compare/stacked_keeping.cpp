// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "ui/compare/compare_tables.h"
#include "ui/compare/kept_comparison.h"
#include "ui/compare/stacked_row.h"
#include "ui/compare/stacked_timelines.h"

#include <QPushButton>

#include <algorithm>

// A comparison that is kept.

namespace pw::ui {

/// What is awaited cannot be kept.
void StackedTimelines::showKeep()
{
    const bool all = std::all_of(m_rows.begin(), m_rows.end(), [](const auto& row) {
        return row->timeline != nullptr || !row->problem.isEmpty();
    });
    m_keep->setEnabled(!m_rows.empty() && all);
    m_keep->setToolTip(all ? tr("Keeps the comparison beside the runs, where it is opened again.")
                           : tr("Not everything is read yet."));
}

Result<NewAnswer> StackedTimelines::answer() const
{
    PW_TRY(std::string rows, comparisonData(comparedRows()));
    return NewAnswer{AnswerKind::Comparison,
                     title().toStdString(),
                     {},
                     m_tables->figureLines().toStdString(),
                     std::move(rows)};
}

} // namespace pw::ui

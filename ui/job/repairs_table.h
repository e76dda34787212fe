// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/panels/figure_table.h"
#include "ui/traces/shown_job.h"

#include <vector>

namespace pw::ui {

/// What repairs of a job would gain, the largest gain first.
class RepairsTable : public FigureTable
{
    Q_OBJECT

public:
    explicit RepairsTable(const ShownJob& job, QWidget* parent = nullptr);

Q_SIGNALS:
    /// A row is the current one.
    void chosen(const pw::JobWhatIf& repair);

private:
    std::vector<JobWhatIf> m_repairs; ///< by row
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/repairs_table.h"

#include "core/job/job_sentences.h"
#include "ui/core_sentences.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QHeaderView>

namespace pw::ui {

namespace {

/// Bounds are told whether or not there is anything to gain: they say what is not worth it.
bool isBound(Repair what)
{
    return what == Repair::AllMean || what == Repair::FreeLinks || what == Repair::NoLaunchGaps;
}

} // namespace

RepairsTable::RepairsTable(const ShownJob& job, QWidget* parent)
    : FigureTable({tr("If"), tr("step"), tr("gain")}, 1, parent)
{
    for (const JobWhatIf& one : job.analysis.whatIfs) {
        if (one.gain < leastToldGain && !isBound(one.what))
            continue;
        append({coreSentence(repairText(job.analysis, one)), durationText(one.stepTicks),
                gainText(one.gain)});
        item(rowCount() - 1, 0)->setToolTip(item(rowCount() - 1, 0)->text());
        m_repairs.push_back(one);
    }
    setAccessibleName(tr("What repairs would gain"));
    setToolTip(tr("The steps run again with the measured times, one thing changed. Ctrl+C copies "
                  "the rows."));
    fit();
    // The numbers are what a narrow window must show.
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    connect(this, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row >= 0 && row < static_cast<int>(m_repairs.size()))
            Q_EMIT chosen(m_repairs[static_cast<std::size_t>(row)]);
    });
}

} // namespace pw::ui

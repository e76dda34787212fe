// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/advice/held_view.h"

#include "ui/panels/figure_table.h"
#include "ui/presentation.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

namespace pw::ui {

namespace {

/// "+3.2 ms", "−1 ms".
QString offText(double ticks)
{
    return (ticks < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
           durationText(ticks < 0 ? -ticks : ticks);
}

} // namespace

HeldView::HeldView(QWidget* parent)
    : QWidget(parent)
    , m_hint(new QLabel(tr("Drop the trace of the changed training here."), this))
    , m_figures(new FigureTable({tr("did it hold?"), tr("step"), tr("gain")}, 1, this))
{
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignCenter);
    setInk(m_hint, Role::Secondary);
    m_figures->setAccessibleName(tr("Before, promised, after"));
    m_figures->setSelectionMode(QAbstractItemView::ContiguousSelection);
    constexpr int rows = 16;
    m_figures->setMaximumHeight(fontMetrics().height() * rows);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint, 1);
    layout->addWidget(m_figures, 1);
    clear();
}

void HeldView::clear()
{
    m_figures->setRowCount(0);
    m_figures->hide();
    m_hint->show();
}

void HeldView::setCheck(const AfterCheck& check)
{
    m_figures->setRowCount(0);
    const auto before = static_cast<double>(check.before);
    m_figures->append({tr("before"), durationText(before), QString()});
    if (check.change && before > 0)
        m_figures->append(
            {tr("promised"), durationText(check.promised), gainText(1 - check.promised / before)});
    m_figures->append(
        {tr("after"), durationText(static_cast<double>(check.after)), gainText(check.gain)});
    if (check.change) {
        // Of the difference to the promise.
        m_figures->append({tr("off: passes"), offText(check.passes), QString()});
        m_figures->append({tr("off: messages"), offText(check.messages), QString()});
        m_figures->append({tr("off: the rest"), offText(check.rest), QString()});
    }
    m_figures->fit();
    m_figures->setMinimumWidth(m_figures->horizontalHeader()->length() +
                               2 * m_figures->frameWidth());
    m_hint->hide();
    m_figures->show();
}

} // namespace pw::ui

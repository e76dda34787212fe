// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/lengths_view.h"

#include "ui/charts/lengths_chart.h"
#include "ui/document/background.h"
#include "ui/plural.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace pw::ui {

namespace {

PassLengths lengthsOfRow(const ComparedRow& row)
{
    return row.lengths != nullptr ? row.lengths->lengths : lengthsOf(*row.timeline);
}

} // namespace

LengthsView::LengthsView(QWidget* parent)
    : QWidget(parent)
    , m_pairs(new QComboBox(this))
    , m_what(new QLabel(this))
    , m_chart(new LengthsChart)
{
    m_pairs->setAccessibleName(tr("Timelines whose passes are compared"));
    m_what->setObjectName(QStringLiteral("lengthsOf"));
    m_what->setTextFormat(Qt::PlainText);
    m_what->setWordWrap(true);
    m_what->setContentsMargins(16, 0, 12, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_chart);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_pairs);
    layout->addWidget(m_what);
    layout->addWidget(scroll, 1);
    connect(m_pairs, &QComboBox::activated, this, &LengthsView::compare);
}

void LengthsView::show(const std::vector<ComparedRow>& rows)
{
    m_rows = rows;
    const QSignalBlocker quiet(m_pairs);
    const int before = m_pairs->currentIndex();
    m_pairs->clear();
    for (std::size_t i = 1; i < m_rows.size(); ++i)
        m_pairs->addItem(tr("%1 against %2").arg(m_rows[i].title, m_rows[i - 1].title));
    m_pairs->setCurrentIndex(std::clamp(before, 0, std::max(0, m_pairs->count() - 1)));
    m_pairs->setVisible(m_pairs->count() > 1);
    compare();
}

QString LengthsView::sentence(const ComparedRow& before, const ComparedRow& after) const
{
    const auto of = [](const ComparedRow& row) {
        if (row.lengths == nullptr)
            return row.timeline->about.isEmpty() ? row.title
                                                 : tr("%1, %2").arg(row.title, row.timeline->about);
        return tr("%1, %2").arg(row.title, plural(row.lengths->iterations, Noun::Iteration));
    };
    return tr("Passes of %1 (hatched, median dashed) and of %2 (filled). Each column is a part of "
              "all passes of its kind there.")
        .arg(of(before), of(after));
}

/// Sorting millions of lengths takes a while.
void LengthsView::compare()
{
    const int wanted = ++m_wanted;
    const int later = m_pairs->currentIndex() + 1; // none chosen: 0
    const auto index = static_cast<std::size_t>(later);
    const bool there = m_rows.size() > 1 && index < m_rows.size() &&
                       m_rows[index].timeline != nullptr && m_rows[index - 1].timeline != nullptr;
    if (!there) {
        m_what->setText(m_rows.size() < 2 ? tr("Nothing to compare with.") : tr("Comparing…"));
        m_chart->setHistograms({}, {}, {});
        return;
    }
    const ComparedRow before = m_rows[index - 1], after = m_rows[index];
    m_what->setText(sentence(before, after));
    inBackground(this, [this, wanted, before, after]() -> std::function<void()> {
        const auto found = std::make_shared<std::vector<PassHistogram>>(
            passHistograms(lengthsOfRow(before), lengthsOfRow(after)));
        return [this, wanted, before, after, found] {
            if (wanted == m_wanted)
                m_chart->setHistograms(std::move(*found), before.title, after.title);
        };
    });
}

} // namespace pw::ui

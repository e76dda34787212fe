// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compare_tables.h"

#include "core/base/text.h"
#include "core/sim/metrics.h"
#include "ui/charts/loss_curves.h"
#include "ui/compare/lengths_view.h"
#include "ui/compare/losses_view.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/quiet_table.h"
#include "ui/plural.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr std::size_t mostShifts = 200; ///< that are listed

QTableWidgetItem* comparedCell(const QString& words, Qt::Alignment side = Qt::AlignRight)
{
    auto* item = new QTableWidgetItem(words);
    item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
    item->setData(Qt::TextAlignmentRole, static_cast<int>(side | Qt::AlignVCenter));
    return item;
}

QTableWidget* quietTable(QWidget* parent, const QString& name, const QStringList& headings)
{
    auto* table = new QTableWidget(0, static_cast<int>(headings.size()), parent);
    makeQuiet(*table);
    table->setAccessibleName(name);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    for (int column = 0; column < headings.size(); ++column)
        table->setHorizontalHeaderItem(
            column, comparedCell(headings[column], column == 0 ? Qt::AlignLeft : Qt::AlignRight));
    return table;
}

QString comparedBubbleText(const Bubble& bubble)
{
    return QStringLiteral("%1 (%2)").arg(durationText(static_cast<double>(bubble.idle)),
                                         percentText(bubble.rate()));
}

/// Sizes of a table in the unit of the largest of them.
Unit comparedUnit(const std::vector<ComparedRow>& rows)
{
    Bytes largest = 0;
    for (const ComparedRow& row : rows)
        if (row.timeline != nullptr)
            largest = std::max(
                {largest, row.timeline->memory.total, peakActivation(row.timeline->times)});
    return byteUnit(largest);
}

QString activationText(const SimResult& times, const Unit& unit)
{
    if (const Bytes bytes = peakActivation(times); bytes > 0)
        return bytesIn(unit, bytes);
    const double share = peakMicroBatches(times);
    return share > 0 ? plural(share, text(plainNumber(share)), Noun::MicroBatch)
                     : QStringLiteral("–");
}

/// The columns of the figures.
enum FigureColumn
{
    MemoryColumn = 5,
    ActivationColumn = 6
};

} // namespace

CompareTables::CompareTables(QWidget* parent)
    : QTabWidget(parent)
    , m_lengths(new LengthsView(this))
    , m_losses(new LossesView(this))
{
    setDocumentMode(true);
    m_figures = quietTable(this, tr("Figures"),
                           {tr("timeline"), tr("makespan"), tr("to the first"), tr("span bubble"),
                            tr("wall bubble"), tr("peak memory"), tr("peak activation"),
                            tr("micro-batches/s")});
    m_figures->horizontalHeaderItem(MemoryColumn)
        ->setToolTip(tr("All that the fullest device holds at once; a cell tells it by kind."));
    m_figures->horizontalHeaderItem(ActivationColumn)
        ->setToolTip(tr("The most of activations alone on a device."));
    auto* side = new QWidget(this);
    m_why = new QLabel(side);
    m_why->setWordWrap(true);
    m_pairs = new QComboBox(side);
    m_pairs->setAccessibleName(tr("Timelines whose ends are compared"));
    m_shifts = quietTable(
        side, tr("Passes that moved the end"),
        {tr("pass"), tr("device"), tr("moves the end"), tr("takes longer"), tr("waits longer")});
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(12, 4, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_pairs);
    layout->addWidget(m_why);
    layout->addWidget(m_shifts, 1);
    addTab(m_figures, tr("Figures"));
    addTab(side, tr("What moved the end"));
    addTab(m_lengths, tr("Length of passes"));
    addTab(m_losses, tr("Losses"));
    setTabVisible(indexOf(m_losses), false);
    connect(m_pairs, &QComboBox::activated, this, &CompareTables::showShifts);
    connect(m_shifts, &QTableWidget::itemSelectionChanged, this, &CompareTables::chooseShift);
}

void CompareTables::show(std::vector<ComparedRow> rows)
{
    m_rows = std::move(rows);
    showFigures();
    showPairs();
    showShifts();
    m_lengths->show(m_rows);
    m_losses->show(m_rows);
    setTabVisible(indexOf(m_losses), !m_losses->chart().curves().empty());
}

QString CompareTables::figureLines() const
{
    return linesOf(*m_figures);
}

void CompareTables::showFigures()
{
    m_figures->setRowCount(static_cast<int>(m_rows.size()));
    const ComparedPtr first = m_rows.empty() ? nullptr : m_rows.front().timeline;
    const Unit unit = comparedUnit(m_rows);
    bool sized = false;
    for (int i = 0; i < m_figures->rowCount(); ++i) {
        const ComparedRow& row = m_rows[static_cast<std::size_t>(i)];
        m_figures->setItem(i, 0, comparedCell(row.title, Qt::AlignLeft));
        QStringList texts(7, QStringLiteral("–"));
        if (row.timeline != nullptr) {
            const SimResult& times = row.timeline->times;
            texts = {columnTimeText(times.makespan),
                     first == nullptr || i == 0
                         ? QStringLiteral("–")
                         : QStringLiteral("%1 (%2)").arg(
                               shiftText(times.makespan - first->times.makespan),
                               offText(times.makespan, first->times.makespan)),
                     comparedBubbleText(spanBubble(times)),
                     comparedBubbleText(wallBubble(times)),
                     row.timeline->memory.known() ? bytesIn(unit, row.timeline->memory.total)
                                                  : QStringLiteral("–"),
                     activationText(times, unit),
                     text(plainNumber(row.timeline->throughput()))};
            sized = sized || row.timeline->memory.known();
        }
        for (int column = 0; column < texts.size(); ++column)
            m_figures->setItem(i, column + 1, comparedCell(texts[column]));
        if (row.timeline != nullptr && row.timeline->memory.known())
            m_figures->item(i, MemoryColumn)
                ->setToolTip(tr("Device %1: %2")
                                 .arg(row.timeline->memory.device)
                                 .arg(kindsText(row.timeline->memory)));
    }
    m_figures->setColumnHidden(MemoryColumn, !sized);
    m_figures->resizeColumnsToContents();
}

/// The row whose end is explained.
std::size_t CompareTables::shiftedRow() const
{
    const int chosen = m_pairs->currentIndex() + 1;
    return std::min(static_cast<std::size_t>(std::max(chosen, 1)),
                    m_rows.empty() ? 0 : m_rows.size() - 1);
}

void CompareTables::showPairs()
{
    const QSignalBlocker quiet(m_pairs);
    const int before = m_pairs->currentIndex();
    m_pairs->clear();
    for (std::size_t i = 1; i < m_rows.size(); ++i)
        m_pairs->addItem(tr("%1 against %2").arg(m_rows[i].title, m_rows[i - 1].title));
    m_pairs->setCurrentIndex(std::clamp(before, 0, std::max(0, m_pairs->count() - 1)));
    m_pairs->setVisible(m_pairs->count() > 1);
}

void CompareTables::showShifts()
{
    const QSignalBlocker quiet(m_shifts);
    m_shifts->setRowCount(0);
    const std::size_t index = shiftedRow();
    if (index == 0 || m_rows[index].difference == nullptr) {
        m_why->setText(m_rows.size() < 2 ? tr("Nothing to compare with.") : tr("Comparing…"));
        return;
    }
    const ComparedRow& row = m_rows[index];
    const EndShifts& shifts = row.difference->shifts;
    const QString above = m_rows[index - 1].title;
    if (shifts.total == 0)
        m_why->setText(tr("%1 ends when %2 ends.").arg(row.title, above));
    else
        m_why->setText(
            (shifts.total > 0 ? tr("%1 ends %2 later than %3. Of the chain of passes "
                                   "that decides its end, these moved it:")
                              : tr("%1 ends %2 sooner than %3. Of the chain of passes "
                                   "that decides its end, these moved it:"))
                .arg(row.title, durationText(static_cast<double>(std::abs(shifts.total))), above));
    std::vector<const EndShift*> links;
    for (const EndShift& link : shifts.links)
        if (link.shift != 0)
            links.push_back(&link);
    std::stable_sort(links.begin(), links.end(), [](const EndShift* a, const EndShift* b) {
        return std::abs(a->shift) > std::abs(b->shift);
    });
    links.resize(std::min(links.size(), mostShifts));
    m_shifts->setRowCount(static_cast<int>(links.size()) + (shifts.other != 0 ? 1 : 0));
    const Schedule& schedule = *row.timeline->schedule;
    int at = 0;
    for (const EndShift* link : links) {
        const Pass pass = schedule.entry(link->entry).pass;
        auto* name = comparedCell(passText(pass, schedule.spec()), Qt::AlignLeft);
        name->setData(Qt::UserRole, link->entry.value);
        m_shifts->setItem(at, 0, name);
        m_shifts->setItem(
            at, 1, comparedCell(QString::number(schedule.device(schedule.table().id(pass)))));
        m_shifts->setItem(at, 2, comparedCell(shiftText(link->shift)));
        m_shifts->setItem(at, 3, comparedCell(shiftText(link->grown)));
        auto* waits = comparedCell(shiftText(link->waited));
        if (link->message)
            waits->setToolTip(tr("for a message of another device"));
        m_shifts->setItem(at, 4, waits);
        ++at;
    }
    if (shifts.other != 0) {
        m_shifts->setItem(at, 0, comparedCell(tr("another pass ended last above"), Qt::AlignLeft));
        m_shifts->setItem(at, 2, comparedCell(shiftText(shifts.other)));
    }
    m_shifts->resizeColumnsToContents();
}

void CompareTables::chooseShift()
{
    const QList<QTableWidgetItem*> chosen = m_shifts->selectedItems();
    const std::size_t index = shiftedRow();
    if (chosen.isEmpty() || index == 0 || m_rows[index].timeline == nullptr)
        return;
    const QTableWidgetItem* name = m_shifts->item(chosen.front()->row(), 0);
    if (name != nullptr && name->data(Qt::UserRole).isValid())
        Q_EMIT passChosen(m_rows[index]
                              .timeline->schedule->entry(EntryId(name->data(Qt::UserRole).toInt()))
                              .pass);
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/ranking/ranking_table.h"

#include "core/base/text.h"
#include "ui/core_words.h"
#include "ui/panels/quiet_table.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableWidget>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

struct RankingWords
{
    Q_DECLARE_TR_FUNCTIONS(RankingPage)
};

enum RankColumn
{
    NameColumn,
    TimeColumn,
    SpreadColumn,
    BubbleColumn,
    PeakColumn,
    CapColumn,
    AgainstColumn,
    WhyColumn,
    RankColumns
};

constexpr int partRole = Qt::UserRole + 1; ///< length of the bar, 0 … 1

/// A bar in front of its number.
class SpeedDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const double part = index.data(partRole).toDouble();
        if (part <= 0)
            return;
        const double room = option.rect.width() -
                            option.fontMetrics.horizontalAdvance(QStringLiteral("×00.00")) - 22;
        const QRectF bar(option.rect.left() + 6, option.rect.center().y() - 3, part * room, 7);
        painter->fillRect(bar, color(Role::Accent));
    }
};

QTableWidgetItem* rankCell(const QString& words, bool number, bool muted)
{
    auto* item = new QTableWidgetItem(words);
    item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (muted)
        item->setForeground(color(Role::Secondary));
    return item;
}

} // namespace

void makeRankingTable(QTableWidget& table)
{
    table.setColumnCount(RankColumns);
    table.setHorizontalHeaderLabels(
        {RankingWords::tr("schedule"), RankingWords::tr("makespan"), RankingWords::tr("95 % below"),
         RankingWords::tr("bubble"), RankingWords::tr("peak"), RankingWords::tr("of the cap"),
         RankingWords::tr("against 1F1B"), RankingWords::tr("why not")});
    table.setAccessibleName(RankingWords::tr("Ranking"));
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    makeQuiet(table);
    table.setItemDelegateForColumn(AgainstColumn, new SpeedDelegate(&table));
    const QFontMetrics metrics(table.font());
    // For the numbers, and for the heading, which is longer in some languages.
    const auto wide = [&](int column, const char* sample) {
        table.setColumnWidth(
            column,
            std::max(metrics.horizontalAdvance(QString::fromLatin1(sample)),
                     metrics.horizontalAdvance(table.horizontalHeaderItem(column)->text())) +
                18);
    };
    wide(NameColumn, "seq1f1b-interleaved, segments 4");
    wide(TimeColumn, "0000.00 ms");
    wide(SpreadColumn, "0000.00 ms");
    wide(BubbleColumn, "00.00 %");
    wide(PeakColumn, "0000.0 GiB");
    wide(CapColumn, "of the cap m");
    wide(AgainstColumn, "against 1F1B ×00.00");
    for (int column = 0; column < RankColumns; ++column) {
        const bool left = column == NameColumn || column == WhyColumn;
        table.horizontalHeaderItem(column)->setTextAlignment(
            (left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    table.horizontalHeader()->setStretchLastSection(true);
}

void fillRankingTable(QTableWidget& table, const std::vector<Ranked>& rows,
                      const RankQuestion& asked, Ticks baseline)
{
    const QSignalBlocker block(&table);
    table.setRowCount(static_cast<int>(rows.size()));
    table.setColumnHidden(CapColumn, asked.capBytes <= 0 && asked.capShare <= 0);
    table.setColumnHidden(SpreadColumn, asked.jitter <= 0);
    double fastest = 0;
    for (const Ranked& row : rows)
        if (row.made() && row.makespan > 0)
            fastest = std::max(fastest,
                               static_cast<double>(baseline) / static_cast<double>(row.makespan));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Ranked& row = rows[i];
        const int at = static_cast<int>(i);
        const bool muted = !row.fits();
        auto* name = rankCell(text(row.candidate.name), false, muted);
        if (i == 0 || row.pareto) {
            QFont bold = table.font();
            bold.setWeight(QFont::DemiBold);
            name->setFont(bold);
        }
        name->setToolTip(coreWords(row.candidate.family->summary));
        table.setItem(at, NameColumn, name);
        const bool made = row.made();
        table.setItem(at, TimeColumn,
                      rankCell(made ? columnTimeText(row.makespan) : QString(), true, muted));
        table.setItem(
            at, SpreadColumn,
            rankCell(made && row.high > 0 ? columnTimeText(row.high) : QString(), true, muted));
        table.setItem(at, BubbleColumn,
                      rankCell(made ? percentText(row.wallBubble) : QString(), true, muted));
        table.setItem(at, PeakColumn,
                      rankCell(!made               ? QString()
                               : row.peakBytes > 0 ? text(byteText(row.peakBytes))
                                                   : text(plainNumber(row.peakMicroBatches)) +
                                                         RankingWords::tr(" mb"),
                               true, muted));
        const double cap = row.peakBytes > 0 ? static_cast<double>(asked.capBytes)
                                             : microBatchesFromShare(asked.capShare);
        auto* part =
            rankCell(made && cap > 0 ? percentText(row.memory() / cap) : QString(), true, muted);
        if (made && !row.overCap.empty())
            part->setForeground(color(Role::Refusal));
        table.setItem(at, CapColumn, part);
        const double speed = made && baseline > 0 && row.makespan > 0
                                 ? static_cast<double>(baseline) / static_cast<double>(row.makespan)
                                 : 0;
        auto* against =
            rankCell(speed > 0 ? QStringLiteral("×") + QString::number(speed, 'f', 2) : QString(),
                     true, muted);
        against->setData(partRole, fastest > 0 && !muted ? speed / fastest : 0.0);
        table.setItem(at, AgainstColumn, against);
        const QString why = rankReason(rows, i);
        auto* reason = rankCell(why, false, true);
        reason->setToolTip(why);
        table.setItem(at, WhyColumn, reason);
    }
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/alternatives_model.h"

#include "core/base/text.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <limits>
#include <utility>

namespace pw::ui {

namespace {

class SpeedDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const double part = index.data(AlternativesModel::partRole).toDouble();
        if (part <= 0)
            return;
        const double room = option.rect.width() -
                            option.fontMetrics.horizontalAdvance(QStringLiteral("×00.00")) - 22;
        const QRectF bar(option.rect.left() + 6, option.rect.center().y() - 3, part * room, 7);
        painter->fillRect(bar, color(Role::Accent));
    }
};

bool isText(int column)
{
    return column == AlternativesModel::Name || column == AlternativesModel::Kind ||
           column == AlternativesModel::Why;
}

} // namespace

void AlternativesModel::set(std::vector<Alternative> rows, const RankQuestion& question,
                            Ticks baseline)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_capBytes = question.capBytes;
    m_capShare = question.capShare;
    m_baseline = baseline;
    m_fastest = 0;
    for (const Alternative& row : m_rows)
        m_fastest = std::max(m_fastest, speed(row));
    endResetModel();
}

int AlternativesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AlternativesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Columns);
}

double AlternativesModel::partOfCap(const Alternative& row) const
{
    const double cap =
        row.peakBytes > 0 ? static_cast<double>(m_capBytes) : microBatchesFromShare(m_capShare);
    return row.made() && cap > 0 ? row.memory() / cap : 0;
}

double AlternativesModel::speed(const Alternative& row) const
{
    return row.made() && m_baseline > 0
               ? static_cast<double>(m_baseline) / static_cast<double>(row.makespan)
               : 0;
}

QString AlternativesModel::words(const Alternative& row, int column) const
{
    switch (column) {
    case Name:
        return row.name;
    case Kind:
        return kindWord(row.kind);
    case Why:
        return row.reason;
    default:
        break;
    }
    if (!row.made())
        return {};
    switch (column) {
    case Time:
        return columnTimeText(row.makespan);
    case Spread:
        return row.high > 0 ? columnTimeText(row.high) : QString();
    case Bubble:
        return percentText(row.wallBubble);
    case Peak:
        return row.peakBytes > 0 ? text(byteText(row.peakBytes))
                                 : text(plainNumber(row.peakMicroBatches)) + tr(" mb");
    case Cap: {
        const double part = partOfCap(row);
        return part > 0 ? percentText(part) : QString();
    }
    case Against: {
        const double times = speed(row);
        return times > 0 ? QStringLiteral("×") + QString::number(times, 'f', 2) : QString();
    }
    default:
        return {};
    }
}

/// What has no number stands last.
QVariant AlternativesModel::sorted(const Alternative& row, int column) const
{
    if (isText(column))
        return words(row, column).toLower();
    if (!row.made())
        return std::numeric_limits<double>::infinity();
    switch (column) {
    case Time:
        return static_cast<double>(row.makespan);
    case Spread:
        return static_cast<double>(row.time());
    case Bubble:
        return row.wallBubble;
    case Peak:
        return row.memory();
    case Cap:
        return partOfCap(row);
    default:
        return speed(row);
    }
}

QVariant AlternativesModel::data(const QModelIndex& index, int role) const
{
    const Alternative& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return words(row, column);
    case sortRole:
        return sorted(row, column);
    case partRole:
        return column == Against && row.fits() && m_fastest > 0 ? speed(row) / m_fastest : 0.0;
    case Qt::ToolTipRole:
        return column == Why ? row.reason : column == Name ? row.tip : QString();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isText(column) ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (column == Cap && row.made() && !row.overCap.isEmpty())
            return color(Role::Refusal);
        return column == Why || column == Kind || !row.fits() ? QVariant(color(Role::Secondary))
                                                              : QVariant();
    case Qt::FontRole:
        if (column == Name && row.pareto) {
            QFont bold;
            bold.setWeight(QFont::DemiBold);
            return bold;
        }
        return {};
    default:
        return {};
    }
}

QVariant AlternativesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isText(section) ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("alternative");
    case Kind:
        return tr("comes from");
    case Time:
        return tr("makespan");
    case Spread:
        return tr("95 % below");
    case Bubble:
        return tr("bubble");
    case Peak:
        return tr("peak");
    case Cap:
        return tr("of the limit");
    case Against:
        return tr("against 1F1B");
    default:
        return tr("why not");
    }
}

AlternativesOrder::AlternativesOrder(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(AlternativesModel::sortRole);
}

void AlternativesOrder::setWords(const QString& words)
{
    m_words = words.trimmed();
    invalidateFilter();
}

void AlternativesOrder::setShown(AlternativeKind kind, bool shown)
{
    const unsigned bit = 1U << static_cast<int>(kind);
    m_hidden = shown ? m_hidden & ~bit : m_hidden | bit;
    invalidateFilter();
}

bool AlternativesOrder::filterAcceptsRow(int row, const QModelIndex&) const
{
    const auto* model = static_cast<const AlternativesModel*>(sourceModel());
    const Alternative& one = model->rows()[static_cast<std::size_t>(row)];
    if (!shows(one.kind))
        return false;
    // All of the words, each anywhere in the row.
    const QString all = one.name + QLatin1Char('\n') + kindWord(one.kind) + QLatin1Char('\n') +
                        one.reason + QLatin1Char('\n') + one.tip;
    const QStringList wanted = m_words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(wanted.begin(), wanted.end(), [&all](const QString& word) {
        return all.contains(word, Qt::CaseInsensitive);
    });
}

void drawBars(QTableView& table)
{
    table.setItemDelegateForColumn(AlternativesModel::Against, new SpeedDelegate(&table));
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/number_table.h"

#include "core/base/text.h"
#include "ui/plural.h"
#include "ui/presentation.h"

#include <QBrush>
#include <QFont>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <set>

namespace pw::ui {

namespace {

QString exactText(double value)
{
    return QString::fromStdString(exactNumber(value));
}

QChar separatorOf(const QString& cells)
{
    for (const QChar separator : {QLatin1Char('\t'), QLatin1Char(';')})
        if (cells.contains(separator))
            return separator;
    return QLatin1Char(',');
}

} // namespace

std::optional<double> numberOf(const QString& typed)
{
    QString text = typed.trimmed();
    if (!text.contains(QLatin1Char('.')) && text.count(QLatin1Char(',')) == 1)
        text.replace(QLatin1Char(','), QLatin1Char('.'));
    bool good = false;
    const double value = QLocale::c().toDouble(text, &good);
    return good && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

QString shortNumber(double value)
{
    return QString::fromStdString(plainNumber(value));
}

NumberTable::NumberTable(std::vector<NumberColumn> columns, QStringList rows, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
    , m_rows(std::move(rows))
    , m_cells(m_columns.size() * static_cast<std::size_t>(m_rows.size()))
{
}

const NumberTable::Cell& NumberTable::cell(int row, int column) const
{
    return m_cells[static_cast<std::size_t>(row) * m_columns.size() +
                   static_cast<std::size_t>(column)];
}

NumberTable::Cell& NumberTable::cell(int row, int column)
{
    return const_cast<Cell&>(std::as_const(*this).cell(row, column));
}

bool NumberTable::has(int row, int column) const
{
    const auto& rule = m_columns[static_cast<std::size_t>(column)].has;
    return !rule || rule(row);
}

std::optional<double> NumberTable::value(int row, int column) const
{
    return cell(row, column).value;
}

void NumberTable::setValue(int row, int column, std::optional<double> value)
{
    cell(row, column) = {value, {}, {}};
}

std::optional<double> NumberTable::fallback(int row, int column) const
{
    const Cell& one = cell(row, column);
    const auto& rule = m_columns[static_cast<std::size_t>(column)].fallback;
    return has(row, column) && rule && !one.value && one.reason.isEmpty() ? rule(row)
                                                                          : std::nullopt;
}

QString NumberTable::reason(int row, int column) const
{
    return cell(row, column).reason;
}

QString NumberTable::firstReason() const
{
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (!cell(row, column).reason.isEmpty())
                return tr("%1: %2").arg(m_rows[row], cell(row, column).reason);
    return {};
}

void NumberTable::take(int row, int column, const QString& text)
{
    const NumberColumn& rule = m_columns[static_cast<std::size_t>(column)];
    const QString typed = text.trimmed();
    Cell next;
    const std::optional<double> number = numberOf(typed);
    const QString range =
        tr("%1 to %2 %3").arg(shortNumber(rule.least), shortNumber(rule.most), rule.unit);
    if (typed.isEmpty()) {
        if (!rule.optional)
            next = {{}, typed, tr("%1 needs a number, %2").arg(rule.name, range)};
    } else if (!number) {
        next = {{}, typed, tr("%1 is a number, %2, not “%3”").arg(rule.name, range, typed)};
    } else if (*number < rule.least || *number > rule.most) {
        next = {{}, typed, tr("%1 is %2; %3").arg(rule.name, typed, range)};
    } else {
        next.value = number;
    }
    cell(row, column) = std::move(next);
}

/// What an empty cell counts as may follow from its neighbours, so more than one cell is another.
void NumberTable::tellChanged()
{
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    Q_EMIT edited();
}

QString NumberTable::paste(const QModelIndex& at, const QString& cells)
{
    if (!at.isValid())
        return tr("Choose the cell where the first pasted number belongs.");
    static const QRegularExpression ends(QStringLiteral("\r\n|\r|\n"));
    QStringList lines = cells.split(ends);
    while (!lines.isEmpty() && lines.constLast().trimmed().isEmpty())
        lines.removeLast();
    if (lines.isEmpty())
        return tr("There is nothing to paste.");
    const QChar separator = separatorOf(cells);
    QStringList first = lines.constFirst().split(separator);
    const bool heading = std::none_of(first.cbegin(), first.cend(), [](const QString& text) {
        return numberOf(text).has_value();
    });
    const bool numbered =
        heading && first.size() > 1 &&
        first.constFirst().trimmed().compare(QLatin1String("stage"), Qt::CaseInsensitive) == 0;
    if (heading && lines.size() > 1)
        lines.removeFirst();
    int rowsOver = 0, columnsOver = 0;
    for (int i = 0; i < lines.size(); ++i) {
        QStringList parts = lines[i].split(separator);
        if (numbered && !parts.isEmpty())
            parts.removeFirst();
        const int row = at.row() + i;
        if (row >= rowCount()) {
            ++rowsOver;
            continue;
        }
        for (int j = 0; j < parts.size(); ++j) {
            const int column = at.column() + j;
            if (column >= columnCount())
                columnsOver = std::max(columnsOver, column - columnCount() + 1);
            else if (has(row, column))
                take(row, column, parts[j]);
        }
    }
    tellChanged();
    QStringList over;
    if (rowsOver > 0)
        over << plural(rowsOver, Noun::Line);
    if (columnsOver > 0)
        over << plural(columnsOver, Noun::Column);
    return over.isEmpty() ? QString()
                          : tr("%1 of what was pasted found no place in the table.")
                                .arg(over.join(tr(" and ")));
}

QString NumberTable::copy(const QModelIndexList& cells) const
{
    QModelIndexList sorted = cells;
    std::sort(sorted.begin(), sorted.end());
    QString text;
    for (int i = 0; i < sorted.size(); ++i) {
        if (i > 0)
            text += sorted[i].row() == sorted[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
        text += sorted[i].data(Qt::EditRole).toString();
    }
    return text;
}

void NumberTable::fillDown(const QModelIndexList& cells)
{
    QModelIndexList sorted = cells;
    std::sort(sorted.begin(), sorted.end());
    std::vector<const Cell*> top(m_columns.size(), nullptr);
    for (const QModelIndex& index : std::as_const(sorted)) {
        if (!has(index.row(), index.column()))
            continue;
        const Cell*& source = top[static_cast<std::size_t>(index.column())];
        if (source == nullptr)
            source = &cell(index.row(), index.column());
        else
            cell(index.row(), index.column()) = Cell(*source);
    }
    tellChanged();
}

void NumberTable::clear(const QModelIndexList& cells)
{
    for (const QModelIndex& index : cells)
        if (m_columns[static_cast<std::size_t>(index.column())].optional)
            cell(index.row(), index.column()) = {};
    tellChanged();
}

int NumberTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int NumberTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant NumberTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int row = index.row(), column = index.column();
    const NumberColumn& rule = m_columns[static_cast<std::size_t>(column)];
    const bool here = has(row, column);
    const Cell& one = cell(row, column);
    switch (role) {
    case Qt::DisplayRole:
        if (!one.reason.isEmpty())
            return one.typed.isEmpty() ? tr("missing") : one.typed;
        if (one.value)
            return shortNumber(*one.value);
        if (const std::optional<double> value = fallback(row, column); value)
            return shortNumber(*value);
        return QString();
    case Qt::EditRole:
        return one.value ? exactText(*one.value) : one.typed;
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (!one.reason.isEmpty())
            return QBrush(color(Role::Refusal));
        return one.value ? QVariant() : QBrush(color(Role::Secondary));
    case Qt::BackgroundRole:
        return here ? QVariant() : QBrush(color(Role::Lane));
    case Qt::ToolTipRole:
        if (!one.reason.isEmpty())
            return one.reason;
        if (!here)
            return tr("Of a whole stage: it is entered at the stage's first segment.");
        return one.value && shortNumber(*one.value) != exactText(*one.value)
                   ? tr("%1 %2").arg(exactText(*one.value), rule.unit)
                   : rule.tip;
    case Qt::AccessibleTextRole:
        if (!one.reason.isEmpty())
            return tr("%1, refused: %2").arg(one.typed, one.reason);
        return one.value ? tr("%1 %2").arg(exactText(*one.value), rule.unit) : tr("not given");
    case Qt::AccessibleDescriptionRole:
        return tr("%1 of %2").arg(rule.name, m_rows[row]);
    default:
        return {};
    }
}

QVariant NumberTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? m_rows[section] : QVariant();
    const NumberColumn& rule = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return QStringLiteral("%1\n%2").arg(rule.title, rule.unit);
    if (role == Qt::ToolTipRole)
        return rule.tip;
    return {};
}

bool NumberTable::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::EditRole || !has(index.row(), index.column()))
        return false;
    take(index.row(), index.column(), value.toString());
    tellChanged();
    return true;
}

Qt::ItemFlags NumberTable::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    return has(index.row(), index.column())
               ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable
               : Qt::ItemIsSelectable;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_model.h"

#include "core/base/text.h"
#include "ui/core_words.h"
#include "ui/plural.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QLocale>
#include <QTimer>

#include <algorithm>

namespace pw::ui {

namespace {

QString dash()
{
    return QStringLiteral("–");
}

QString backendText(const StoredRun& run)
{
    const QString backend =
        text(run.environment.backend.empty() ? run.origin : run.environment.backend);
    return RunModel::tr("%1, %2").arg(backend, plural(run.ranks, Noun::Device));
}

bool isText(int column)
{
    return column == RunModel::Title || column == RunModel::Backend || column == RunModel::When ||
           column == RunModel::Status;
}

} // namespace

RunModel::RunModel(QObject* parent)
    : QAbstractTableModel(parent)
{
    auto* minute = new QTimer(this); // "2 min ago"
    minute->setInterval(30'000);
    connect(minute, &QTimer::timeout, this, &RunModel::passTime);
    minute->start();
}

void RunModel::setRuns(const std::vector<StoredRun>& runs)
{
    if (m_runs.empty()) {
        beginResetModel();
        m_runs = runs;
        endResetModel();
        return;
    }
    // Both lists are by number from the newest on, so they are merged in one walk.
    std::size_t row = 0;
    for (const StoredRun& run : runs) {
        std::size_t gone = row;
        while (gone < m_runs.size() && m_runs[gone].number > run.number)
            ++gone;
        if (gone > row) {
            beginRemoveRows({}, static_cast<int>(row), static_cast<int>(gone) - 1);
            m_runs.erase(m_runs.begin() + static_cast<std::ptrdiff_t>(row),
                         m_runs.begin() + static_cast<std::ptrdiff_t>(gone));
            endRemoveRows();
        }
        if (row < m_runs.size() && m_runs[row].number == run.number) {
            m_runs[row] = run;
        } else {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
            m_runs.insert(m_runs.begin() + static_cast<std::ptrdiff_t>(row), run);
            endInsertRows();
        }
        ++row;
    }
    if (row < m_runs.size()) {
        beginRemoveRows({}, static_cast<int>(row), static_cast<int>(m_runs.size()) - 1);
        m_runs.resize(row);
        endRemoveRows();
    }
    if (!m_runs.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int RunModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columnCount_;
}

QString RunModel::cell(const StoredRun& run, int column) const
{
    const RunFigures& figures = run.figures;
    switch (column) {
    case Number:
        return QString::number(run.number);
    case Title:
        return text(run.title);
    case Backend:
        return backendText(run);
    case Predicted:
        return columnTimeText(figures.predictedMakespan);
    case Measured:
        return columnTimeText(figures.makespan);
    case OffBy:
        return offText(figures.makespan, figures.predictedMakespan);
    case Bubble:
        return figures.makespan > 0 ? percentText(figures.spanBubble) : dash();
    case Peak:
        return figures.peakActivation > 0 ? text(byteText(figures.peakActivation)) : dash();
    case When:
        return whenText(QDateTime::fromMSecsSinceEpoch(run.startedMs),
                        QDateTime::currentDateTime());
    case Status:
        return coreWords(name(run.status));
    default:
        return {};
    }
}

QVariant RunModel::sortValue(const StoredRun& run, int column) const
{
    const RunFigures& figures = run.figures;
    switch (column) {
    case Number:
        return static_cast<qlonglong>(run.number);
    case Predicted:
        return static_cast<qlonglong>(figures.predictedMakespan);
    case Measured:
        return static_cast<qlonglong>(figures.makespan);
    case OffBy:
        return figures.predictedMakespan > 0 && figures.makespan > 0
                   ? static_cast<double>(figures.makespan) /
                         static_cast<double>(figures.predictedMakespan)
                   : 0.0;
    case Bubble:
        return figures.makespan > 0 ? figures.spanBubble : -1.0;
    case Peak:
        return static_cast<qlonglong>(figures.peakActivation);
    case When:
        return static_cast<qlonglong>(run.startedMs);
    default:
        return cell(run, column);
    }
}

QString RunModel::tip(const StoredRun& run, int column) const
{
    if (column == When)
        return QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.startedMs),
                                  QLocale::LongFormat);
    if (column == Title && !run.notes.empty())
        return text(run.notes);
    if (column == Measured && run.figures.iterations > 1)
        return tr("median of %1 iterations, %2 to %3")
            .arg(run.figures.iterations)
            .arg(columnTimeText(run.figures.makespanLow), columnTimeText(run.figures.makespanHigh));
    if (column == Backend)
        return text(run.environment.host +
                    (run.environment.transport.empty() ? "" : ", " + run.environment.transport));
    return {};
}

QVariant RunModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const StoredRun& one = run(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return cell(one, index.column());
    case Qt::EditRole:
        return index.column() == Title ? text(one.title) : cell(one, index.column());
    case Qt::ToolTipRole: {
        const QString sentence = tip(one, index.column());
        return sentence.isEmpty() ? QVariant() : sentence;
    }
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter |
                                (isText(index.column()) ? Qt::AlignLeft : Qt::AlignRight));
    case NumberRole:
        return static_cast<qlonglong>(one.number);
    case SortRole:
        return sortValue(one, index.column());
    case SearchRole:
        // What the store itself searches, and the number.
        return QStringLiteral("%1\n%2\n%3\n%4\n%5\n%6\n%7\n%8")
            .arg(QString::number(one.number), text(one.title), text(one.notes), text(one.family),
                 text(one.origin), text(one.environment.host), text(one.environment.backend),
                 coreWords(name(one.status)));
    default:
        return {};
    }
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter |
                                (isText(section) ? Qt::AlignLeft : Qt::AlignRight));
    const bool tips = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !tips)
        return {};
    switch (section) {
    case Number:
        return tips ? tr("Number of the run in its store") : tr("run");
    case Title:
        return tips ? tr("Title; F2 renames") : tr("schedule");
    case Backend:
        return tips ? tr("What ran it, on how many devices") : tr("backend");
    case Predicted:
        return tips ? tr("Makespan that the simulator predicted") : tr("predicted");
    case Measured:
        return tips ? tr("Makespan, median of the counted iterations") : tr("measured");
    case OffBy:
        return tips ? tr("measured ÷ predicted − 1") : tr("off by");
    case Bubble:
        return tips ? tr("Idle time ÷ span of the device with the longest span")
                    : tr("span bubble");
    case Peak:
        return tips ? tr("Most bytes of activations on any device") : tr("peak");
    case When:
        return tips ? tr("When it began") : tr("when");
    case Status:
        return tips ? tr("How it ended") : tr("status");
    default:
        return {};
    }
}

Qt::ItemFlags RunModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return QAbstractTableModel::flags(index);
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren;
    return index.column() == Title ? flags | Qt::ItemIsEditable : flags;
}

bool RunModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || index.column() != Title || role != Qt::EditRole)
        return false;
    const QString title = value.toString().simplified();
    StoredRun& one = m_runs[static_cast<std::size_t>(index.row())];
    if (title == text(one.title))
        return false;
    one.title = title.toStdString();
    const qint64 number = one.number;
    Q_EMIT dataChanged(index, index);
    Q_EMIT renameAsked(number, title);
    return true;
}

void RunModel::passTime()
{
    if (!m_runs.empty())
        Q_EMIT dataChanged(index(0, When), index(rowCount() - 1, When), {Qt::DisplayRole});
}

RunFilter::RunFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(RunModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setDynamicSortFilter(true);
}

void RunFilter::setWords(const QString& words)
{
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QString all = sourceModel()->index(row, 0, parent).data(RunModel::SearchRole).toString();
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        return all.contains(word, Qt::CaseInsensitive);
    });
}

} // namespace pw::ui

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

/// The whole memory, or of a run that tells no more its activations.
Bytes shownPeak(const StoredRun& run)
{
    return run.peakMemory > 0 ? run.peakMemory : run.figures.peakActivation;
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

/// Both lists are by number from the newest on, so they are merged in one walk.
template<typename Kept>
void RunModel::merge(std::vector<Kept>& own, const std::vector<Kept>& next, std::size_t above)
{
    const auto remove = [&](std::size_t from, std::size_t to) {
        beginRemoveRows({}, static_cast<int>(above + from), static_cast<int>(above + to) - 1);
        own.erase(own.begin() + static_cast<std::ptrdiff_t>(from),
                  own.begin() + static_cast<std::ptrdiff_t>(to));
        endRemoveRows();
    };
    std::size_t row = 0;
    for (const Kept& one : next) {
        std::size_t gone = row;
        while (gone < own.size() && own[gone].number > one.number)
            ++gone;
        if (gone > row)
            remove(row, gone);
        if (row < own.size() && own[row].number == one.number) {
            own[row] = one;
        } else {
            beginInsertRows({}, static_cast<int>(above + row), static_cast<int>(above + row));
            own.insert(own.begin() + static_cast<std::ptrdiff_t>(row), one);
            endInsertRows();
        }
        ++row;
    }
    if (row < own.size())
        remove(row, own.size());
}

void RunModel::setRuns(const std::vector<StoredRun>& runs, const std::vector<StoredAnswer>& answers)
{
    if (m_runs.empty() && m_answers.empty()) {
        beginResetModel();
        m_runs = runs;
        m_answers = answers;
        endResetModel();
        return;
    }
    merge(m_runs, runs, 0);
    merge(m_answers, answers, m_runs.size());
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int RunModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size() + m_answers.size());
}

const StoredAnswer* RunModel::answer(int row) const
{
    const std::size_t at = static_cast<std::size_t>(row);
    return at < m_runs.size() ? nullptr : &m_answers[at - m_runs.size()];
}

QVariant RunModel::answerData(const StoredAnswer& answer, int column, int role) const
{
    const auto moment = QDateTime::fromMSecsSinceEpoch(answer.madeMs);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        switch (column) {
        case Number:
            return QStringLiteral("a%1").arg(answer.number);
        case Title:
            return text(answer.title);
        case Backend:
            return coreWords(name(answer.kind));
        case When:
            return whenText(moment, QDateTime::currentDateTime());
        case Status:
            return tr("kept");
        default:
            return dash();
        }
    case Qt::ToolTipRole:
        if (column == When)
            return QLocale().toString(moment, QLocale::LongFormat);
        // The title may be cut off, the question is nowhere else.
        return column == Title
                   ? text(answer.title + (answer.notes.empty() ? "" : "\n" + answer.notes) +
                          (answer.question.empty() ? "" : "\n" + answer.question))
                   : text(answer.question);
    case NumberRole:
        return static_cast<qlonglong>(-answer.number);
    case SortRole:
        if (column == Number)
            return placeOf(answer);
        if (column == When)
            return static_cast<qlonglong>(answer.madeMs);
        return isText(column) ? answerData(answer, column, Qt::DisplayRole) : QVariant(-1.0);
    case SearchRole:
        return QStringLiteral("a%1\n%2\n%3\n%4\n%5")
            .arg(QString::number(answer.number), text(answer.title), text(answer.notes),
                 text(answer.question), coreWords(name(answer.kind)));
    default:
        return {};
    }
}

/// Among the numbers of runs: behind the one that was there when the answer was kept.
double RunModel::placeOf(const StoredAnswer& answer) const
{
    RunNumber before = 0;
    for (const StoredRun& run : m_runs)
        if (run.startedMs <= answer.madeMs)
            before = std::max(before, run.number);
    constexpr double most = 1e9; // of answers, far more than a store has
    return static_cast<double>(before) + 0.5 + static_cast<double>(answer.number) / (2.1 * most);
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
        return shownPeak(run) > 0 ? text(byteText(shownPeak(run))) : dash();
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
        return static_cast<double>(run.number);
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
        return static_cast<qlonglong>(shownPeak(run));
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
    if (column == Peak && run.figures.peakActivation > 0)
        return run.peakMemory > 0 ? tr("Of it at most %1 of activations.")
                                        .arg(text(byteText(run.figures.peakActivation)))
                                  : tr("Activations alone: no more was recorded.");
    if (column == Backend)
        return text(run.environment.host +
                    (run.environment.transport.empty() ? "" : ", " + run.environment.transport));
    return {};
}

QVariant RunModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter |
                                (isText(index.column()) ? Qt::AlignLeft : Qt::AlignRight));
    if (const StoredAnswer* kept = answer(index.row()); kept != nullptr)
        return answerData(*kept, index.column(), role);
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
        return tips ? tr("Number of the run in its store; a1, a2 … are kept plans and comparisons")
                    : tr("run");
    case Title:
        return tips ? tr("Title; F2 renames") : tr("schedule");
    case Backend:
        return tips ? tr("What ran it, on how many devices; of what was kept, its kind")
                    : tr("backend");
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
        return tips ? tr("All that the fullest device held at once") : tr("peak");
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
    const auto row = static_cast<std::size_t>(index.row());
    const bool isRun = row < m_runs.size();
    std::string& own = isRun ? m_runs[row].title : m_answers[row - m_runs.size()].title;
    if (title == text(own))
        return false;
    own = title.toStdString();
    const qint64 number = index.data(NumberRole).toLongLong();
    Q_EMIT dataChanged(index, index);
    Q_EMIT renameAsked(number, title);
    return true;
}

void RunModel::passTime()
{
    if (rowCount() > 0)
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

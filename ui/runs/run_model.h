// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/kept_answers.h"
#include "core/store/run_store.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <vector>

namespace pw::ui {

/// Stored runs, and the answers kept beside them, one a row. The title can be edited; who owns the
/// runs is asked by a signal.
class RunModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Number,
        Title, ///< of the run: usually its schedule
        Backend,
        Predicted, ///< makespan
        Measured,
        OffBy,
        Bubble, ///< span bubble
        Peak,   ///< of all memory; of activations where no more is known
        When,
        Status,
        columnCount_
    };

    enum Data
    {
        NumberRole = Qt::UserRole, ///< of a run; of an answer with a minus
        SortRole,                  ///< what a column is sorted by
        SearchRole                 ///< everything that a search looks at
    };

    explicit RunModel(QObject* parent = nullptr);

    /// Takes other lists, newest first; rows that stay keep their place and selection.
    void setRuns(const std::vector<StoredRun>& runs, const std::vector<StoredAnswer>& answers = {});
    /// @pre the row is a run's: those stand before the answers
    const StoredRun& run(int row) const { return m_runs[static_cast<std::size_t>(row)]; }
    /// Null where the row is a run's.
    const StoredAnswer* answer(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    /// The words of "2 min ago" are asked for anew.
    void passTime();

Q_SIGNALS:
    /// @param number  of an answer with a minus
    void renameAsked(qint64 number, const QString& title);

private:
    template<typename Kept>
    void merge(std::vector<Kept>& own, const std::vector<Kept>& next, std::size_t above);
    QVariant answerData(const StoredAnswer& answer, int column, int role) const;
    double placeOf(const StoredAnswer& answer) const;
    QString cell(const StoredRun& run, int column) const;
    QVariant sortValue(const StoredRun& run, int column) const;
    QString tip(const StoredRun& run, int column) const;

    std::vector<StoredRun> m_runs;
    std::vector<StoredAnswer> m_answers; ///< below the runs
};

/// The rows that have every word of a search, sorted by any column.
class RunFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit RunFilter(QObject* parent = nullptr);

    void setWords(const QString& words);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/ranking.h"
#include "ui/document/latest_work.h"

#include <QObject>

#include <memory>
#include <vector>

namespace pw::ui {

/// Every family for one question, worked out in another thread and handed in as they come.
class FamilyRanking : public QObject
{
    Q_OBJECT

public:
    using Rows = std::vector<std::shared_ptr<const Ranked>>;

    explicit FamilyRanking(QObject* parent = nullptr);

    /// Ranks for a question; what is there stays until something new comes.
    void begin(const RankQuestion& question);
    bool busy() const { return m_work.busy(); }
    /// Whether the rows are of what was asked before.
    bool stale() const { return m_stale; }

    /// As they came.
    const Rows& rows() const { return m_rows; }
    std::size_t candidates() const { return m_candidates; }
    qint64 nanoseconds() const { return m_nanoseconds; }
    /// What would help a row, once it was asked for.
    const std::vector<RankHelp>& help() const { return m_help; }
    void askHelp(const RankQuestion& question, const Ranked& best);
    void dropHelp();

Q_SIGNALS:
    /// Rows have come.
    void changed();
    /// All are there, or none can be.
    void finished();
    void helped();

private:
    struct Fresh;

    void take(Rows rows);

    Rows m_rows;
    bool m_stale = false;
    std::size_t m_candidates = 0;
    qint64 m_nanoseconds = 0;
    std::vector<RankHelp> m_help;
    LatestWork m_work;
    LatestWork m_helpWork;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/family_ranking.h"

#include "core/base/stop.h"

#include <QElapsedTimer>

#include <iterator>
#include <mutex>
#include <utility>

namespace pw::ui {

/// Rows on their way from the other thread.
struct FamilyRanking::Fresh
{
    std::mutex mutex;
    Rows rows;

    Rows taken()
    {
        const std::lock_guard lock(mutex);
        return std::exchange(rows, {});
    }
};

FamilyRanking::FamilyRanking(QObject* parent)
    : QObject(parent)
{
}

void FamilyRanking::begin(const RankQuestion& question)
{
    dropHelp();
    m_stale = true;
    m_candidates = rankCandidates(question).size();
    auto fresh = std::make_shared<Fresh>();
    disconnect(&m_work, &LatestWork::tick, this, nullptr);
    connect(&m_work, &LatestWork::tick, this, [this, fresh] { take(fresh->taken()); });
    m_work.begin([this, fresh, question](const std::atomic<bool>& stop) {
        QElapsedTimer timer;
        timer.start();
        const StopScope scope(stop);
        for (const RankCandidate& candidate : rankCandidates(question)) {
            auto row = std::make_shared<const Ranked>(rankOf(question, candidate));
            if (stop)
                return LatestWork::Answer();
            const std::lock_guard lock(fresh->mutex);
            fresh->rows.push_back(std::move(row));
        }
        return LatestWork::Answer([this, fresh, took = timer.nsecsElapsed()] {
            take(fresh->taken());
            m_nanoseconds = took;
            // Nothing new has come: what is there is an answer to another question.
            if (std::exchange(m_stale, false)) {
                m_rows.clear();
                Q_EMIT changed();
            }
            Q_EMIT finished();
        });
    });
}

void FamilyRanking::take(Rows rows)
{
    if (rows.empty())
        return;
    if (std::exchange(m_stale, false))
        m_rows.clear();
    m_rows.insert(m_rows.end(), std::make_move_iterator(rows.begin()),
                  std::make_move_iterator(rows.end()));
    Q_EMIT changed();
}

void FamilyRanking::dropHelp()
{
    m_help.clear();
    m_helpWork.drop();
}

void FamilyRanking::askHelp(const RankQuestion& question, const Ranked& best)
{
    dropHelp();
    Ranked without = best;
    without.schedule.reset();
    m_helpWork.begin([this, question, best = std::move(without)](const std::atomic<bool>& stop) {
        const StopScope scope(stop);
        return LatestWork::Answer([this, help = whatHelps(question, best)] {
            m_help = help;
            Q_EMIT helped();
        });
    });
}

} // namespace pw::ui

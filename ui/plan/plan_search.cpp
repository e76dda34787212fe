// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_search.h"

#include "core/base/text.h"
#include "core/plan/plan_words.h"
#include "ui/core_sentences.h"
#include "ui/plan/plan_page.h"
#include "ui/text.h"

#include <memory>
#include <mutex>

namespace pw::ui {

namespace {

/// How far a search is, written by its thread.
struct SharedProgress
{
    std::mutex mutex;
    plan::SearchProgress now;
};

QStringList planHelp(const PlanAsked& asked, const plan::PlanTable& found,
                     const std::atomic<bool>& stop)
{
    QStringList lines;
    if (!found.rows.empty() || !found.nearest) {
        for (const std::string& line :
             plan::whatWouldHelp(asked.model, asked.cluster, asked.wish, found, stop))
            lines << text(line);
        return lines;
    }
    const plan::SmallestChange change =
        plan::smallestChange(asked.model, asked.cluster, asked.wish, found, &stop);
    lines << PlanPage::tr("It would fit with %1 GiB of memory.")
                 .arg(text(plainNumber(change.memoryGib, 6)));
    if (change.devices > 0)
        lines << PlanPage::tr("It would fit on %1 GPUs.").arg(change.devices);
    if (change.offload)
        lines << PlanPage::tr("It would fit with activations in the host's memory (%1).")
                     .arg(text(name(*change.offload)));
    return lines;
}

} // namespace

PlanSearch::PlanSearch(QObject* parent)
    : QObject(parent)
{
    connect(&m_work, &LatestWork::changed, this, &PlanSearch::changed);
}

void PlanSearch::begin(const PlanAsked& asked)
{
    m_helpWork.drop();
    auto progress = std::make_shared<SharedProgress>();
    disconnect(m_progress);
    m_progress = connect(&m_work, &LatestWork::tick, this, [this, progress] {
        const std::lock_guard lock(progress->mutex);
        Q_EMIT progressed(progress->now);
    });
    m_work.begin([this, asked, progress](const std::atomic<bool>& stop) {
        auto table = std::make_shared<Result<plan::PlanTable>>(
            plan::search(asked.model, asked.cluster, asked.wish, &stop,
                         [&progress](const plan::SearchProgress& now) {
                             const std::lock_guard lock(progress->mutex);
                             progress->now = now;
                         }));
        return LatestWork::Answer([this, table] {
            if (*table)
                Q_EMIT found(**table);
            else
                Q_EMIT refused(coreSentence(table->error().message));
        });
    });
}

void PlanSearch::askForHelp(const PlanAsked& asked, const plan::PlanTable& found)
{
    m_helpWork.begin([this, asked, found](const std::atomic<bool>& stop) {
        const QStringList lines = planHelp(asked, found, stop);
        return LatestWork::Answer([this, lines] { Q_EMIT helpFound(lines); });
    });
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "ui/runs/run_history.h"

#include <algorithm>
#include <utility>

// What is kept beside the passes of runs: answers, and what takes reading samples.

namespace pw::ui {

void RunHistory::showPeaks()
{
    for (StoredRun& run : m_all)
        if (const auto known = m_peaks.find(run.number); known != m_peaks.end())
            run.peakMemory = known->second;
}

/// A list is there at once; what takes reading the samples of its runs follows, the newest first.
void RunHistory::askForPeaks()
{
    constexpr std::size_t together = 16; // what else is asked of the store waits no longer
    std::vector<RunNumber> wanted;
    for (const StoredRun& run : m_all)
        if (run.status != RunStatus::Running && m_peaks.count(run.number) == 0 &&
            wanted.size() < together)
            wanted.push_back(run.number);
    if (wanted.empty() || m_peaksAsked)
        return;
    m_peaksAsked = true;
    read(this, [this, wanted, path = m_path](Result<RunStore>& store) -> Answer {
        std::map<RunNumber, Bytes> found;
        for (const RunNumber number : wanted) {
            const Result<Bytes> peak = store ? store->peakMemory(number) : Result<Bytes>(0);
            found.emplace(number, peak.value_or(0));
        }
        return [this, path, found = std::move(found)] {
            m_peaksAsked = false;
            if (path == m_path) {
                m_peaks.insert(found.begin(), found.end());
                showPeaks();
                applyRemoved();
            }
            askForPeaks();
        };
    });
}

void RunHistory::keep(NewAnswer answer)
{
    changeAnswers([this, answer = std::move(answer)](AnswerStore& store) -> Result<void> {
        PW_TRY(const std::int64_t number, store.keep(answer));
        QMetaObject::invokeMethod(
            this,
            [this, number] {
                refresh();
                Q_EMIT kept(number);
            },
            Qt::QueuedConnection);
        return {};
    });
}

void RunHistory::readAnswer(std::int64_t number, QObject* context,
                            std::function<void(Result<StoredAnswer>)> take)
{
    read(context,
         [this, number, path = m_path, take = std::move(take)](Result<RunStore>& store) -> Answer {
             Result<StoredAnswer> found = [&]() -> Result<StoredAnswer> {
                 if (!store)
                     return fail(store.error());
                 PW_TRY(AnswerStore answers,
                        AnswerStore::openToRead(path.toStdString(), m_store.options()));
                 return answers.answer(number);
             }();
             return [take, found = std::move(found)] { take(found); };
         });
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/search_work.h"

#include "core/base/stop.h"
#include "core/cost/configuration_traits.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace pw::plan {

double FoundRows::limit()
{
    const std::lock_guard lock(m_mutex);
    return m_firsts.size() < m_wanted ? m_below : std::min(m_below, m_firsts.back());
}

void FoundRows::reject(const Bounded& one, const Evaluation& evaluation)
{
    const std::lock_guard lock(m_mutex);
    m_rejected.push_back({one.seconds, one.place, one.configuration, evaluation.configuration.split,
                          evaluation.peakBytes()});
    if (!m_nearest || std::pair(evaluation.peakBytes(), one.place) <
                          std::pair(m_nearest->peakBytes(), m_nearestPlace)) {
        m_nearest = evaluation;
        m_nearestPlace = one.place;
    }
}

FoundRow& FoundRows::append(FoundRow found)
{
    const std::lock_guard lock(m_mutex);
    return m_rows.emplace_back(std::move(found));
}

void FoundRows::refine(FoundRow& row, Evaluation refined)
{
    const std::lock_guard lock(m_mutex);
    const double seconds = refined.seconds();
    row.refined = std::move(refined);
    m_firsts.insert(std::upper_bound(m_firsts.begin(), m_firsts.end(), seconds), seconds);
    if (m_firsts.size() > m_wanted)
        m_firsts.pop_back();
}

bool FoundRows::begin(const Configuration* candidate)
{
    const std::lock_guard lock(m_mutex);
    return m_looked.insert(candidate).second;
}

void FoundRows::refuse(const Bounded& one, const Error& error)
{
    const std::lock_guard lock(m_mutex);
    if (!m_refusal || one.place < m_refusalPlace) {
        m_refusal = error;
        m_refusalPlace = one.place;
    }
}

double FoundRows::best()
{
    const std::lock_guard lock(m_mutex);
    double best = 0;
    for (const FoundRow& one : m_rows)
        best = best == 0 ? one.best().seconds() : std::min(best, one.best().seconds());
    return best;
}

void FoundRows::settle()
{
    const double most = limit();
    std::deque<FoundRow> kept;
    for (FoundRow& one : m_rows) {
        if (one.bound > most) {
            m_looked.erase(one.candidate);
            continue;
        }
        if (one.rowBound > most)
            one.refined.reset();
        kept.push_back(std::move(one));
    }
    m_rows = std::move(kept);
    const auto beyond = std::partition(m_rejected.begin(), m_rejected.end(),
                                       [most](const Rejected& one) { return one.seconds <= most; });
    for (auto one = beyond; one != m_rejected.end(); ++one)
        m_looked.erase(one->configuration);
    m_rejected.erase(beyond, m_rejected.end());
}

std::vector<TooLarge> FoundRows::tooLarge() const
{
    std::vector<Rejected> sorted = m_rejected;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Rejected& a, const Rejected& b) { return a.place < b.place; });
    std::vector<TooLarge> all;
    all.reserve(sorted.size());
    for (const Rejected& one : sorted)
        all.push_back({*one.configuration, one.split, one.peak});
    return all;
}

SearchWork::SearchWork(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                       const std::vector<Bounded>& list, FoundRows& found,
                       const std::atomic<bool>* stop)
    : m_model(model)
    , m_cluster(cluster)
    , m_wish(wish)
    , m_list(list)
    , m_found(found)
    , m_stop(stop)
{
    for (const Bounded& one : m_list)
        m_tasks.push({one.seconds, one.place, &one, nullptr});
}

void SearchWork::run(WorkAim aim, bool offloads,
                     const std::function<void(const SearchProgress&)>& progress)
{
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < cores; ++i)
        threads.emplace_back([this, aim, offloads] { work(aim, offloads); });
    if (progress) {
        while (m_ended.load() < threads.size()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            const bool ended = m_ended.load() == threads.size();
            progress({m_list.size(), ended ? m_list.size() : m_looked.load(), m_found.best()});
        }
    }
    for (std::thread& thread : threads)
        thread.join();
    if (m_stopped && !m_tasks.empty())
        m_leastOpen = std::min(m_leastOpen, m_tasks.top().bound);
}

/// The next task as soon as there is one; nothing when there will be none.
std::optional<SearchWork::Task> SearchWork::next(WorkAim aim)
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_stopped = m_stopped || isAskedToStop();
        if (m_stopped)
            return std::nullopt;
        if (!m_tasks.empty() && (aim != WorkAim::Best || m_tasks.top().bound <= m_found.limit())) {
            const Task task = m_tasks.top();
            m_tasks.pop();
            ++m_busy;
            return task;
        }
        // What another thread looks at may have to be refined, below what is left here.
        if (m_busy == 0)
            return std::nullopt;
        m_changed.wait(lock);
    }
}

void SearchWork::work(WorkAim aim, bool offloads)
{
    static const std::atomic<bool> never = false;
    const StopScope scope(m_stop != nullptr ? *m_stop : never);
    while (const std::optional<Task> task = next(aim)) {
        std::optional<Task> further;
        const bool whole = finish(*task, offloads, further);
        const std::lock_guard lock(m_mutex);
        --m_busy;
        if (!whole) {
            m_stopped = true;
            m_leastOpen = std::min(m_leastOpen, task->bound);
        }
        if (further && aim != WorkAim::Look)
            m_tasks.push(*further);
        m_changed.notify_all();
    }
    m_changed.notify_all();
    ++m_ended;
}

/// @param further  what is to be done next with what was found
/// @return         whether it came to its end before it was asked to stop
bool SearchWork::finish(const Task& task, bool offloads, std::optional<Task>& further)
{
    if (task.row == nullptr) {
        ++m_looked;
        return !m_found.begin(task.candidate->configuration) ||
               look(*task.candidate, offloads, further);
    }
    Evaluation refined = withAllPasses(m_model, m_cluster, m_wish, task.row->row);
    if (isAskedToStop())
        return false;
    m_found.refine(*task.row, std::move(refined));
    return true;
}

/// Whether a candidate that was too large needs as much with other times: a device holds what its
/// order says, whenever that is.
bool SearchWork::isAsLarge(const Bounded& one) const
{
    const Configuration& c = *one.configuration;
    const Result<const Family*> family = findFamily(c.family);
    if (!family || !(*family)->fixedOrder || c.offload != OffloadPolicy::None ||
        traitsOf(c).updates != UpdateRule::Flush)
        return false;
    if (!c.split.empty())
        return true;
    Configuration settled = c;
    settleSegments(m_model, settled);
    const Result<PipelineSpec> spec =
        specOf(**family, familyOptions(**family, settled, settled.microBatches()));
    return spec &&
           balancedSplit(m_model, m_cluster, settled, *one.pieces, *spec) == one.tooLarge->split;
}

/// Whether nothing comes of a candidate, by what is known of it.
///
/// @param tried  what is to be tried first; with copies to the host where without is known to be
///               too large
bool SearchWork::isKnown(const Bounded& one, Configuration& tried) const
{
    if (!m_known.onlyOffload)
        return one.tooLarge != nullptr && one.tooLarge->peak > mostUsableMemory(m_cluster) &&
               (!m_known.otherTimes || isAsLarge(one));
    if (tried.offload != OffloadPolicy::None)
        return false;
    // What fits is not wanted again, and the others may have candidates of their own.
    if (one.tooLarge == nullptr || tried.pipelineParallel == 1 || mayRecomputeLess(m_wish, tried))
        return true;
    tried.offload = OffloadPolicy::Activations;
    return false;
}

/// One configuration; where offloading is searched and it does not fit, it is tried with as many
/// activations in the host's memory as hide, unless that is a candidate of its own, then with all.
bool SearchWork::look(const Bounded& one, bool offloads, std::optional<Task>& further)
{
    Configuration tried = *one.configuration;
    if (isKnown(one, tried))
        return true;
    for (;;) {
        const Result<Evaluation> evaluation =
            evaluate(m_model, m_cluster, tried, *one.pieces, Exactness::Periodic);
        if (isAskedToStop())
            return false;
        const bool fits = evaluation && evaluation->fits;
        if (fits) {
            FoundRow found = rowOf(one, *evaluation);
            if (isAskedToStop())
                return false;
            FoundRow& row = m_found.append(std::move(found));
            further = Task{row.rowBound, one.place, &one, &row};
        } else if (evaluation) {
            m_found.reject(one, *evaluation);
        } else {
            m_found.refuse(one, evaluation.error());
        }
        if (fits || !offloads || tried.pipelineParallel == 1 || tried.offload == OffloadPolicy::All)
            return true;
        if (tried.offload == OffloadPolicy::None && mayRecomputeLess(m_wish, tried))
            return true;
        tried.offload =
            tried.offload == OffloadPolicy::None ? OffloadPolicy::Activations : OffloadPolicy::All;
    }
}

FoundRow SearchWork::rowOf(const Bounded& one, const Evaluation& first) const
{
    FoundRow found;
    found.candidate = one.configuration;
    found.pieces = one.pieces;
    found.place = one.place;
    found.bound = found.rowBound = one.seconds;
    found.row = m_wish.recompute ? first : withLessRecomputation(m_model, m_cluster, first);
    if (first.peakBytes() < found.row.peakBytes())
        found.leaner = first;
    Configuration moved = found.row.configuration;
    moved.split = one.configuration->split;
    found.rowBound = std::max(found.bound, leastSeconds(m_model, m_cluster, moved, *one.pieces));
    return found;
}

} // namespace pw::plan

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/search_work.h"

#include "core/base/stop.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <thread>

namespace pw::plan {

double FoundRows::limit()
{
    const std::lock_guard lock(m_mutex);
    return m_limit;
}

void FoundRows::reject(const Evaluation& evaluation)
{
    const std::lock_guard lock(m_mutex);
    ++m_evaluated;
    if (!m_nearest || evaluation.peakBytes() < m_nearest->peakBytes())
        m_nearest = evaluation;
}

void FoundRows::append(const Evaluation& first, FoundRow found)
{
    const std::lock_guard lock(m_mutex);
    ++m_evaluated;
    if (first.peakBytes() < found.row.peakBytes())
        m_leaner.push_back(first);
    m_rows.push_back(std::move(found));
    if (m_rows.size() < m_wanted)
        return;
    std::vector<double> times;
    times.reserve(m_rows.size());
    for (const FoundRow& one : m_rows)
        times.push_back(one.row.seconds());
    const auto last = times.begin() + static_cast<std::ptrdiff_t>(m_wanted - 1);
    std::nth_element(times.begin(), last, times.end());
    m_limit = *last;
}

bool FoundRows::begin(const Configuration* candidate)
{
    const std::lock_guard lock(m_mutex);
    return m_looked.insert(candidate).second;
}

void FoundRows::refuse(const Error& error)
{
    const std::lock_guard lock(m_mutex);
    if (!m_refusal)
        m_refusal = error;
}

double FoundRows::best()
{
    const std::lock_guard lock(m_mutex);
    double best = 0;
    for (const FoundRow& one : m_rows)
        best = best == 0 ? one.row.seconds() : std::min(best, one.row.seconds());
    return best;
}

void SearchWork::run(bool limited, bool offloads,
                     const std::function<void(const SearchProgress&)>& progress)
{
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < cores; ++i)
        threads.emplace_back([this, limited, offloads] { work(limited, offloads); });
    if (progress) {
        while (m_ended.load() < threads.size()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            progress({m_order.size(), std::min(m_next.load(), m_order.size()), m_found.best()});
        }
    }
    for (std::thread& thread : threads)
        thread.join();
}

void SearchWork::work(bool limited, bool offloads)
{
    static const std::atomic<bool> never = false;
    const StopScope scope(m_stop != nullptr ? *m_stop : never);
    for (;;) {
        const std::size_t i = m_next.fetch_add(1);
        if (i >= m_order.size())
            break;
        if (m_stop != nullptr && m_stop->load()) {
            m_stopped = true;
            break;
        }
        const Bounded& one = m_order[i];
        if (limited && one.seconds > m_found.limit()) {
            m_next = m_order.size();
            break;
        }
        if (m_found.begin(one.configuration) && !look(one, offloads)) {
            m_stopped = true;
            break;
        }
    }
    ++m_ended;
}

/// One configuration; where offloading is searched and it does not fit, it is tried with as many
/// activations in the host's memory as hide, then with all.
///
/// @return  whether it came to its end before it was asked to stop
bool SearchWork::look(const Bounded& one, bool offloads)
{
    Configuration tried = *one.configuration;
    for (;;) {
        const Result<Evaluation> evaluation =
            evaluate(m_model, m_cluster, tried, *one.pieces, Exactness::Periodic);
        if (m_stop != nullptr && m_stop->load())
            return false;
        const bool fits = evaluation && evaluation->fits;
        if (fits)
            m_found.append(*evaluation, {m_wish.recompute ? *evaluation
                                                          : withLessRecomputation(
                                                                m_model, m_cluster, *evaluation),
                                         one.seconds});
        else if (evaluation)
            m_found.reject(*evaluation);
        else
            m_found.refuse(evaluation.error());
        if (fits || !offloads || tried.pipelineParallel == 1 || tried.offload == OffloadPolicy::All)
            return true;
        tried.offload =
            tried.offload == OffloadPolicy::None ? OffloadPolicy::Activations : OffloadPolicy::All;
    }
}

void refineRows(const PlanModel& model, const Cluster& cluster, const Wish& wish,
                std::vector<FoundRow>& rows, std::size_t wanted, const std::atomic<bool>* stop)
{
    std::sort(rows.begin(), rows.end(), [](const FoundRow& a, const FoundRow& b) {
        return a.row.seconds() < b.row.seconds();
    });
    // Layers that are moved from where they weigh alike save less than this part.
    constexpr double mostSaved = 0.05;
    // All passes take within three thousandths what a part of them says.
    constexpr double mostLonger = 1.005;
    std::mutex mutex;
    std::vector<double> best; // the first `wanted` that are refined, sorted
    double limit = rows.size() < wanted ? std::numeric_limits<double>::infinity()
                                        : mostLonger * rows[wanted - 1].row.seconds();
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        static const std::atomic<bool> never = false;
        const StopScope scope(stop != nullptr ? *stop : never);
        for (std::size_t i = next++; i < rows.size(); i = next++) {
            if (stop != nullptr && stop->load())
                break;
            FoundRow& one = rows[i];
            double now = 0;
            {
                const std::lock_guard lock(mutex);
                now = limit;
            }
            if (std::max(one.least, (1 - mostSaved) * one.row.seconds()) > now)
                continue;
            one.row = withAllPasses(model, cluster, wish, one.row, now);
            const std::lock_guard lock(mutex);
            best.insert(std::upper_bound(best.begin(), best.end(), one.row.seconds()),
                        one.row.seconds());
            if (best.size() > wanted)
                best.pop_back();
            if (best.size() == wanted)
                limit = std::min(limit, best.back());
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1U); ++i)
        threads.emplace_back(work);
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace pw::plan

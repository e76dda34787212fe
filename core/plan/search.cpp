// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/search.h"

#include "core/base/stop.h"
#include "core/base/try.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>
#include <tuple>

namespace pw::plan {

namespace {

/// A candidate with what is known of it before its order is built.
struct Bounded
{
    const Configuration* configuration = nullptr;
    const Pieces* pieces = nullptr;
    double seconds = 0;
    double bytes = 0;
};

/// What pieces depend on; the replicas follow from the other degrees.
auto piecesKey(const Configuration& c)
{
    return std::tuple(c.tensorParallel, c.contextParallel, c.expertParallel, c.microBatchSize,
                      c.recompute, c.pipelineParallel, splitsBackward(c.family));
}

using PiecesMap = std::map<decltype(piecesKey(Configuration())), Pieces>;

std::vector<Bounded> boundsOf(const PlanModel& model, const Cluster& cluster,
                              const std::vector<Configuration>& candidates, PiecesMap& pieces)
{
    std::vector<Bounded> bounded;
    bounded.reserve(candidates.size());
    for (const Configuration& c : candidates) {
        const auto key = piecesKey(c);
        auto found = pieces.find(key);
        if (found == pieces.end())
            found = pieces.emplace(key, piecesOf(model, cluster, c)).first;
        bounded.push_back({&c, &found->second, leastSeconds(model, cluster, c, found->second),
                           leastBytes(model, c)});
    }
    return bounded;
}

/// The rows that many threads find.
class FoundRows
{
public:
    explicit FoundRows(std::size_t wanted)
        : m_wanted(wanted)
    {
    }

    /// Seconds that a further row must be below to be among the wanted ones.
    double limit()
    {
        const std::lock_guard lock(m_mutex);
        return m_limit;
    }
    void append(Evaluation evaluation)
    {
        const std::lock_guard lock(m_mutex);
        ++m_evaluated;
        if (!evaluation.fits) {
            if (!m_nearest || evaluation.peakBytes() < m_nearest->peakBytes())
                m_nearest = std::move(evaluation);
            return;
        }
        m_rows.push_back(std::move(evaluation));
        if (m_rows.size() >= m_wanted) {
            std::vector<double> times;
            times.reserve(m_rows.size());
            for (const Evaluation& row : m_rows)
                times.push_back(row.seconds());
            std::nth_element(times.begin(),
                             times.begin() + static_cast<std::ptrdiff_t>(m_wanted - 1),
                             times.end());
            m_limit = times[m_wanted - 1];
        }
    }
    void refuse(const Error& error)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_refusal)
            m_refusal = error;
    }
    const std::optional<Error>& refusal() const { return m_refusal; }
    double best()
    {
        const std::lock_guard lock(m_mutex);
        double best = 0;
        for (const Evaluation& row : m_rows)
            best = best == 0 ? row.seconds() : std::min(best, row.seconds());
        return best;
    }
    std::vector<Evaluation>& rows() { return m_rows; }
    std::optional<Evaluation>& nearest() { return m_nearest; }
    std::size_t evaluated() const { return m_evaluated; }

private:
    std::mutex m_mutex;
    std::size_t m_wanted;
    double m_limit = std::numeric_limits<double>::infinity();
    std::vector<Evaluation> m_rows;
    std::optional<Evaluation> m_nearest;
    std::optional<Error> m_refusal;
    std::size_t m_evaluated = 0;
};

/// Evaluates a list on all cores, first first.
class SearchWork
{
public:
    /// @param offloads  what does not fit is tried with activations in the host's memory
    SearchWork(const PlanModel& model, const Cluster& cluster, std::vector<Bounded> order,
               FoundRows& found, const std::atomic<bool>* stop, bool offloads = false)
        : m_model(model)
        , m_cluster(cluster)
        , m_order(std::move(order))
        , m_found(found)
        , m_stop(stop)
        , m_offloads(offloads)
    {
    }

    /// @param limited  whether a bound above the limit ends the work
    void run(bool limited, const std::function<void(const SearchProgress&)>& progress)
    {
        const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < cores; ++i)
            threads.emplace_back([this, limited] { work(limited); });
        if (progress) {
            while (m_ended.load() < threads.size()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                progress({m_order.size(), std::min(m_next.load(), m_order.size()), m_found.best()});
            }
        }
        for (std::thread& thread : threads)
            thread.join();
    }
    bool stopped() const { return m_stopped.load(); }

private:
    void work(bool limited)
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
            if (limited && one.seconds >= m_found.limit()) {
                m_next = m_order.size();
                break;
            }
            if (!look(one, limited)) {
                m_stopped = true;
                break;
            }
        }
        ++m_ended;
    }
    /// One configuration; where offloading is searched and it does not fit, it is tried with as
    /// many activations in the host's memory as hide, then with all. It is never faster so: what is
    /// above the limit without copies stays above it.
    ///
    /// @return  whether it came to its end before it was asked to stop
    bool look(const Bounded& one, bool limited)
    {
        Configuration tried = *one.configuration;
        for (;;) {
            Result<Evaluation> evaluation =
                evaluate(m_model, m_cluster, tried, *one.pieces, Exactness::Periodic);
            if (m_stop != nullptr && m_stop->load())
                return false;
            const bool fits = evaluation && evaluation->fits;
            const bool slow = limited && evaluation && evaluation->seconds() >= m_found.limit();
            if (evaluation)
                m_found.append(std::move(*evaluation));
            else
                m_found.refuse(evaluation.error());
            if (fits || slow || !m_offloads || tried.pipelineParallel == 1 ||
                tried.offload == OffloadPolicy::All)
                break;
            tried.offload = tried.offload == OffloadPolicy::None ? OffloadPolicy::Activations
                                                                 : OffloadPolicy::All;
        }
        return true;
    }

    const PlanModel& m_model;
    const Cluster& m_cluster;
    std::vector<Bounded> m_order;
    FoundRows& m_found;
    const std::atomic<bool>* m_stop;
    bool m_offloads;
    std::atomic<std::size_t> m_next{0};
    std::atomic<std::size_t> m_ended{0};
    std::atomic<bool> m_stopped{false};
};

std::vector<Evaluation> paretoOf(const std::vector<Evaluation>& sorted)
{
    std::vector<Evaluation> pareto;
    for (const Evaluation& row : sorted) {
        if (pareto.empty() || row.peakBytes() < pareto.back().peakBytes())
            pareto.push_back(row);
    }
    return pareto;
}

/// The candidates that may fit. With activations in the host's memory only where it cannot fit
/// without: the others are tried so when they do not.
std::vector<Bounded> hopefulOf(const PlanModel& model, const std::vector<Bounded>& bounded,
                               double usable, bool offloads)
{
    std::vector<Bounded> hopeful;
    for (const Bounded& one : bounded) {
        if (one.bytes > usable)
            continue;
        if (offloads && one.configuration->offload == OffloadPolicy::All)
            continue;
        if (offloads && one.configuration->offload == OffloadPolicy::Activations) {
            Configuration plain = *one.configuration;
            plain.offload = OffloadPolicy::None;
            if (leastBytes(model, plain) <= usable)
                continue;
        }
        hopeful.push_back(one);
    }
    return hopeful;
}

/// The candidates that could need less memory than any row, a few of the fastest at each step down.
std::vector<Bounded> leanCandidates(const std::vector<Bounded>& bounded, double best,
                                    double leastPeak)
{
    std::vector<Bounded> lean;
    for (const Bounded& one : bounded) {
        constexpr double slowest = 2;
        if (one.bytes < leastPeak && one.seconds < slowest * best)
            lean.push_back(one);
    }
    std::sort(lean.begin(), lean.end(),
              [](const Bounded& a, const Bounded& b) { return a.seconds < b.seconds; });
    constexpr std::size_t most = 60;
    std::vector<Bounded> kept;
    double below = std::numeric_limits<double>::infinity();
    for (const Bounded& one : lean) {
        if (one.bytes < below && kept.size() < most) {
            kept.push_back(one);
            below = 0.97 * one.bytes;
        }
    }
    return kept;
}

/// Whether all passes of a row are few enough to be simulated.
bool isSmall(const Configuration& configuration)
{
    constexpr double mostPasses = 100'000;
    return 3.0 * configuration.microBatches() * configuration.stages() <= mostPasses;
}

/// Better splits for the first rows, and all passes of every wanted row simulated, on all cores.
void refineRows(const PlanModel& model, const Cluster& cluster, std::vector<Evaluation>& rows,
                const Wish& wish, const std::atomic<bool>* stop)
{
    constexpr std::size_t mostSplits = 4;
    const bool splits = wish.split.empty() && !wish.evenSplit;
    const std::size_t count =
        std::min(rows.size(), static_cast<std::size_t>(std::max(wish.rows, 1)));
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1U); ++i) {
        threads.emplace_back([&] {
            for (std::size_t row = next++; row < count; row = next++) {
                if (stop != nullptr && stop->load())
                    break;
                Evaluation better = rows[row];
                if (!wish.recompute)
                    better = withLessRecomputation(model, cluster, better);
                if (splits && row < mostSplits)
                    better = withBetterSplit(model, cluster, better);
                if (isSmall(better.configuration)) {
                    Result<Evaluation> exact = evaluate(model, cluster, better.configuration);
                    const bool faster = exact && exact->fits;
                    if (faster)
                        better = std::move(*exact);
                }
                rows[row] = std::move(better);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace

Result<PlanTable> search(const PlanModel& model, const Cluster& cluster, const Wish& wish,
                         const std::atomic<bool>* stop,
                         const std::function<void(const SearchProgress&)>& progress)
{
    PW_TRY(const std::vector<Configuration> candidates, candidatesOf(model, cluster, wish));
    PlanTable table;
    table.candidates = candidates.size();
    PiecesMap pieces;
    std::vector<Bounded> bounded = boundsOf(model, cluster, candidates, pieces);
    std::sort(bounded.begin(), bounded.end(),
              [](const Bounded& a, const Bounded& b) { return a.seconds < b.seconds; });
    FoundRows found(static_cast<std::size_t>(std::max(wish.rows, 1)));
    const bool offloads = !wish.offload;
    SearchWork fastest(model, cluster,
                       hopefulOf(model, bounded, mostUsableMemory(cluster), offloads), found, stop,
                       offloads);
    fastest.run(true, progress);
    table.stopped = fastest.stopped();
    auto& rows = found.rows();
    const auto faster = [](const Evaluation& a, const Evaluation& b) {
        return std::pair(a.seconds(), a.peakBytes()) < std::pair(b.seconds(), b.peakBytes());
    };
    std::sort(rows.begin(), rows.end(), faster);
    if (rows.empty() && !table.stopped) {
        // What needs least, for the message.
        std::sort(bounded.begin(), bounded.end(),
                  [](const Bounded& a, const Bounded& b) { return a.bytes < b.bytes; });
        constexpr std::size_t few = 12;
        bounded.resize(std::min(bounded.size(), few));
        SearchWork leanest(model, cluster, bounded, found, stop);
        leanest.run(false, {});
        if (!found.nearest() && rows.empty() && found.refusal())
            return fail(*found.refusal());
    } else if (!rows.empty() && !table.stopped) {
        double leastPeak = rows.front().peakBytes();
        for (const Evaluation& row : rows)
            leastPeak = std::min(leastPeak, row.peakBytes());
        SearchWork lean(model, cluster, leanCandidates(bounded, rows.front().seconds(), leastPeak),
                        found, stop);
        lean.run(false, {});
        std::sort(rows.begin(), rows.end(), faster);
        // Some had been looked at before.
        rows.erase(std::unique(rows.begin(), rows.end(),
                               [](const Evaluation& a, const Evaluation& b) {
                                   return a.configuration == b.configuration;
                               }),
                   rows.end());
    }
    if (!table.stopped) {
        refineRows(model, cluster, rows, wish, stop);
        std::sort(rows.begin(), rows.end(), faster);
        table.stopped = stop != nullptr && stop->load();
    }
    table.evaluated = found.evaluated();
    table.nearest = std::move(found.nearest());
    table.pareto = paretoOf(rows);
    table.rows = std::move(rows);
    return table;
}

} // namespace pw::plan

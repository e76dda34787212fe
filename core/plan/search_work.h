// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/search.h"

#include <queue>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

namespace pw::plan {

/// A candidate with what is known of it before its order is built.
struct Bounded
{
    const Configuration* configuration = nullptr;
    const Pieces* pieces = nullptr;     ///< null where only those that may fit count
    double seconds = 0;                 ///< at least, however it is refined
    double bytes = 0;                   ///< about, from below: `leastBytes`
    double weightBytes = 0;             ///< at least
    std::size_t place = 0;              ///< in the list of candidates
    bool hopeful = false;               ///< may fit: is among those to look at first
    const TooLarge* tooLarge = nullptr; ///< where it is known to have been, in another search
};

/// Whether fewer layers of a candidate may be computed again, if that fits.
inline bool mayRecomputeLess(const Wish& wish, const Configuration& c)
{
    return !wish.recompute && c.recompute == RecomputePolicy::Full && c.recomputedLayers == 0;
}

/// A candidate that fits.
struct FoundRow
{
    const Configuration* candidate = nullptr;
    const Pieces* pieces = nullptr;
    std::size_t place = 0; ///< of the candidate in its list
    double bound = 0;      ///< seconds at least, known before it was looked at
    double rowBound = 0;   ///< the same, since it is known how much of it is computed again
    Evaluation row;        ///< with as little computed again as fits
    std::optional<Evaluation> leaner;  ///< as it was found first, where that needs less memory
    std::optional<Evaluation> refined; ///< its layers moved and all passes simulated

    const Evaluation& best() const { return refined ? *refined : row; }
};

/// What many threads find. Whatever they look at beyond what the proof needs is taken out again,
/// so that it is the same with any number of them.
class FoundRows
{
public:
    /// @param below  seconds: what takes longer is not wanted
    explicit FoundRows(std::size_t wanted, double below = std::numeric_limits<double>::infinity())
        : m_wanted(wanted)
        , m_below(below)
    {
    }

    /// Seconds of the last wanted of all refined rows: what is above is none of them.
    double limit();
    /// One that does not fit.
    void reject(const Bounded& one, const Evaluation& evaluation);
    /// One that fits; stays where it is.
    FoundRow& append(FoundRow found);
    void refine(FoundRow& row, Evaluation refined);
    /// Whether a candidate is looked at for the first time.
    bool begin(const Configuration* candidate);
    void refuse(const Bounded& one, const Error& error);
    /// Seconds of the fastest row; 0: none.
    double best();

    // For when no thread is left.

    bool hasLooked(const Configuration* candidate) const { return m_looked.count(candidate) > 0; }

    /// Forgets what was looked at though its bound is above the limit.
    void settle();
    const std::optional<Error>& refusal() const { return m_refusal; }
    std::deque<FoundRow>& rows() { return m_rows; }
    /// What is no row, but needed less memory than one.
    std::vector<Evaluation>& leaner() { return m_leaner; }
    std::optional<Evaluation>& nearest() { return m_nearest; }
    /// What did not fit, in the order of the candidates.
    std::vector<TooLarge> tooLarge() const;
    std::size_t evaluated() const { return m_rows.size() + m_rejected.size() + m_leaner.size(); }

private:
    std::mutex m_mutex;
    struct Rejected
    {
        double seconds = 0; ///< at least
        std::size_t place = 0;
        const Configuration* configuration = nullptr;
        std::vector<int> split;
        double peak = 0; ///< bytes
    };

    std::size_t m_wanted;
    double m_below;
    std::vector<double> m_firsts; ///< seconds of the wanted first of the refined rows, sorted
    std::deque<FoundRow> m_rows;
    std::vector<Evaluation> m_leaner;
    std::vector<Rejected> m_rejected;
    std::unordered_set<const Configuration*> m_looked;
    std::optional<Evaluation> m_nearest;
    std::size_t m_nearestPlace = 0;
    std::optional<Error> m_refusal;
    std::size_t m_refusalPlace = 0;
};

/// What a piece of work is for.
enum class WorkAim : std::uint8_t
{
    Best, ///< rows, best bound first, refined, until no bound is left below the limit
    All,  ///< the same without a limit: every candidate is looked at and refined
    Look  ///< every candidate is looked at; none is refined
};

/// Works on a list on all cores, lowest bound first.
class SearchWork
{
public:
    SearchWork(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
               const std::vector<Bounded>& list, FoundRows& found, const std::atomic<bool>* stop);

    /// Passes over what is known to fit without copies to the host's memory, or not to fit.
    void setKnown(const KnownBefore& known) { m_known = known; }
    /// @param offloads  what does not fit is tried with activations in the host's memory
    void run(WorkAim aim, bool offloads,
             const std::function<void(const SearchProgress&)>& progress);
    bool stopped() const { return m_stopped; }
    /// Seconds that everything takes at least that was not worked to its end.
    double leastOpen() const { return m_leastOpen; }

private:
    struct Task
    {
        double bound = 0;
        std::size_t place = 0;
        const Bounded* candidate = nullptr;
        FoundRow* row = nullptr; ///< to be refined; null: the candidate is to be looked at

        friend bool operator<(const Task& a, const Task& b) // the last is done first
        {
            return std::pair(a.bound, a.place) > std::pair(b.bound, b.place);
        }
    };

    void work(WorkAim aim, bool offloads);
    std::optional<Task> next(WorkAim aim);
    bool finish(const Task& task, bool offloads, std::optional<Task>& further);
    bool look(const Bounded& one, bool offloads, std::optional<Task>& further);
    bool isKnown(const Bounded& one, Configuration& tried) const;
    bool isAsLarge(const Bounded& one) const;
    FoundRow rowOf(const Bounded& one, const Evaluation& first) const;
    bool isAskedToStop() const { return m_stop != nullptr && m_stop->load(); }

    const LanguageModel& m_model;
    const Cluster& m_cluster;
    const Wish& m_wish;
    const std::vector<Bounded>& m_list;
    FoundRows& m_found;
    const std::atomic<bool>* m_stop;
    KnownBefore m_known;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::priority_queue<Task> m_tasks;
    std::size_t m_busy = 0;
    bool m_stopped = false;
    double m_leastOpen = std::numeric_limits<double>::infinity();
    std::atomic<std::size_t> m_looked{0};
    std::atomic<std::size_t> m_ended{0};
};

} // namespace pw::plan

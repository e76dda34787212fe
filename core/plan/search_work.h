// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/search.h"

#include <atomic>
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
    const Pieces* pieces = nullptr;
    double seconds = 0; ///< at least, however it is refined
    double bytes = 0;
};

/// A candidate that fits, and the seconds that it takes at least, however layers are moved.
struct FoundRow
{
    Evaluation row;
    double least = 0;
};

/// The rows that many threads find.
class FoundRows
{
public:
    explicit FoundRows(std::size_t wanted)
        : m_wanted(wanted)
    {
    }

    /// Seconds that a further row must not be above to be among the wanted ones.
    double limit();
    /// One that does not fit.
    void reject(const Evaluation& evaluation);
    /// One that fits: as it was found first, and with as little computed again as fits.
    void append(const Evaluation& first, FoundRow found);
    /// Whether a candidate is looked at for the first time.
    bool begin(const Configuration* candidate);
    void refuse(const Error& error);
    /// Seconds of the fastest row; 0: none.
    double best();

    // For when no thread is left.
    const std::optional<Error>& refusal() const { return m_refusal; }
    std::vector<FoundRow>& rows() { return m_rows; }
    /// Rows that needed less memory, and more time, before they were refined.
    const std::vector<Evaluation>& leaner() const { return m_leaner; }
    std::optional<Evaluation>& nearest() { return m_nearest; }
    std::size_t evaluated() const { return m_evaluated; }

private:
    std::mutex m_mutex;
    std::size_t m_wanted;
    double m_limit = std::numeric_limits<double>::infinity();
    std::vector<FoundRow> m_rows;
    std::vector<Evaluation> m_leaner;
    std::unordered_set<const Configuration*> m_looked;
    std::optional<Evaluation> m_nearest;
    std::optional<Error> m_refusal;
    std::size_t m_evaluated = 0;
};

/// Evaluates a list on all cores, first first.
class SearchWork
{
public:
    SearchWork(const PlanModel& model, const Cluster& cluster, const Wish& wish,
               std::vector<Bounded> order, FoundRows& found, const std::atomic<bool>* stop)
        : m_model(model)
        , m_cluster(cluster)
        , m_wish(wish)
        , m_order(std::move(order))
        , m_found(found)
        , m_stop(stop)
    {
    }

    /// @param limited   whether a bound above the limit ends the work
    /// @param offloads  what does not fit is tried with activations in the host's memory
    void run(bool limited, bool offloads,
             const std::function<void(const SearchProgress&)>& progress);
    bool stopped() const { return m_stopped.load(); }

private:
    void work(bool limited, bool offloads);
    bool look(const Bounded& one, bool offloads);

    const PlanModel& m_model;
    const Cluster& m_cluster;
    const Wish& m_wish;
    std::vector<Bounded> m_order;
    FoundRows& m_found;
    const std::atomic<bool>* m_stop;
    std::atomic<std::size_t> m_next{0};
    std::atomic<std::size_t> m_ended{0};
    std::atomic<bool> m_stopped{false};
};

/// Layers moved and all passes simulated, on all cores, of every row that can be among the first
/// `wanted` so; the others stay.
void refineRows(const PlanModel& model, const Cluster& cluster, const Wish& wish,
                std::vector<FoundRow>& rows, std::size_t wanted, const std::atomic<bool>* stop);

} // namespace pw::plan

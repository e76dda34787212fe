// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/index.h"
#include "core/search/zero_bubble_bound.h"
#include "core/search/zero_bubble_order.h"

namespace pw {

/// A beam search over partial schedules, which proves the optimum where it need not drop any.
///
/// A partial schedule grows by one pass: on the device that can end a pass first, by each pass that
/// could start before that end (Giffler and Thompson). One that cannot stay below the best known
/// span, or that another one with the same passes is nowhere later than, is left out; of the rest
/// the most promising go on.
class ZeroBubbleBeam
{
public:
    /// How a partial schedule is judged: its bound, plus a share of the mean bound over the
    /// devices.
    struct Effort
    {
        int width = 0;      ///< partial schedules kept
        int meanTenths = 0; ///< share of the mean, in tenths
    };

    struct Outcome
    {
        ZeroBubbleCandidate best; ///< nothing where no order below the given span was found
        bool complete = false;    ///< no order below the given span is better than `best`
    };

    /// The most devices that a partial schedule can name.
    static constexpr int mostDevices = 65'536;

    /// @param problem  at most `mostDevices`
    /// @param bound    of the same problem; must outlive this
    ZeroBubbleBeam(const ZeroBubbleProblem& problem, const ZeroBubbleBound& bound);

    /// Looks for an order with a span below the given one.
    Outcome run(Effort effort, Ticks below, ZeroBubbleBudget& budget);

    /// The most partial schedules that fit a sensible amount of memory.
    int widestBeam() const;

private:
    /// A partial schedule: words in `m_current` or `m_next`.
    struct State
    {
        Ticks* forwardEnd;  // p × m, valid below the counts
        Ticks* backwardEnd; // p × m
        Ticks* clock;       // p, as all below
        Ticks* forwards;
        Ticks* backwards;
        Ticks* weights;
    };

    struct Stage
    {
        Ticks duration[3];     // by ZeroBubbleKind
        std::int64_t delta[3]; // memory, by ZeroBubbleKind
        std::int64_t limit = 0;
        Ticks fromAbove = 0; // message time of F's input
        Ticks fromBelow = 0; // message time of B's input
        Ticks firstStart = 0;
    };

    /// The passes that a device can run next, and when.
    struct Choice
    {
        DeviceId device;
        Ticks firstEnd = 0;
        Ticks start[3];
        bool open[3];
    };

    struct Extension
    {
        Ticks score = 0;
        int parent = 0;
        std::uint16_t device = 0;
        std::uint8_t kind = 0;
        Ticks start = 0;
    };

    struct Trace
    {
        std::int32_t parent = -1;
        std::uint16_t device = 0;
        std::uint8_t kind = 0;
    };

    std::size_t cell(int j, Ticks i) const { return at(j) * at(m_microBatches) + at(i); }
    std::size_t words() const;
    State view(Ticks* words) const;
    Choice choose(const State& state) const;
    void collect(const State& state, DeviceId device, Choice& choice) const;
    Ticks deviceBound(const State& state, DeviceId device) const;
    bool staysBelow(const State& state, Ticks below);
    bool mayStayBelow(const State& state, Ticks below);
    Ticks forwardAfterMemory(const State& state, int j, int i) const;
    void apply(const State& state, DeviceId device, int kind, Ticks start) const;
    void revert(const State& state, DeviceId device, int kind, Ticks clock) const;
    void extend(int parent, Effort effort, Ticks below);
    bool keep(Effort effort);
    bool dominated(const State& state, std::uint64_t key) const;
    Outcome finish(bool complete) const;

    const ZeroBubbleBound& m_bound;
    int m_devices;
    int m_microBatches;
    bool m_exact; // left out schedules are never better
    std::vector<Stage> m_stages;
    std::int64_t m_work = 0;
    std::int64_t m_asked = 0; // partial schedules that a look ahead could rule out
    std::int64_t m_looked = 0;
    std::int64_t m_ruledOut = 0;
    int m_count = 0; // partial schedules in m_current
    std::vector<Ticks> m_current;
    std::vector<Ticks> m_next;
    std::vector<int> m_currentTrace;
    std::vector<int> m_nextTrace;
    std::vector<Trace> m_traces;
    std::vector<Extension> m_extensions;
    std::vector<std::int32_t> m_table; // hash of the counts → state in m_next
    std::vector<std::uint64_t> m_keys;
    std::vector<Ticks> m_headF; // ends in the look ahead, p × m
    std::vector<Ticks> m_headB;
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/index.h"
#include "core/search/zero_bubble_look_ahead.h"
#include "core/search/zero_bubble_seen.h"

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
    ZeroBubbleBeam(const ZeroBubbleBeam&) = delete;
    ZeroBubbleBeam& operator=(const ZeroBubbleBeam&) = delete;

    /// Looks for an order with a span below the given one.
    Outcome run(Effort effort, Ticks below, ZeroBubbleBudget& budget);

    /// The most partial schedules that fit a sensible amount of memory.
    int widestBeam() const;

private:
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

    Choice choose(const ZeroBubblePartial& state) const;
    void collect(const ZeroBubblePartial& state, DeviceId device, Choice& choice) const;
    Ticks deviceBound(const ZeroBubblePartial& state, DeviceId device) const;
    void extend(int parent, Effort effort, Ticks below);
    bool keep(Effort effort);
    Outcome finish(bool complete) const;

    const ZeroBubbleBound& m_bound;
    const ZeroBubbleShape m_shape;
    int m_devices;
    int m_microBatches;
    bool m_exact; // left out schedules are never better
    ZeroBubbleLookAhead m_lookAhead;
    ZeroBubbleSeen m_seen; // of the states in m_next
    std::int64_t m_work = 0;
    int m_count = 0; // partial schedules in m_current
    std::vector<Ticks> m_current;
    std::vector<Ticks> m_next;
    std::vector<int> m_currentTrace;
    std::vector<int> m_nextTrace;
    std::vector<Trace> m_traces;
    std::vector<Extension> m_extensions;
};

} // namespace pw

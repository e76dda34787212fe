// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/stop.h"
#include "core/base/types.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace pw {

/// The kinds of the zero-bubble search, small enough to index by.
enum ZeroBubbleKind : std::uint8_t
{
    zbF,
    zbB,
    zbW
};

/// For each device its 3m kinds, one device after the other. The k-th pass of a kind is micro-batch
/// k.
using ZeroBubbleKinds = std::vector<std::uint8_t>;

constexpr Ticks zeroBubbleNoSpan = std::numeric_limits<Ticks>::max();

/// An order and its span; `zeroBubbleNoSpan` and no order where none was found.
struct ZeroBubbleCandidate
{
    ZeroBubbleKinds kinds;
    Ticks span = zeroBubbleNoSpan;
};

/// What the search may still spend. Work is counted so that it does not depend on the machine's
/// speed.
struct ZeroBubbleBudget
{
    std::int64_t work = 0;
    std::chrono::steady_clock::time_point deadline;
    bool timedOut = false;

    void lookAtClock()
    {
        timedOut = timedOut || stopAsked() || std::chrono::steady_clock::now() >= deadline;
    }
    bool spent() const { return work <= 0 || timedOut; }
};

} // namespace pw

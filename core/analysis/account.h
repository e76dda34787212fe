// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/usual_times.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "core/trace/measured_gaps.h"
#include "core/trace/recover.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace pw {

/// What a moment of a rank went into. Every moment between the first start and the last end of an
/// iteration has one cause.
///
/// A rank that runs a pass:
/// - *computing*: F, B, W, BW or U, up to the usual time of such a pass: its median over kind,
///   partner, stage and segment;
/// - *recompute*: R, up to its usual time;
/// - *jitter*: what a pass takes beyond its usual time.
///
/// A rank that idles before a pass has its last input at some moment (see `measuredGap`):
/// - until then it waits for a chain of passes, messages and gaps, each begun when the one before
///   it was over; another such chain decided when the rank was free. What the chain has more than
///   the rank's own chains ever had is the cause: *unexplained* for more that is unexplained; *peer
///   late* for more jitter, launch gaps and messages that start late; *imbalance* for more work
///   beyond the mean that such passes usually take over all stages; *transfer* for more time of
///   messages; in this order, no more than the wait. The rest, for more usual work, is *warm-up and
///   cool-down* or *dependency*. Inside the wait the causes stand in the opposite order. A message
///   that was not recorded takes what is usual on its link: the median from the end of a pass to
///   the start of one that was already waiting for it, or the least from end to start where none
///   was;
/// - with everything there: *launch gap*, up to what is usual: the upper quartile of all such
///   stretches, those of no length too, and one and a half times the distance of the quartiles;
///   *unexplained* beyond. Behind a message that was not recorded nobody knows when it was there:
///   *unexplained*.
///
/// Behind its last pass a rank waits for the pass that ends last.
///
/// *Warm-up and cool-down* is a wait for usual work before the first backward of an optimizer step
/// on the rank, or behind its last forward; over all steps where updates do not flush. *Dependency*
/// is any other.
///
/// @source own, after the loss accounts of trace viewers that know one rank; the fence of
///         "usual" is J. W. Tukey's, Exploratory Data Analysis, 1977
enum class LossCause : std::uint8_t
{
    Computing,
    Recompute,
    WarmUpCoolDown,
    Dependency,
    Transfer,
    PeerLate,
    Imbalance,
    LaunchGap,
    Jitter,
    Unexplained
};

constexpr int lossCauseCount = 10;

constexpr std::array<LossCause, lossCauseCount> allLossCauses = {
    LossCause::Computing, LossCause::Recompute,  LossCause::WarmUpCoolDown, LossCause::Dependency,
    LossCause::Transfer,  LossCause::PeerLate,   LossCause::Imbalance,      LossCause::LaunchGap,
    LossCause::Jitter,    LossCause::Unexplained};

/// "computing", "recompute", "warm-up and cool-down", "dependency", "transfer", "peer late",
/// "imbalance", "launch gap", "jitter", "unexplained".
std::string_view name(LossCause cause);

/// A stretch of a rank's time with one cause.
struct LossStretch
{
    Ticks start = 0;
    Ticks end = 0;
    LossCause cause = LossCause::Unexplained;
    /// The entry that runs, or that is waited for; where a peer is late or the work uneven, the one
    /// that adds most to it; of a transfer and a launch gap on the rank itself, and of what is
    /// unexplained there, the one that did not begin. −1: none.
    EntryId entry;

    friend bool operator==(const LossStretch&, const LossStretch&) = default;
};

/// One rank's time.
struct RankAccount
{
    std::vector<LossStretch> stretches; ///< without gaps, from 0 to the makespan; none is empty
    std::array<Ticks, lossCauseCount> parts{}; ///< their sums; together they are the makespan

    Ticks of(LossCause cause) const { return parts[static_cast<std::size_t>(cause)]; }
};

/// Where the time of an iteration went.
struct Account
{
    Ticks wall = 0;                 ///< of every rank: the makespan
    std::vector<RankAccount> ranks; ///< by device

    /// Over all ranks; the parts sum to ranks · wall.
    std::array<Ticks, lossCauseCount> parts() const;
};

/// Splits the time of every rank by cause.
///
/// Holds for any times, also for passes that overlap, are missing, or begin too early; where two
/// passes of a rank overlap, the earlier has the time.
///
/// @param times     as of `measuredResult`, or simulated
/// @param arrivals  recorded messages; may be empty
/// @param usual     as of `usualTimes`
/// @complexity      O(n log n) for n entries
Account account(const Schedule& schedule, const SimResult& times, const RecordedArrivals& arrivals,
                std::span<const Ticks> usual);

/// The iteration shown of a recovered pipeline; what is usual, up to 64 of its complete iterations
/// say that count.
/// @pre the pipeline has a schedule
Account account(const RecoveredPipeline& pipeline);

} // namespace pw

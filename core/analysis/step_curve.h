// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/trace/recover.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What changes from one iteration to the next: of a log, and of any trace with several iterations.

enum class CurveOf : std::uint8_t
{
    Time,       ///< of an iteration, ms
    Throughput, ///< as the log has it
    Loss,
    Memory ///< most of any stage, GiB
};

/// "time", "throughput", "loss", "memory".
std::string_view name(CurveOf of);

struct CurvePoint
{
    std::int32_t iteration = 0;
    double value = 0;

    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// A figure over the iterations.
struct StepCurve
{
    CurveOf of = CurveOf::Time;
    std::string unit;               ///< "ms", "TFLOP/s a device", "tokens/s", "GB"
    std::int32_t interval = 1;      ///< iterations that a point is the mean of
    std::vector<CurvePoint> points; ///< by iteration
};

enum class CurveEvent : std::uint8_t
{
    WarmUp,    ///< the first iterations, which are slower
    Spike,     ///< up to four iterations that stand out to the worse side
    Recurring, ///< spikes that come again after as many iterations each time
    Phase      ///< five and more that stand out, all together
};

/// "warm_up", "spike", "recurring", "slow_phase".
std::string_view name(CurveEvent event);

/// Iterations that stand out.
struct CurveFinding
{
    CurveOf of = CurveOf::Time;
    CurveEvent event = CurveEvent::Spike;
    std::int32_t from = 0; ///< first and last iteration
    std::int32_t to = 0;
    std::int32_t every = 0; ///< of those that recur: from one to the next
    std::int32_t count = 1; ///< points
    double value = 0;       ///< the worst of a spike, the median of a phase and of those that recur
    double usual = 0;       ///< of the other iterations
    Sentence sentence;
};

/// What is usual of a curve, and how far a point is from it as a rule.
struct CurveNoise
{
    double usual = 0;
    double spread = 0; ///< a standard deviation, by medians: outliers and changes of level leave it
};

/// The curves of a trace: those of its log, else the time from one iteration's start to the next
/// one's start and the memory that files tell by iteration. None has less than two points.
std::vector<StepCurve> curvesOf(const Trace& trace, const RecoveredPipeline& pipeline);

/// The level that the better quarter of the points is of, and the spread from one point to the
/// next. Nothing is fitted: both are medians. @pre the curve has a point
CurveNoise noiseOf(const StepCurve& curve);

/// What stands out, the most costly first. A spike is further than five spreads from what is
/// usual, and by 5 %; a phase is five points and more of which the running median is further than
/// two spreads, and by 2 %. A loss falls as it should: of it only jumps count that go back. Curves
/// of less than five points have no spikes and no phases.
std::vector<CurveFinding> findingsOf(const StepCurve& curve);

/// The longest of three or four times, where it stands out: they say too little of noise for a
/// spread. It is by 20 % longer than the next one, and so far from it that of times with the same
/// normal noise one in twenty is. For times that are quiet already, as those of a whole job are.
std::vector<CurveFinding> longestOfFew(const StepCurve& curve);

/// Those of all curves. A throughput says nothing beside a time that it follows from.
std::vector<CurveFinding> findingsOf(const std::vector<StepCurve>& curves);

/// The same without times: of a job's steps its causes tell what stands out.
std::vector<CurveFinding> findingsBesideTime(const std::vector<StepCurve>& curves);

} // namespace pw

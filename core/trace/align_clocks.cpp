// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/align_clocks.h"

#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/trace/clock_program.h"
#include "core/trace/clocks_along.h"
#include "core/trace/origins.h"
#include "core/trace/recover_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr double tolerance = 1e-2; // of a tick, by which a linear program may be wrong

/// The least and the largest of a sum of variables.
struct Range
{
    std::optional<double> low, high;
};

/// Solves the program for bands, then for the solution nearest to their middles.
class Alignment
{
public:
    Alignment(std::span<const ClockMessage> messages, ClockProgram& program, AlignedClocks& clocks)
        : m_messages(messages)
        , m_program(program)
        , m_clocks(clocks)
    {
    }

    /// False where there is no answer; then outcome and text say why.
    bool run()
    {
        const LinearProgram rows = m_program.program(0, 2 * m_clocks.grain);
        std::vector<Range> ranges(m_program.variables());
        for (const DeviceId device : Ids<DeviceId>(DeviceId(1), DeviceId(m_clocks.ranks.size()))) {
            if (m_program.variable(device) < 0)
                continue;
            const auto first = static_cast<std::size_t>(m_program.variable(device));
            RankClock& clock = m_clocks.ranks[device.index()];
            std::vector<double> aim(m_program.variables(), 0);
            Range drift;
            aim[first] = 1;
            if (!rangeOf(rows, aim, ranges[first]))
                return false;
            aim[first] = 0;
            aim[first + 1] = 1;
            if (!rangeOf(rows, aim, ranges[first + 1]))
                return false;
            aim[first] = -1;
            if (!rangeOf(rows, aim, drift))
                return false;
            const double scale = millionths / m_program.length(device);
            if (drift.low)
                clock.driftLow = *drift.low * scale;
            if (drift.high)
                clock.driftHigh = *drift.high * scale;
            clock.atFirst = bandOf(ranges[first], m_program.rough(device));
            clock.atLast = bandOf(ranges[first + 1], m_program.rough(device));
        }
        // Rounding is allowed for only where it has to be.
        return middle(ranges, 0) || middle(ranges, 2 * m_clocks.grain) || noAnswer();
    }

private:
    bool noAnswer()
    {
        m_clocks.outcome = ClockOutcome::Unknown;
        m_clocks.text = "the clocks could not be aligned: rounding keeps the linear program from "
                        "an end; nothing is shifted";
        return false;
    }

    bool contradict(const LinearProgram::Answer& answer)
    {
        bool drift = false;
        for (const std::int32_t row : answer.deciding) {
            const std::int32_t message = m_program.messageOf(row);
            drift = drift || message < 0;
            if (message >= 0)
                m_clocks.contradiction.push_back(m_messages[static_cast<std::size_t>(message)]);
        }
        m_clocks.outcome = ClockOutcome::Unsolvable;
        m_clocks.text =
            std::string("no ") + (drift ? "drift up to a thousandth" : "offset and drift") +
            " makes all messages possible: " + std::to_string(m_clocks.contradiction.size()) +
            " of them contradict each other; nothing is shifted";
        return false;
    }

    bool rangeOf(const LinearProgram& rows, std::vector<double> aim, Range& range)
    {
        for (const bool up : {true, false}) {
            const auto answer = rows.maximise(aim, tolerance);
            if (!answer)
                return noAnswer();
            if (!answer->possible)
                return contradict(*answer);
            double value = 0;
            for (std::size_t k = 0; k < aim.size(); ++k) {
                value += aim[k] * answer->point[k];
                aim[k] = -aim[k];
            }
            if (!answer->boxed)
                (up ? range.high : range.low) = up ? value : -value;
        }
        return true;
    }

    static ClockBand bandOf(const Range& range, Ticks rough)
    {
        ClockBand band;
        if (range.low)
            band.low = rough + static_cast<Ticks>(std::floor(*range.low)) - 1;
        if (range.high)
            band.high = rough + static_cast<Ticks>(std::ceil(*range.high)) + 1;
        return band;
    }

    /// Values nearest to the middles of the bands, in parts of their widths; of a band with an open
    /// side nearest to no correction.
    bool middle(const std::vector<Range>& ranges, Ticks loose)
    {
        LinearProgram rows = m_program.program(1, loose);
        const auto off = static_cast<std::int32_t>(ranges.size());
        std::vector<Ticks> roughOf(ranges.size(), 0);
        for (const DeviceId device : Ids<DeviceId>(m_clocks.ranks.size()))
            for (std::int32_t end = 0; end < 2 && m_program.variable(device) >= 0; ++end) {
                const std::int32_t variable = m_program.variable(device) + end;
                roughOf[static_cast<std::size_t>(variable)] = m_program.rough(device);
            }
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            const auto [low, high] = ranges[k];
            double aim = -static_cast<double>(roughOf[k]);
            aim = low ? std::max(aim, *low) : aim;
            aim = high ? std::min(aim, *high) : aim;
            aim = low && high ? (*low + *high) / 2 : aim;
            const double width = low && high ? std::max(1.0, *high - *low) : 2 * m_program.reach();
            for (const double sign : {1.0, -1.0}) {
                const std::array<LinearTerm, 2> terms = {
                    LinearTerm{static_cast<std::int32_t>(k), sign}, LinearTerm{off, -width}};
                rows.add(terms, sign * aim);
            }
        }
        std::vector<double> nearest(ranges.size() + 1, 0);
        nearest.back() = -1;
        const auto answer = rows.maximise(nearest, tolerance);
        if (!answer || !answer->possible)
            return false;
        for (const DeviceId device : Ids<DeviceId>(DeviceId(1), DeviceId(m_clocks.ranks.size()))) {
            if (m_program.variable(device) < 0)
                continue;
            const auto first = static_cast<std::size_t>(m_program.variable(device));
            RankClock& clock = m_clocks.ranks[device.index()];
            const Ticks rough = m_program.rough(device);
            clock.atFirst.value = rough + static_cast<Ticks>(std::llround(answer->point[first]));
            clock.atLast.value = rough + static_cast<Ticks>(std::llround(answer->point[first + 1]));
            clock.drift = static_cast<double>(clock.atLast.value - clock.atFirst.value) *
                          millionths / m_program.length(device);
        }
        return true;
    }

    std::span<const ClockMessage> m_messages;
    ClockProgram& m_program;
    AlignedClocks& m_clocks;
};

void dropValues(AlignedClocks& clocks)
{
    for (RankClock& clock : clocks.ranks) {
        clock.atFirst.value = clock.atLast.value = 0;
        clock.drift = 0;
    }
}

/// Nothing is known of any clock but what was recorded.
void forget(AlignedClocks& clocks)
{
    for (RankClock& clock : clocks.ranks) {
        clock.atFirst = clock.atLast = {};
        clock.drift = 0;
        clock.driftLow = clock.driftHigh = std::nullopt;
    }
}

void listImpossible(std::span<const ClockMessage> messages, AlignedClocks& clocks)
{
    std::vector<ClockMessage> all;
    for (const ClockMessage& message : messages)
        if (message.early() > 2 * clocks.grain)
            all.push_back(message);
    clocks.impossible = static_cast<std::int64_t>(all.size());
    std::stable_sort(all.begin(), all.end(), [](const ClockMessage& a, const ClockMessage& b) {
        return a.early() > b.early();
    });
    all.resize(std::min(all.size(), AlignedClocks::listed));
    clocks.impossibleList = std::move(all);
}

/// Whether the corrections, in whole ticks, do make every message possible.
bool holds(std::span<const ClockMessage> messages, const AlignedClocks& clocks)
{
    const Ticks most = 2 * clocks.grain + 2;
    return std::all_of(messages.begin(), messages.end(), [&](const ClockMessage& message) {
        const RankClock& from = clocks.ranks[message.from.index()];
        const RankClock& to = clocks.ranks[message.to.index()];
        return from.corrected(message.sent) - to.corrected(message.received) <= most;
    });
}

std::string impossibleText(std::int64_t count, const AlignedClocks& clocks)
{
    return groupedNumber(count) + " of " + groupedNumber(clocks.messages) + " messages";
}

Ticks grainOf(const RecoveredPipeline& pipeline)
{
    for (const Ticks grain : {ticksPerMs, ticksPerMs / 1000}) {
        bool all = true;
        for (const RecoveredIteration& iteration : pipeline.iterations)
            for (const RecordedPass& record : iteration.passes)
                all = all && record.start % grain == 0 && record.end % grain == 0;
        if (all)
            return grain;
    }
    return 1;
}

} // namespace

std::string_view name(ClockOutcome outcome)
{
    constexpr std::array<std::string_view, 4> names = {"unknown", "kept", "shifted", "unsolvable"};
    return names[static_cast<std::size_t>(outcome)];
}

Ticks RankClock::corrected(Ticks time) const
{
    const Ticks by = atLast.value - atFirst.value;
    if (by == 0)
        return time + atFirst.value;
    const double part =
        static_cast<double>(time - first) / static_cast<double>(std::max<Ticks>(1, last - first));
    return time + atFirst.value + static_cast<Ticks>(std::llround(static_cast<double>(by) * part));
}

namespace {

bool alignAtOnce(std::span<const ClockMessage> messages, std::span<const ClockWindow> windows,
                 AlignedClocks& clocks)
{
    ClockProgram program(messages, windows);
    return Alignment(messages, program, clocks).run();
}

std::string keptText(const AlignedClocks& clocks)
{
    return "the clocks are kept as recorded: they contradict none of " +
           groupedNumber(clocks.messages) + " messages";
}

} // namespace

AlignedClocks alignClocks(std::span<const ClockMessage> messages,
                          std::span<const ClockWindow> windows, Ticks grain)
{
    AlignedClocks clocks;
    clocks.messages = static_cast<std::int64_t>(messages.size());
    clocks.grain = grain;
    clocks.ranks.resize(windows.size());
    for (std::size_t i = 0; i < windows.size(); ++i) {
        clocks.ranks[i].first = windows[i].first;
        clocks.ranks[i].last = windows[i].last;
    }
    for (const ClockMessage& message : messages) {
        PW_ASSERT(message.from.valid() && message.from.index() < windows.size());
        PW_ASSERT(message.to.valid() && message.to.index() < windows.size());
    }
    if (messages.empty()) {
        clocks.text = "no message between ranks is known, so nothing is known of their clocks";
        return clocks;
    }
    listImpossible(messages, clocks);
    const bool many = windows.size() > mostClocks;
    if (many && clocks.impossible == 0) {
        clocks.outcome = ClockOutcome::Kept; // without the bands, which are what takes the time
        clocks.text = keptText(clocks);
        return clocks;
    }
    if (!(many ? alignAlong(messages, clocks) : alignAtOnce(messages, windows, clocks))) {
        forget(clocks);
        return clocks;
    }
    if (clocks.impossible == 0) {
        dropValues(clocks);
        clocks.outcome = ClockOutcome::Kept;
        clocks.text = keptText(clocks);
        return clocks;
    }
    if (!holds(messages, clocks)) {
        forget(clocks);
        clocks.text = "the clocks could not be aligned: the shifts that were found leave messages "
                      "impossible; nothing is shifted";
        return clocks;
    }
    clocks.outcome = ClockOutcome::Shifted;
    clocks.text = "the clocks are shifted: " + impossibleText(clocks.impossible, clocks) +
                  " arrive before they are sent by the recorded clocks, and none by these";
    return clocks;
}

AlignedClocks alignClocks(const Trace& trace, const RecoveredPipeline& pipeline)
{
    std::vector<ClockMessage> messages = clockMessages(trace, pipeline);
    std::vector<ClockWindow> windows(pipeline.rankOfDevice.size());
    std::vector<bool> any(windows.size(), false);
    const auto take = [&](DeviceId device, Ticks time) {
        const std::size_t at = device.index();
        ClockWindow& window = windows[at];
        window.first = any[at] ? std::min(window.first, time) : time;
        window.last = any[at] ? std::max(window.last, time) : time;
        any[at] = true;
    };
    for (const RecoveredIteration& iteration : pipeline.iterations)
        for (const RecordedPass& record : iteration.passes) {
            take(deviceOf(record.rank), record.start);
            take(deviceOf(record.rank), record.end);
        }
    for (const ClockMessage& message : messages) {
        take(message.from, message.sent);
        take(message.to, message.received);
    }
    if (clocksBeginAnew(trace)) {
        AlignedClocks kept;
        kept.outcome = ClockOutcome::Kept;
        kept.text = "every rank's clock begins anew with every step, which all start together; "
                    "nothing is shifted";
        kept.ranks.resize(windows.size());
        for (std::size_t i = 0; i < windows.size(); ++i) {
            kept.ranks[i].first = windows[i].first;
            kept.ranks[i].last = windows[i].last;
        }
        return kept;
    }
    return alignClocks(messages, windows, grainOf(pipeline));
}

void shiftClocks(RecoveredPipeline& pipeline, const AlignedClocks& clocks)
{
    pipeline.notes.push_back(clocks.text);
    if (clocks.outcome != ClockOutcome::Shifted)
        return;
    for (RecoveredIteration& iteration : pipeline.iterations) {
        bool first = true;
        for (RecordedPass& record : iteration.passes) {
            const RankClock& clock = clocks.ranks[deviceOf(record.rank).index()];
            record.start = clock.corrected(record.start);
            record.end = std::max(record.start, clock.corrected(record.end));
            iteration.first = first ? record.start : std::min(iteration.first, record.start);
            iteration.last = first ? record.end : std::max(iteration.last, record.end);
            first = false;
        }
    }
    findFigures(pipeline);
    if (!pipeline.schedule)
        return;
    findTimes(pipeline);
    // A family whose order follows from times may need those of one clock.
    if (!pipeline.family.exact())
        findFamily(pipeline);
}

namespace {

AlignedPipeline alignedOf(Trace& trace, RecoveredPipeline pipeline)
{
    AlignedPipeline aligned{std::move(pipeline), {}};
    aligned.clocks = alignClocks(trace, aligned.pipeline);
    if (aligned.pipeline.schedule) {
        shiftClocks(aligned.pipeline, aligned.clocks);
        shiftClocks(trace, aligned.pipeline, aligned.clocks);
    }
    return aligned;
}

} // namespace

AlignedPipeline recoverAligned(Trace& trace)
{
    return alignedOf(trace, recover(trace));
}

std::vector<AlignedPipeline> recoverAllAligned(Trace& trace)
{
    std::vector<AlignedPipeline> all;
    for (RecoveredPipeline& pipeline : recoverReplicas(trace))
        all.push_back(alignedOf(trace, std::move(pipeline)));
    return all;
}

void shiftClocks(Trace& trace, const RecoveredPipeline& pipeline, const AlignedClocks& clocks)
{
    if (clocks.outcome != ClockOutcome::Shifted)
        return;
    std::vector<const RankClock*> byRank(trace.ranks.size(), nullptr);
    for (const DeviceId device : Ids<DeviceId>(pipeline.rankOfDevice.size()))
        byRank[pipeline.rankOfDevice[device.index()].index()] = &clocks.ranks[device.index()];
    for (TraceSpan& span : trace.spans)
        if (const RankClock* clock = byRank[span.rank.index()]) {
            span.start = clock->corrected(span.start);
            span.end = std::max(span.start, clock->corrected(span.end));
        }
    for (TraceCounter& counter : trace.counters)
        if (const RankClock* clock = byRank[counter.rank.index()])
            for (CounterSample& sample : counter.samples)
                sample.time = clock->corrected(sample.time);
}

} // namespace pw

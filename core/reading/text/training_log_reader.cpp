// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/text/training_log_reader.h"

#include "core/reading/text/line_parts.h"
#include "core/reading/text/log_facts.h"
#include "core/reading/text/log_line.h"
#include "core/reading/text/logged_steps.h"
#include "core/reading/text/logged_timers.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// DeepSpeed's sums over the iterations between two lines, which are printed before the line of the
/// last of them, and those of its messages behind it.
bool isBehindItsLine(std::string_view timer)
{
    return timer.starts_with("pipe_");
}

class LogReading
{
public:
    LogReading(TextLines& lines, std::int32_t number, PlainSpans& spans)
        : m_lines(lines)
        , m_number(number)
        , m_spans(spans)
        , m_log(spans.trace().log)
        , m_steps(m_log)
    {
        for (const LoggedTimer& timer : m_log.timers) // what another file told is told
            m_places.emplace(std::pair(timer.rank, timer.name), m_log.timers.max_size());
    }

    Result<void> read()
    {
        while (m_lines.next())
            line(m_lines.line());
        endIteration();
        if (m_lines.stopped())
            return {};
        if (m_told == 0)
            return fail(ErrorCode::Syntax,
                        "%1: no timer of a rank, no iteration and no argument of a training in it "
                        "can be read",
                        m_spans.path());
        settleTimers();
        deduceFacts(m_log);
        m_spans.file().log = true;
        if (!m_spans.any()) // the rank that would have told iterations
            m_spans.rank(lastRank(), "log");
        m_spans.file().origin = m_ofRanks ? "Megatron timer log" : programOf(m_log) + " log";
        m_spans.trace().warnings.push_back(
            m_spans.path() +
            (m_timed || m_ofRanks
                 ? ": timers are sums over an iteration; they say how long a rank was at what, "
                   "and neither when nor for which micro-batch"
                 : ": a log tells iterations, and no single pass"));
        return {};
    }

private:
    void line(std::string_view text)
    {
        const std::vector<StepLine> steps = stepsOfLine(text, m_lines.ended());
        for (const StepLine& step : steps) {
            ++m_told;
            ++m_spans.trace().events;
            if (m_steps.add(step))
                beginIteration(step.step);
        }
        if (!steps.empty()) {
            m_blocks.endBlock();
            m_dumped = false;
            return;
        }
        switch (m_blocks.take(text, m_lines.ended())) {
        case TimerLineKind::Block:
            if (!m_begun)
                endIteration();
            return;
        case TimerLineKind::Timer:
            timers();
            return;
        case TimerLineKind::Unreadable:
            ++m_spans.trace().events;
            unreadable(m_spans, m_lines, m_number, "a timer");
            return;
        case TimerLineKind::Other:
            break;
        }
        m_dumped = (m_dumped || beginsArguments(text)) && !endsArguments(text);
        if (takeLogFact(text, m_dumped, m_log)) {
            ++m_told;
            ++m_spans.trace().events;
        }
    }

    void beginIteration(const LoggedStep& step)
    {
        endIteration();
        m_begun = true;
        m_iteration = step.number;
        m_length = step.time;
        for (const TimerLine& timer : m_early)
            keep(timer);
        m_early.clear();
        m_earlyNames.clear();
    }

    /// The timers of a line go to the iteration whose line came before. Those of the start of the
    /// program, before any iteration, count only where there is none.
    void timers()
    {
        for (const TimerLine& timer : m_blocks.found()) {
            ++m_spans.trace().events;
            ++m_told;
            if (timer.form == TimerForm::EachRank)
                appendRow(timer);
            if (timer.form == TimerForm::OneRank && timer.rank >= 0 &&
                isDeepSpeedTimer(timer.name) && !isBehindItsLine(timer.name))
                keepEarly(timer);
            else if (m_begun || m_log.steps.empty())
                keep(timer);
        }
    }

    void keepEarly(const TimerLine& timer)
    {
        constexpr std::size_t mostEarly = 256;
        if (m_early.size() >= mostEarly)
            return;
        m_early.push_back(timer);
        m_early.back().name = *m_earlyNames.emplace(timer.name).first;
    }

    LoggedTimer* timerOf(const TimerLine& timer)
    {
        constexpr std::size_t mostTimers = 256;
        // Megatron's line is the last rank's, whether it says so or not.
        const bool last =
            !isDeepSpeedTimer(timer.name) && (lastRank() < 0 || timer.rank == lastRank());
        const std::int32_t rank = timer.form == TimerForm::EachRank || last ? -1 : timer.rank;
        const auto [place, made] =
            m_places.emplace(std::pair(rank, std::string(timer.name)), m_log.timers.size());
        if (made && m_log.timers.size() < mostTimers)
            m_log.timers.push_back({std::string(timer.name), rank, {}});
        return place->second < m_log.timers.size() ? &m_log.timers[place->second] : nullptr;
    }

    void keep(const TimerLine& timer)
    {
        LoggedTimer* into = timerOf(timer);
        if (into == nullptr)
            return;
        m_timed = true;
        m_log.timerForm = std::max(m_log.timerForm, timer.form);
        std::vector<TimerValue>& values = into->values;
        if (values.empty() || values.back().iteration != m_iteration) {
            values.push_back({m_iteration, timer.least, timer.most, timer.most});
        } else if (timer.form == TimerForm::EachRank) {
            // By rank, so the highest number comes last.
            values.back().least = std::min(values.back().least, timer.least);
            values.back().most = std::max(values.back().most, timer.most);
            values.back().last = timer.most;
        }
        if (timer.form == TimerForm::OneRank && m_begun)
            appendRow(timer);
    }

    /// A timer of one rank as a span at the begin of its iteration.
    void appendRow(const TimerLine& timer)
    {
        const std::int32_t rank = timer.rank < 0 ? lastRank() : timer.rank;
        m_spans.append(m_spans.rank(rank, "log"), timer.name, timer.name, m_start,
                       m_start + timer.most, Trust::Guessed);
        m_longest = std::max(m_longest, timer.most);
        m_numbers.insert(rank);
        m_ofRanks = m_ofRanks || timer.form == TimerForm::EachRank;
    }

    /// −1: not told.
    std::int32_t lastRank() const
    {
        constexpr std::int64_t mostRanks = 65'536;
        const std::int64_t ranks = m_log.fact(LogFact::Ranks).value_or(0);
        return ranks < 1 || ranks > mostRanks ? -1 : static_cast<std::int32_t>(ranks - 1);
    }

    /// The next iteration begins where this one, or its longest timer, has ended.
    void endIteration()
    {
        if (m_begun && m_numbers.empty() && !m_ofRanks)
            m_numbers.insert(lastRank());
        if (m_begun)
            for (const std::int32_t number : m_numbers) {
                SpanLabel label;
                label.role = SpanRole::Step;
                label.iteration = m_iteration;
                m_spans.append(m_spans.rank(number, "log"), "iteration",
                               "iteration " + std::to_string(m_iteration), m_start,
                               m_start + m_length, Trust::Host, label);
            }
        m_start += std::max(m_length, m_longest);
        if (m_start > latestTime / 2) // no log is so long
            m_start = 0;
        m_begun = false;
        m_length = m_longest = 0;
        m_numbers.clear();
    }

    /// Timers of the start are none of an iteration, and DeepSpeed's are sums over the iterations
    /// since its last line.
    void settleTimers()
    {
        std::int64_t interval = 0;
        for (std::size_t i = 1; i < m_log.steps.size() && interval < 1; ++i)
            interval = m_log.steps[i].number - m_log.steps[i - 1].number;
        if (m_log.steps.size() == 1)
            interval = m_log.fact(LogFact::LogInterval).value_or(m_log.steps.front().number);
        for (const auto& [place, index] : m_places) {
            if (index >= m_log.timers.size())
                continue;
            LoggedTimer& timer = m_log.timers[index];
            if (!m_log.steps.empty() && !timer.values.empty() && timer.values[0].iteration < 0)
                timer.values.erase(timer.values.begin());
            if (interval > 1 && timer.rank >= 0 && isDeepSpeedTimer(timer.name))
                for (TimerValue& value : timer.values)
                    for (Ticks* time : {&value.least, &value.most, &value.last})
                        *time /= interval;
        }
        m_log.timers.erase(
            std::remove_if(m_log.timers.begin(), m_log.timers.end(),
                           [](const LoggedTimer& one) { return one.values.empty(); }),
            m_log.timers.end());
    }

    TextLines& m_lines;
    std::int32_t m_number = 0;
    PlainSpans& m_spans;
    TrainingLog& m_log;
    LoggedSteps m_steps;
    TimerLines m_blocks;
    std::map<std::pair<std::int32_t, std::string>, std::size_t>
        m_places;                   // of timers, by rank and name
    std::vector<TimerLine> m_early; // of an iteration whose line comes behind them
    std::set<std::string, std::less<>> m_earlyNames;
    std::set<std::int32_t> m_numbers; // of the ranks with timers in the iteration
    Ticks m_start = 0;
    Ticks m_length = 0;
    Ticks m_longest = 0;
    std::int32_t m_iteration = -1;
    std::int64_t m_told = 0;
    bool m_begun = false;
    bool m_dumped = false; // within a list of arguments
    bool m_ofRanks = false;
    bool m_timed = false;
};

/// The nearest of several texts.
std::size_t firstOfWords(std::string_view text, std::initializer_list<std::string_view> words)
{
    std::size_t first = std::string_view::npos;
    for (const std::string_view word : words)
        first = std::min(first, text.find(word));
    return first;
}

} // namespace

std::size_t megatronLogMark(std::string_view text)
{
    return firstOfWords(
        text, {"times across ranks (ms):", "time across ranks (ms):", "-- end of arguments --",
               "elapsed time per iteration (ms):", "elapsed time per iteration (s):",
               "train_step_timing in s:", "time (ms) | forward", "using world size:"});
}

std::size_t deepSpeedLogMark(std::string_view text)
{
    return firstOfWords(text, {"iter time (s):", "stage=0 layers=", "STAGE=0 LAYERS=",
                               "CONFIG: micro_batches=", "{ProcessCoord(",
                               "DeepSpeedEngine configuration", "time (ms) | pipe_",
                               "time (ms) | fwd_", "time (ms) | batch_input"});
}

Result<void> readTrainingLog(TextLines& lines, std::int32_t number, PlainSpans& spans)
{
    return LogReading(lines, number, spans).read();
}

} // namespace pw

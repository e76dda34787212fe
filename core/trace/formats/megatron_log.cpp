// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/trace/importers/event_time.h"
#include "core/trace/importers/importer.h"
#include "core/trace/importers/line_parts.h"

#include <algorithm>
#include <optional>
#include <set>

namespace pw::importers {

namespace {

constexpr std::string_view eachRankMark = "times across ranks (ms):";
constexpr std::string_view extremesMark = "time across ranks (ms):";

/// The iteration that timers belong to: those that are printed behind its line.
struct LoggedIteration
{
    std::int32_t number = -1;
    Ticks start = 0;
    Ticks length = 0;
};

class TimerLog
{
public:
    TimerLog(TextLines& lines, std::int32_t number, PlainSpans& spans)
        : m_lines(lines)
        , m_number(number)
        , m_spans(spans)
    {
    }

    Result<void> read()
    {
        while (m_lines.next())
            line(m_lines.line());
        endBlock();
        if (m_lines.stopped())
            return {};
        if (!m_spans.any())
            return fail(ErrorCode::Syntax,
                        m_spans.path() +
                            (m_extremes ? ": its timers are the least and the most over the ranks, "
                                          "which say nothing of a single rank; let Megatron log "
                                          "with --timing-log-option all"
                                        : ": no timer of a rank in it can be read"));
        m_spans.trace().warnings.push_back(
            m_spans.path() + ": timers are sums over an iteration; they say how long a rank was at "
                             "what, and neither when nor for which micro-batch");
        return {};
    }

private:
    void line(std::string_view text)
    {
        if (text.find(eachRankMark) != std::string_view::npos) {
            endBlock();
            m_inBlock = true;
            return;
        }
        if (text.find(extremesMark) != std::string_view::npos) {
            endBlock();
            m_extremes = true;
            return;
        }
        if (m_inBlock && timerLine(text))
            return;
        endBlock();
        iterationLine(text);
    }

    /// "  forward-compute:" or "     rank  0: 12.34". @return false: the block is over
    bool timerLine(std::string_view text)
    {
        const std::string_view said = trimmed(text);
        if (said.empty() || (text.front() != ' ' && text.front() != '\t'))
            return false;
        constexpr std::string_view rank = "rank ";
        if (said.substr(0, rank.size()) != rank) {
            if (said.back() != ':' || said.size() < 2)
                return false;
            m_timer.assign(said.substr(0, said.size() - 1));
            return true;
        }
        ++m_spans.trace().events;
        const std::size_t colon = said.find(':');
        const std::string_view digits = trimmed(said.substr(
            rank.size(), colon == std::string_view::npos ? colon : colon - rank.size()));
        const std::int32_t number = smallNumber(digits);
        const auto time =
            colon == std::string_view::npos
                ? std::nullopt
                : ticksFromDecimal(trimmed(said.substr(colon + 1)), millisecondDigits);
        // Times have two decimals; of a line that is cut not all of them are there.
        constexpr std::size_t decimals = 2;
        const std::size_t point = said.rfind('.');
        const bool whole = point != std::string_view::npos && said.size() - point == decimals + 1;
        if (m_timer.empty() || number < 0 || number >= mostRanks || !time || *time < 0 || !whole ||
            *time > longestTimer) {
            unreadable(m_spans, m_lines, m_number, "a timer");
            return true;
        }
        const ProcessId at = m_spans.rank(number, "log");
        m_spans.append(at, m_timer, m_timer, m_iteration.start, m_iteration.start + *time,
                       Trust::Guessed);
        m_longest = std::max(m_longest, *time);
        m_numbers.insert(number);
        return true;
    }

    /// " [date] iteration 5/ 100 | … | elapsed time per iteration (ms): 1234.5 | …"
    void iterationLine(std::string_view text)
    {
        std::string_view rest = text;
        const std::string_view number = trimmed(takeBetween(rest, "iteration ", "/"));
        const std::string_view length =
            trimmed(takeBetween(rest, "elapsed time per iteration (ms):", "|"));
        const auto time = ticksFromDecimal(length, millisecondDigits);
        if (smallNumber(number) < 0 || !time || *time < 0 || *time > longestTimer)
            return;
        m_iteration.number = smallNumber(number);
        m_iteration.length = *time;
    }

    /// The next iteration begins where this one, or its longest timer, has ended.
    void endBlock()
    {
        if (!m_inBlock)
            return;
        m_inBlock = false;
        m_timer.clear();
        if (m_iteration.number >= 0)
            for (const std::int32_t number : m_numbers) {
                SpanLabel label;
                label.role = SpanRole::Step;
                label.iteration = m_iteration.number;
                m_spans.append(m_spans.rank(number, "log"), "iteration",
                               "iteration " + std::to_string(m_iteration.number), m_iteration.start,
                               m_iteration.start + m_iteration.length, Trust::Host, label);
            }
        m_iteration.start += std::max(m_iteration.length, m_longest);
        if (m_iteration.start > latestTime / 2) // no log is so long
            m_iteration.start = 0;
        m_iteration.number = -1;
        m_iteration.length = m_longest = 0;
        m_numbers.clear();
    }

    static constexpr std::int32_t mostRanks = 65'536;
    static constexpr Ticks longestTimer = Ticks{365} * 24 * 3600 * 1'000'000'000;

    TextLines& m_lines;
    std::int32_t m_number = 0;
    PlainSpans& m_spans;
    LoggedIteration m_iteration;
    std::string m_timer;
    Ticks m_longest = 0;
    std::set<std::int32_t> m_numbers; // of the ranks of the block
    bool m_inBlock = false;
    bool m_extremes = false;
};

std::size_t timersBegin(std::string_view text)
{
    return std::min(text.find(eachRankMark), text.find(extremesMark));
}

/// Timers are sums over an iteration of each rank: rows of spans that are as long as was measured
/// and lie at the begin of their iteration, guessed, and no passes.
Result<void> readMegatronLog(TextLines& lines, std::int32_t number, PlainSpans& spans)
{
    return TimerLog(lines, number, spans).read();
}

} // namespace

Importer megatron_log()
{
    Importer importer;
    importer.id = "megatron-log";
    importer.title = "Megatron's log with timers of all ranks";
    importer.lines = {timersBegin, false, "Megatron timer log", readMegatronLog};
    return importer;
}

} // namespace pw::importers

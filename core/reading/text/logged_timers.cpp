// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/text/logged_timers.h"

#include "core/base/trim.h"
#include "core/reading/events/event_time.h"
#include "core/reading/text/log_line.h"

#include <algorithm>
#include <array>
#include <optional>

namespace pw {

namespace {

constexpr std::string_view eachRankMark = "times across ranks (ms):";
constexpr std::string_view extremesMark = "(min, max) time across ranks (ms)";
constexpr std::string_view mostMark = "max time across ranks (ms)";
constexpr std::string_view oneLineMark = "time (ms) |";
constexpr std::int32_t mostTimerRanks = 65'536;

/// A time with two decimals, as Megatron prints it; of a line that is cut not all of them are
/// there.
std::optional<Ticks> wholeTime(std::string_view text)
{
    constexpr std::size_t decimals = 2;
    text = trimmed(text, " \t");
    const std::size_t point = text.rfind('.');
    if (point == std::string_view::npos || text.size() - point != decimals + 1)
        return std::nullopt;
    return leadingTime(text, millisecondDigits);
}

/// "  forward-compute:", also behind a host's name.
std::string_view timerName(std::string_view line)
{
    std::string_view rest = trimmed(withoutPrefixes(line), " \t");
    if (rest.size() < 2 || rest.back() != ':')
        return {};
    rest.remove_suffix(1);
    const std::size_t blank = rest.find_last_of(" \t");
    if (blank != std::string_view::npos) {
        const std::string_view before = trimmed(rest.substr(0, blank), " \t");
        if (!before.ends_with(':'))
            return {};
        rest.remove_prefix(blank + 1);
    }
    constexpr std::string_view characters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/.";
    return rest.find_first_not_of(characters) == std::string_view::npos ? rest : std::string_view();
}

} // namespace

bool isDeepSpeedTimer(std::string_view name)
{
    constexpr std::array<std::string_view, 5> globals = {"fwd", "bwd", "step", "forward",
                                                         "backward"};
    return contains(name, "_") || std::find(globals.begin(), globals.end(), name) != globals.end();
}

void TimerLines::endBlock()
{
    m_form = TimerForm::None;
    m_timer.clear();
}

bool TimerLines::begins(std::string_view line)
{
    const TimerForm form = contains(line, eachRankMark)   ? TimerForm::EachRank
                           : contains(line, extremesMark) ? TimerForm::Extremes
                           : contains(line, mostMark)     ? TimerForm::Most
                                                          : TimerForm::None;
    if (form == TimerForm::None)
        return false;
    endBlock();
    m_form = form;
    return true;
}

TimerLineKind TimerLines::take(std::string_view line, bool ended)
{
    m_found.clear();
    if (begins(line))
        return TimerLineKind::Block;
    if (takeOneLine(line, ended))
        return TimerLineKind::Timer;
    switch (m_form) {
    case TimerForm::EachRank:
        return takeOfRank(line);
    case TimerForm::Extremes:
    case TimerForm::Most:
        return takeOverRanks(line);
    case TimerForm::None:
    case TimerForm::OneRank:
        break;
    }
    return TimerLineKind::Other;
}

/// "[Rank 0] time (ms) | forward-compute: 306.62 | forward-recv: 527.58"
bool TimerLines::takeOneLine(std::string_view line, bool ended)
{
    const std::size_t at = line.find(oneLineMark);
    if (at == std::string_view::npos)
        return false;
    const std::int32_t rank = rankBefore(line, at);
    eachField(line.substr(at + oneLineMark.size()), ended,
              [&](std::string_view name, std::string_view value) {
                  const auto time = leadingTime(value, millisecondDigits);
                  if (name.empty() || name.find(' ') != std::string_view::npos || !time)
                      return;
                  const bool first = rank < 0 && isDeepSpeedTimer(name);
                  m_found.push_back({name, first ? 0 : rank, *time, *time, TimerForm::OneRank});
              });
    return !m_found.empty();
}

/// "  forward-compute:" or "     rank  0: 12.34"
TimerLineKind TimerLines::takeOfRank(std::string_view line)
{
    constexpr std::string_view word = "rank ";
    const std::size_t at = line.rfind(word);
    const std::string_view before =
        at == std::string_view::npos ? "x" : trimmed(withoutPrefixes(line.substr(0, at)), " \t");
    if (!before.empty() && !before.ends_with(':')) {
        const std::string_view name = timerName(line);
        if (name.empty())
            return TimerLineKind::Other;
        m_timer.assign(name);
        return TimerLineKind::Timer;
    }
    const std::string_view said = line.substr(at + word.size());
    const std::size_t colon = said.find(':');
    const std::string_view behind =
        colon == std::string_view::npos ? std::string_view() : said.substr(colon + 1);
    const Ticks time = wholeTime(behind).value_or(-1);
    const std::int32_t rank = smallNumber(trimmed(said.substr(0, colon), " \t"));
    if (m_timer.empty() || rank < 0 || rank >= mostTimerRanks || time < 0)
        return TimerLineKind::Unreadable;
    m_found.push_back({m_timer, rank, time, time, m_form});
    return TimerLineKind::Timer;
}

/// "    forward-compute ......: (160.00, 210.00)" or "    forward-compute ......: 210.00"
TimerLineKind TimerLines::takeOverRanks(std::string_view line)
{
    const auto dotted = dottedLine(line);
    if (!dotted || !dotted->timer)
        return TimerLineKind::Other;
    const std::string_view rest = dotted->rest;
    const std::size_t comma = rest.find(',');
    std::optional<Ticks> least, most;
    if (m_form == TimerForm::Most) {
        least = most = wholeTime(rest);
    } else if (rest.starts_with('(') && rest.ends_with(')') && comma != std::string_view::npos) {
        least = wholeTime(rest.substr(1, comma - 1));
        most = wholeTime(rest.substr(comma + 1, rest.size() - comma - 2));
    }
    if (!least || !most || *least > *most)
        return TimerLineKind::Unreadable;
    m_found.push_back({dotted->name, -1, *least, *most, m_form});
    return TimerLineKind::Timer;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/training_log.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// A timer that a line tells.
struct TimerLine
{
    std::string_view name;
    std::int32_t rank = -1; ///< −1: of the last rank, or over all
    Ticks least = 0;
    Ticks most = 0;
    TimerForm form = TimerForm::OneRank;
};

/// What a line is in a log of timers.
enum class TimerLineKind : std::uint8_t
{
    Other,
    Block,     ///< begins a list of timers
    Timer,     ///< some were taken
    Unreadable ///< one that is damaged
};

/// Finds the timers of a log line by line. The lines of a list may have others between them, as
/// where several ranks write into one file.
class TimerLines
{
public:
    /// Understands a line. The timers are in `found` until the next one.
    TimerLineKind take(std::string_view line, bool ended);
    const std::vector<TimerLine>& found() const { return m_found; }
    /// An iteration's line: the list is over.
    void endBlock();

private:
    bool begins(std::string_view line);
    bool takeOneLine(std::string_view line, bool ended);
    TimerLineKind takeOfRank(std::string_view line);
    TimerLineKind takeOverRanks(std::string_view line);

    TimerForm m_form = TimerForm::None; // of the list; None: behind it
    std::string m_timer;                // whose ranks are listed
    std::vector<TimerLine> m_found;
};

/// Whether a timer is DeepSpeed's: its names have underscores or are short.
bool isDeepSpeedTimer(std::string_view name);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/pass.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What simulated timelines and recorded runs share when they are written for other programs.
namespace pw {

/// Chrome trace events, one a line, each begun, given its fields and ended. Every text in them is
/// ours and is not escaped.
class PassEvents
{
public:
    PassEvents();

    /// @param phase    X, s, f, C or M as the format has it
    /// @param process  device or rank
    /// @param thread   of it; passes are thread 0
    void begin(char phase, std::int32_t process, std::int32_t thread = 0);
    void text(std::string_view name, std::string_view value);
    void number(std::string_view name, std::int64_t value);
    /// A value that is JSON already.
    void json(std::string_view name, std::string_view value);
    /// In µs with three decimals, so exact to the nanosecond.
    void time(std::string_view name, Ticks ticks);
    void end();

    /// One event that names a process or thread.
    void nameOf(std::string_view what, std::int32_t process, std::string_view name,
                std::int32_t thread = 0);
    /// One event that says where a process or thread stands among the others.
    void placeOf(std::string_view what, std::int32_t process, std::int32_t place,
                 std::int32_t thread = 0);

    /// The whole text; nothing is written after it.
    std::string take();

private:
    std::string m_text;
    bool m_first = true;
};

/// Kind, route, stage, micro-batch or update, and segment as fields behind others.
/// @param prefix  in front of their names
/// @param chunk   a field behind the stage where it is known
std::string passFields(const Pass& pass, std::string_view prefix,
                       std::optional<std::int32_t> chunk = std::nullopt);

/// Columns of `appendPassRow`.
constexpr std::string_view passColumns =
    "device,kind,route,stage,micro_batch,segment,start_ms,end_ms";

/// A row of a table of passes, without its line's end. Milliseconds are exact.
void appendPassRow(std::string& table, DeviceId device, const Pass& pass, Ticks start, Ticks end);

} // namespace pw

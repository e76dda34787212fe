// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/trace/importers/chrome_event.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pw {

/// What an event of Paddle's pipeline profiles is.
enum class PaddleEvent : std::uint8_t
{
    None,
    Stamp, ///< of the dynamic graph's recorder: milliseconds, and the thread is the stage + 1
    Job,   ///< of the static graph's: the name is the category and a number, the thread a device
    Step
};

PaddleEvent paddleEvent(const ChromeEvent& event);

/// The time of an event; Paddle's stamps are milliseconds where others are microseconds.
std::optional<Ticks> eventTime(const ChromeEvent& event);

/// The device of "GPU3" and "GPU:3"; −1 for anything else, also a device of one of several
/// machines.
std::int32_t paddleDevice(std::string_view thread);

} // namespace pw

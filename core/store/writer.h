// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pw {

/// This process in words that no other process has: process number and start, boot, process
/// namespace and host.
std::string thisWriter();

/// Whether a process is still alive. Of one that cannot be seen from here (another host, another
/// container) the time since its last sign decides.
///
/// @param writer   as `thisWriter` of that process gave it
/// @param quietMs  milliseconds since its last sign
bool writerLives(std::string_view writer, std::int64_t quietMs);

/// Milliseconds since 1970, UTC.
std::int64_t wallClockMs();

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <string>

namespace pw::sys {

/// Empty where it is not known.
std::string hostName();
/// The system with its version, as people call it: "Debian GNU/Linux 12 (bookworm), Linux 6.1".
std::string systemName();
/// As its maker calls it; empty where it is not known.
std::string processorName();
/// Of the whole machine, in bytes; 0 where it is not known.
std::int64_t memoryBytes();
/// Cores that are switched on; at least 1.
int coresOn();
/// Threads that have had or waited for a core in the last minute, on average; 0 where it is not
/// known.
double load();

} // namespace pw::sys

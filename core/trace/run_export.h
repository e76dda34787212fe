// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/records.h"

#include <span>
#include <string>

namespace pw {

/// A recorded run as Chrome trace events, which Perfetto and chrome://tracing open: the form of
/// `writeChromeJson` with measured times. One process a rank with one thread "compute"; a slice an
/// entry, labelled as `entryLabel`, with what it is and its iteration as arguments; an arrow a
/// message, from just before it was posted to when it had come; counters of memory by use; copies
/// of activations between device and host on two threads of their own.
std::string writeRunChromeJson(std::span<const RecordedPass> passes,
                               std::span<const RecordedMessage> messages,
                               std::span<const MemorySample> memory,
                               std::span<const RecordedCopy> copies = {});

/// Recorded passes as a table with the columns of `writeTimelineCsv` and the iteration behind them.
std::string writeRunCsv(std::span<const RecordedPass> passes);

} // namespace pw

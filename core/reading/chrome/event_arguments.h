// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pw {

/// Names and values of an event's arguments, as the file has them: shapes, sizes, groups.
using ArgumentTexts = std::vector<std::pair<std::string, std::string>>;

/// The arguments of a span that was an event (phase X) of a file of Chrome trace events. They are
/// not kept with a trace: the files are read again, up to the event.
///
/// @param goOn     asked about every 256 KiB; false stops; may be empty
/// @return         empty where the event has none, or is not found
/// @error Io       a file is no more there
/// @error Syntax   it is not of such events
/// @error Cancelled  `goOn` said so
Result<ArgumentTexts> argumentsOf(const Trace& trace, std::int32_t span,
                                  const std::function<bool()>& goOn = {});

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/trace/trace.h"

#include <vector>

namespace pw {

/// Makes one trace of the parts of its files: finds the ranks in what the files said, sorts them,
/// moves the earliest span to 0, and says what does not fit together.
Trace assembled(Trace trace, std::vector<EventFile> files);

} // namespace pw

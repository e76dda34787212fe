// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/events/event_file.h"
#include "core/reading/import_trace.h"

#include <string>

namespace pw {

/// What is read of one file, before `assembled` makes it a part of a trace: ranks are places of
/// processes (`rankAsYet`), times are those of the file.
struct FilePart
{
    Trace trace;
    EventFile said;
};

/// Reads one file so far.
/// @error  as of `importTrace`
Result<FilePart> importPart(const std::string& path, const ImportOptions& options = {});

} // namespace pw

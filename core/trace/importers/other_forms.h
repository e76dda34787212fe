// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/importers/event_file.h"
#include "core/trace/importers/trace_names.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace pw {

/// A form of files that is neither Chrome trace events nor a text of lines.
struct OtherForm
{
    /// Whether the first bytes of a content, unpacked, are of the form.
    bool (*looks)(std::string_view head) = nullptr;
    /// Reads one file of it and appends its spans to a trace, as `readChromeEvents` does.
    Result<EventFile> (*read)(const OpenSource& open, std::int32_t number, Trace& trace,
                              TraceNames& names, const KeepReading& goOn) = nullptr;
};

/// How much of a content is looked at.
constexpr std::size_t otherFormHead = std::size_t{64} << 10;

/// The form of a content by its first bytes; null where it is none of these.
const OtherForm* otherForm(std::string_view head);

/// The same of a source, which is opened for it.
Result<const OtherForm*> findOtherForm(const OpenSource& open);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/packing/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pw {

/// The lines of a text. Of a line longer than 64 KiB the front is given and the rest left out, so
/// that memory is bounded.
class TextLines
{
public:
    static constexpr std::size_t longestLine = 1U << 16;

    /// @param source  outlives this
    /// @param goOn    asked about every 64 KiB; may be empty
    TextLines(ByteSource& source, const KeepReading& goOn)
        : m_source(source)
        , m_goOn(goOn)
    {
    }

    /// Goes to the next line. @return false: there is none, or reading was stopped
    bool next();
    /// The line without its end; until the next one.
    std::string_view line() const { return m_line; }
    /// Byte of the text at which the line begins.
    std::int64_t position() const { return m_position; }
    /// Whether the line has its end; the last one of a file that is cut has none.
    bool ended() const { return m_ended; }
    bool stopped() const { return m_stopped; }

private:
    bool refill();

    ByteSource& m_source;
    const KeepReading& m_goOn;
    std::string m_chunk;
    std::size_t m_at = 0;
    std::int64_t m_read = 0; // bytes before m_at
    std::string m_line;
    std::int64_t m_position = 0;
    bool m_ended = false;
    bool m_stopped = false;
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/packing/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pw {

/// The JSON objects of a text that stand one behind the other, each on lines of its own or not.
/// What stands between them is skipped. An object begins with a brace at the begin of a line or of
/// an array there, or behind the object before; its end is the brace that closes it outside of
/// texts.
class JsonObjects
{
public:
    static constexpr std::size_t longest = std::size_t{32} << 20;

    /// @param source  outlives this
    /// @param goOn    asked about every 256 KiB; may be empty
    JsonObjects(ByteSource& source, const KeepReading& goOn)
        : m_source(source)
        , m_goOn(goOn)
    {
    }

    /// Goes to the next object. @return false: there is none, or reading was stopped, or one is
    /// too long
    bool next();
    /// Its text; until the next one.
    const std::string& text() const { return m_text; }
    /// Byte of the text at which the object begins.
    std::int64_t position() const { return m_position; }
    bool stopped() const { return m_stopped; }
    bool tooLong() const { return m_tooLong; }
    /// Whether the last object has no end: the file is cut.
    bool cut() const { return m_cut; }

private:
    int take();

    ByteSource& m_source;
    const KeepReading& m_goOn;
    std::string m_chunk;
    std::size_t m_at = 0;
    std::int64_t m_read = 0;
    std::string m_text;
    std::int64_t m_position = 0;
    bool m_lineBegins = true; ///< where the next object may begin
    bool m_stopped = false;
    bool m_tooLong = false;
    bool m_cut = false;
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/packing/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pw {

/// The longest packet of Perfetto's that is read.
constexpr std::size_t mostPacket = std::size_t{64} << 20;

/// The packets of a file, which is a message of nothing else.
class PacketStream
{
public:
    /// @param source  outlives this
    /// @param goOn    asked about every 256 KiB; may be empty
    PacketStream(ByteSource& source, const KeepReading& goOn)
        : m_source(source)
        , m_goOn(goOn)
    {
    }

    /// @return false: the end, or what is none
    bool next(std::string& packet);

    std::int64_t position() const { return m_position; }
    bool stopped() const { return m_stopped; }
    bool tooLarge() const { return m_tooLarge; }
    bool ended() const { return m_ended && m_position == m_read; }

private:
    int take();
    bool varint(std::uint64_t& number);

    ByteSource& m_source;
    const KeepReading& m_goOn;
    std::string m_chunk;
    std::size_t m_at = 0;
    std::int64_t m_read = 0;
    std::int64_t m_position = 0;
    bool m_stopped = false;
    bool m_tooLarge = false;
    bool m_ended = false;
};

} // namespace pw

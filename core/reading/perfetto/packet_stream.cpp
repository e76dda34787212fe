// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/perfetto/packet_stream.h"

namespace pw {

bool PacketStream::next(std::string& packet)
{
    packet.clear();
    for (;;) {
        m_position = m_read;
        std::uint64_t tag = 0, length = 0;
        if (!varint(tag) || (tag & 7U) != 2 || !varint(length))
            return false;
        if (length > mostPacket) {
            m_tooLarge = true;
            return false;
        }
        packet.resize(static_cast<std::size_t>(length));
        for (char& c : packet) {
            const int byte = take();
            if (byte < 0)
                return false;
            c = static_cast<char>(byte);
        }
        if (tag >> 3U == 1)
            return true;
    }
}

int PacketStream::take()
{
    constexpr std::size_t chunkSize = 1U << 18;
    if (m_at == m_chunk.size()) {
        m_stopped = m_stopped || (m_goOn && !m_goOn());
        m_chunk.resize(m_stopped ? 0 : chunkSize);
        m_chunk.resize(m_stopped ? 0 : m_source.read(m_chunk.data(), m_chunk.size()));
        m_at = 0;
        m_ended = m_chunk.empty();
        if (m_ended)
            return -1;
    }
    ++m_read;
    return static_cast<unsigned char>(m_chunk[m_at++]);
}

bool PacketStream::varint(std::uint64_t& number)
{
    constexpr unsigned longest = 10;
    number = 0;
    for (unsigned i = 0; i < longest; ++i) {
        const int byte = take();
        if (byte < 0)
            return false;
        number |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/perfetto/protobuf_walk.h"

#include <cstddef>

namespace pw {

bool takeFixed(std::string_view& bytes, std::size_t size, std::uint64_t& number)
{
    if (bytes.size() < size)
        return false;
    number = 0;
    for (std::size_t i = size; i-- > 0;)
        number = number << 8U | static_cast<unsigned char>(bytes[i]);
    bytes.remove_prefix(size);
    return true;
}

bool takeVarint(std::string_view& bytes, std::uint64_t& number)
{
    constexpr std::size_t longest = 10;
    number = 0;
    for (std::size_t i = 0; i < longest && i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        number |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * i);
        if ((byte & 0x80U) == 0) {
            bytes.remove_prefix(i + 1);
            return true;
        }
    }
    return false;
}

bool ProtobufFields::next()
{
    if (m_rest.empty() || !m_sound)
        return false;
    constexpr std::uint64_t mostField = (std::uint64_t{1} << 29) - 1;
    std::uint64_t tag = 0, length = 0;
    m_number = 0;
    m_bytes = {};
    m_sound = takeVarint(m_rest, tag) && tag >> 3U >= 1 && tag >> 3U <= mostField;
    if (!m_sound)
        return false;
    m_field = static_cast<std::uint32_t>(tag >> 3U);
    m_wire = static_cast<std::uint32_t>(tag & 7U);
    switch (m_wire) {
    case 0:
        m_sound = takeVarint(m_rest, m_number);
        break;
    case 1:
        m_sound = takeFixed(m_rest, 8, m_number);
        break;
    case 2:
        m_sound = takeVarint(m_rest, length) && length <= m_rest.size();
        if (m_sound) {
            m_bytes = m_rest.substr(0, static_cast<std::size_t>(length));
            m_rest.remove_prefix(static_cast<std::size_t>(length));
        }
        break;
    case 5:
        m_sound = takeFixed(m_rest, 4, m_number);
        break;
    default:
        m_sound = false; // groups are of an older time
    }
    return m_sound;
}

} // namespace pw

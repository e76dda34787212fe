// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pw {

/// The fields of one message of Protocol Buffers, one after another, without a schema. Never reads
/// outside of the bytes; nothing is copied.
class ProtobufFields
{
public:
    explicit ProtobufFields(std::string_view bytes)
        : m_rest(bytes)
    {
    }

    /// Goes to the next field. @return false: there is none, or the bytes are none from here on
    bool next();
    std::uint32_t field() const { return m_field; }
    /// Of a varint and of fixed 32 and 64 bits; else 0.
    std::uint64_t number() const { return m_number; }
    /// Of a field with a length: a text, or a message; else empty.
    std::string_view bytes() const { return m_bytes; }
    bool isBytes() const { return m_wire == 2; }
    /// Whether what was read up to here is sound.
    bool sound() const { return m_sound; }

private:
    std::string_view m_rest;
    std::uint32_t m_field = 0;
    std::uint32_t m_wire = 0;
    std::uint64_t m_number = 0;
    std::string_view m_bytes;
    bool m_sound = true;
};

/// Takes a varint from the front. @return false: there is none of at most 10 bytes
bool takeVarint(std::string_view& bytes, std::uint64_t& number);

/// Takes a number of fixed size from the front, the lowest byte first whatever the machine's order.
/// @return false: there are fewer bytes
bool takeFixed(std::string_view& bytes, std::size_t size, std::uint64_t& number);

} // namespace pw

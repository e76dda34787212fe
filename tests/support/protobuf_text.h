// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

/// Messages of Protocol Buffers, as a writer makes them: a message is its fields one after another.
namespace pw::test {

inline std::string varint(std::uint64_t number)
{
    std::string text;
    for (; number >= 128; number >>= 7U)
        text.push_back(static_cast<char>((number & 127U) | 128U));
    text.push_back(static_cast<char>(number));
    return text;
}

inline std::string field(std::uint64_t number, std::uint64_t value)
{
    return varint(number << 3U) + varint(value);
}

inline std::string field(std::uint64_t number, const std::string& bytes)
{
    return varint((number << 3U) | 2U) + varint(bytes.size()) + bytes;
}

/// A floating-point number as its eight bytes.
inline std::string eightBytes(double value)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    std::string text;
    for (int i = 0; i < 8; ++i, bits >>= 8U)
        text.push_back(static_cast<char>(bits & 0xFFU));
    return text;
}

inline std::string doubleField(std::uint64_t number, double value)
{
    return varint((number << 3U) | 1U) + eightBytes(value);
}

} // namespace pw::test

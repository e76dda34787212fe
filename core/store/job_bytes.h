// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/store/stored_limits.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

// Numbers and texts in a row of a store. A whole number takes seven bits a byte, the lowest first,
// and small ones of either sign are short; a fraction is its eight bytes, a text its length and its
// bytes.

/// Puts values one behind the other.
class JobBytes
{
public:
    void whole(std::int64_t value)
    {
        constexpr int bits = 7, sign = 63;
        auto rest =
            (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> sign);
        for (; rest >= 1U << bits; rest >>= bits)
            m_bytes.push_back(static_cast<char>(rest | 1U << bits));
        m_bytes.push_back(static_cast<char>(rest));
    }
    void count(std::size_t value) { whole(static_cast<std::int64_t>(value)); }
    void fraction(double value)
    {
        auto rest = std::bit_cast<std::uint64_t>(value);
        for (std::size_t i = 0; i < sizeof rest; ++i, rest >>= 8)
            m_bytes.push_back(static_cast<char>(rest));
    }
    void text(std::string_view value)
    {
        count(value.size());
        m_bytes.append(value);
    }

    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

/// Takes them again. What is not there, or not within its limits, is the lower limit, and `good` is
/// false from then on.
class JobBytesRead
{
public:
    explicit JobBytesRead(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    bool good() const { return m_good; }
    void refuse() { m_good = false; }

    std::int64_t whole(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max())
    {
        constexpr int bits = 7, most64 = 64;
        std::uint64_t value = 0;
        for (int shift = 0; shift < most64; shift += bits) {
            if (m_at >= m_bytes.size())
                break;
            const auto byte = static_cast<unsigned char>(m_bytes[m_at++]);
            value |= static_cast<std::uint64_t>(byte & ((1U << bits) - 1)) << shift;
            if (byte < 1U << bits) {
                const auto read = static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1)));
                m_good = m_good && read >= least && read <= most;
                return m_good ? read : least;
            }
        }
        m_good = false;
        return least;
    }
    template<typename T>
    T small(std::int64_t least, std::int64_t most)
    {
        return static_cast<T>(whole(least, most));
    }
    bool yes() { return whole(0, 1) == 1; }
    /// Of things that take at least a byte each.
    std::size_t count() { return static_cast<std::size_t>(whole(0, left())); }
    double fraction()
    {
        std::uint64_t value = 0;
        if (left() < static_cast<std::int64_t>(sizeof value)) {
            m_good = false;
            return 0;
        }
        for (std::size_t i = 0; i < sizeof value; ++i)
            value |= static_cast<std::uint64_t>(static_cast<unsigned char>(m_bytes[m_at++]))
                     << (8 * i);
        return std::bit_cast<double>(value);
    }
    std::string text()
    {
        const std::size_t length = count();
        const std::string_view value = m_bytes.substr(m_at, m_good ? length : 0);
        m_at += value.size();
        return std::string(value);
    }

private:
    std::int64_t left() const { return static_cast<std::int64_t>(m_bytes.size() - m_at); }

    std::string_view m_bytes;
    std::size_t m_at = 0;
    bool m_good = true;
};

constexpr std::int64_t mostCounted = std::numeric_limits<std::int32_t>::max();

template<typename List, typename Write>
void writeList(JobBytes& bytes, const List& list, const Write& write)
{
    bytes.count(list.size());
    for (const auto& one : list)
        write(one);
}

template<typename T, typename Read>
std::vector<T> readList(JobBytesRead& bytes, const Read& read)
{
    std::vector<T> list;
    for (std::size_t left = bytes.count(); left > 0 && bytes.good(); --left)
        list.push_back(read());
    return list;
}

inline Ticks readLength(JobBytesRead& bytes)
{
    return bytes.whole(0, latestStored);
}

inline std::int32_t readSmall(JobBytesRead& bytes)
{
    return bytes.small<std::int32_t>(-mostCounted, mostCounted);
}

/// A number of things of which there are some; −1: of none.
inline std::int32_t readPlace(JobBytesRead& bytes, std::size_t size)
{
    return bytes.small<std::int32_t>(-1, static_cast<std::int64_t>(size) - 1);
}

inline std::size_t readIndex(JobBytesRead& bytes, std::size_t size)
{
    return static_cast<std::size_t>(bytes.whole(0, static_cast<std::int64_t>(size) - 1));
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pw::exec {

/// Values one after another; both sides are of one build.
class MpiPacker
{
public:
    template<typename T>
    MpiPacker& number(T value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        append(&value, sizeof value);
        return *this;
    }
    MpiPacker& text(std::string_view value)
    {
        number(value.size());
        append(value.data(), value.size());
        return *this;
    }
    MpiPacker& floats(const std::vector<float>& values)
    {
        number(values.size());
        append(values.data(), values.size() * sizeof(float));
        return *this;
    }
    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    void append(const void* from, std::size_t size)
    {
        const auto* begin = static_cast<const std::byte*>(from);
        m_bytes.insert(m_bytes.end(), begin, begin + size);
    }

    std::vector<std::byte> m_bytes;
};

class MpiUnpacker
{
public:
    explicit MpiUnpacker(std::string_view bytes)
        : m_rest(bytes)
    {
    }
    template<typename T>
    T number()
    {
        T value{};
        copy(&value, sizeof value);
        return value;
    }
    std::string text()
    {
        std::string value(length(1), '\0');
        copy(value.data(), value.size());
        return value;
    }
    std::vector<float> floats()
    {
        std::vector<float> values(length(sizeof(float)));
        copy(values.data(), values.size() * sizeof(float));
        return values;
    }

private:
    std::size_t length(std::size_t each)
    {
        return std::min(number<std::size_t>(), m_rest.size() / each);
    }
    void copy(void* to, std::size_t size)
    {
        size = std::min(size, m_rest.size());
        if (size > 0)
            std::memcpy(to, m_rest.data(), size);
        m_rest.remove_prefix(size);
    }

    std::string_view m_rest;
};

} // namespace pw::exec

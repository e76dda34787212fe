// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>

namespace pw {

/// A whole number as the position of something in a table; not `bool`, which is none.
template<typename T>
concept Position = std::integral<T> && !std::same_as<T, bool>;

/// A position that cannot be mistaken for one of another kind.
///
/// It reads as the number that it is, so that it indexes, counts and prints. Neither a number nor
/// another kind becomes one, unless the code says which kind it makes: `StageId(2)`. From one kind
/// to another the way is by the number: `RankId(device.value)`. Kinds do not compare.
///
/// @tparam Tag  any type, used as a name only
template<typename Tag>
struct Id
{
    std::int32_t value = -1;

    constexpr Id() = default;
    /// @pre the number fits 32 bits, as an index of a table does
    template<Position T>
    constexpr explicit Id(T number)
        : value(static_cast<std::int32_t>(number))
    {
    }

    /// In place of an id where there is none; −1 in files.
    static constexpr Id none() { return Id(); }
    constexpr bool valid() const { return value >= 0; }

    constexpr operator std::int32_t() const { return value; } // NOLINT(google-explicit-constructor)
    /// Where it is in a table. @pre valid()
    constexpr std::size_t index() const { return static_cast<std::size_t>(value); }

    // So many further is one of the same kind; between two of them is a number.
    constexpr Id& operator+=(std::int32_t by)
    {
        value += by;
        return *this;
    }
    constexpr Id& operator-=(std::int32_t by) { return *this += -by; }
    constexpr Id& operator++() { return *this += 1; }
    constexpr Id& operator--() { return *this -= 1; }
    constexpr Id operator++(int) { return Id(value++); }
    constexpr Id operator--(int) { return Id(value--); }

    // Templates, so that wider numbers and fractions are added as such.
    template<std::same_as<std::int32_t> T>
    friend constexpr Id operator+(Id id, T by)
    {
        return Id(id.value + by);
    }
    template<std::same_as<std::int32_t> T>
    friend constexpr Id operator-(Id id, T by)
    {
        return Id(id.value - by);
    }

    friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

template<typename A, typename B>
requires(!std::same_as<A, B>) bool operator==(Id<A>, Id<B>) = delete;
template<typename A, typename B>
requires(!std::same_as<A, B>) std::strong_ordering operator<=>(Id<A>, Id<B>) = delete;

/// Ids that follow one another, to loop over: `for (const StageId stage : Ids<StageId>(stages))`.
template<typename T>
class Ids
{
public:
    class Iterator
    {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = T;

        constexpr Iterator() = default;
        constexpr explicit Iterator(T at)
            : m_at(at)
        {
        }
        constexpr T operator*() const { return m_at; }
        constexpr Iterator& operator++()
        {
            ++m_at;
            return *this;
        }
        constexpr Iterator operator++(int)
        {
            const Iterator before = *this;
            ++m_at;
            return before;
        }
        friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

    private:
        T m_at;
    };

    /// 0 … count−1; none where the count is below 1.
    template<Position Count>
    constexpr explicit Ids(Count count)
        : Ids(T(0), T(count))
    {
    }
    /// From the first up to, without, the end; none where the end is not behind the first.
    constexpr Ids(T first, T end)
        : m_first(first)
        , m_end(end < first ? first : end)
    {
    }

    constexpr Iterator begin() const { return Iterator(m_first); }
    constexpr Iterator end() const { return Iterator(m_end); }

private:
    T m_first;
    T m_end;
};

} // namespace pw

template<typename Tag>
struct std::hash<pw::Id<Tag>>
{
    std::size_t operator()(pw::Id<Tag> id) const noexcept
    {
        return std::hash<std::int32_t>()(id.value);
    }
};

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/trace_names.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace pw {

/// The texts of a map that were asked for last, found without hashing them: events of one kind come
/// again and again.
template<typename T>
class RecentTexts
{
public:
    using Entry = typename ByText<T>::value_type;

    // It moves with its map, whose entries stay where they are; those of a copy are elsewhere.
    RecentTexts() = default;
    RecentTexts(const RecentTexts&) = delete;
    RecentTexts& operator=(const RecentTexts&) = delete;
    RecentTexts(RecentTexts&&) noexcept = default;
    RecentTexts& operator=(RecentTexts&&) noexcept = default;

    /// Null: it is not among them.
    Entry* find(std::string_view text) const
    {
        Entry* const entry = m_entries[placeOf(text)];
        return entry != nullptr && entry->first == text ? entry : nullptr;
    }
    /// @param entry  of the map, which outlives this
    void keep(Entry& entry) { m_entries[placeOf(entry.first)] = &entry; }

private:
    static constexpr std::size_t places = 64;

    /// Most texts are told apart by their length, their ends and a byte of their middle.
    static std::size_t placeOf(std::string_view text)
    {
        const auto byte = [text](std::size_t at) {
            return std::size_t{static_cast<unsigned char>(text[at])};
        };
        if (text.empty())
            return 0;
        constexpr std::size_t spread = 7, other = 3;
        return (text.size() * spread + byte(text.size() - 1) + byte(text.size() / 2) * other +
                byte(0)) %
               places;
    }

    std::array<Entry*, places> m_entries{};
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace pw {

/// The keys that objects of a text have had, as a tree: behind each key those that have come next.
/// A program writes objects of one kind in one way, so a key that is expected there is known by its
/// bytes with the comma, the spaces and the colon around it, and is neither scanned nor looked up.
///
/// @tparam Meaning  what its reader makes of a key
template<typename Meaning>
class KeyPaths
{
public:
    /// A key of the tree. What is behind `lost` is not known.
    using Place = std::uint16_t;
    static constexpr Place root = 0, lost = 1;
    /// Bytes of a key with what is around it.
    static constexpr std::size_t longest = 48;

    KeyPaths()
        : m_keys(2)
    {
    }

    /// The key whose bytes are next. @param at  `longest` bytes can be looked at
    /// @return  none of the tree: `root`
    Place behind(Place key, const char* at) const { return found(m_keys[key].behind, at); }
    /// The same of the first key of an object that is the value of a key, or lies in it.
    Place inside(Place key, const char* at) const { return found(m_keys[key].inside, at); }

    std::size_t length(Place key) const { return m_keys[key].length; }
    const Meaning& meaning(Place key) const { return m_keys[key].meaning; }
    std::string_view name(Place key) const
    {
        const Key& one = m_keys[key];
        return {one.text.data() + one.nameAt, one.nameLength};
    }

    /// Keeps a key behind another one, or as the first inside it.
    /// @param text  of the key with what is around it  @param nameAt  where in it its name begins
    /// @return      its place; `lost` where it is not kept, being too long or one of too many
    Place learn(Place from, bool inside, std::string_view text, std::size_t nameAt,
                std::size_t nameLength, const Meaning& meaning)
    {
        constexpr std::size_t mostKeys = 2048, mostBeside = 8;
        if (from == lost || text.size() > longest || m_keys.size() >= mostKeys)
            return lost;
        std::size_t beside = 0;
        for (Place at = inside ? m_keys[from].inside : m_keys[from].behind; at != root;
             at = m_keys[at].beside)
            ++beside;
        if (beside >= mostBeside)
            return lost;
        Key made;
        std::copy(text.begin(), text.end(), made.text.begin());
        for (std::size_t i = 0; i < text.size() && i < sizeof made.head; ++i)
            reinterpret_cast<unsigned char*>(made.mask.data())[i] = 0xFF;
        std::memcpy(made.head.data(), made.text.data(), sizeof made.head);
        made.length = static_cast<std::uint8_t>(text.size());
        made.nameAt = static_cast<std::uint8_t>(nameAt);
        made.nameLength = static_cast<std::uint8_t>(nameLength);
        made.meaning = meaning;
        const auto place = static_cast<Place>(m_keys.size());
        Place& first = inside ? m_keys[from].inside : m_keys[from].behind;
        made.beside = first;
        first = place;
        m_keys.push_back(made);
        return place;
    }

private:
    using Head = std::array<std::uint64_t, 2>;

    struct Key
    {
        Head head{}, mask{}; ///< the first bytes, compared at once
        std::array<char, longest> text{};
        std::uint8_t length = 0, nameAt = 0, nameLength = 0;
        Place behind = root; ///< the first that may come next
        Place inside = root; ///< the first that an object in its value may begin with
        Place beside = root; ///< another that may stand in its place
        Meaning meaning{};
    };

    Place found(Place first, const char* at) const
    {
        for (Place place = first; place != root; place = m_keys[place].beside) {
            const Key& key = m_keys[place];
            Head head;
            std::memcpy(head.data(), at, sizeof head);
            const std::uint64_t differs =
                ((head[0] ^ key.head[0]) & key.mask[0]) | ((head[1] ^ key.head[1]) & key.mask[1]);
            if (differs == 0 && (key.length <= sizeof head ||
                                 std::memcmp(at + sizeof head, key.text.data() + sizeof head,
                                             key.length - sizeof head) == 0))
                return place;
        }
        return root;
    }

    std::vector<Key> m_keys;
};

} // namespace pw

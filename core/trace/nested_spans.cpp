// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/nested_spans.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pw {

NestedSpans::NestedSpans(std::vector<Item> items)
    : m_items(std::move(items))
{
    std::sort(m_items.begin(), m_items.end(), [](const Item& a, const Item& b) {
        return std::tuple(a.track, a.start, b.end, a.id) <
               std::tuple(b.track, b.start, a.end, b.id);
    });
    m_parents.reserve(m_items.size());
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const Item& item = m_items[i];
        auto parent = static_cast<std::int32_t>(i) - 1;
        while (parent >= 0) {
            const Item& other = m_items[static_cast<std::size_t>(parent)];
            if (other.track != item.track)
                parent = -1;
            else if (other.end < item.start)
                parent = m_parents[static_cast<std::size_t>(parent)];
            else
                break;
        }
        m_parents.push_back(parent);
    }
}

std::int32_t NestedSpans::lastBegun(std::int32_t track, Ticks time) const
{
    const auto behind = std::upper_bound(m_items.begin(), m_items.end(), std::tuple(track, time),
                                         [](const auto& wanted, const Item& item) {
                                             return wanted < std::tuple(item.track, item.start);
                                         });
    if (behind == m_items.begin() || std::prev(behind)->track != track)
        return -1;
    return static_cast<std::int32_t>(behind - m_items.begin()) - 1;
}

} // namespace pw

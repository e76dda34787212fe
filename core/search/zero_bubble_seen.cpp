// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_seen.h"

namespace pw {

void ZeroBubbleSeen::clear(std::size_t most)
{
    std::size_t slots = 16;
    while (slots < 2 * most)
        slots *= 2;
    m_table.assign(slots, -1);
    m_keys.clear();
}

bool ZeroBubbleSeen::sooner(const ZeroBubblePartial& other, const ZeroBubblePartial& state) const
{
    for (int j = 0; j < m_shape.devices(); ++j) {
        const std::size_t k = at(j);
        if (other.clock[k] > state.clock[k] || other.forwards[k] != state.forwards[k] ||
            other.backwards[k] != state.backwards[k] || other.weights[k] != state.weights[k])
            return false;
        // outputs that the neighbours still wait for
        if (j + 1 < m_shape.devices()) {
            for (Ticks i = state.forwards[k + 1]; i < state.forwards[k]; ++i)
                if (other.forwardEnd[m_shape.cell(j, i)] > state.forwardEnd[m_shape.cell(j, i)])
                    return false;
        }
        if (j > 0) {
            for (Ticks i = state.backwards[k - 1]; i < state.backwards[k]; ++i)
                if (other.backwardEnd[m_shape.cell(j, i)] > state.backwardEnd[m_shape.cell(j, i)])
                    return false;
        }
    }
    return true;
}

bool ZeroBubbleSeen::dominated(const ZeroBubblePartial& state, std::uint64_t key,
                               const Ticks* all) const
{
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t slot = key & mask; m_table[slot] >= 0; slot = (slot + 1) & mask) {
        const std::size_t index = at(m_table[slot]);
        if (m_keys[index] == key && sooner(m_shape.view(all + index * m_shape.words()), state))
            return true;
    }
    return false;
}

bool ZeroBubbleSeen::add(const ZeroBubblePartial& state, const Ticks* all)
{
    std::uint64_t key = 1469598103934665603u;
    for (int k = 0; k < 3 * m_shape.devices(); ++k)
        key = (key ^ static_cast<std::uint64_t>(state.forwards[k])) * 1099511628211u;
    key ^= key >> 29;
    if (dominated(state, key, all))
        return false;
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = key & mask;
    while (m_table[slot] >= 0)
        slot = (slot + 1) & mask;
    m_table[slot] = static_cast<std::int32_t>(m_keys.size());
    m_keys.push_back(key);
    return true;
}

} // namespace pw

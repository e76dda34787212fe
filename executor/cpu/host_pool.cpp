// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/host_pool.h"

#include "executor/transport/host_payload.h"

#include <new>

namespace pw::exec {

void* HostPool::take(Bytes bytes)
{
    const auto found = m_pieces.find(bytes);
    if (found != m_pieces.end() && !found->second.empty()) {
        void* data = found->second.back();
        found->second.pop_back();
        m_idle -= bytes;
        return data;
    }
    try {
        return allocateHost(bytes);
    } catch (const std::bad_alloc&) {
        clear();
    }
    return allocateHost(bytes);
}

void HostPool::giveBack(void* data, Bytes bytes, Bytes most) noexcept
{
    if (m_idle + bytes > most)
        return freeHost(data);
    try {
        m_pieces[bytes].push_back(data);
        m_idle += bytes;
    } catch (const std::bad_alloc&) {
        freeHost(data);
    }
}

void HostPool::clear() noexcept
{
    for (auto& [bytes, pieces] : m_pieces) {
        for (void* data : pieces)
            freeHost(data);
    }
    m_pieces.clear();
    m_idle = 0;
}

} // namespace pw::exec

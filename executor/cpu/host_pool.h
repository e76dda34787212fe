// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <map>
#include <vector>

namespace pw::exec {

/// Memory of `allocateHost` that one thread takes and gives back again and again: pieces of a size
/// that was used before come back with their pages mapped. Pieces may come from, and go to, other
/// owners.
class HostPool
{
public:
    HostPool() = default;
    ~HostPool() { clear(); }
    HostPool(const HostPool&) = delete;
    HostPool& operator=(const HostPool&) = delete;

    /// @throws std::bad_alloc  also after idle memory has gone back to the system
    void* take(Bytes bytes);
    /// @param most  idle bytes that may be kept; what does not fit goes back to the system
    void giveBack(void* data, Bytes bytes, Bytes most) noexcept;
    Bytes idle() const { return m_idle; }

private:
    void clear() noexcept;

    std::map<Bytes, std::vector<void*>> m_pieces;
    Bytes m_idle = 0;
};

} // namespace pw::exec

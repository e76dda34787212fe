// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pw::communication {

/// What was posted to one communicator of a rank, in order: it does one after another.
struct RankQueue
{
    std::vector<std::int32_t> posted;
    std::size_t head = 0;
    Ticks free = 0; ///< the last one is done

    bool empty() const { return head == posted.size(); }
    /// @pre not empty
    std::int32_t first() const { return posted[head]; }
    /// The first one is done.
    void pop(Ticks done)
    {
        ++head;
        free = done;
    }
};

} // namespace pw::communication

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/system/memory.h"

#include <cstddef>
#include <vector>

namespace pw {

/// Room for so many in all, in large pages.
template<typename T>
void reserveLarge(std::vector<T>& list, std::size_t size)
{
    if (size <= list.capacity())
        return;
    list.reserve(size);
    sys::adviseLargePages(list.data(), list.capacity() * sizeof(T));
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <vector>

namespace pw {

/// Asks the system for large pages where memory is that long: filling megabytes page by page of 4
/// KiB takes as long as reading what they are filled with. Memory that is not touched takes none.
void adviseLargePages(void* memory, std::size_t bytes);

/// Room for so many in all, in large pages.
template<typename T>
void reserveLarge(std::vector<T>& list, std::size_t size)
{
    if (size <= list.capacity())
        return;
    list.reserve(size);
    adviseLargePages(list.data(), list.capacity() * sizeof(T));
}

} // namespace pw

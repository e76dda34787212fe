// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>

namespace pw::sys {

/// Asks the system for large pages where memory is that long: filling megabytes page by page of 4
/// KiB takes as long as reading what they are filled with. Memory that is not touched takes none.
void adviseLargePages(void* memory, std::size_t bytes);

} // namespace pw::sys

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <string_view>

namespace pw::sys {

/// Asks the system for large pages where memory is that long: filling megabytes page by page of 4
/// KiB takes as long as reading what they are filled with. Memory that is not touched takes none.
void adviseLargePages(void* memory, std::size_t bytes);

/// Whether bytes have others in them, in a row; by the fastest search that the system has.
bool hasBytes(std::string_view all, std::string_view part);

} // namespace pw::sys

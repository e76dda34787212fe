// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/memory.h"

namespace pw::sys {

void adviseLargePages(void* /*memory*/, std::size_t /*bytes*/)
{
    // Large pages have to be asked for where memory is taken, and by who has the right to.
}

bool hasBytes(std::string_view all, std::string_view part)
{
    return all.find(part) != std::string_view::npos;
}

} // namespace pw::sys

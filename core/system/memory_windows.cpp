// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/memory.h"

namespace pw::sys {

void adviseLargePages(void* /*memory*/, std::size_t /*bytes*/)
{
    // Large pages have to be asked for where memory is taken, and by who has the right to.
}

} // namespace pw::sys

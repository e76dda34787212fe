// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace pw {

void assertionFailed(const char* condition, const char* file, int line)
{
    std::fprintf(stderr, "pipewright: internal error: %s does not hold (%s:%d)\n", condition, file,
                 line);
    std::abort();
}

} // namespace pw

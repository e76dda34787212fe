// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

namespace pw {

/// Prints the failed condition with its place and ends the program.
[[noreturn]] void assertionFailed(const char* condition, const char* file, int line);

} // namespace pw

/// Stops the program at a bug. Always on; never for what a user can cause.
#define PW_ASSERT(condition)                                                                       \
    (static_cast<bool>(condition) ? void() : ::pw::assertionFailed(#condition, __FILE__, __LINE__))

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

namespace pw::test {

/// Milliseconds after which an answer counts as missing, on a machine with much else to do.
inline constexpr int longest = 120'000;

} // namespace pw::test

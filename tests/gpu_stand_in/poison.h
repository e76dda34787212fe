// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>

namespace pw::gpu {

/// Memory that is not a number everywhere until it is written. One thread at a time.
/// @return  null where there is no more
void* takePoisoned(std::size_t bytes);
/// @param bytes  what was asked for
void giveBackPoisoned(void* memory, std::size_t bytes);

} // namespace pw::gpu

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/cost/engine_memory.h"

#include <vector>

namespace pw::app {

/// --engine-memory and --loss: what the engine holds beside the mathematics.
std::vector<Option> engineOptions(const char* section);

/// What they say; without them the usual engine.
/// @error Usage  names the option
tl::expected<EngineMemory, Failure> engineOf(const Arguments& arguments);

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string_view>

namespace pw {

/// Whether a name of host work says that memory is collected or a checkpoint is saved: one of its
/// words is gc, garbage or save, or checkpoint beside write, dump or store. A checkpoint alone is
/// not: activations are checkpointed in every pass.
bool namesCollector(std::string_view name);

} // namespace pw

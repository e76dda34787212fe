// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/backend.h"

#include <memory>

namespace pw::exec {

/// Real training on the cores of this machine, one thread a device.
std::unique_ptr<Backend> makeCpuBackend();

} // namespace pw::exec

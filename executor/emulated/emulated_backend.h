// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/backend.h"

#include <memory>

namespace pw::exec {

/// Devices that take modelled times: as many as a plan wants, on any machine.
std::unique_ptr<Backend> makeEmulatedBackend();

} // namespace pw::exec

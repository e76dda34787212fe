// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/records.h"

#include <string_view>

namespace pw::exec {

/// Host, system and build of this process; drivers and devices are for the backend to fill in.
RunEnvironment environmentHere(std::string_view backend, std::string_view transport);

} // namespace pw::exec

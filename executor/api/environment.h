// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/records.h"

#include <string_view>

namespace pw::exec {

/// Host, system and build of this process; drivers and devices are for the backend to fill in.
RunEnvironment environmentHere(std::string_view backend, std::string_view transport);

/// "Debian GNU/Linux 12, Linux 6.1.0"; the processor: "AMD EPYC 7763".
std::string systemName();
std::string processorName();

} // namespace pw::exec

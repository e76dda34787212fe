// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/backend.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

/// Every backend that this program knows, those that are not available here too.
std::vector<BackendInfo> backendInfos();

/// A backend by name, or for "auto" the best that is here for so many devices: cuda where a GPU is,
/// else cpu where there are cores enough, else emulated. `reason` says what was picked and why.
///
/// @error BadValue  no such backend, or not available: says what is missing
Result<std::unique_ptr<Backend>> openBackend(std::string_view name, int devices,
                                             std::string* reason = nullptr);

} // namespace pw::exec

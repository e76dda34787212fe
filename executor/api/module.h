// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/backend.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

// Parts that need CUDA or MPI are modules: shared libraries beside the program that are loaded when
// asked for, so that the program itself starts everywhere.

/// Raised whenever a type that program and modules share changes its meaning.
constexpr int moduleVersion = 6;

/// What a program passes to a module's function, and what the module compares with its own: a
/// module of another build returns null instead of reading values that are laid out differently.
constexpr int moduleAbi = moduleVersion * 1'000'000 + static_cast<int>(sizeof(RunPlan)) * 100 +
                          static_cast<int>(sizeof(BackendInfo) + sizeof(RunFigures)) % 100;

/// What the module `pipewright-cuda` exports as `pw_cuda_backend`: a backend made with new, or null
/// where `abi` is not the module's own `moduleAbi`.
using BackendFactory = Backend* (*)(int abi);

/// Loads the module `name` ("pipewright-cuda": a file pipewright-cuda.so) from the folders of
/// PW_MODULE_PATH (colons between them), else the program's own folder, else ../lib/pipewright, and
/// finds a function in it. Modules stay loaded until the process ends.
///
/// @return         address of the symbol, never null
/// @error BadValue  every file that was tried, and why it did not load
Result<void*> loadModule(std::string_view name, std::string_view symbol);

/// Folders that modules are looked for in, in order.
std::vector<std::string> moduleFolders();

} // namespace pw::exec

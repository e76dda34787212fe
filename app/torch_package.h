// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <span>
#include <string_view>

namespace pw::app {

/// A file of the Python package that runs schedules in PyTorch.
struct TorchFile
{
    std::string_view name; ///< "plan.py"
    std::string_view text;
};

/// All files of the package `pipewright_torch`, as they are in executor/torch.
std::span<const TorchFile> torchPackage();

} // namespace pw::app

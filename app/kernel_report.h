// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/analysis/kernel_diff.h"

#include <string>

namespace pw::app {

/// What grew, shrank, is new or vanished between two traces, the largest effect first.
std::string kernelDiffText(const KernelDiff& diff, int most, const Screen& screen);
std::string kernelDiffJson(const KernelDiff& diff);

/// `diff --kernels BEFORE AFTER`.
Outcome kernelDiff(const Arguments& arguments, Console& console);

} // namespace pw::app

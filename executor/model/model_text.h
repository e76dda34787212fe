// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"

#include <string>

namespace pw::exec {

/// A model and its stages in one line: "8 layers (2,2,2,2), hidden 64, 4 heads, vocabulary 64,
/// micro-batch of 8 × 64 tokens, float32".
std::string describe(const GptModel& model, const LayerSplit& split);

} // namespace pw::exec

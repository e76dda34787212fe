// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/training_log.h"

#include <string_view>

namespace pw {

/// Takes what a line says of the job beside its iterations: an argument of Megatron's, GPT-NeoX's
/// or DeepSpeed's list, the sizes that Megatron names first, DeepSpeed's topology and its table of
/// stages, parameters by rank, memory by rank, the error that a program dies of.
/// @param dumped  the line is within a list of arguments
/// @return  whether it was one of them
bool takeLogFact(std::string_view line, bool dumped, TrainingLog& log);

/// Where a line names sizes as Megatron's first line does, or begins its list of arguments.
bool beginsArguments(std::string_view line);
bool endsArguments(std::string_view line);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "executor/api/run_plan.h"

#include <span>
#include <string_view>

namespace pw::exec {

/// A model to train, by name.
struct NamedGptModel
{
    std::string_view name;
    std::string_view summary; ///< one line: how large, and for what
    GptModel model;
};

std::span<const NamedGptModel> namedGptModels();

/// @error BadValue  names the model that was probably meant, or lists all
Result<GptModel> findGptModel(std::string_view name);

} // namespace pw::exec

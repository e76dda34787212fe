// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/language_model.h"

#include <string>
#include <string_view>

namespace pw {

/// Reads a model: a JSON object with `"version": 1` and any fields of `TransformerModel` by their
/// names there, and those of `furtherModelNumbers`; what is left out keeps its default. `recompute`
/// is "none", "selective" or "full".
///
/// @error Syntax    not JSON, with the position; an unknown or doubled field or one of another
/// type, with its name
/// @error Version   another version
/// @error BadValue  what `check` refuses
Result<LanguageModel> parseModel(std::string_view json);

/// All fields but those of experts and heads that are 0, one a line; `parseModel` gives the same
/// model back.
std::string modelText(const LanguageModel& model);

/// Reads a model from a file.
/// @error Io  the file cannot be read; else as `parseModel`, with the file's name in front
Result<LanguageModel> readModelFile(const std::string& path);

/// What a person names: a preset, else a file.
/// @error BadValue  neither; lists the presets
Result<LanguageModel> loadModel(const std::string& presetOrPath);

} // namespace pw

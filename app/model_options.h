// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/cost/language_model.h"

#include <string>
#include <vector>

namespace pw::app {

/// The name of the option for what a layer computes again, and what its help says.
constexpr const char* recomputePolicyName = "recompute-policy";
constexpr const char* recomputePolicySummary =
    "what a layer computes again before its backward: none, selective or full";

/// --layers, --tensor-parallel …: each replaces one field of the model of --model.
std::vector<Option> modelFieldOptions();

/// Appends those whose names a command does not have yet: a model that is trained has some of them
/// too, and one option means both.
void appendModelFields(std::vector<Option>& options);

/// Trains the model in the precision of the command line, where there is one.
void replacePrecision(TransformerModel& model, const Arguments& arguments);

/// Whether a name is that of a field of a model.
bool isModelField(std::string_view name);

/// Refuses fields on a command line without --model, which would change nothing.
///
/// @param trains  the command trains a model of its own, to which its training options belong
tl::expected<void, Failure> checkModelFields(const Arguments& arguments, bool trains);

/// A preset's or a file's model with the fields of the command line. A word that names none is a
/// wrong command line; a file that holds none is a wrong file.
tl::expected<LanguageModel, Failure> modelOf(const std::string& word, const Arguments& arguments);

/// The model of --model.
inline tl::expected<LanguageModel, Failure> modelOf(const Arguments& arguments)
{
    return modelOf(arguments.text("model"), arguments);
}

/// The fields that the command line replaces, in words: ", tensor-parallel 8"; empty where there
/// are none.
std::string modelFieldsText(const Arguments& arguments);

} // namespace pw::app

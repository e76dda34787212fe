// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"

#include <optional>
#include <string_view>

namespace pw {

/// Why a text that was asked to be read as the text notation is no such schedule at all; nothing
/// where at least one of two lines is one of it. It spares the list of what is wrong in every line.
std::optional<Sentence> notScheduleText(std::string_view content);

/// The same of a CSV of PyTorch: hardly a cell is an action.
std::optional<Sentence> notTorchCsv(std::string_view content);

/// The same of a JSON file that is no project: a trace.
std::optional<Sentence> notProjectJson(std::string_view content);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"

#include <QString>

#include <string_view>

namespace pw::ui {

/// What the core calls a thing (a cause of lost time, a kind of memory, what a family does), in the
/// window's language. The core speaks English alone; words that the language does not have stay so.
QString coreWords(std::string_view english);

/// `describe(pass, spec)` in the window's language: "F of micro-batch 3 on stage 2".
QString passText(const Pass& pass, const PipelineSpec& spec);

} // namespace pw::ui

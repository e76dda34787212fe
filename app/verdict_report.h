// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/io/json_text.h"
#include "core/store/run_verdict.h"

#include <string>

namespace pw::app {

/// Whether the later run is better, by how much, against which noise, and by what.
std::string verdictText(const RunVerdict& verdict, const Screen& screen);

/// The member `verdict`; null where one run is compared with its plan.
void verdictJson(JsonText& json, const RunVerdict* verdict);

} // namespace pw::app

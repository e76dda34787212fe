// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/analysis/pass_histogram.h"
#include "core/io/json_text.h"

#include <string>
#include <vector>

namespace pw::app {

/// Both runs side by side, a table a kind of pass.
std::string histogramsText(const std::vector<PassHistogram>& histograms, const Screen& screen);
/// The value of a member: a list with an object a kind.
void histogramsJson(JsonText& text, const std::vector<PassHistogram>& histograms);

} // namespace pw::app

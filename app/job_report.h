// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/io/json_text.h"
#include "core/job/job_analysis.h"
#include "core/trace/trace.h"

#include <string>

namespace pw::app {

/// The member `job`: replicas, efficiency, workers, causes and repairs.
void jobJson(JsonText& text, const Trace& trace, const JobAnalysis& analysis);

/// The same for people: the step, its efficiency as a product, what is wrong, what repairs gain,
/// and workers that stand out.
std::string jobText(const JobAnalysis& analysis, const Screen& screen);

} // namespace pw::app

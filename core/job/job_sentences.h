// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_analysis.h"

#include <string>
#include <vector>

namespace pw {

/// Whether there is anything to compare: several replicas, or three steps of one pipeline.
bool isWorthTelling(const JobAnalysis& analysis);

/// "44.4 % of all ranks' time computes = replicas 0.914 · stages 0.71 · order 0.686 · links 0.997"
Sentence efficiencyText(const JobAnalysis& analysis);

/// Gains below this part of the step are told to nobody: nobody repairs for less.
constexpr double leastToldGain = 0.001;

/// What a repair changes: "stage 3 has the mean work, in every replica".
Sentence repairText(const JobAnalysis& analysis, const JobWhatIf& repair);

/// "nothing stands out: …", where there is no cause.
Sentence noCauseText();

/// The job in sentences: its step and efficiency, every cause, and what each repair would gain.
std::vector<Sentence> jobSentences(const JobAnalysis& analysis);

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/search.h"

#include <string>

namespace pw::plan {

/// What a search found as a JSON object: `rows`, as many as the wish has, or the nearest where none
/// fits; and `unflushed`, the best of every family without a flush on the shapes of these rows.
std::string planJson(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                     const PlanTable& table);

} // namespace pw::plan

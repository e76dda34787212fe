// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/search.h"

#include <string>

namespace pw::plan {

/// The rows of a search as a JSON array of objects: as many as the wish has, or the nearest where
/// none fits.
std::string planJson(const LanguageModel& model, const Cluster& cluster, const Wish& wish,
                     const PlanTable& table);

/// The best of every family without a flush on the shapes of these rows, with the same members.
std::string unflushedJson(const LanguageModel& model, const Cluster& cluster,
                          const PlanTable& table);

} // namespace pw::plan

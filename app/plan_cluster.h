// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "app/options.h"
#include "core/cost/cluster.h"

#include <vector>

namespace pw::app {

/// An option of a plan that takes a number of things, at least one.
Option planCount(const char* name, const char* summary, const char* section,
                 double maximum = 1 << 20);

/// Options that say what cluster is planned for.
std::vector<Option> planClusterOptions();

/// The cluster that they say; the degrees that are given say how many accelerators where they do
/// not.
tl::expected<plan::Cluster, Failure> planCluster(const Arguments& arguments);

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/analysis/what_if.h"

#include <memory>
#include <string>
#include <vector>

namespace pw::app {

/// One thing to predict, and what it is called in a table: "interleaved-1f1b, chunks 2".
struct NamedWhatIf
{
    std::string name;
    WhatIf what;
};

/// An order that --order-of names.
struct NamedOrder
{
    std::string name;
    std::shared_ptr<const Schedule> schedule;
};

/// --family, --k, --devices, --micro-batches, --placement, --link and every parameter of a family;
/// each takes several values.
std::vector<Option> whatIfOptions();

/// Every combination of the values of a command line, the first option of a row changing least.
/// Without a family it is the order's own; without any option, every family that does not search
/// in the shape of the order.
///
/// @param orders  those of --order-of
/// @error Failure  a value that is none, an option that would change nothing, too many rows
tl::expected<std::vector<NamedWhatIf>, Failure> whatIfsOf(const WhatIfBase& base,
                                                          const std::vector<NamedOrder>& orders,
                                                          const Arguments& arguments);

} // namespace pw::app

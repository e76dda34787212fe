// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"

#include <string>

namespace pw::app {

/// What `simulate --json` adds to the figures.
struct JsonParts
{
    bool passes = false;
    bool gaps = false;
    bool criticalPath = false;
};

/// The object of `simulate --json`. Its names are a contract, described in the manual (json).
std::string simulationJson(const Study& study, const SimResult& result, const JsonParts& parts);

} // namespace pw::app

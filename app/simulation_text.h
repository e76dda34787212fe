// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"

#include <string>

namespace pw::app {

/// What a simulation is called, and under which costs.
std::string headingText(const Study& study, const Screen& screen);

/// Makespan, bubbles and peaks, each with its closed form beside it where one holds.
std::string figuresText(const Study& study, const SimResult& result, const Screen& screen);

/// A line a device.
std::string devicesText(const SimResult& result, const Screen& screen);

/// Why every device is idle when it is.
std::string gapsText(const Study& study, const SimResult& result, const Screen& screen);

/// The passes that a shorter makespan would have to shorten.
std::string criticalPathText(const Study& study, const SimResult& result, const Screen& screen);

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "executor/api/backend.h"

#include <string>
#include <vector>

namespace pw::app {

/// What each backend computes with, or what it lacks, for people.
std::string backendText(const std::vector<exec::BackendInfo>& infos, const Screen& screen);

/// The same as an array, with the version of this program and of its wire.
std::string backendJson(const std::vector<exec::BackendInfo>& infos);

} // namespace pw::app

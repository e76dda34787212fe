// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "app/study.h"
#include "core/io/json_text.h"

#include <string>

namespace pw::app {

/// What goes to the host and back, a line a device; empty where nothing does.
std::string offloadText(const Study& study, const SimResult& result, const Screen& screen);

/// The same as a member of an object; nothing where nothing is offloaded.
/// @param copies  every single copy, too
void writeOffload(JsonText& json, const Study& study, const SimResult& result, bool copies);

} // namespace pw::app

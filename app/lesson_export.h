// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

namespace pw::app {

/// `lesson export`: lessons as one web page on which they are taken.
Outcome exportLessons(const Arguments& arguments, Console& console);

} // namespace pw::app

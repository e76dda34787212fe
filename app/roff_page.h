// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>

namespace pw::app {

/// The help of all commands as a man page, in roff.
std::string roffPage();

} // namespace pw::app

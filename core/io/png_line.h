// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <string>
#include <vector>

namespace pw {

/// A line of pixels as a PNG of its own. @pre there are any
std::string pngOf(const std::vector<Rgb>& pixels);

/// The same in letters, as addresses have it. @source RFC 4648 §4
std::string base64(const std::string& bytes);

} // namespace pw

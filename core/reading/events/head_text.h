// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/system/memory.h"

#include <string_view>

namespace pw {

/// Whether the begin of a file has a text in it. As `find`, which looks for the first byte: a
/// quote, with which names in JSON begin, is too common for that.
inline bool headHas(std::string_view head, std::string_view text)
{
    return sys::hasBytes(head, text);
}

} // namespace pw

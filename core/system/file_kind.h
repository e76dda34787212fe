// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>

namespace pw {

/// What stands at a path, links followed.
enum class FileKind : std::uint8_t
{
    Missing, ///< or not to be reached
    Regular,
    Folder,
    Pipe, ///< can be read once: a pipe, a socket, a terminal
    Device
};

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pw {

/// Bytes as text that comes whole through a shell at the other end of a connection, which may say
/// something before and behind: "pipewright-NAME:", hexadecimal digits, ":end".
std::string framedBytes(std::string_view name, std::string_view bytes);

/// The bytes of a frame that is somewhere in a text; nothing where it is not there whole.
std::optional<std::string> bytesOfFrame(std::string_view name, std::string_view text);

} // namespace pw

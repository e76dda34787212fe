// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/own_program.h"

#include "core/system/process.h"

#include <optional>

namespace pw {

std::filesystem::path ownProgram()
{
    const std::filesystem::path own = sys::programFile();
    if (own.empty())
        return {};
    // Whoever was started by such a program has the variable too, and is not it.
    const bool byLoader = own.filename().string().starts_with("ld-");
    const std::optional<std::string> told = sys::variable("PIPEWRIGHT_PROGRAM");
    return byLoader && told ? std::filesystem::path(*told) : own;
}

} // namespace pw

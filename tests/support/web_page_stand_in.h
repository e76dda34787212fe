// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/ran_here.h"

#include <string>

namespace pw::test {

/// The frame of a page with the engine, without the engine: what the program fills, for trees that
/// have no Emscripten. Of this version unless another one is given.
inline std::string standInWebPage(std::string version = {})
{
    if (version.empty()) {
        version = ran({"version"}).out.mid(sizeof "pipewright").toStdString();
        version.pop_back();
    }
    return "<meta name=\"generator\" content=\"Pipewright " + version +
           "\"><script type=\"application/json\" id=\"data\">@PW_DATA@</script>"
           " 'wasm-unsafe-eval'<!-- computes -->core<!-- tells -->told<!-- end -->";
}

} // namespace pw::test

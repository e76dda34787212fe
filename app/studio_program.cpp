// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/studio_program.h"

#include "core/io/own_program.h"
#include "core/system/programs.h"

#include <filesystem>

namespace pw::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* studioName = "pipewright-studio";
} // namespace

std::string studioProgram()
{
    const fs::path own = ownProgram();
    if (!own.empty() && sys::isProgram(own.parent_path() / studioName))
        return (own.parent_path() / studioName).string();
    return sys::programOnPath(studioName).string();
}

Result<void> runStudio(const std::vector<std::string>& words, const std::string& purpose)
{
    const std::string program = studioProgram();
    if (program.empty())
        return fail(ErrorCode::BadValue,
                    "%1 is drawn by the program pipewright-studio, which is neither beside "
                    "pipewright nor on the path; --to html and --to svg need nothing",
                    purpose);
    int code = 0;
    // Without a display.
    const int problem = sys::runAttached(program, words, {"QT_QPA_PLATFORM=offscreen"}, code);
    if (problem != 0)
        return fail(ErrorCode::BadValue, "%1 cannot be started: %2", program,
                    systemSentence(problem));
    if (code != 0)
        return fail(ErrorCode::BadValue, "pipewright-studio could not draw %1", purpose);
    return {};
}

} // namespace pw::app

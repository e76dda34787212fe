// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/studio_program.h"

#include "core/io/own_program.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace pw::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* studioName = "pipewright-studio";
constexpr std::string_view platformVariable = "QT_QPA_PLATFORM=";

bool isProgram(const fs::path& path)
{
    std::error_code unreadable;
    return fs::is_regular_file(path, unreadable) && ::access(path.c_str(), X_OK) == 0;
}

/// This program's surroundings, but without a display.
std::vector<std::string> studioSurroundings()
{
    std::vector<std::string> all;
    for (char** one = environ; *one != nullptr; ++one)
        if (std::string_view(*one).substr(0, platformVariable.size()) != platformVariable)
            all.emplace_back(*one);
    all.push_back(std::string(platformVariable) + "offscreen");
    return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& words)
{
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

std::string studioProgram()
{
    const fs::path own = ownProgram();
    if (!own.empty() && isProgram(own.parent_path() / studioName))
        return (own.parent_path() / studioName).string();
    const char* variable = std::getenv("PATH");
    const std::string path = variable != nullptr ? variable : "";
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const fs::path found = fs::path(path.substr(begin, end - begin)) / studioName;
        // An empty part would be the folder at hand, whatever lies there.
        if (end > begin && isProgram(found))
            return found.string();
        begin = end + 1;
    }
    return {};
}

Result<void> runStudio(const std::vector<std::string>& words, const std::string& purpose)
{
    const std::string program = studioProgram();
    if (program.empty())
        return fail(ErrorCode::BadValue,
                    "%1 is drawn by the program pipewright-studio, which is neither beside "
                    "pipewright nor on the path; --to html and --to svg need nothing",
                    purpose);
    std::vector<std::string> arguments = {program};
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::vector<std::string> surroundings = studioSurroundings();
    pid_t child = 0;
    const int failure =
        ::posix_spawn(&child, program.c_str(), nullptr, nullptr, pointersTo(arguments).data(),
                      pointersTo(surroundings).data());
    if (failure != 0)
        return fail(ErrorCode::BadValue, "%1 cannot be started: %2", program,
                    systemSentence(failure));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail(ErrorCode::BadValue, "pipewright-studio could not draw %1", purpose);
    return {};
}

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/child_program.h"

#include "core/system/programs.h"

#include <string_view>
#include <utility>

namespace pw::app {

std::string ChildOutput::lastLine() const
{
    std::string_view text = err.find_first_not_of(" \t\r\n") == std::string::npos ? out : err;
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos)
        return {};
    text = text.substr(0, end + 1);
    const std::size_t line = text.rfind('\n');
    return std::string(line == std::string_view::npos ? text : text.substr(line + 1));
}

bool isOnPath(const std::string& program)
{
    return !sys::programOnPath(program).empty();
}

Result<std::vector<std::string>> commandLineWords(const std::string& line)
{
    std::vector<std::string> words;
    bool quoted = false, inWord = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
            if (!inWord)
                words.emplace_back();
            inWord = true;
        } else if (c == ' ' && !quoted) {
            inWord = false;
        } else {
            if (!inWord)
                words.emplace_back();
            inWord = true;
            words.back() += c;
        }
    }
    if (quoted)
        return fail(ErrorCode::BadValue, "a quotation mark of the command line has no partner");
    if (words.empty())
        return fail(ErrorCode::BadValue,
                    "the command line is empty; it ends with the program, as in ssh node "
                    "pipewright");
    return words;
}

Result<ChildOutput> runChild(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                             std::string_view input, std::size_t most)
{
    sys::ProgramRun run = sys::runProgram(words, limit, input, most);
    switch (run.ending) {
    case sys::Ending::NoPipes:
        return fail(ErrorCode::Io, "%1: %2", words.front(), systemSentence(run.problem));
    case sys::Ending::NotStarted:
        return fail(ErrorCode::Io, "%1 cannot be started: %2", words.front(),
                    systemSentence(run.problem));
    case sys::Ending::TooLong:
        return fail(ErrorCode::Fault, "%1 does not answer within %2 s", words.front(),
                    limit.count() / 1000);
    case sys::Ending::Ended:
        break;
    }
    return ChildOutput{run.code, std::move(run.out), std::move(run.err)};
}

} // namespace pw::app

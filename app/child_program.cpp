// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/child_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace pw::app {

namespace {

using ChildClock = std::chrono::steady_clock;

/// A pipe whose ends close with it.
class ChildPipe
{
public:
    ChildPipe() { m_good = ::pipe2(m_ends.data(), O_CLOEXEC) == 0; }
    ~ChildPipe()
    {
        close(0);
        close(1);
    }
    ChildPipe(const ChildPipe&) = delete;
    ChildPipe& operator=(const ChildPipe&) = delete;

    bool good() const { return m_good; }
    int end(int which) const { return m_ends[static_cast<std::size_t>(which)]; }
    void close(int which)
    {
        if (int& one = m_ends[static_cast<std::size_t>(which)]; one >= 0)
            ::close(std::exchange(one, -1));
    }

private:
    std::array<int, 2> m_ends = {-1, -1};
    bool m_good = false;
};

/// Takes what has come. @return false at its end
bool takeBytes(ChildPipe& from, std::string& into, std::size_t most)
{
    std::array<char, 1 << 14> buffer{};
    const ssize_t got = ::read(from.end(0), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR)
        return true;
    if (got <= 0) {
        from.close(0);
        return false;
    }
    const std::size_t room = most - std::min(most, into.size());
    into.append(buffer.data(), std::min(static_cast<std::size_t>(got), room));
    return true;
}

/// Reads both streams until the program has closed them. @return false where the time is over
bool readBoth(ChildPipe& out, ChildPipe& err, ChildOutput& said, ChildClock::time_point end,
              std::size_t most)
{
    while (out.end(0) >= 0 || err.end(0) >= 0) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - ChildClock::now()).count();
        // Ends that are closed are below 0, and left out by poll.
        std::array<pollfd, 2> ends = {pollfd{out.end(0), POLLIN, 0}, pollfd{err.end(0), POLLIN, 0}};
        // What came in time is taken, however late this program gets to look.
        const int ready =
            ::poll(ends.data(), ends.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
        if ((ready < 0 && errno != EINTR) || (ready == 0 && left <= 0))
            return false;
        if (ready > 0 && ends[0].revents != 0)
            takeBytes(out, said.out, most);
        if (ready > 0 && ends[1].revents != 0)
            takeBytes(err, said.err, most);
    }
    return true;
}

} // namespace

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
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string file = std::string(rest.substr(0, end)) + "/" + program;
        if (end > 0 && ::access(file.c_str(), X_OK) == 0)
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
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
    ChildPipe in;
    ChildPipe out;
    ChildPipe err;
    // A pipe holds so little at once, whether or not anybody reads it.
    if (!in.good() || !out.good() || !err.good() ||
        ::write(in.end(1), input.data(), input.size()) != static_cast<ssize_t>(input.size()))
        return fail(ErrorCode::Io, "%1: %2", words.front(), systemSentence(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.end(0), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.end(1), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.end(1), STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = -1;
    const int problem =
        posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        return fail(ErrorCode::Io, "%1 cannot be started: %2", words.front(),
                    systemSentence(problem));
    in.close(0);
    in.close(1);
    out.close(1);
    err.close(1);
    ChildOutput said;
    const bool ended = readBoth(out, err, said, ChildClock::now() + limit, most);
    if (!ended)
        ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!ended)
        return fail(ErrorCode::Fault, "%1 does not answer within %2 s", words.front(),
                    limit.count() / 1000);
    said.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return said;
}

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/programs.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ; // NOLINT: POSIX leaves it to whoever uses it

namespace pw::sys {

const char listSeparator = ':';

namespace {

using ChildClock = std::chrono::steady_clock;

/// A pipe whose ends close with it, and are not those of programs that are started.
class ChildPipe
{
public:
    ChildPipe()
    {
#ifdef __APPLE__ // which cannot do both at once
        m_good = ::pipe(m_ends.data()) == 0 && ::fcntl(m_ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
                 ::fcntl(m_ends[1], F_SETFD, FD_CLOEXEC) == 0;
#else
        m_good = ::pipe2(m_ends.data(), O_CLOEXEC) == 0;
#endif
    }
    ~ChildPipe()
    {
        close(0);
        close(1);
    }
    ChildPipe(const ChildPipe&) = delete;
    ChildPipe& operator=(const ChildPipe&) = delete;

    bool good() const
    {
        return m_good;
    }
    int end(int which) const
    {
        return m_ends[static_cast<std::size_t>(which)];
    }
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
    const ::ssize_t got = ::read(from.end(0), buffer.data(), buffer.size());
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
bool readBoth(ChildPipe& out, ChildPipe& err, ProgramRun& said, ChildClock::time_point end,
              std::size_t most)
{
    while (out.end(0) >= 0 || err.end(0) >= 0) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - ChildClock::now()).count();
        // Ends that are closed are below 0, and left out by poll.
        std::array<::pollfd, 2> ends = {::pollfd{out.end(0), POLLIN, 0},
                                        ::pollfd{err.end(0), POLLIN, 0}};
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

/// As C wants them, with a null at the end.
std::vector<char*> pointersTo(const std::vector<std::string>& words)
{
    std::vector<char*> pointers;
    for (const std::string& word : words)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

int codeOf(::pid_t child)
{
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string_view nameOf(std::string_view variable)
{
    return variable.substr(0, variable.find('='));
}

} // namespace

bool isProgram(const std::filesystem::path& path)
{
    std::error_code unreadable;
    return std::filesystem::is_regular_file(path, unreadable) && ::access(path.c_str(), X_OK) == 0;
}

std::filesystem::path programOnPath(std::string_view name)
{
    const char* const variable = std::getenv("PATH");
    std::string_view rest = variable == nullptr ? "" : variable;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(listSeparator), rest.size());
        const std::filesystem::path found = std::filesystem::path(rest.substr(0, end)) / name;
        if (end > 0 && isProgram(found))
            return found;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

ProgramRun runProgram(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                      std::string_view input, std::size_t most)
{
    ProgramRun run;
    ChildPipe in;
    ChildPipe out;
    ChildPipe err;
    // A pipe holds so little at once, whether or not anybody reads it.
    if (!in.good() || !out.good() || !err.good() ||
        ::write(in.end(1), input.data(), input.size()) != static_cast<::ssize_t>(input.size())) {
        run.ending = Ending::NoPipes;
        run.problem = errno;
        return run;
    }
    ::posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in.end(0), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out.end(1), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, err.end(1), STDERR_FILENO);
    ::pid_t child = -1;
    run.problem = ::posix_spawnp(&child, words.front().c_str(), &actions, nullptr,
                                 pointersTo(words).data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (run.problem != 0) {
        run.ending = Ending::NotStarted;
        return run;
    }
    in.close(0);
    in.close(1);
    out.close(1);
    err.close(1);
    if (!readBoth(out, err, run, ChildClock::now() + limit, most)) {
        run.ending = Ending::TooLong;
        ::kill(child, SIGKILL);
    }
    run.code = codeOf(child);
    return run;
}

int runAttached(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::vector<std::string>& variables, int& code)
{
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> surroundings = variables;
    for (char** one = environ; *one != nullptr; ++one) {
        if (std::none_of(variables.begin(), variables.end(), [one](const std::string& variable) {
                return nameOf(variable) == nameOf(*one);
            }))
            surroundings.emplace_back(*one);
    }
    ::pid_t child = 0;
    const int problem = ::posix_spawn(&child, program.c_str(), nullptr, nullptr,
                                      pointersTo(words).data(), pointersTo(surroundings).data());
    if (problem == 0)
        code = codeOf(child);
    return problem;
}

} // namespace pw::sys

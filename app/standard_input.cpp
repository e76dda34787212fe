// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/standard_input.h"

#include <array>
#include <cerrno>
#include <optional>
#include <poll.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace pw::app {

namespace {

Result<std::string> readOnce(std::int64_t limit, bool attended)
{
    std::string content;
    std::vector<char> buffer(1 << 16);
    for (;;) {
        // A byte behind the zero would belong to nobody, so that whole pieces can be read.
        const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(ErrorCode::Io, "cannot read standard input: %1", systemSentence(errno));
        if (got == 0 && attended)
            return fail(
                ErrorCode::Io,
                "standard input ended before the zero byte that ends a file with --attended");
        if (got == 0)
            return content;
        const std::string_view piece(buffer.data(), static_cast<std::size_t>(got));
        const std::size_t end = attended ? piece.find('\0') : std::string_view::npos;
        content += piece.substr(0, end);
        if (static_cast<std::int64_t>(content.size()) > limit)
            return fail(ErrorCode::TooLarge,
                        "standard input is longer than %1 bytes, the most that is read", limit);
        if (end != std::string_view::npos)
            return content;
    }
}

} // namespace

Option attendedOption()
{
    return {.name = "attended",
            .summary = "for programs: standard input stays open (a file on it ends with a zero "
                       "byte), and its end asks to stop",
            .section = "Run"};
}

Result<std::string> readStandardInput(std::int64_t limit, bool attended)
{
    static const Result<std::string> content = readOnce(limit, attended);
    return content;
}

struct Attendance::Parts
{
    std::array<int, 2> wake = {-1, -1}; // read end, write end
    std::thread thread;

    void watch(exec::Stop& stop) const
    {
        std::array<char, 4096> unused{};
        for (;;) {
            std::array<pollfd, 2> ends = {{{STDIN_FILENO, POLLIN, 0}, {wake[0], POLLIN, 0}}};
            if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR)
                return;
            if (ends[1].revents != 0)
                return;
            if (ends[0].revents == 0)
                continue;
            const ssize_t got = ::read(STDIN_FILENO, unused.data(), unused.size());
            if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
                stop.request();
                return;
            }
        }
    }
};

Attendance::Attendance(exec::Stop& stop)
    : m_parts(std::make_unique<Parts>())
{
    if (::pipe(m_parts->wake.data()) == 0)
        m_parts->thread = std::thread([this, &stop] { m_parts->watch(stop); });
}

Attendance::~Attendance()
{
    if (!m_parts->thread.joinable())
        return;
    ::close(m_parts->wake[1]);
    m_parts->thread.join();
    ::close(m_parts->wake[0]);
}

} // namespace pw::app

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/standard_input.h"

#include "core/system/standard_input.h"

#include <cerrno>
#include <thread>
#include <vector>

namespace pw::app {

namespace {

Result<std::string> readOnce(std::int64_t limit, bool attended)
{
    std::string content;
    std::vector<char> buffer(1 << 16);
    for (;;) {
        // A byte behind the zero would belong to nobody, so that whole pieces can be read.
        std::size_t got = 0;
        const int reason = sys::readInput(buffer.data(), buffer.size(), got);
        if (reason == EINTR)
            continue;
        if (reason != 0)
            return fail(ErrorCode::Io, "cannot read standard input: %1", systemSentence(reason));
        if (got == 0 && attended)
            return fail(
                ErrorCode::Io,
                "standard input ended before the zero byte that ends a file with --attended");
        if (got == 0)
            return content;
        const std::string_view piece(buffer.data(), got);
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
    sys::InputWatch input;
    std::thread thread;
};

Attendance::Attendance(exec::Stop& stop)
    : m_parts(std::make_unique<Parts>())
{
    if (!m_parts->input.good())
        return;
    m_parts->thread = std::thread([&input = m_parts->input, &stop] {
        if (input.waitForEnd())
            stop.request();
    });
}

Attendance::~Attendance()
{
    if (!m_parts->thread.joinable())
        return;
    m_parts->input.wake();
    m_parts->thread.join();
}

} // namespace pw::app

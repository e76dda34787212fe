// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/standard_input.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace pw::sys {

int readInput(char* into, std::size_t most, std::size_t& got)
{
    const ::ssize_t count = ::read(STDIN_FILENO, into, most);
    got = count < 0 ? 0 : static_cast<std::size_t>(count);
    return count < 0 ? errno : 0;
}

struct InputWatch::Parts
{
    std::array<int, 2> ends = {-1, -1}; // of a pipe: to read, to write
    bool good = false;
};

InputWatch::InputWatch()
    : m_parts(std::make_unique<Parts>())
{
    m_parts->good = ::pipe(m_parts->ends.data()) == 0;
}

InputWatch::~InputWatch()
{
    wake();
    if (m_parts->good)
        ::close(m_parts->ends[0]);
}

bool InputWatch::good() const
{
    return m_parts->good;
}

bool InputWatch::waitForEnd() const
{
    std::array<char, 4096> unused{};
    for (;;) {
        std::array<::pollfd, 2> ends = {{{STDIN_FILENO, POLLIN, 0}, {m_parts->ends[0], POLLIN, 0}}};
        if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR)
            return false;
        if (ends[1].revents != 0)
            return false;
        if (ends[0].revents == 0)
            continue;
        std::size_t got = 0;
        const int reason = readInput(unused.data(), unused.size(), got);
        if (reason != 0 ? reason != EINTR && reason != EAGAIN : got == 0)
            return true;
    }
}

void InputWatch::wake()
{
    if (m_parts->ends[1] >= 0)
        ::close(std::exchange(m_parts->ends[1], -1));
}

} // namespace pw::sys

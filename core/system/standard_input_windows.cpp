// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/standard_input.h"
#include "core/system/windows_words.h"

#include <algorithm>
#include <array>

namespace pw::sys {

int readInput(char* into, std::size_t most, std::size_t& got)
{
    constexpr std::size_t atOnce = std::size_t{1} << 30;
    DWORD count = 0;
    const BOOL read = ::ReadFile(::GetStdHandle(STD_INPUT_HANDLE), into,
                                 static_cast<DWORD>(std::min(most, atOnce)), &count, nullptr);
    got = count;
    // A pipe whose other end has gone is at its end.
    return read != 0 || ::GetLastError() == ERROR_BROKEN_PIPE ? 0 : lastReason();
}

struct InputWatch::Parts
{
    Handle woken{::CreateEventW(nullptr, TRUE, FALSE, nullptr)};
};

InputWatch::InputWatch()
    : m_parts(std::make_unique<Parts>())
{
}

InputWatch::~InputWatch()
{
    wake();
}

bool InputWatch::good() const
{
    return m_parts->woken.open();
}

bool InputWatch::waitForEnd() const
{
    // No wait of the system's is for a pipe and an event at once: a pipe is looked at now and then.
    constexpr DWORD rhythm = 50; // ms
    const HANDLE input = ::GetStdHandle(STD_INPUT_HANDLE);
    if (::GetFileType(input) != FILE_TYPE_PIPE) {
        ::WaitForSingleObject(m_parts->woken.get(), INFINITE);
        return false;
    }
    std::array<char, 4096> unused{};
    for (;;) {
        DWORD ready = 0;
        if (::PeekNamedPipe(input, nullptr, 0, nullptr, &ready, nullptr) == 0)
            return true;
        std::size_t got = 0;
        if (ready > 0)
            (void)readInput(unused.data(), std::min<std::size_t>(ready, unused.size()), got);
        else if (::WaitForSingleObject(m_parts->woken.get(), rhythm) == WAIT_OBJECT_0)
            return false;
    }
}

void InputWatch::wake()
{
    ::SetEvent(m_parts->woken.get());
}

} // namespace pw::sys

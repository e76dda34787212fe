// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// For the files of this folder that are Windows' alone.

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <string>
#include <string_view>
#include <utility>
#include <windows.h>

namespace pw::sys {

/// The number of errno that says the same as Windows' last error.
int lastReason();
std::wstring wideText(std::string_view utf8);
std::string utf8Text(std::wstring_view wide);

/// A handle, closed at the end.
class Handle
{
public:
    explicit Handle(HANDLE handle = nullptr)
        : m_handle(handle == INVALID_HANDLE_VALUE ? nullptr : handle)
    {
    }
    ~Handle() { close(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    bool open() const { return m_handle != nullptr; }
    HANDLE get() const { return m_handle; }
    HANDLE* slot() { return &m_handle; }
    void close()
    {
        if (HANDLE handle = std::exchange(m_handle, nullptr); handle != nullptr)
            ::CloseHandle(handle);
    }

private:
    HANDLE m_handle;
};

} // namespace pw::sys

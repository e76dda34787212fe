// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/end_unseen.h"
#include "core/system/machine.h"
#include "core/system/process.h"
#include "core/system/windows_words.h"

#include <cstdlib>
#include <fcntl.h>
#include <io.h>
#include <limits>
#include <shellapi.h>

namespace pw::sys {

namespace {

/// A folder that the system names for this user; empty where it does not.
std::filesystem::path folderOf(const wchar_t* variable)
{
    const wchar_t* const value = ::_wgetenv(variable);
    const std::filesystem::path path = value == nullptr ? L"" : value;
    return path.is_absolute() ? path : std::filesystem::path();
}

} // namespace

std::int64_t processNumber()
{
    return ::GetCurrentProcessId();
}

std::string beginningOf(std::int64_t process)
{
    const Handle handle(
        ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(process)));
    FILETIME made = {}, ended = {}, kernel = {}, user = {};
    DWORD code = 0;
    if (!handle.open() || ::GetExitCodeProcess(handle.get(), &code) == 0 || code != STILL_ACTIVE ||
        ::GetProcessTimes(handle.get(), &made, &ended, &kernel, &user) == 0)
        return {};
    return std::to_string((std::uint64_t{made.dwHighDateTime} << 32) | made.dwLowDateTime);
}

std::string processPlace()
{
    return "windows " +
           hostName(); // a beginning is a moment: it tells one start of it from another
}

std::string clockPlace()
{
    return {};
}

std::filesystem::path programFile()
{
    std::wstring path(32'768, L'\0');
    const DWORD units = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    if (units == 0 || units >= path.size())
        return {};
    path.resize(units);
    return path;
}

std::filesystem::path dataFolder()
{
    return folderOf(L"LOCALAPPDATA");
}

std::filesystem::path settingsFolder()
{
    return folderOf(L"APPDATA");
}

std::optional<std::string> variable(const char* name)
{
    const wchar_t* const value = ::_wgetenv(wideText(name).c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(utf8Text(value));
}

std::vector<std::string> programWords(int argc, char** argv)
{
    int count = 0;
    wchar_t** const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    if (words == nullptr)
        return {argv + (argc > 0 ? 1 : 0), argv + argc};
    std::vector<std::string> all;
    for (int i = 1; i < count; ++i)
        all.push_back(utf8Text(words[i]));
    ::LocalFree(words);
    return all;
}

void beginProgram()
{
    // A line ends as it does everywhere else: files and output are the same bytes on every system.
    _fmode = _O_BINARY;
    for (const int stream : {0, 1, 2})
        ::_setmode(stream, _O_BINARY);
    ::SetConsoleOutputCP(CP_UTF8);
    ::SetConsoleCP(CP_UTF8);
    for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
        DWORD mode = 0;
        const HANDLE console = ::GetStdHandle(stream);
        if (::GetConsoleMode(console, &mode) != 0)
            ::SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
}

void sayWithoutMemory(std::string_view text)
{
    DWORD written = 0;
    ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), text.data(), static_cast<DWORD>(text.size()),
                &written, nullptr);
}

void endProcess(int status)
{
    std::_Exit(status);
}

void atEnd(void (*last)(int status), int otherwise)
{
    atEndUnseen(last, otherwise);
}

void killProcess()
{
    constexpr UINT killed = 128 + 9; // as shells count
    ::TerminateProcess(::GetCurrentProcess(), killed);
}

std::int64_t addressesLeft()
{
    return std::numeric_limits<std::int64_t>::max();
}

} // namespace pw::sys

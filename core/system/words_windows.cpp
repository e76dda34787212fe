// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/windows_words.h"

#include <cerrno>
#include <cwchar>

namespace pw::sys {

int lastReason()
{
    switch (::GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_INVALID_DRIVE:
        return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
        return EACCES;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_DIR_NOT_EMPTY:
        return ENOTEMPTY;
    case ERROR_DIRECTORY:
        return ENOTDIR;
    case ERROR_NOT_SAME_DEVICE:
        return EXDEV;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return ENOMEM;
    case ERROR_TOO_MANY_OPEN_FILES:
        return EMFILE;
    case ERROR_FILENAME_EXCED_RANGE:
        return ENAMETOOLONG;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
        return EPIPE;
    default:
        return EIO;
    }
}

std::wstring wideText(std::string_view utf8)
{
    const int bytes = static_cast<int>(utf8.size());
    const int units = ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), bytes, nullptr, 0);
    std::wstring wide(static_cast<std::size_t>(units), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), bytes, wide.data(), units);
    return wide;
}

std::string utf8Text(std::wstring_view wide)
{
    const int units = static_cast<int>(wide.size());
    const int bytes =
        ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr);
    std::string utf8(static_cast<std::size_t>(bytes), '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, utf8.data(), bytes, nullptr, nullptr);
    return utf8;
}

} // namespace pw::sys

/// What the C++ library of mingw makes a path from bytes with, as the linker has it call this one:
/// of UTF-8, which no locale of the C library is. A character beyond 16 bits is two units, of which
/// the second is kept in the state.
extern "C" std::size_t __wrap_mbrtowc(wchar_t* unit, const char* bytes, std::size_t count,
                                      std::mbstate_t* state)
{
    constexpr auto wrong = static_cast<std::size_t>(-1), unfinished = static_cast<std::size_t>(-2);
    if (bytes == nullptr || count == 0)
        return bytes == nullptr ? 0 : unfinished;
    const auto put = [unit](unsigned code) {
        if (unit != nullptr)
            *unit = static_cast<wchar_t>(code);
    };
    if (state != nullptr && *state != 0) {
        put(static_cast<unsigned>(std::exchange(*state, 0)));
        return 1; // the last byte, which was left for it
    }
    const auto byte = [bytes](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    if (length == 0)
        return wrong;
    if (length > count)
        return unfinished;
    unsigned code = length == 1 ? first : first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return wrong;
        code = code << 6 | (byte(i) & 0x3FU);
    }
    if ((length == 3 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) ||
        (length == 4 && (code < 0x10000 || code > 0x10FFFF || state == nullptr)))
        return wrong;
    if (length < 4) {
        put(code);
        return code == 0 ? 0 : length;
    }
    put(0xD800 + ((code - 0x10000) >> 10));
    *state = static_cast<std::mbstate_t>(0xDC00 + ((code - 0x10000) & 0x3FFU));
    return 3;
}

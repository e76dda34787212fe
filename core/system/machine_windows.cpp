// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/machine.h"
#include "core/system/windows_words.h"

#include <algorithm>
#include <array>
#include <thread>

namespace pw::sys {

namespace {

/// A text of the registry; empty where there is none.
std::string registryText(const wchar_t* key, const wchar_t* name)
{
    std::array<wchar_t, 512> text{};
    DWORD bytes = sizeof text;
    if (::RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, nullptr, text.data(),
                       &bytes) != ERROR_SUCCESS)
        return {};
    const std::string said = utf8Text(text.data());
    const std::size_t from = said.find_first_not_of(' ');
    return from == std::string::npos ? std::string()
                                     : said.substr(from, said.find_last_not_of(' ') + 1 - from);
}

constexpr const wchar_t* versionKey = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion";

} // namespace

std::string hostName()
{
    std::array<wchar_t, 256> name{};
    DWORD units = name.size();
    return ::GetComputerNameExW(ComputerNameDnsHostname, name.data(), &units) != 0
               ? utf8Text(name.data())
               : std::string();
}

std::string systemName()
{
    const std::string product = registryText(versionKey, L"ProductName");
    const std::string build = registryText(versionKey, L"CurrentBuildNumber");
    return (product.empty() ? "Windows" : product) + (build.empty() ? "" : ", build " + build);
}

std::string processorName()
{
    return registryText(L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                        L"ProcessorNameString");
}

std::int64_t memoryBytes()
{
    MEMORYSTATUSEX memory = {};
    memory.dwLength = sizeof memory;
    return ::GlobalMemoryStatusEx(&memory) != 0 ? static_cast<std::int64_t>(memory.ullTotalPhys)
                                                : 0;
}

int coresOn()
{
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

double load()
{
    return 0; // the system counts shares of time alone
}

} // namespace pw::sys

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/architectures.h"

#include <cctype>
#include <charconv>
#include <optional>

namespace pw::exec::cuda {

namespace {

/// "90a-real" in parts.
struct Architecture
{
    int number = 0; ///< 90: of compute capability 9.0
    char only = 0;  ///< 'a' or 'f'; 0: none
    bool machineCode = true;
    bool ptx = true;
};

/// @return  none where it is a word without a number
std::optional<Architecture> parse(std::string_view word)
{
    Architecture found;
    const char* const end = word.data() + word.size();
    const auto [rest, problem] = std::from_chars(word.data(), end, found.number);
    if (problem != std::errc())
        return std::nullopt;
    std::string_view tail(rest, static_cast<std::size_t>(end - rest));
    if (!tail.empty() && tail.front() != '-') {
        found.only = tail.front();
        tail.remove_prefix(1);
    }
    found.machineCode = tail != "-virtual";
    found.ptx = tail != "-real";
    return found;
}

bool runsOn(const Architecture& built, int major, int minor)
{
    const int number = 10 * major + minor;
    if (built.only == 'a')
        return number == built.number;
    const bool sameMajor = built.number / 10 == major && built.number <= number;
    if (built.only == 'f')
        return sameMajor;
    return (built.machineCode && sameMajor) || (built.ptx && built.number <= number);
}

/// Calls `act(word)` until it says true.
template<typename Act>
bool anyWord(std::string_view words, Act act)
{
    while (!words.empty()) {
        const std::size_t end = words.find_first_of(" ;");
        const std::string_view word = words.substr(0, end);
        if (!word.empty() && act(word))
            return true;
        words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
    }
    return false;
}

std::string capabilityText(int number)
{
    return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

} // namespace

bool runsOn(std::string_view built, int major, int minor)
{
    return anyWord(built, [&](std::string_view word) {
        const std::optional<Architecture> one = parse(word);
        return !one || runsOn(*one, major, minor);
    });
}

std::string refusedText(std::string_view built, const std::string& gpu, int major, int minor)
{
    std::string kernels;
    anyWord(built, [&](std::string_view word) {
        const std::optional<Architecture> one = parse(word);
        if (!one)
            return false;
        kernels += (kernels.empty() ? "" : ", ") + capabilityText(one->number);
        if (one->only == 'a')
            kernels += " alone";
        else if (one->ptx && one->only == 0)
            kernels += " and later";
        return false;
    });
    const int number = 10 * major + minor;
    return gpu + " has compute capability " + capabilityText(number) +
           ", and this build has kernels for " + kernels +
           " only; a build with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(number) +
           "-real brings its own";
}

} // namespace pw::exec::cuda

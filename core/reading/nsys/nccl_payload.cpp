// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/nsys/nccl_payload.h"

#include "core/trace/collective_call.h"

#include <charconv>
#include <string>

namespace pw {

namespace {

constexpr std::size_t wordBytes = 8;

/// The bytes of a text of hexadecimal digits; of anything else the text itself.
std::string bytesOfDigits(std::string_view text)
{
    constexpr std::size_t fewest = 4 * wordBytes; // two numbers
    std::string_view digits = text;
    if (digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X")
        digits.remove_prefix(2);
    constexpr std::string_view known = "0123456789abcdefABCDEF";
    if (digits.size() < fewest || digits.size() % 2 != 0 ||
        digits.find_first_not_of(known) != std::string_view::npos)
        return std::string(text);
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        unsigned value = 0;
        constexpr int hexadecimal = 16;
        std::from_chars(digits.data() + i, digits.data() + i + 2, value, hexadecimal);
        bytes += static_cast<char>(value);
    }
    return bytes;
}

std::uint64_t wordAt(std::string_view bytes, std::size_t place)
{
    std::uint64_t word = 0;
    for (std::size_t i = wordBytes; i-- > 0;)
        word = word << 8U | static_cast<unsigned char>(bytes[place + i]);
    return word;
}

Bytes sizeOf(std::uint64_t word)
{
    return word <= static_cast<std::uint64_t>(mostCollectiveBytes) ? static_cast<Bytes>(word) : -1;
}

/// The number behind a key, in quotes or not, decimal or hexadecimal.
std::optional<std::uint64_t> numberBehind(std::string_view json, std::string_view key)
{
    const std::size_t at = json.find(key);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::size_t from = json.find(':', at + key.size());
    from = from == std::string_view::npos ? from : json.find_first_not_of(" \t\"", from + 1);
    if (from == std::string_view::npos)
        return std::nullopt;
    const bool hexadecimal = json.substr(from, 2) == "0x";
    const char* begin = json.data() + from + (hexadecimal ? 2 : 0);
    std::uint64_t number = 0;
    const auto [end, problem] =
        std::from_chars(begin, json.data() + json.size(), number, hexadecimal ? 16 : 10);
    return problem == std::errc() && end != begin ? std::optional(number) : std::nullopt;
}

} // namespace

std::optional<NcclPayload> ncclPayload(std::string_view binary, std::string_view json)
{
    if (const auto communicator = numberBehind(json, "ommunicator ID")) {
        const auto bytes = numberBehind(json, "essage size");
        return NcclPayload{*communicator, bytes ? sizeOf(*bytes) : -1};
    }
    const std::string bytes = bytesOfDigits(binary);
    if (bytes.size() < 2 * wordBytes || wordAt(bytes, 0) == 0)
        return std::nullopt;
    return NcclPayload{wordAt(bytes, 0), sizeOf(wordAt(bytes, wordBytes))};
}

} // namespace pw

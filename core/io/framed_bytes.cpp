// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/framed_bytes.h"

namespace pw {

namespace {

constexpr std::string_view frameClosing = ":end", frameDigits = "0123456789abcdef";

std::string frameOpening(std::string_view name)
{
    return "pipewright-" + std::string(name) + ":";
}

} // namespace

std::string framedBytes(std::string_view name, std::string_view bytes)
{
    constexpr unsigned half = 15;
    std::string text = frameOpening(name);
    text.reserve(text.size() + 2 * bytes.size() + frameClosing.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += frameDigits[byte >> 4U];
        text += frameDigits[byte & half];
    }
    return text += frameClosing;
}

std::optional<std::string> bytesOfFrame(std::string_view name, std::string_view text)
{
    const std::string opening = frameOpening(name);
    const std::size_t opens = text.find(opening);
    const std::size_t begin =
        opens == std::string_view::npos ? text.size() : opens + opening.size();
    const std::size_t end = text.find(frameClosing, begin);
    if (end == std::string_view::npos)
        return std::nullopt;
    std::string bytes;
    bytes.reserve((end - begin) / 2);
    for (std::size_t at = begin; at + 1 < end; at += 2) {
        const std::size_t high = frameDigits.find(text[at]), low = frameDigits.find(text[at + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos)
            return std::nullopt;
        bytes += static_cast<char>(high << 4U | low);
    }
    return bytes;
}

} // namespace pw

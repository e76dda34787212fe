// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/display_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pw {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

bool isPrintable(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7F;
}

/// Whether a character steers a terminal or the order of reading, or breaks the line.
bool isSteering(std::uint32_t point, bool lines)
{
    if (point == '\n' || point == '\t')
        return !lines;
    constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 8> ranges = {{
        {0x00, 0x1F},     // C0
        {0x7F, 0x9F},     // DEL, C1
        {0x061C, 0x061C}, // Arabic letter mark
        {0x200E, 0x200F}, // marks of direction
        {0x2028, 0x202E}, // separators of lines and paragraphs, embeddings and overrides
        {0x2066, 0x206F}, // isolates, and deprecated formats
        {0xFFF9, 0xFFFB}, // annotations between lines
        {0xFEFF, 0xFEFF}, // byte order mark
    }};
    return std::any_of(ranges.begin(), ranges.end(), [point](const auto& range) {
        return point >= range.first && point <= range.second;
    });
}

void appendSpelled(std::string& out, std::uint32_t point)
{
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\u";
    for (const int shift : {12, 8, 4, 0})
        out += digits[(point >> shift) & 15U];
}

/// A character of UTF-8 at the start of a text.
struct Character
{
    std::size_t length = 1; ///< in bytes; 0: more bytes are needed
    bool valid = false;
    std::uint32_t point = 0;
};

Character characterOf(std::string_view text)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return {1, true, first};
    const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                               : first >= 0xE0 && first <= 0xEF ? 3
                               : first >= 0xF0 && first <= 0xF4 ? 4
                                                                : 0;
    if (length == 0)
        return {};
    std::uint32_t point = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (i == text.size())
            return {0, false, 0};
        if ((byte(i) & 0xC0U) != 0x80U)
            return {i, false, 0};
        point = (point << 6) | (byte(i) & 0x3FU);
    }
    // Longer than it need be, half of a pair, or beyond the last character.
    constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
    const bool valid =
        point >= least[length] && (point < 0xD800 || point > 0xDFFF) && point <= 0x10FFFF;
    return {length, valid, point};
}

std::string shownText(std::string_view text, bool lines)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t plain = plainLength(text, lines);
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty())
            break;
        // Lines of some files end so, and it steers nothing.
        if (lines && text.substr(0, 2) == "\r\n") {
            out += "\r\n";
            text.remove_prefix(2);
            continue;
        }
        const std::size_t length = appendShown(out, text, lines);
        if (length == 0) {
            out += replacement;
            break;
        }
        text.remove_prefix(length);
    }
    return out;
}

} // namespace

std::size_t plainLength(std::string_view text, bool lines)
{
    const auto end = std::find_if_not(text.begin(), text.end(), [lines](char c) {
        return isPrintable(static_cast<unsigned char>(c)) || (lines && (c == '\n' || c == '\t'));
    });
    return static_cast<std::size_t>(end - text.begin());
}

std::size_t appendShown(std::string& out, std::string_view text, bool lines)
{
    const Character character = characterOf(text);
    if (character.length == 0)
        return 0;
    if (!character.valid)
        out += replacement;
    else if (isSteering(character.point, lines))
        appendSpelled(out, character.point);
    else
        out += text.substr(0, character.length);
    return character.length;
}

std::string displayText(std::string_view text)
{
    return shownText(text, false);
}

std::string displayLines(std::string_view text)
{
    return shownText(text, true);
}

std::string inQuotes(std::string_view text)
{
    constexpr std::size_t most = 40;
    std::string shown = "'";
    std::size_t at = 0;
    while (at < text.size() && at < most) {
        const std::size_t length = appendShown(shown, text.substr(at), false);
        if (length == 0) { // the text ends within a character
            shown += "�";
            at = text.size();
        }
        at += length;
    }
    return shown + (at < text.size() ? "…'" : "'");
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/safe_output.h"

#include "core/base/display_text.h"

#include <algorithm>

namespace pw::app {

namespace {

constexpr std::size_t notYet = std::string_view::npos;
constexpr std::size_t longestColor = 48; // "\x1b[38;2;255;255;255;48;2;255;255;255m" and some

} // namespace

SafeOutput::~SafeOutput()
{
    if (!m_rest.empty())
        m_target << displayLines(m_rest);
}

void SafeOutput::writeCode(std::ostream& out, std::string_view code)
{
    out.flush();
    if (auto* const safe = dynamic_cast<SafeOutput*>(out.rdbuf()))
        safe->m_target << code;
    else
        out << code;
}

/// Bytes of a colour at the start of the text; 0: it is none; `notYet`: it may become one.
std::size_t SafeOutput::colorLength(std::string_view text) const
{
    if (!m_colors || text[0] != '\x1b')
        return 0;
    for (std::size_t i = 1; i < std::min(text.size(), longestColor); ++i) {
        const char c = text[i];
        if (i == 1 ? c != '[' : c == 'm') {
            const std::string_view code = i == 1 ? std::string_view() : text.substr(2, i - 2);
            const bool ours = code == "0" || code == "1" || code.substr(0, 3) == "38;" ||
                              code.substr(0, 3) == "48;";
            return i > 1 && ours ? i + 1 : 0;
        }
        if (i > 1 && c != ';' && (c < '0' || c > '9'))
            return 0;
    }
    return text.size() < longestColor ? notYet : 0;
}

void SafeOutput::put(std::string_view text)
{
    std::string joined;
    if (!m_rest.empty()) {
        joined = std::move(m_rest) + std::string(text);
        m_rest.clear();
        text = joined;
    }
    std::string shown;
    while (!text.empty()) {
        const std::size_t plain = plainLength(text, true);
        if (plain > 0) {
            m_target.write(text.data(), static_cast<std::streamsize>(plain));
            text.remove_prefix(plain);
            continue;
        }
        // Lines of some files end so, and it steers nothing.
        if (text == "\r") {
            m_rest = text;
            return;
        }
        if (text.substr(0, 2) == "\r\n") {
            m_target << "\r\n";
            text.remove_prefix(2);
            continue;
        }
        shown.clear();
        std::size_t length = colorLength(text);
        if (length == notYet) {
            m_rest = text;
            return;
        }
        if (length > 0)
            shown = text.substr(0, length);
        else
            length = appendShown(shown, text, true);
        if (length == 0) {
            m_rest = text;
            return;
        }
        m_target << shown;
        text.remove_prefix(length);
    }
}

SafeOutput::int_type SafeOutput::overflow(int_type c)
{
    if (traits_type::eq_int_type(c, traits_type::eof()))
        return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    put({&one, 1});
    return m_target ? c : traits_type::eof();
}

std::streamsize SafeOutput::xsputn(const char* text, std::streamsize count)
{
    put({text, static_cast<std::size_t>(count)});
    return m_target ? count : 0;
}

int SafeOutput::sync()
{
    m_target.flush();
    return m_target ? 0 : -1;
}

} // namespace pw::app

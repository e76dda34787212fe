// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace pw {

/// The day of the release, also for the metainfo that packages hold.
inline constexpr std::string_view releaseDate = "2026-11-21";

/// A page of the manual, written part by part in the `man` macros of roff.
///
/// Text is plain UTF-8: what roff would take as a command or a special character is escaped here,
/// and `words in back quotes` become bold.
class ManPage
{
public:
    /// @param name     of the program, lower case: the page's title and the first word of NAME
    /// @param summary  one line, no full stop
    /// @param version  of the program
    /// @param date     of its release: "2026-11-21"
    ManPage(std::string_view name, std::string_view summary, std::string_view version,
            std::string_view date = releaseDate);

    void section(std::string_view title);
    void subsection(std::string_view title);
    void paragraph(std::string_view text);
    /// A term with its meaning beside or below it.
    void item(std::string_view term, std::string_view meaning);
    /// A line as it is typed, indented and not filled.
    void example(std::string_view line);

    /// The page, ending in a line break.
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
    bool m_headed = false; ///< a heading was the last thing: text below it needs no break
};

/// Text inside a line of roff: dashes that can be searched and copied, no commands.
inline std::string roffInline(std::string_view text)
{
    std::string out;
    bool bold = false;
    for (const char c : text) {
        switch (c) {
        case '\\':
            out += "\\e";
            break;
        case '-':
            out += "\\-";
            break;
        case '\'':
            out += "\\(aq";
            break;
        case '^':
            out += "\\(ha";
            break;
        case '~':
            out += "\\(ti";
            break;
        case '`':
            bold = !bold;
            out += bold ? "\\fB" : "\\fR";
            break;
        case '\n':
            out += ' ';
            break;
        default:
            out += c;
        }
    }
    return out + (bold ? "\\fR" : "");
}

/// A line of its own, which begins no command.
inline std::string roffLine(std::string_view text)
{
    const std::string line = roffInline(text);
    return (!line.empty() && line[0] == '.' ? "\\&" : "") + line + "\n";
}

/// An argument of a macro.
inline std::string roffQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : roffInline(text))
        out += c == '"' ? "\\(dq" : std::string(1, c);
    return out + "\"";
}

inline std::string roffUpper(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}

inline ManPage::ManPage(std::string_view name, std::string_view summary, std::string_view version,
                        std::string_view date)
{
    // REUSE-IgnoreStart
    m_text = ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n.TH " + roffQuoted(roffUpper(name)) +
             " 1 " + "\"" + std::string(date) + "\"" + " " +
             roffQuoted("Pipewright " + std::string(version)) + " \"User Commands\"\n";
    // REUSE-IgnoreEnd
    section("Name");
    paragraph(std::string(name) + " - " + std::string(summary));
}

inline void ManPage::section(std::string_view title)
{
    m_text += ".SH " + roffQuoted(roffUpper(title)) + "\n";
    m_headed = true;
}

inline void ManPage::subsection(std::string_view title)
{
    m_text += ".SS " + roffQuoted(title) + "\n";
    m_headed = true;
}

inline void ManPage::paragraph(std::string_view text)
{
    m_text += (m_headed ? "" : ".PP\n") + roffLine(text);
    m_headed = false;
}

inline void ManPage::item(std::string_view term, std::string_view meaning)
{
    m_text += ".TP\n.B " + roffQuoted(term) + "\n" + roffLine(meaning);
    m_headed = false;
}

inline void ManPage::example(std::string_view line)
{
    m_text += std::string(m_headed ? "" : ".PP\n") + ".nf\n.RS 4\n" + roffLine(line) + ".RE\n.fi\n";
    m_headed = false;
}

} // namespace pw

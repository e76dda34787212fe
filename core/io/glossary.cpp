// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/glossary.h"

#include <algorithm>

namespace pw {

namespace {

/// Without marks for code, bold and italic, and with one space between words; of a link its text.
std::string plainMeaning(std::string_view marked)
{
    std::string plain;
    for (std::size_t i = 0; i < marked.size(); ++i) {
        const char letter = marked[i];
        if (letter == '`' || letter == '*' || letter == '[')
            continue;
        if (letter == ']' && i + 1 < marked.size() && marked[i + 1] == '(') {
            const std::size_t end = marked.find(')', i);
            if (end == std::string_view::npos)
                break;
            i = end;
            continue;
        }
        const bool space = letter == ' ' || letter == '\n';
        if (space && (plain.empty() || plain.back() == ' '))
            continue;
        plain += space ? ' ' : letter;
    }
    while (!plain.empty() && plain.back() == ' ')
        plain.pop_back();
    return plain;
}

/// An entry behind its "- **"; no word where it is none.
GlossaryEntry entryOf(std::string_view text)
{
    constexpr std::string_view bold = "**";
    GlossaryEntry entry;
    const std::size_t end = text.find(bold);
    if (end == std::string_view::npos)
        return entry;
    std::string_view rest = text.substr(end + bold.size());
    entry.names = text.substr(0, end);
    std::string_view word = entry.names;
    if (rest.starts_with(" (")) {
        const std::size_t close = rest.find("):");
        if (close == std::string_view::npos)
            return {};
        word = rest.substr(2, close - 2);
        rest.remove_prefix(close + 1);
    }
    if (!rest.starts_with(':'))
        return {};
    entry.meaning = plainMeaning(rest.substr(1));
    entry.word = word;
    return entry;
}

} // namespace

std::vector<GlossaryEntry> glossaryOf(std::string_view page)
{
    constexpr std::string_view mark = "- **";
    std::vector<GlossaryEntry> all;
    std::string open;
    const auto close = [&] {
        if (GlossaryEntry entry = entryOf(open); !entry.word.empty())
            all.push_back(std::move(entry));
        open.clear();
    };
    while (!page.empty()) {
        const std::size_t end = std::min(page.find('\n'), page.size());
        const std::string_view line = page.substr(0, end);
        page.remove_prefix(std::min(end + 1, page.size()));
        const bool goesOn = line.starts_with("  ") && !open.empty();
        if (!goesOn)
            close();
        if (goesOn)
            open.append("\n").append(line);
        else if (line.starts_with(mark))
            open = line.substr(mark.size());
    }
    close();
    return all;
}

} // namespace pw

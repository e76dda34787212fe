// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/manual.h"

#include "app/markdown_text.h"
#include "app/options.h"
#include "app/text_table.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace pw::app {

namespace {

std::string searchText(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::vector<std::string> searchWordsOf(std::string_view text)
{
    std::vector<std::string> words;
    std::string word;
    for (const char c : searchText(text) + " ") {
        if (c != ' ')
            word += c;
        else if (!word.empty())
            words.push_back(std::move(word)), word.clear();
    }
    return words;
}

} // namespace

const ManualPage* findManualPage(std::string_view name)
{
    for (const ManualPage& page : manualPages())
        if (page.name == name)
            return &page;
    return nullptr;
}

std::string noManualPage(std::string_view name)
{
    std::vector<std::string> names;
    for (const ManualPage& page : manualPages())
        names.emplace_back(page.name);
    const std::string near = nearest(name, names);
    return "the manual has no page " + quotedWord(name) +
           (near.empty() ? "; `pipewright help --manual` lists them"
                         : "; did you mean " + near + "?");
}

std::string manualText(const ManualPage& page, const Screen& screen)
{
    return markdownText(page.text, screen);
}

std::string manualPlaces(std::string_view words, const Screen& screen)
{
    const std::vector<std::string> wanted = searchWordsOf(words);
    std::string out;
    for (const ManualPage& page : manualPages()) {
        std::string heading, told;
        bool code = false;
        for (std::string_view rest = page.text; !rest.empty();) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            code = line.substr(0, 3) == "```" ? !code : code;
            if (!code && line.substr(0, 1) == "#")
                heading = line.substr(std::min(line.find(' ') + 1, line.size()));
            const std::string small = searchText(line);
            if (!std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
                    return small.find(word) != std::string::npos;
                }))
                continue;
            const std::string place = std::string(page.name) + ": " + heading;
            if (place != told)
                out += (out.empty() ? "" : "\n") + screen.bold(place) + "\n";
            told = place;
            out +=
                wrapped(code ? std::string(line) : markdownInline(line, screen), screen.width, 2);
        }
    }
    return out;
}

} // namespace pw::app

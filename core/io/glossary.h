// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// A word that the manual explains.
struct GlossaryEntry
{
    std::string word;    ///< of the page glossary, "span bubble"; the same in every language
    std::string names;   ///< how it stands in texts, with ", " between: "ZB-H1, ZB-H2"
    std::string meaning; ///< a sentence or two, without marks

    friend bool operator==(const GlossaryEntry&, const GlossaryEntry&) = default;
};

/// The entries of a page: `- **names**: meaning`, and in another language `- **names** (word):
/// meaning`, with lines that go on indented. Everything else is left out.
std::vector<GlossaryEntry> glossaryOf(std::string_view page);

} // namespace pw

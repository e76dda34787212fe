// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"

#include <span>
#include <string>
#include <string_view>

namespace pw::app {

/// A page of the manual: a file of `resources/manual`, which the build puts into the program.
struct ManualPage
{
    std::string_view name; ///< of the file, without its ending: "files"
    std::string_view text; ///< Markdown, UTF-8
};

/// All pages, sorted by name.
std::span<const ManualPage> manualPages();

/// The page glossary in other languages; the name is the language: "de".
std::span<const ManualPage> translatedGlossaries();

/// The page of a name; null: there is none.
const ManualPage* findManualPage(std::string_view name);

/// Why there is no page of a name, with the name that was probably meant.
std::string noManualPage(std::string_view name);

/// A page as a terminal shows it, with headings, lists and tables in columns. Code stays as it is;
/// of links to other pages the name of the page stays.
std::string manualText(const ManualPage& page, const Screen& screen);

/// The places of the manual that have all words of a text, in any case, by page and heading; empty:
/// there are none.
std::string manualPlaces(std::string_view words, const Screen& screen);

} // namespace pw::app

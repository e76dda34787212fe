// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"

#include <string>
#include <string_view>

namespace pw::app {

/// Markdown as a terminal shows it: paragraphs and lists broken at the screen's width, tables in
/// columns, code as it stands. Knows what the manual uses: headings, paragraphs, lists, tables,
/// fenced and indented code; in a line `code`, **bold**, links and pictures.
std::string markdownText(std::string_view markdown, const Screen& screen);

/// A line of text without its marks: `code`, **bold** and links become their words. With a screen
/// that has colours they are shown by these.
std::string markdownInline(std::string_view text, const Screen& screen);

} // namespace pw::app

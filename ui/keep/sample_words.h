// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <span>
#include <string>

namespace pw::ui {

/// Titles of the samples and the paragraphs of their notes, in English, as samples/make.sh writes
/// them; what a translation knows.
std::span<const char* const> sampleSentences();

/// A title or the notes of a sample in the language of the window, paragraph by paragraph; what is
/// not known stays as it is.
std::string sampleWords(const std::string& english);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

namespace pw::ui {

class Studio;

/// Opens the manual at a word of the glossary. @param word  index in `glossaryWords()`
void showGlossaryWord(Studio& studio, int word);

} // namespace pw::ui

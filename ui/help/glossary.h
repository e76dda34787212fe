// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <vector>

namespace pw::ui {

/// A word of the glossary of the manual.
struct GlossaryWord
{
    QString word;    ///< "span bubble", as the page writes it
    QString names;   ///< in the language of the window, with ", " between
    QString meaning; ///< a sentence or two, without marks
};

/// All words of the page glossary, in its order, in the language of the window where there is a
/// glossary in it. Read once.
const std::vector<GlossaryWord>& glossaryWords();

/// The same in a language, such as "de"; in English where there is no glossary in it.
std::vector<GlossaryWord> glossaryIn(const QString& language);

/// A place of a word of the glossary in a text.
struct GlossaryPlace
{
    qsizetype begin = 0;
    qsizetype length = 0;
    int word = 0; ///< index in `glossaryWords()`
};

/// Where words of the glossary stand in a text, in order and without overlap; a longer word goes
/// before a shorter one in it, and a plural counts. Names of passes, such as F, are too many to be
/// of help and are left out.
std::vector<GlossaryPlace> glossaryPlaces(const QString& text);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_sentences.h"

#include "ui/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

/// Whether a pattern only joins what stands at its places: "%1: %2".
bool onlyJoins(const QString& pattern)
{
    return std::none_of(pattern.begin(), pattern.end(), [](QChar c) { return c.isLetter(); });
}

/// The pattern with its places filled; a name that looks like a place stays what it is.
QString filled(const QString& pattern, std::span<const Sentence> arguments)
{
    QString out;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const int place = pattern[i] == QLatin1Char('%') && i + 1 < pattern.size()
                              ? pattern[i + 1].digitValue()
                              : -1;
        if (place < 1 || static_cast<std::size_t>(place) > arguments.size()) {
            out += pattern[i];
            continue;
        }
        out += coreSentence(arguments[static_cast<std::size_t>(place) - 1]);
        ++i;
    }
    return out;
}

} // namespace

QString coreSentence(const Sentence& said)
{
    if (said.pattern() == nullptr)
        return text(said.english());
    const QString english = text(said.pattern());
    const QString pattern = QCoreApplication::translate("Sentences", said.pattern());
    // Half a sentence in another language is worse than all of it in one.
    if (pattern == english && !onlyJoins(english))
        return text(said.english());
    return filled(pattern, said.arguments());
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/glossary.h"

#include "core/io/glossary.h"
#include "ui/help/manual_pages.h"
#include "ui/text.h"

#include <QApplication>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

// Resources of a static library have to be asked for, outside any namespace.
static void initGlossaryResources()
{
    Q_INIT_RESOURCE(glossary);
}

namespace pw::ui {

namespace {

/// "de"; empty: English.
QString languageOfWindow()
{
    //: The code of the language that this is translated into.
    const QString code = QCoreApplication::translate("Glossary", "en");
    return code == QLatin1String("en") ? QString() : code;
}

} // namespace

std::vector<GlossaryWord> glossaryIn(const QString& language)
{
    std::vector<GlossaryWord> words;
    for (const HelpPage& page : helpPages())
        if (page.name == QLatin1String("glossary"))
            for (const GlossaryEntry& one : glossaryOf(page.text.toStdString()))
                words.push_back({text(one.word), text(one.names), text(one.meaning)});
    initGlossaryResources();
    QFile translated(QStringLiteral(":/glossary/%1.md").arg(language));
    if (!translated.open(QIODevice::ReadOnly))
        return words;
    for (const GlossaryEntry& one : glossaryOf(translated.readAll().toStdString()))
        for (GlossaryWord& word : words)
            if (word.word == text(one.word))
                word = {word.word, text(one.names), text(one.meaning)};
    return words;
}

namespace {

/// What finds the words, the longest first; each group is a word.
struct WordFinder
{
    QRegularExpression pattern;
    std::vector<int> words; ///< by group, from 1
};

WordFinder makeWordFinder()
{
    constexpr qsizetype shortest = 3; // F, B, W, BW, R and U stand in every sentence
    struct Form
    {
        QString letters;
        int word;
    };
    std::vector<Form> forms;
    const std::vector<GlossaryWord>& all = glossaryWords();
    for (std::size_t i = 0; i < all.size(); ++i) {
        // "ZB-H1, ZB-H2" are two names of one entry.
        const QStringList names = all[i].names.split(QStringLiteral(", "));
        for (const QString& name : names)
            if (name.size() >= shortest && all[i].word != QLatin1String("step"))
                forms.push_back({name, static_cast<int>(i)});
    }
    std::stable_sort(forms.begin(), forms.end(), [](const Form& a, const Form& b) {
        return a.letters.size() > b.letters.size();
    });
    WordFinder finder;
    QStringList groups;
    for (const Form& form : forms) {
        QString letters = QRegularExpression::escape(form.letters);
        groups << QStringLiteral("(%1(?:s|es)?)").arg(letters);
        finder.words.push_back(form.word);
    }
    finder.pattern = QRegularExpression(
        QStringLiteral("(?<![\\w-])(?:%1)(?![\\w-])").arg(groups.join(QLatin1Char('|'))),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    return finder;
}

} // namespace

const std::vector<GlossaryWord>& glossaryWords()
{
    static const std::vector<GlossaryWord> words = glossaryIn(languageOfWindow());
    return words;
}

std::vector<GlossaryPlace> glossaryPlaces(const QString& text)
{
    static const WordFinder finder = makeWordFinder();
    std::vector<GlossaryPlace> places;
    if (finder.words.empty())
        return places;
    for (auto one = finder.pattern.globalMatch(text); one.hasNext();) {
        const QRegularExpressionMatch match = one.next();
        const auto group = static_cast<std::size_t>(match.lastCapturedIndex()) - 1;
        places.push_back({match.capturedStart(), match.capturedLength(), finder.words[group]});
    }
    return places;
}

} // namespace pw::ui

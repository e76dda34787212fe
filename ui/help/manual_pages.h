// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace pw::ui {

/// A page of the manual, as the program's resources hold it.
struct HelpPage
{
    QString name;  ///< of the file, without its ending: "files"
    QString title; ///< its first heading
    QString text;  ///< Markdown
};

/// All pages: the first page, then as it links to them, then those that it does not link to.
std::vector<HelpPage> helpPages();

/// Where a page has a text: how many of its lines hold all of the words, in any case. No words: 0.
int helpHits(const HelpPage& page, const QStringList& words);

/// The place of a heading in a link: "Text notation" is `#text-notation`.
QString headingAnchor(const QString& heading);

} // namespace pw::ui

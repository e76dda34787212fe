// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QFont>
#include <QHash>
#include <QSizeF>
#include <QStaticText>
#include <QString>

class QPainter;

namespace pw::ui {

/// Words of labels, laid out once: there are thousands of labels, and few words. Whoever paints
/// again and again keeps them from one picture to the next.
class LabelWords
{
public:
    struct Word
    {
        QStaticText text;
        QSizeF size;
    };

    /// In the painter's font; stays as long as no other font is asked for and no word more.
    const Word& word(QPainter& painter, const QString& letters);

private:
    QHash<QString, Word> m_words;
    QFont m_font;
};

} // namespace pw::ui

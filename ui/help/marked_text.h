// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <QTextEdit>

#include <vector>

namespace pw::ui {

/// A stretch of a text with its marks taken off.
struct MarkedPart
{
    QString text;
    bool bold = false;
    bool code = false;
    int word = -1; ///< in the glossary; −1: none

    friend bool operator==(const MarkedPart&, const MarkedPart&) = default;
};

/// The paragraphs of a text in which an empty line parts paragraphs, `**bold**` and `` `code` ``
/// are marks, and all else stands for itself. A mark that is not closed stands for itself too. The
/// first place of each word of the glossary is told, outside of code.
std::vector<std::vector<MarkedPart>> markedParagraphs(const QString& marked);

/// The same without marks, as one text with empty lines between paragraphs.
QString withoutMarks(const QString& marked);

/// Paragraphs of a lesson, as high as they are. Words of the glossary have dots below; a click, or
/// Tab and Enter, asks for them, and the pointer over them shows what they mean.
///
/// The text may come from anybody: it is put together from letters and formats, and never read as
/// HTML or Markdown, so nothing in it can become a picture, a link or a look of the window.
class MarkedText : public QTextEdit
{
    Q_OBJECT

public:
    explicit MarkedText(const QString& marked, QWidget* parent = nullptr, Role ink = Role::Text);

    void setMarked(const QString& marked);
    /// Words of the glossary that have dots, in the order of the text.
    std::vector<int> words() const;

Q_SIGNALS:
    /// A word of the glossary is asked for. @param word  index in `glossaryWords()`
    void wordAsked(int word);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    struct Place
    {
        int begin;
        int end;
        int word;
    };

    void write();
    void fit();
    void mark(int place);
    int wordAt(const QPoint& point) const;

    QString m_marked;
    Role m_ink;
    std::vector<Place> m_places;
    int m_current = -1; ///< of the places, the one that has the keys
};

} // namespace pw::ui

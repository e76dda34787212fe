// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/marked_text.h"

#include "ui/help/glossary.h"
#include "ui/plain_text.h"
#include "ui/presentation.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>
#include <set>

namespace pw::ui {

namespace {

/// Parts by marks alone; the glossary comes later.
std::vector<MarkedPart> splitMarks(const QString& paragraph)
{
    std::vector<MarkedPart> parts;
    const auto put = [&parts](const QString& text, bool bold, bool code) {
        if (!text.isEmpty())
            parts.push_back({text, bold, code, -1});
    };
    static const QRegularExpression mark(
        QStringLiteral("\\*\\*(?=\\S)(.+?)(?<=\\S)\\*\\*|`([^`]+)`"));
    qsizetype done = 0;
    for (auto one = mark.globalMatch(paragraph); one.hasNext();) {
        const QRegularExpressionMatch match = one.next();
        put(paragraph.mid(done, match.capturedStart() - done), false, false);
        if (match.hasCaptured(2))
            put(match.captured(2), false, true);
        else
            put(match.captured(1), true, false);
        done = match.capturedEnd();
    }
    put(paragraph.mid(done), false, false);
    return parts;
}

/// A part cut at the words of the glossary that have not been told yet.
void tellWords(const MarkedPart& part, std::set<int>& told, std::vector<MarkedPart>& parts)
{
    qsizetype done = 0;
    const auto put = [&](qsizetype end, int word) {
        if (end > done) {
            MarkedPart cut = part;
            cut.text = part.text.mid(done, end - done);
            cut.word = word;
            parts.push_back(std::move(cut));
        }
        done = end;
    };
    for (const GlossaryPlace& place : glossaryPlaces(part.text)) {
        if (!told.insert(place.word).second)
            continue;
        put(place.begin, -1);
        put(place.begin + place.length, place.word);
    }
    put(part.text.size(), -1);
}

} // namespace

std::vector<std::vector<MarkedPart>> markedParagraphs(const QString& marked)
{
    static const QRegularExpression gap(QStringLiteral("\\n[ \\t]*\\n\\s*"));
    std::vector<std::vector<MarkedPart>> paragraphs;
    std::set<int> told;
    const QStringList given = marked.trimmed().split(gap, Qt::SkipEmptyParts);
    for (const QString& paragraph : given) {
        std::vector<MarkedPart> parts;
        for (const MarkedPart& part : splitMarks(paragraph)) {
            if (part.code)
                parts.push_back(part);
            else
                tellWords(part, told, parts);
        }
        paragraphs.push_back(std::move(parts));
    }
    return paragraphs;
}

QString withoutMarks(const QString& marked)
{
    QStringList paragraphs;
    for (const std::vector<MarkedPart>& parts : markedParagraphs(marked)) {
        QString paragraph;
        for (const MarkedPart& part : parts)
            paragraph += part.text;
        paragraphs << paragraph;
    }
    return paragraphs.join(QStringLiteral("\n\n"));
}

MarkedText::MarkedText(const QString& marked, QWidget* parent, Role ink)
    : QTextEdit(parent)
    , m_ink(ink)
{
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setCursorWidth(0); // nothing can be typed here
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAutoFillBackground(false);
    // The ground is that of what it stands on.
    QPalette clear = palette();
    clear.setColor(QPalette::Base, Qt::transparent);
    setPalette(clear);
    document()->setDocumentMargin(0);
    document()->setUndoRedoEnabled(false);
    setMarked(marked);
}

void MarkedText::setMarked(const QString& marked)
{
    m_marked = marked;
    write();
}

void MarkedText::write()
{
    m_places.clear();
    m_current = -1;
    clear();
    const int em = fontMetrics().height();
    QTextCursor cursor(document());
    bool first = true;
    for (const std::vector<MarkedPart>& parts : markedParagraphs(m_marked)) {
        QTextBlockFormat block;
        block.setTopMargin(first ? 0 : 0.5 * em);
        block.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
        if (first)
            cursor.setBlockFormat(block);
        else
            cursor.insertBlock(block);
        first = false;
        for (const MarkedPart& part : parts) {
            QTextCharFormat format;
            format.setForeground(color(m_ink));
            if (part.bold)
                format.setFontWeight(QFont::DemiBold);
            if (part.code) {
                format.setFontFamilies(
                    {QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
                format.setBackground(color(Role::Lane));
            }
            const int begin = cursor.position();
            if (part.word >= 0) {
                format.setUnderlineStyle(QTextCharFormat::DotLine);
                format.setUnderlineColor(color(Role::Accent));
            }
            cursor.insertText(part.text, format);
            if (part.word >= 0)
                m_places.push_back({begin, cursor.position(), part.word});
        }
    }
    setAccessibleName(toPlainText());
    setFocusPolicy(m_places.empty() ? Qt::ClickFocus : Qt::StrongFocus);
    fit();
}

std::vector<int> MarkedText::words() const
{
    std::vector<int> words;
    for (const Place& place : m_places)
        words.push_back(place.word);
    return words;
}

void MarkedText::fit()
{
    document()->setTextWidth(std::max(40, viewport()->width()));
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + 2);
}

void MarkedText::resizeEvent(QResizeEvent* event)
{
    QTextEdit::resizeEvent(event);
    // Another height in the middle of a layout is not seen by the page around it.
    if (event->size().width() != event->oldSize().width())
        QTimer::singleShot(0, this, &MarkedText::fit);
}

void MarkedText::changeEvent(QEvent* event)
{
    QTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange ||
        (event->type() == QEvent::PaletteChange && !m_marked.isEmpty() &&
         palette().color(QPalette::Base).alpha() == 0))
        write();
}

int MarkedText::wordAt(const QPoint& point) const
{
    const int at = cursorForPosition(point).position();
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const Place& place = m_places[i];
        if (at < place.begin || at > place.end)
            continue;
        // A cursor is also near a word whose line ends before the pointer.
        QTextCursor left(document()), right(document());
        left.setPosition(place.begin);
        right.setPosition(place.end);
        const QRect from = cursorRect(left), to = cursorRect(right);
        if (from.top() != to.top() || QRect(from.topLeft(), to.bottomRight()).contains(point))
            return static_cast<int>(i);
    }
    return -1;
}

bool MarkedText::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const int at = wordAt(help->pos()); at >= 0) {
            const auto word = static_cast<std::size_t>(m_places[static_cast<std::size_t>(at)].word);
            const GlossaryWord& entry = glossaryWords()[word];
            QToolTip::showText(help->globalPos(),
                               tipLines(entry.names.section(QStringLiteral(", "), 0, 0) +
                                        QStringLiteral(": ") + entry.meaning),
                               this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QTextEdit::viewportEvent(event);
}

/// The page around it scrolls, not the text.
void MarkedText::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

void MarkedText::mouseMoveEvent(QMouseEvent* event)
{
    QTextEdit::mouseMoveEvent(event);
    viewport()->setCursor(wordAt(event->position().toPoint()) >= 0 ? Qt::PointingHandCursor
                                                                   : Qt::IBeamCursor);
}

void MarkedText::mouseReleaseEvent(QMouseEvent* event)
{
    QTextEdit::mouseReleaseEvent(event);
    const int at = wordAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && at >= 0 && !textCursor().hasSelection())
        Q_EMIT wordAsked(m_places[static_cast<std::size_t>(at)].word);
}

void MarkedText::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                       event->key() == Qt::Key_Space;
    if (enter && m_current >= 0)
        Q_EMIT wordAsked(m_places[static_cast<std::size_t>(m_current)].word);
    else
        QTextEdit::keyPressEvent(event);
}

void MarkedText::mark(int place)
{
    m_current = place;
    QTextCursor cursor = textCursor();
    cursor.clearSelection();
    if (place >= 0) {
        cursor.setPosition(m_places[static_cast<std::size_t>(place)].begin);
        cursor.setPosition(m_places[static_cast<std::size_t>(place)].end, QTextCursor::KeepAnchor);
    }
    setTextCursor(cursor);
}

/// Tab goes from word to word before it leaves.
bool MarkedText::focusNextPrevChild(bool next)
{
    const int to = m_current < 0 ? (next ? 0 : static_cast<int>(m_places.size()) - 1)
                                 : m_current + (next ? 1 : -1);
    if (hasFocus() && to >= 0 && to < static_cast<int>(m_places.size())) {
        mark(to);
        return true;
    }
    mark(-1);
    return QTextEdit::focusNextPrevChild(next);
}

} // namespace pw::ui

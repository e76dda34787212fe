// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/manual_view.h"

#include "ui/help/glossary_picture.h"
#include "ui/presentation.h"

#include <QDesktopServices>
#include <QEvent>
#include <QFontDatabase>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextList>
#include <QTextTable>

namespace pw::ui {

namespace {

bool isCodeBlock(const QTextBlock& block)
{
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) ||
           block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage) ||
           block.blockFormat().nonBreakableLines();
}

/// The tables of a document, in order.
QList<QTextTable*> tablesOf(QTextDocument& document)
{
    QList<QTextTable*> tables;
    const QList<QTextFrame*> frames = document.rootFrame()->childFrames();
    for (QTextFrame* frame : frames)
        if (auto* table = qobject_cast<QTextTable*>(frame))
            tables << table;
    return tables;
}

} // namespace

ManualView::ManualView(QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("manual-page"));
    setAccessibleName(tr("Page of the manual"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(2.0 * fontMetrics().height());
    connect(this, &QTextBrowser::anchorClicked, this, &ManualView::follow);
}

void ManualView::showPage(const HelpPage& page, const QString& anchor)
{
    m_page = page;
    // `<name>` in a page is text.
    document()->setMarkdown(page.text,
                            QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                QTextDocument::MarkdownNoHTML);
    dress();
    if (page.name == QLatin1String("glossary"))
        illustrate();
    moveCursor(QTextCursor::Start);
    goTo(anchor);
    mark(m_words);
}

QVariant ManualView::loadResource(int, const QUrl&)
{
    // An answer without content; where there is none, the document looks for a file itself.
    return QByteArray("");
}

void ManualView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) &&
        !m_page.text.isEmpty()) {
        const int place = verticalScrollBar()->value();
        showPage(HelpPage(m_page));
        verticalScrollBar()->setValue(place);
    }
}

void ManualView::follow(const QUrl& link)
{
    if (!link.scheme().isEmpty()) {
        // Somebody's site is the browser's; nothing of it is loaded here.
        QDesktopServices::openUrl(link);
        return;
    }
    const QString file = link.path();
    if (file.isEmpty())
        goTo(link.fragment());
    else if (file.endsWith(QLatin1String(".md")))
        Q_EMIT pageAsked(file.section(QLatin1Char('/'), -1).chopped(3), link.fragment());
}

void ManualView::goTo(const QString& anchor)
{
    if (anchor.isEmpty())
        return;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        // An entry of a list is known by what stands before its colon: a word of the glossary.
        const bool heading = block.blockFormat().headingLevel() > 0;
        const QString named = heading ? block.text() : block.text().section(QLatin1Char(':'), 0, 0);
        if ((!heading && block.textList() == nullptr) || headingAnchor(named) != anchor)
            continue;
        // From the end the heading comes to the top, not to the bottom.
        moveCursor(QTextCursor::End);
        setTextCursor(QTextCursor(block));
        return;
    }
}

/// What Markdown leaves to the reader: room around things, a ground for code, lines of tables.
void ManualView::dress()
{
    dressBlocks();
    dressTables();
}

void ManualView::dressBlocks()
{
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const QColor codeGround = color(Role::Lane);
    const int em = fontMetrics().height();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        const bool code = isCodeBlock(block);
        const bool goesOn = code && block.next().isValid() && isCodeBlock(block.next());
        const bool inTable = cursor.currentTable() != nullptr;
        if (const int level = format.headingLevel(); level > 0) {
            format.setTopMargin(level == 1 ? 0 : (level == 2 ? 1.4 : 1.0) * em);
            format.setBottomMargin(0.4 * em);
        } else if (code) {
            format.setBackground(codeGround);
            format.setLeftMargin(0.5 * em);
            format.setTopMargin(0);
            format.setBottomMargin(goesOn ? 0 : 0.8 * em);
            format.setLineHeight(100, QTextBlockFormat::ProportionalHeight);
        } else if (!inTable) {
            format.setBottomMargin(block.textList() != nullptr ? 0.3 * em : 0.7 * em);
            format.setLineHeight(125, QTextBlockFormat::ProportionalHeight);
        }
        cursor.setBlockFormat(format);
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment fragment = part.fragment();
            if (!fragment.charFormat().fontFixedPitch() && !code)
                continue;
            QTextCursor words(document());
            words.setPosition(fragment.position());
            words.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
            QTextCharFormat letters;
            letters.setFontFamilies({fixed.family()});
            letters.setFontFixedPitch(true);
            if (!code)
                letters.setBackground(codeGround);
            words.mergeCharFormat(letters);
        }
    }
}

void ManualView::dressTables()
{
    const int em = fontMetrics().height();
    const QList<QTextTable*> tables = tablesOf(*document());
    for (QTextTable* table : tables) {
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(color(Role::Line));
        format.setCellPadding(0.3 * em);
        format.setCellSpacing(0);
        format.setTopMargin(0.2 * em);
        format.setBottomMargin(em);
        table->setFormat(format);
        for (int column = 0; column < table->columns(); ++column) {
            QTextCharFormat cell = table->cellAt(0, column).format();
            cell.setBackground(color(Role::Lane));
            table->cellAt(0, column).setFormat(cell);
        }
    }
}

void ManualView::illustrate()
{
    constexpr int wide = 360; // points
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.textList() == nullptr)
            continue;
        const QString word = block.text().section(QLatin1Char(':'), 0, 0);
        const QImage picture = glossaryPicture(word, wide, devicePixelRatioF());
        if (picture.isNull())
            continue;
        QTextImageFormat format;
        format.setName(QStringLiteral("glossary/") + word);
        format.setWidth(picture.deviceIndependentSize().width());
        format.setHeight(picture.deviceIndependentSize().height());
        format.setToolTip(word);
        // The document has it now and asks nobody for it.
        document()->addResource(QTextDocument::ImageResource, QUrl(format.name()), picture);
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock);
        cursor.insertText(QString(QChar::LineSeparator));
        cursor.insertImage(format);
    }
}

void ManualView::mark(const QStringList& words)
{
    m_words = words;
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    QColor ground = color(Role::Accent);
    ground.setAlphaF(0.25F);
    format.setBackground(ground);
    for (const QString& word : words) {
        for (QTextCursor found = document()->find(word); !found.isNull();
             found = document()->find(word, found))
            marks.append({found, format});
    }
    setExtraSelections(marks);
}

bool ManualView::find(const QStringList& words, bool backward)
{
    mark(words);
    if (words.isEmpty())
        return false;
    const QTextDocument::FindFlags flags =
        backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    QTextCursor found = document()->find(words.constFirst(), textCursor(), flags);
    if (found.isNull()) {
        QTextCursor from(document());
        from.movePosition(backward ? QTextCursor::End : QTextCursor::Start);
        found = document()->find(words.constFirst(), from, flags);
    }
    if (found.isNull())
        return false;
    setTextCursor(found);
    return true;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/help/glossary.h"
#include "ui/help/marked_text.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextFragment>
#include <QVBoxLayout>

#include <algorithm>

using namespace pw;
using namespace pw::ui;

namespace {

QString meaningOf(const QString& word)
{
    for (const GlossaryWord& entry : glossaryWords())
        if (entry.word == word)
            return entry.meaning;
    return {};
}

/// The formats of the letters of a text, one a fragment: "B:bold C:code W:word".
QString looksOf(const MarkedText& text)
{
    QStringList looks;
    for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextCharFormat format = it.fragment().charFormat();
            QString mark =
                format.isAnchor() || format.isImageFormat() ? QStringLiteral("FOREIGN") : QString();
            if (format.fontWeight() > QFont::Normal)
                mark += QLatin1Char('B');
            if (format.background().style() != Qt::NoBrush)
                mark += QLatin1Char('C');
            if (format.underlineStyle() == QTextCharFormat::DotLine)
                mark += QLatin1Char('W');
            looks << mark + QLatin1Char(':') + it.fragment().text();
        }
    }
    return looks.join(QLatin1Char('|'));
}

} // namespace

/// Texts of lessons: marks become looks, words of the glossary are found, and nothing else is read
/// into what somebody wrote.
class TestMarkedText : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void theGlossaryIsRead()
    {
        QVERIFY(glossaryWords().size() >= 70);
        QVERIFY(meaningOf(QStringLiteral("micro-batch")).startsWith(QStringLiteral("a slice")));
        // Over two lines, and without marks.
        QVERIFY(meaningOf(QStringLiteral("bubble rate")).endsWith(QStringLiteral("overhead*.")) ||
                meaningOf(QStringLiteral("bubble rate")).endsWith(QStringLiteral("overhead.")));
        for (const GlossaryWord& entry : glossaryWords())
            QVERIFY2(!entry.meaning.isEmpty() && !entry.meaning.contains(QLatin1Char('`')),
                     qPrintable(entry.word));
    }

    void theGlossaryIsThereInGerman()
    {
        const std::vector<GlossaryWord> german = glossaryIn(QStringLiteral("de"));
        QCOMPARE(german.size(), glossaryWords().size());
        for (std::size_t i = 0; i < german.size(); ++i) {
            QCOMPARE(german[i].word, glossaryWords()[i].word); // leads to the manual's page
            QVERIFY2(german[i].meaning != glossaryWords()[i].meaning, qPrintable(german[i].word));
        }
        const auto device = std::find_if(german.begin(), german.end(), [](const GlossaryWord& one) {
            return one.word == QLatin1String("device");
        });
        QVERIFY(device != german.end());
        QVERIFY(device->names.startsWith(QStringLiteral("Gerät, Geräte")));
        QVERIFY(device->meaning.startsWith(QStringLiteral("eine Bahn der Zeitleiste")));
        QCOMPARE(glossaryIn(QStringLiteral("xx")).front().meaning, glossaryWords().front().meaning);
    }

    void marksBecomeLooks_data()
    {
        QTest::addColumn<QString>("marked");
        QTest::addColumn<QString>("looks");
        QTest::newRow("bold and code") << "a **b c** `d **e**` f"
                                       << ":a |B:b c|: |C:d **e**|: f";
        QTest::newRow("not closed") << "a **b `c"
                                    << ":a **b `c";
        QTest::newRow("a product") << "2 ** 3 ** 4"
                                   << ":2 ** 3 ** 4";
        QTest::newRow("a word once") << "every device and device"
                                     << ":every |W:device|: and device";
        QTest::newRow("a plural") << "Two micro-batches"
                                  << ":Two |W:micro-batches";
        QTest::newRow("the longer word") << "a span bubble"
                                         << ":a |W:span bubble";
        QTest::newRow("a part of a word") << "subchunky devices-x"
                                          << ":subchunky devices-x";
        QTest::newRow("code is not a word") << "`device`"
                                            << "C:device";
        QTest::newRow("a bold word") << "**device**"
                                     << "BW:device";
        QTest::newRow("paragraphs") << "a\n\n\nb"
                                    << ":a|:b";
        QTest::newRow("nothing") << ""
                                 << "";
    }

    void marksBecomeLooks()
    {
        QFETCH(QString, marked);
        QFETCH(QString, looks);
        QCOMPARE(looksOf(MarkedText(marked)), looks);
    }

    /// What somebody wrote is shown as it is written, whatever it looks like.
    void foreignTextIsText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("picture") << "<img src=\"file:///etc/passwd\">";
        QTest::newRow("link") << "<a href='http://x'>x</a> [x](http://x)";
        QTest::newRow("style") << "<b>x</b><style>*{color:red}</style>";
        QTest::newRow("entity") << "&lt;b&gt; &amp; <!-- x -->";
        QTest::newRow("markdown") << "# x ![x](y) | a | b |";
        QTest::newRow("a mark around it") << "x<table><tr><td>y";
    }

    void foreignTextIsText()
    {
        QFETCH(QString, text);
        for (const QString& given : {text, QStringLiteral("**%1**").arg(text)}) {
            const MarkedText shown(given);
            QCOMPARE(shown.toPlainText(), text);
            QVERIFY2(!looksOf(shown).contains(QStringLiteral("FOREIGN")),
                     qPrintable(looksOf(shown)));
            QCOMPARE(shown.document()->blockCount(), 1);
        }
        QCOMPARE(withoutMarks(text), text);
    }

    void keysGoFromWordToWord()
    {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* text = new MarkedText(QStringLiteral("A device has a stage."), &window);
        layout->addWidget(text);
        window.resize(300, 120);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(text->words().size(), std::size_t{2});
        QSignalSpy asked(text, &MarkedText::wordAsked);
        text->setFocus();
        QTest::keyClick(text, Qt::Key_Tab);
        QTest::keyClick(text, Qt::Key_Return);
        QTest::keyClick(text, Qt::Key_Tab);
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked[0][0].toInt(), text->words()[0]);
        QCOMPARE(asked[1][0].toInt(), text->words()[1]);
    }

    void aClickAsksForTheWord()
    {
        MarkedText text(QStringLiteral("A device"));
        text.resize(300, 60);
        text.show();
        QVERIFY(QTest::qWaitForWindowExposed(&text));
        QSignalSpy asked(&text, &MarkedText::wordAsked);
        QTextCursor cursor(text.document());
        cursor.setPosition(5);
        const QPoint on = text.cursorRect(cursor).center();
        QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, on);
        QCOMPARE(asked.count(), 1);
        cursor.setPosition(0);
        QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, text.cursorRect(cursor).center());
        QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, QPoint(280, on.y()));
        QCOMPARE(asked.count(), 1);
    }

    /// As high as its words are, and higher where it is narrow.
    /// A caret would say that something can be typed.
    void noCaretBlinksInIt()
    {
        MarkedText text(QStringLiteral("words of the device"));
        QCOMPARE(text.cursorWidth(), 0);
    }

    void itIsAsHighAsItsWords()
    {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* text = new MarkedText(QStringLiteral("many words ").repeated(20), &window);
        layout->addWidget(text);
        window.resize(500, 300);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const int wide = text->height();
        window.resize(220, 300);
        QTRY_VERIFY(text->height() > wide);
        QVERIFY(text->document()->size().height() <= text->height());
    }
};

PW_WINDOW_TEST(TestMarkedText)
#include "tst_marked_text.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/manual.h"
#include "app/markdown_text.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <sstream>

using namespace pw::app;

namespace {

struct Printed
{
    ExitCode code = ExitCode::Good;
    QString out;
    QString err;
};

Printed run(const std::vector<std::string>& words)
{
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

QString shown(const char* markdown, int width = 40)
{
    Screen screen;
    screen.width = width;
    return QString::fromStdString(markdownText(markdown, screen));
}

} // namespace

class TestManualPages : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("COLUMNS", "100"); }

    void everyFileIsAPageOfTheProgram()
    {
        const QDir folder(QStringLiteral(PW_SOURCE_DIR "/resources/manual"));
        const QStringList files = folder.entryList({"*.md"}, QDir::Files, QDir::Name);
        QVERIFY(files.size() > 10);
        QCOMPARE(qsizetype(manualPages().size()), files.size());
        for (const QString& name : files) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const ManualPage* page = findManualPage(name.chopped(3).toStdString());
            QVERIFY2(page != nullptr, qPrintable(name));
            QCOMPARE(QByteArray(page->text.data(), qsizetype(page->text.size())), file.readAll());
        }
    }

    /// No page has what the terminal and the window would show as marks.
    void everyPageIsShownInWhole_data()
    {
        QTest::addColumn<QString>("name");
        for (const ManualPage& page : manualPages())
            QTest::newRow(std::string(page.name).c_str())
                << QString::fromUtf8(page.name.data(), qsizetype(page.name.size()));
    }

    void everyPageIsShownInWhole()
    {
        QFETCH(QString, name);
        const Printed printed = run({"help", name.toStdString(), "--manual"});
        QCOMPARE(printed.code, ExitCode::Good);
        QVERIFY(printed.err.isEmpty());
        const QStringList lines = printed.out.split('\n');
        QVERIFY(lines.size() > 4);
        bool wide = false;
        for (const QString& line : lines) {
            QVERIFY2(!line.startsWith("```") && !line.startsWith("# ") && !line.startsWith("|--"),
                     qPrintable(line));
            QVERIFY2(!line.contains("](") || line.startsWith("    "), qPrintable(line));
            wide = wide || (!line.startsWith("  ") && line.size() > 100 && line.contains(' '));
        }
        QVERIFY2(!wide, qPrintable(printed.out));
    }

    void helpFindsCommandsAndPages()
    {
        QCOMPARE(run({"help", "files"}).out, run({"help", "files", "--manual"}).out);
        QCOMPARE(run({"help", "run"}).out, run({"run", "--help"}).out);
        QVERIFY(run({"help", "run", "--manual"}).out != run({"help", "run"}).out);
        QCOMPARE(run({"help", "costs", "fit"}).out, run({"costs", "fit", "--help"}).out);
        QCOMPARE(run({"help", "--manual"}).out, run({"help", "index"}).out);
    }

    void aNameThatIsNoneIsToldWithTheNearest()
    {
        const Printed page = run({"help", "--manual", "file"});
        QCOMPARE(page.code, ExitCode::Usage);
        QVERIFY2(page.err.contains("the manual has no page 'file'; did you mean files?"),
                 qPrintable(page.err));
        const Printed topic = run({"help", "qqqqqqqqqqqq"});
        QCOMPARE(topic.code, ExitCode::Usage);
        QVERIFY2(topic.err.contains("there is no command 'qqqqqqqqqqqq'"), qPrintable(topic.err));
    }

    void aSearchSaysWhere()
    {
        const Printed found = run({"help", "--search", "SPAN bubble"});
        QCOMPARE(found.code, ExitCode::Good);
        QVERIFY2(found.out.contains("start: One schedule\n"), qPrintable(found.out));
        QVERIFY(found.out.contains("families: GPipe (gpipe)\n"));
        const Printed none = run({"help", "--search", "no such thing anywhere"});
        QCOMPARE(none.code, ExitCode::Wrong);
        QVERIFY2(none.err.contains("no line of the manual has"), qPrintable(none.err));
        QCOMPARE(run({"help", "files", "--search", "x"}).code, ExitCode::Usage);
    }

    void markdownBecomesText_data()
    {
        QTest::addColumn<QByteArray>("markdown");
        QTest::addColumn<QString>("text");
        QTest::newRow("headings") << QByteArray("# One\n## Two *three*\n### Four\n")
                                  << "One\n===\n\nTwo *three*\n-----------\n\nFour\n";
        QTest::newRow("a paragraph is broken anew")
            << QByteArray("one two three four five six\nseven eight nine\n")
            << "one two three four five six seven eight\nnine\n";
        QTest::newRow("marks in a line")
            << QByteArray("`a *b*` **c d** *e* [f](g.md#h) 2 * 3 * 4 a\\*b\n")
            << "`a *b*` c d e f 2 * 3 * 4 a*b\n";
        QTest::newRow("lists") << QByteArray("- one two three four five six seven eight\n  nine\n"
                                             "- ten\n\n1. first\n2. second\n")
                               << "  - one two three four five six seven\n    eight nine\n  - ten\n"
                                  "\n  1. first\n  2. second\n";
        QTest::newRow("code stays")
            << QByteArray("```console\n$ a  b | c\n\n  *d*\n```\n\n    indented  code\n")
            << "    $ a  b | c\n\n      *d*\n\n    indented  code\n";
        QTest::newRow("a table") << QByteArray(
                                        "| a | b |\n|---|--:|\n| `x\\|y` | 1 |\n| z | 22 |\n")
                                 << "  a       b\n  `x|y`   1\n  z      22\n";
        QTest::newRow("a table without room")
            << QByteArray("| a | b | c |\n|---|---|---|\n"
                          "| one two three | four five six seven | eight |\n")
            << "  one two three\n      b: four five six seven\n      c: eight\n";
        QTest::newRow("nothing") << QByteArray() << "";
        QTest::newRow("what is never closed")
            << QByteArray("`a [b **c ![d](\n```\ne\n") << "`a [b **c ![d](\n\n    e\n";
    }

    void markdownBecomesText()
    {
        QFETCH(QByteArray, markdown);
        QFETCH(QString, text);
        QCOMPARE(shown(markdown.constData()), text);
    }

    void anyPartOfAPageIsShown()
    {
        // Whatever a page is cut to, nothing reads past its end.
        const ManualPage* page = findManualPage("files");
        QVERIFY(page != nullptr);
        for (std::size_t length = 0; length < page->text.size(); length += 37)
            QVERIFY(markdownText(page->text.substr(0, length), Screen{}).size() < 100'000);
    }
};

PW_TEST(TestManualPages)
#include "tst_manual_pages.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/man_page.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

ManPage emptyPage()
{
    return ManPage("pipewright", "schedules", "1.2.3", "2026-11-21");
}

/// Lines after the heading NAME and its one line.
QStringList linesAfterName(const ManPage& page)
{
    QStringList lines = QString::fromStdString(page.text()).split(QLatin1Char('\n'));
    const qsizetype name = lines.indexOf(QStringLiteral(".SH \"NAME\""));
    return lines.mid(name + 2);
}

} // namespace

class TestManPage : public QObject
{
    Q_OBJECT

private slots:
    void theHeadSaysNameDateAndVersion()
    {
        const QString text = QString::fromStdString(emptyPage().text());
        QVERIFY(text.contains(
            ".TH \"PIPEWRIGHT\" 1 \"2026-11-21\" \"Pipewright 1.2.3\" \"User Commands\"\n"));
        QVERIFY(text.endsWith(".SH \"NAME\"\npipewright \\- schedules\n"));
    }

    void textIsNoCommandOfRoff_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("line");
        QTest::newRow("a dot first") << ".so /etc/passwd"
                                     << "\\&.so /etc/passwd";
        QTest::newRow("a quote first") << "'br"
                                       << "\\(aqbr";
        QTest::newRow("backslash") << "a\\fBb"
                                   << "a\\efBb";
        QTest::newRow("dashes that are typed") << "--color=never"
                                               << "\\-\\-color=never";
        QTest::newRow("line breaks") << "a\n.br\nb"
                                     << "a .br b";
        QTest::newRow("back quotes") << "the line `pipewright run` here"
                                     << "the line \\fBpipewright run\\fR here";
        QTest::newRow("a back quote alone") << "odd `one"
                                            << "odd \\fBone\\fR";
    }

    void textIsNoCommandOfRoff()
    {
        QFETCH(QString, text);
        QFETCH(QString, line);
        ManPage page = emptyPage();
        page.paragraph(text.toStdString());
        QCOMPARE(linesAfterName(page), (QStringList{".PP", line, ""}));
    }

    void quotesInsideTermsStay()
    {
        ManPage page = emptyPage();
        page.item("--as \"X\"", "what");
        QCOMPARE(linesAfterName(page),
                 (QStringList{".TP", ".B \"\\-\\-as \\(dqX\\(dq\"", "what", ""}));
    }

    void aParagraphBelowAHeadingNeedsNoBreak()
    {
        ManPage page = emptyPage();
        page.section("Two words");
        page.paragraph("first");
        page.paragraph("second");
        page.subsection("part");
        page.example("pipewright help");
        QCOMPARE(linesAfterName(page),
                 (QStringList{".SH \"TWO WORDS\"", "first", ".PP", "second", ".SS \"part\"", ".nf",
                              ".RS 4", "pipewright help", ".RE", ".fi", ""}));
    }
};

PW_TEST(TestManPage)
#include "tst_man_page.moc"

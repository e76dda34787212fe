// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/text_table.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;
using namespace pw::app;

class TestTextTable : public QObject
{
    Q_OBJECT

private slots:
    /// Further lines of an entry stand below its text and not below its number.
    void entriesOfAListHang()
    {
        Screen screen;
        screen.width = 40;
        TextTable table(screen,
                        {{.title = "change", .align = TextTable::Align::Left}, {.title = "step"}});
        table.append({" 9 Looped breadth-first with four chunks", "26.5 ms"});
        table.append({"10 Layers moved between all of the stages", "7 ms"});
        table.append({"   Links without any delay between stages", "8 ms"});
        table.append({"4 × 2 is a figure that begins no entry", "9 ms"});
        QCOMPARE(QString::fromStdString(table.text(0)),
                 QStringLiteral("change                              step\n"
                                " 9 Looped breadth-first with     26.5 ms\n"
                                "   four chunks\n"
                                "10 Layers moved between all of      7 ms\n"
                                "   the stages\n"
                                "   Links without any delay          8 ms\n"
                                "   between stages\n"
                                "4 × 2 is a figure that begins       9 ms\n"
                                "  no entry\n"));
    }

    void textsWithoutANumberDoNot()
    {
        Screen screen;
        screen.width = 34;
        TextTable table(screen,
                        {{.title = "what", .align = TextTable::Align::Left}, {.title = "ms"}});
        table.append({"interleaved with four chunks a device", "1"});
        QCOMPARE(QString::fromStdString(table.text(0)),
                 QStringLiteral("what                            ms\n"
                                "interleaved with four chunks a   1\n"
                                "device\n"));
    }
};

PW_TEST(TestTextTable)

#include "tst_text_table.moc"

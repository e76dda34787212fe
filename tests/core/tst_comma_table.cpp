// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/comma_table.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

/// Rows of comma-separated tables.
class TestCommaTable : public QObject
{
    Q_OBJECT

private slots:
    void blanksDoNotCount()
    {
        CommaTable table("\r\n a , b\r\n\n 1 ,, 2\n3, 4 ");
        QCOMPARE(table.names(), (std::vector<std::string_view>{"a", "b"}));
        QCOMPARE(table.line(), 2);
        QCOMPARE(table.column("b").value(), std::size_t{1});
        QVERIFY(!table.column("c"));
        const Result<std::optional<CommaRow>> three = table.next();
        QVERIFY(!three);
        QCOMPARE(QString::fromStdString(three.error().message),
                 QStringLiteral("line 4: it has 3 cells, the first line has 2"));
        const std::optional<CommaRow> row = table.next().value();
        QCOMPARE(row->cells, (std::vector<std::string_view>{"3", "4"}));
        QCOMPARE(row->line, 5);
        QVERIFY(!table.next().value());
        QVERIFY(!table.next().value());
    }

    void nothingHasNoColumns()
    {
        for (const char* text : {"", "\n", " \r\n\t\n"}) {
            CommaTable table(text);
            QVERIFY(table.names().empty());
            QVERIFY(!table.next().value());
        }
    }
};

PW_TEST(TestCommaTable)
#include "tst_comma_table.moc"

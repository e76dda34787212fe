// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/row_batch.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>
#include <string>

using namespace pw;

/// Rows that are written many at a time are those that are written one by one.
class TestRowBatch : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Database> m_database;

private slots:
    void init()
    {
        m_database.reset();
        const std::string path = m_folder.filePath("a.sqlite").toStdString();
        QFile::remove(QString::fromStdString(path));
        m_database = *Database::open(path, Database::Mode::Create);
        QVERIFY(m_database->run("CREATE TABLE t (run INTEGER, a INTEGER, b TEXT, c INTEGER, "
                                "PRIMARY KEY (run, a)) WITHOUT ROWID",
                                "cannot be made"));
    }

    void everyRowIsThere_data()
    {
        QTest::addColumn<int>("rows");
        for (const int rows : {0, 1, 63, 1023, 1024, 1025, 5000})
            QTest::addRow("%d rows", rows) << rows;
    }
    void everyRowIsThere()
    {
        QFETCH(const int, rows);
        RowBatch batch = *RowBatch::open(*m_database, "t", "a, b, c", 7);
        for (int i = 0; i < rows; ++i)
            QVERIFY(batch.add(i, "text " + std::to_string(i),
                              i % 2 == 0 ? std::optional(i) : std::optional<int>()));
        QVERIFY(batch.flush());
        QVERIFY(batch.flush()); // nothing is left, and nothing comes twice
        Statement query = *m_database->prepare("SELECT run, a, b, c FROM t ORDER BY a");
        int next = 0;
        QVERIFY(query.each([&](const Statement& row) {
            QCOMPARE(row.whole(0), std::int64_t{7});
            QCOMPARE(row.whole(1), std::int64_t{next});
            QCOMPARE(row.text(2), "text " + std::to_string(next));
            QCOMPARE(row.isNull(3), next % 2 == 1);
            ++next;
        }));
        QCOMPARE(next, rows);
    }

    /// Columns that say the same in all rows of a statement are bound; which ones changes from
    /// statement to statement, and may be more sets than statements are kept.
    void columnsMayBeAlike()
    {
        constexpr int stretch = 1024, stretches = 40;
        QVERIFY(m_database->run("CREATE TABLE w (run INTEGER, a INTEGER, b INTEGER, c INTEGER, "
                                "d REAL, e INTEGER, f INTEGER, g TEXT, PRIMARY KEY (run, a)) "
                                "WITHOUT ROWID",
                                "cannot be made"));
        RowBatch batch = *RowBatch::open(*m_database, "w", "a, b, c, d, e, f, g", 7);
        const auto valueOf = [](int i, int column) -> std::optional<int> {
            const int set = i / stretch; // a column is alike in the stretches that have its bit
            const int value = (set >> column & 1) != 0 ? set : i;
            return value % 3 == 0 ? std::optional<int>() : std::optional(value);
        };
        for (int i = 0; i < stretch * stretches; ++i)
            QVERIFY(batch.add(i, valueOf(i, 0), valueOf(i, 1), 0.5, valueOf(i, 2), valueOf(i, 3),
                              std::string("the same")));
        QVERIFY(batch.flush());
        Statement query = *m_database->prepare("SELECT a, b, c, d, e, f, g FROM w ORDER BY a");
        int next = 0;
        QVERIFY(query.each([&](const Statement& row) {
            const auto is = [&row](int column, std::optional<int> value) {
                return value ? row.isWhole(column) && row.whole(column) == *value
                             : row.isNull(column);
            };
            QCOMPARE(row.whole(0), std::int64_t{next});
            QVERIFY(is(1, valueOf(next, 0)) && is(2, valueOf(next, 1)));
            QVERIFY(is(4, valueOf(next, 2)) && is(5, valueOf(next, 3)));
            QCOMPARE(row.number(3), 0.5);
            QCOMPARE(row.text(6), std::string("the same"));
            ++next;
        }));
        QCOMPARE(next, stretch * stretches);
    }

    void aRowThatCannotBeIsAnError()
    {
        RowBatch batch = *RowBatch::open(*m_database, "t", "a, b, c", 7);
        QVERIFY(batch.add(1, "a", 0));
        QVERIFY(batch.add(1, "b", 0));
        const Result<void> written = batch.flush();
        QVERIFY(!written);
        QVERIFY2(written.error().message.english().find("UNIQUE") != std::string::npos,
                 written.error().message.c_str());
        QVERIFY(!RowBatch::open(*m_database, "no", "a", 7));
    }
};

PW_TEST(TestRowBatch)
#include "tst_row_batch.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/found_answers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

using namespace pw;

class TestFoundAnswers : public QObject
{
    Q_OBJECT

private slots:
    void anAnswerIsMadeOnce()
    {
        FoundAnswers<int, std::string> found;
        int made = 0;
        const auto make = [&made] { return std::to_string(++made); };
        QCOMPARE(found.of(1, make), std::string("1"));
        QCOMPARE(found.of(1, make), std::string("1"));
        QCOMPARE(found.of(2, make), std::string("2"));
        QCOMPARE(found.of(1, make), std::string("1"));
    }

    /// Of a search that was stopped half-way nothing stays.
    void whatIsNotWholeIsNotKept()
    {
        FoundAnswers<int, int> found;
        int made = 0;
        bool whole = false;
        const auto ask = [&] {
            return found.of(
                1, [&made] { return ++made; }, [&whole] { return whole; },
                [](int) { return std::size_t{1}; });
        };
        QCOMPARE(ask(), 1);
        QCOMPARE(ask(), 2);
        whole = true;
        QCOMPARE(ask(), 3);
        QCOMPARE(ask(), 3);
    }

    void answersAreKeptUpToTheirSizes()
    {
        FoundAnswers<int, int> found(10);
        int made = 0;
        const auto ask = [&](int key, std::size_t size) {
            const int before = made;
            found.of(
                key, [&made] { return ++made; }, [] { return true; }, [size](int) { return size; });
            return made > before;
        };
        QVERIFY(ask(1, 6));
        QVERIFY(ask(2, 4));
        QVERIFY(!ask(1, 6) && !ask(2, 4));
        // Beyond ten all are forgotten.
        QVERIFY(ask(3, 1));
        QVERIFY(!ask(3, 1));
        QVERIFY(ask(1, 6));
    }
};

PW_TEST(TestFoundAnswers)
#include "tst_found_answers.moc"

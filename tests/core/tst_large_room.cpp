// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/large_room.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstdint>
#include <numeric>
#include <vector>

using namespace pw;

/// Room in large pages is room like any other.
class TestLargeRoom : public QObject
{
    Q_OBJECT

private slots:
    void whatIsInItStays_data()
    {
        QTest::addColumn<int>("before");
        QTest::addColumn<std::size_t>("room");
        QTest::newRow("none") << 0 << std::size_t{0};
        QTest::newRow("less than is there") << 100 << std::size_t{10};
        QTest::newRow("less than a page") << 10 << std::size_t{1000};
        QTest::newRow("several pages") << 100'000 << std::size_t{3'000'000};
    }
    void whatIsInItStays()
    {
        QFETCH(const int, before);
        QFETCH(const std::size_t, room);
        std::vector<std::int64_t> list(static_cast<std::size_t>(before));
        std::iota(list.begin(), list.end(), 1);
        reserveLarge(list, room);
        QVERIFY(list.capacity() >= room);
        const std::int64_t* const place = list.data();
        while (list.size() < room)
            list.push_back(static_cast<std::int64_t>(list.size()) + 1);
        QVERIFY(list.data() == place);
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i] != static_cast<std::int64_t>(i) + 1)
                QFAIL("what was in it is not in it");
    }
};

PW_TEST(TestLargeRoom)
#include "tst_large_room.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/seed.h"
#include "tests/support/test_program.h"
#include "ui/timeline/view_range.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using pw::ui::ViewRange;

class TestViewRange : public QObject
{
    Q_OBJECT

private slots:
    void showingEverythingFollowsANewWhole()
    {
        ViewRange range;
        range.setWhole(0, 1'000'000);
        QVERIFY(range.showsAll());
        range.setWhole(0, 5'000'000);
        QVERIFY(range.showsAll());
    }

    void aPartStaysWhereItIs()
    {
        ViewRange range;
        range.setWhole(0, 1'000'000);
        range.show(200'000, 300'000);
        range.setWhole(0, 2'000'000);
        QCOMPARE(range.begin(), 200'000.0);
        QCOMPARE(range.end(), 300'000.0);
    }

    void zoomingKeepsTheTimeUnderThePointer()
    {
        ViewRange range;
        range.setWhole(0, 1'000'000);
        range.show(200'000, 600'000);
        range.zoom(0.5, 300'000);
        QCOMPARE(range.length(), 200'000.0);
        // A quarter of the view was left of the pointer, and is.
        QCOMPARE(range.begin(), 250'000.0);
    }

    void noGestureLeavesTheWhole()
    {
        const std::uint32_t seed = pw::test::randomSeed();
        QRandomGenerator random(seed);
        ViewRange range;
        range.setWhole(0, 1'000'000);
        for (int i = 0; i < 10'000; ++i) {
            const double at = random.bounded(1e6);
            switch (random.bounded(4)) {
            case 0:
                range.zoom(0.3 + random.bounded(3.0), at);
                break;
            case 1:
                range.pan(random.bounded(4e5) - 2e5);
                break;
            case 2:
                range.show(at, at + random.bounded(3e5));
                break;
            default:
                range.reveal(at, at + random.bounded(1e4));
                break;
            }
            QVERIFY(range.begin() >= -10'000.5);
            QVERIFY(range.end() <= 1'010'000.5);
            QVERIFY(range.length() >= 19.99);
        }
    }

    void aRevealedPartIsInView()
    {
        ViewRange range;
        range.setWhole(0, 1'000'000);
        range.show(0, 100'000);
        range.reveal(700'000, 710'000);
        QVERIFY(range.begin() < 700'000 && range.end() > 710'000);
        QCOMPARE(range.length(), 100'000.0);
    }

    void whatChangesNothingSaysNothing()
    {
        ViewRange range;
        range.setWhole(0, 1'000);
        QSignalSpy spy(&range, &ViewRange::changed);
        range.fit();
        range.show(range.begin(), range.end());
        QCOMPARE(spy.count(), 0);
    }
};

PW_TEST(TestViewRange)
#include "tst_view_range.moc"

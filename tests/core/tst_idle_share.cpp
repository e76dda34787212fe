// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/idle_share.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>
#include <vector>

using namespace pw;

class TestIdleShare : public QObject
{
    Q_OBJECT

private slots:
    void lanesShareAStretch()
    {
        IdleSharing sharing({100, 200});
        sharing.addLane({{150, 160}, {90, 120}, {110, 130}});
        sharing.addLane({{155, 170}, {195, 300}, {0, 50}});
        const IdleShare share = sharing.share();
        QCOMPARE(share.whole(), Ticks(200));
        QCOMPARE(share.busy, Ticks(60));
        QCOMPARE(share.noneWorks, Ticks(45));
        QCOMPARE(share.idleTogether(), Ticks(90));
        QCOMPARE(share.idleBesideWork(), Ticks(50));
    }

    void nothingIsAllIdle()
    {
        IdleSharing sharing({10, 30});
        sharing.addLane({});
        QCOMPARE(sharing.share().idleTogether(), Ticks(20));
        QCOMPARE(IdleSharing({30, 10}).share().whole(), Ticks(0));
    }

    /// Against every tick counted on its own.
    void likeCountingTicks()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 50; ++round) {
            const Ticks from = random() % 40;
            const Ticks to = from + random() % 60;
            IdleSharing sharing({from, to});
            std::vector<int> works(static_cast<std::size_t>(to - from), 0);
            Ticks busy = 0;
            for (int lane = 0; lane < 4; ++lane) {
                std::vector<TimeStretch> work;
                std::vector<bool> own(works.size(), false);
                for (int i = 0; i < 5; ++i) {
                    const Ticks start = random() % 110;
                    const Ticks end = start + random() % 12;
                    work.push_back({start, end});
                    for (Ticks at = std::max(start, from); at < std::min(end, to); ++at)
                        own[static_cast<std::size_t>(at - from)] = true;
                }
                for (std::size_t at = 0; at < own.size(); ++at) {
                    busy += own[at] ? 1 : 0;
                    works[at] += own[at] ? 1 : 0;
                }
                sharing.addLane(std::move(work));
            }
            QCOMPARE(sharing.share().busy, busy);
            QCOMPARE(sharing.share().noneWorks, Ticks(std::count(works.begin(), works.end(), 0)));
        }
    }
};

PW_TEST(TestIdleShare)

#include "tst_idle_share.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/clock_alignment.h"
#include "executor/mpi/mpi_session.h"
#include "tests/support/mailroom.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <thread>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr int clockRanks = 72;

/// What a rank found out about its clock, and what is true of it.
struct Aligned
{
    Ticks ahead = 0;
    Ticks band = 0;
    Ticks truth = 0;
};

/// All ranks are threads of this process, so what their clocks really are apart is known.
struct Alignments
{
    /// @param machineOf  the machine that a rank says it is on
    template<typename MachineOf>
    explicit Alignments(const MachineOf& machineOf)
        : of(clockRanks)
    {
        test::Mailroom room(clockRanks);
        room.censor = [this](test::Mailroom::Letter& letter) {
            MailHead head;
            std::memcpy(&head, letter.bytes.data(), sizeof head);
            if (head.kind == MailKind::Ping)
                asking[static_cast<std::size_t>(letter.from)] = true;
            return true;
        };
        std::vector<std::thread> all;
        std::vector<Ticks> bases(clockRanks, 0);
        for (int rank = 0; rank < clockRanks; ++rank) {
            all.emplace_back([&, rank] {
                MpiSession session(room.port(rank), machineOf(rank));
                const Stop stop;
                const Patience patience{stop, 60'000 * ticksPerMs, "clocks"};
                if (!session.meet())
                    return session.giveUp();
                const Result<ClockAlignment> found = alignToLead(session, patience);
                if (!found)
                    return session.giveUp();
                const auto i = static_cast<std::size_t>(rank);
                of[i].ahead = found->ahead;
                of[i].band = found->band;
                bases[i] = session.clock().base();
                ++good;
            });
        }
        for (std::thread& one : all)
            one.join();
        for (std::size_t i = 0; i < of.size(); ++i)
            of[i].truth = bases[i] - bases[0];
    }

    std::vector<Aligned> of;
    std::array<bool, clockRanks> asking{};
    std::atomic<int> good{0};
};

} // namespace

class TestMpiClocks : public QObject
{
    Q_OBJECT

private slots:
    /// A mailroom has two ranks on a host: of every two, one asks.
    void ofManyHostsOneRankEachAsks()
    {
        const Alignments found([](int) { return std::string("one clock"); });
        QCOMPARE(found.good.load(), clockRanks);
        for (int rank = 0; rank < clockRanks; ++rank) {
            const Aligned& one = found.of[static_cast<std::size_t>(rank)];
            QVERIFY2(std::abs(one.ahead - one.truth) <= one.band,
                     qPrintable(QString("rank %1: %2 for %3, within %4")
                                    .arg(rank)
                                    .arg(one.ahead)
                                    .arg(one.truth)
                                    .arg(one.band)));
            QCOMPARE(found.asking[static_cast<std::size_t>(rank)], rank > 1 && rank % 2 == 0);
        }
        // Who reads rank 0's clock has nothing to be unsure of.
        QCOMPARE(found.of[1].band, Ticks{0});
        QCOMPARE(found.of[1].ahead, found.of[1].truth);
        // The two of a host are exactly as far apart as they are.
        for (std::size_t rank = 3; rank < clockRanks; rank += 2) {
            const Aligned& guide = found.of[rank - 1];
            QCOMPARE(found.of[rank].band, guide.band);
            QCOMPARE(found.of[rank].ahead - guide.ahead, found.of[rank].truth - guide.truth);
        }
    }

    void ofMachinesThatDoNotSayEveryRankAsks()
    {
        const Alignments found([](int rank) { return "alone " + std::to_string(rank); });
        QCOMPARE(found.good.load(), clockRanks);
        for (int rank = 0; rank < clockRanks; ++rank) {
            const Aligned& one = found.of[static_cast<std::size_t>(rank)];
            QVERIFY(std::abs(one.ahead - one.truth) <= one.band);
            QCOMPARE(found.asking[static_cast<std::size_t>(rank)], rank > 0);
        }
    }

    void theClockOfAMachineHasOneName()
    {
        QVERIFY(!clockOfMachine().empty());
        QCOMPARE(clockOfMachine(), clockOfMachine());
    }
};

PW_TEST(TestMpiClocks)
#include "tst_mpi_clocks.moc"

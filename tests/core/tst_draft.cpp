// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "core/model/draft.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <random>

using namespace pw;

namespace {

Draft draftFrom(const std::string& text)
{
    auto draft = readScheduleText(text);
    if (!draft)
        qFatal("%s", draft.error().message.c_str());
    return *draft;
}

QStringList placedTexts(const Problems& found)
{
    QStringList texts;
    for (const Problem& problem : found.list)
        texts += QString::fromStdString(placed(problem));
    return texts;
}

const char* const sound = "d0: F0 F1 BW0 F2 BW1 BW2\nd1: F0 B0 F1 W0 BW1 F2 BW2\n";

} // namespace

class TestDraft : public QObject
{
    Q_OBJECT

private slots:
    void aCompleteOrderHasNoProblem()
    {
        const Draft draft = draftFrom(sound);
        const auto found = problems(draft);
        QVERIFY(found);
        QVERIFY2(found->none(), qPrintable(placedTexts(*found).join('\n')));
        const auto schedule = Schedule::make(draft.spec, draft.orders);
        QVERIFY(schedule);
        QVERIFY(draftOf(*schedule) == draft);
    }

    void everyProblemIsNamedWithItsPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("expected");
        auto row = [](const char* what, const char* text, const QStringList& expected) {
            QTest::newRow(what) << text << expected;
        };
        row("missing backward", "F0 F1 BW0\n", {"device 0 misses BW of micro-batch 1 on stage 0"});
        row("missing weight part", "F0 B0\n", {"device 0 misses W of micro-batch 0 on stage 0"});
        row("missing input part", "F0 W0\n", {"device 0 misses B of micro-batch 0 on stage 0"});
        row("missing everywhere", "devices: 2\nF0\n",
            {"device 0 misses BW of micro-batch 0 on stage 0",
             "device 1 misses F of micro-batch 0 on stage 1",
             "device 1 misses BW of micro-batch 0 on stage 1"});
        row("doubled", "F0 F0 BW0\n",
            {"device 0, entry 1: F of micro-batch 0 on stage 0 appears twice"});
        row("misplaced", "d0: F0 BW0 F0[1]\nd1: F0 BW0\n",
            {"device 0, entry 2: F of micro-batch 0 on stage 1 belongs to device 1"});
        row("backward first", "BW0 F0\n",
            {"device 0, entry 0: micro-batch 0 of stage 0 has BW before F"});
        row("weights first", "F0 W0 B0\n",
            {"device 0, entry 1: micro-batch 0 of stage 0 has W before B"});
        row("recompute late", "F0 BW0 R0\n",
            {"device 0, entry 2: R of micro-batch 0 on stage 0 comes after the backward that needs "
             "it"});
        row("both backwards", "F0 BW0 B0\n",
            {"device 0, entry 2: B of micro-batch 0 on stage 0 appears beside a BW of the same "
             "micro-batch"});
        row("W beside BW", "F0 W0 BW0\n",
            {"device 0, entry 1: W of micro-batch 0 on stage 0 appears beside a BW, which contains "
             "it"});
        row("outside", "micro-batches: 1\nF0 BW0 F7\n",
            {"device 0, entry 2: micro-batch 7; micro-batches are 0 to 0"});
        row("pair of forwards", "(F0+F1) BW0 BW1\n",
            {"device 0, entry 0: an overlapped pair is an F and a B or BW"});
        row("pair of one micro-batch", "(F0+BW0)\n",
            {"device 0, entry 0: a pair cannot overlap F and backward of one micro-batch and stage",
             "device 0, entry 0: micro-batch 0 of stage 0 has BW before F"});
        row("wrong route", "placement: linear, reversed\nroutes: 0 1\nd0: F1 BW1\n",
            {"device 0, entry 0: micro-batch 1 takes route 1, not 0",
             "device 0, entry 1: micro-batch 1 takes route 1, not 0",
             "device 0 misses F of micro-batch 0 on stage 0 of route 0",
             "device 0 misses BW of micro-batch 0 on stage 0 of route 0",
             "device 0 misses F of micro-batch 1 on stage 0 of route 1",
             "device 0 misses BW of micro-batch 1 on stage 0 of route 1"});
        row("early update", "F0 U0 BW0\n",
            {"device 0, entry 1: U of step 0 on stage 0 comes before the gradient of micro-batch "
             "0"});
        row("missing update", "updates: flush\nF0 BW0\n",
            {"device 0 misses U of step 0 on stage 0"});
        row("update without need", "updates: none\nF0 BW0 U0\n",
            {"device 0, entry 2: a U appears in an order without updates"});
        row("next step too early", "steps: 2\nF0 BW0 F1 U0 BW1 U1\n",
            {"device 0, entry 2: F of micro-batch 1 on stage 0 comes before the update of step 0 "
             "that makes its weights"});
        row("several at once", "F0 F0 BW1 F1 B2\n",
            {"device 0, entry 1: F of micro-batch 0 on stage 0 appears twice",
             "device 0, entry 2: micro-batch 1 of stage 0 has BW before F",
             "device 0 misses BW of micro-batch 0 on stage 0",
             "device 0 misses F of micro-batch 2 on stage 0",
             "device 0 misses W of micro-batch 2 on stage 0"});
    }

    void everyProblemIsNamedWithItsPlace()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, expected);
        const auto found = problems(draftFrom(text.toStdString()));
        QVERIFY(found);
        QCOMPARE(placedTexts(*found), expected);
        QCOMPARE(found->count, static_cast<std::int64_t>(expected.size()));
    }

    /// Each disturbance of a sound order is a problem, and `Schedule::make` refuses exactly what
    /// has problems.
    void makingAScheduleAgreesOnRandomOrders()
    {
        constexpr unsigned seed = 4711;
        std::mt19937 random(seed);
        const Draft whole = draftFrom(sound);
        int refused = 0;
        for (int round = 0; round < 2000; ++round) {
            Draft draft = whole;
            auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
            for (std::size_t changes = below(3); changes > 0; --changes) {
                auto& order = draft.orders[below(2)];
                const auto at = static_cast<std::ptrdiff_t>(below(order.size()));
                switch (below(4)) {
                case 0:
                    order.erase(order.begin() + at);
                    break;
                case 1:
                    std::swap(order[static_cast<std::size_t>(at)], order[below(order.size())]);
                    break;
                case 2: {
                    const OrderEntry copy = order[below(order.size())];
                    order.insert(order.begin() + at, copy);
                    break;
                }
                default:
                    order[static_cast<std::size_t>(at)].pass.microBatch =
                        static_cast<int>(below(5)) - 1;
                }
            }
            const auto found = problems(draft);
            QVERIFY(found);
            const auto made = Schedule::make(draft.spec, draft.orders);
            QVERIFY2(made.has_value() == found->none(),
                     qPrintable(QString("seed %1, round %2").arg(seed).arg(round)));
            if (!made)
                ++refused;
        }
        QVERIFY(refused > 500);
    }

    void aReportIsCutAndTheRestCounted()
    {
        Draft draft;
        draft.spec.microBatches = 5000;
        draft.orders.resize(1);
        const auto found = problems(draft);
        QVERIFY(found);
        QCOMPARE(found->list.size(), Problems::listed);
        QCOMPARE(found->count, 10000);
    }

    void aSpecThatMeansNothingIsAnError()
    {
        Draft draft;
        draft.orders.resize(1);
        draft.spec.microBatches = 0;
        QVERIFY(!problems(draft));
        draft.spec.microBatches = 1;
        draft.orders.resize(2);
        QVERIFY(!problems(draft));
    }
};

PW_TEST(TestDraft)
#include "tst_draft.moc"

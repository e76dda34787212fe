// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/random_drafts.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"
#include "ui/problem_words.h"

#include <QTest>

#include <random>
#include <set>

using namespace pw;
using namespace pw::ui;
using namespace pw::test;

class TestProblemWords : public QObject
{
    Q_OBJECT

private slots:
    void everyProblemIsSaidAsTheCoreSaysIt()
    {
        std::mt19937 random(randomSeed());
        std::set<ProblemCode> met;
        for (int i = 0; i < 40; ++i) {
            for (const Family& family : allFamilies()) {
                Draft draft = draftOf(familySchedule(family, random));
                disturb(draft, random);
                // A backward beside its other form, and an update where none belongs.
                for (auto& order : draft.orders)
                    if (!order.empty() && below(random, 3) == 0)
                        order[static_cast<std::size_t>(
                                  below(random, static_cast<int>(order.size())))]
                            .pass.kind =
                            allPassKinds[static_cast<std::size_t>(below(random, passKindCount))];
                const auto found = problems(draft);
                QVERIFY2(found, family.id.data());
                for (const Problem& one : found->list) {
                    met.insert(one.code);
                    QCOMPARE(problemWords(one, draft.spec), QString::fromStdString(one.text));
                    QCOMPARE(placedWords(one, draft.spec), QString::fromStdString(placed(one)));
                }
            }
        }
        QVERIFY(met.size() >= 6);
    }

    void aRingIsSaidAsTheCoreSaysIt_data()
    {
        QTest::addColumn<int>("links");
        for (const int links : {1, 2, 11, 12, 13, 40})
            QTest::addRow("%d devices", links) << links;
    }
    void aRingIsSaidAsTheCoreSaysIt()
    {
        QFETCH(int, links);
        PipelineSpec spec;
        spec.devices = links;
        spec.microBatches = 3;
        spec.routes = {Placement::linear(links)};
        std::vector<RingLink> ring;
        for (const DeviceId device : Ids<DeviceId>(links))
            ring.push_back({device,
                            {PassKind::F, 0, StageId(device.value), device % 3, 0},
                            {PassKind::BW, 0, StageId((device + 1) % links), 2, 0}});
        QCOMPARE(ringWords(ring, spec), QString::fromStdString(deadlockError(ring, spec).message));
        QCOMPARE(ringWords({}, spec), QString());
    }

    void aRefusedPlaceIsSaidAsTheCoreSaysIt()
    {
        std::mt19937 random(randomSeed());
        int refused = 0;
        for (const Family& family : allFamilies()) {
            const Draft draft = draftOf(familySchedule(family, random));
            const Costs costs = randomCosts(draft.spec, random);
            for (const DeviceId device : Ids<DeviceId>(draft.spec.devices)) {
                const auto& order = draft.orders[static_cast<std::size_t>(device)];
                const int at = below(random, static_cast<int>(order.size()));
                auto drag = Drag::begin(draft, costs, {{device, at}}, DragMode::Strict);
                QVERIFY2(drag, family.id.data());
                for (const Ticks offset : {-50 * ticksPerMs, -2 * ticksPerMs, 9 * ticksPerMs}) {
                    const DragTrial& trial = drag->trial(offset);
                    QCOMPARE(refusalWords(trial.why, draft.spec),
                             QString::fromStdString(refusalText(trial.why, draft.spec)));
                    refused += trial.refused() ? 1 : 0;
                }
            }
        }
        QVERIFY(refused > 20);
    }
};

PW_TEST(TestProblemWords)
#include "tst_problem_words.moc"

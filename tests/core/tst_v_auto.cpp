// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/v_auto.h"
#include "core/search/v_greedy.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

VFigures figuresOf(const VProblem& problem, const VOrder& order)
{
    const auto figures = VTimer().measure(problem, order);
    if (!figures)
        qFatal("the order has no time");
    return *figures;
}

VFigures searched(const VProblem& problem, int limit, VAim aim = VAim::Span)
{
    const auto order = vAutoOrder(problem, limit, aim);
    if (!order)
        qFatal("%s", order.error().message.c_str());
    return figuresOf(problem, *order);
}

VProblem randomProblem(std::mt19937& random, int devices, int microBatches)
{
    std::uniform_int_distribution<Ticks> time(1, 40);
    std::uniform_int_distribution<Ticks> latency(0, 20);
    VProblem problem = VProblem::uniform(devices, microBatches, 1, 1, 1, 0);
    for (auto* table : {&problem.forward, &problem.backward, &problem.weight}) {
        for (Ticks& entry : *table)
            entry = time(random);
    }
    for (auto* table : {&problem.activationLatency, &problem.gradientLatency}) {
        for (Ticks& entry : *table)
            entry = latency(random);
        (*table)[static_cast<std::size_t>(devices - 1)] = 0;
    }
    return problem;
}

} // namespace

class TestVAuto : public QObject
{
    Q_OBJECT

private slots:
    void theBoundIsThePrintedOne();
    void theBoundIsMetAtEveryLimit_data();
    void theBoundIsMetAtEveryLimit();
    void everyLimitIsKept();
    void moreMemoryIsOfUse();
    void noKnownOrderIsBetter();
    void theSameProblemHasTheSameOrder();
    void lessThanOneMicroBatchIsRefused();
};

void TestVAuto::theBoundIsThePrintedOne()
{
    for (int p = 2; p <= 32; ++p) {
        for (int k = 2 * ((p + 4) / 3); k <= 2 * p; ++k) {
            const int printed = 3 * p - 1 - 3 * k + std::max(3 * p, p - 1 + 2 * (1 + (k + 1) / 2));
            // The printed one does not know that k = 2p−1 lacks one slot only.
            QCOMPARE(vBubbleBound(p, k), Ticks{printed});
        }
    }
    QCOMPARE(vBubbleBound(4, 99), Ticks{0});
}

void TestVAuto::theBoundIsMetAtEveryLimit_data()
{
    QTest::addColumn<int>("devices");
    for (const int p : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 23})
        QTest::addRow("%d devices", p) << p;
}

void TestVAuto::theBoundIsMetAtEveryLimit()
{
    QFETCH(int, devices);
    const int first = 2 * ((devices + 4) / 3);
    const int stride = devices > 11 ? 3 : 1;
    for (int limit = first; limit <= 2 * devices; limit += stride) {
        for (const int m : {2 * devices, 2 * devices + 7}) {
            const auto found = searched(VProblem::uniform(devices, m, 7, 7, 7, 0), limit);
            QVERIFY(found.peak <= limit);
            QCOMPARE(found.span - 42 * m, 7 * vBubbleBound(devices, limit));
        }
    }
}

void TestVAuto::everyLimitIsKept()
{
    for (const int p : {1, 2, 3, 5}) {
        for (const int m : {1, 2, p + 1, 2 * p + 3}) {
            for (int limit = vSmallestLimit; limit <= 2 * p + 2; ++limit) {
                for (const VAim aim : {VAim::Span, VAim::Makespan}) {
                    const auto found = searched(VProblem::uniform(p, m, 10, 12, 8, 1), limit, aim);
                    QVERIFY(found.peak <= limit);
                    QVERIFY(found.span >= 60 * m);
                }
            }
        }
    }
}

void TestVAuto::moreMemoryIsOfUse()
{
    // At equal times the idle time falls with every chunk activation more.
    const auto problem = VProblem::uniform(6, 15, 1, 1, 1, 0);
    Ticks before = searched(problem, vSmallestLimit).span;
    for (int limit = vSmallestLimit + 1; limit <= 12; ++limit) {
        const Ticks now = searched(problem, limit).span;
        QVERIFY2(limit > 6 ? now < before : now <= before, QByteArray::number(limit));
        before = now;
    }
}

void TestVAuto::noKnownOrderIsBetter()
{
    const unsigned seed = 90210;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 12; ++trial) {
        const int p = std::uniform_int_distribution<int>(2, 5)(random);
        const int m = std::uniform_int_distribution<int>(1, 12)(random);
        const VProblem problem = randomProblem(random, p, m);
        // Also where the limit is more than the micro-batches need.
        const int limit = std::uniform_int_distribution<int>(2, 2 * p + 3)(random);
        const auto zbV = zbVBestOrder(problem, limit);
        QVERIFY(zbV);
        QVERIFY(searched(problem, limit).span <= figuresOf(problem, *zbV).span);
        const VOrder known[] = {vOrderFromBlock(vMinBlock(p), m), vOrderFromBlock(vHalfBlock(p), m),
                                vOrderFromBlock(vZbBlock(p), m), zbVFixedOrder(p, m),
                                *zbVGreedyOrder(problem, 2 * p)};
        for (const VOrder& order : known) {
            const VFigures figures = figuresOf(problem, order);
            for (const VAim aim : {VAim::Span, VAim::Makespan})
                QVERIFY(searched(problem, figures.peak, aim).of(aim) <= figures.of(aim));
        }
    }
}

void TestVAuto::theSameProblemHasTheSameOrder()
{
    const auto problem = VProblem::uniform(5, 12, 10, 12, 8, 1);
    for (const int limit : {3, 6, 8, 10})
        QVERIFY(*vAutoOrder(problem, limit) == *vAutoOrder(problem, limit));
}

void TestVAuto::lessThanOneMicroBatchIsRefused()
{
    const auto order = vAutoOrder(VProblem::uniform(4, 8, 1, 1, 1, 0), 1);
    QVERIFY(!order);
    QCOMPARE(order.error().code, ErrorCode::MemoryLimit);
    QVERIFY(order.error().message.english().find("at least 2 chunk activations") !=
            std::string::npos);
}

PW_TEST(TestVAuto)
#include "tst_v_auto.moc"

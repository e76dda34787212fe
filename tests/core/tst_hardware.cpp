// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/hardware.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace pw;

/// Machines: every number has an origin, reached rates stay below peaks.
class TestHardware : public QObject
{
    Q_OBJECT

private slots:
    void everyFigureHasAValueAndASource();
    void reachedRatesStayBelowThePeak();
    void newerAcceleratorsAreNotSlower();
    void anUnknownMachineIsAnsweredWithTheNames();
    void badFiguresAreNamed();
};

void TestHardware::everyFigureHasAValueAndASource()
{
    QCOMPARE(hardwarePresets().size(), std::size_t{4});
    for (const Hardware& machine : hardwarePresets()) {
        const auto ok = check(machine);
        QVERIFY2(ok, ok ? "" : ok.error().message.c_str());
        for (const NamedFigure& named : figures(machine)) {
            QVERIFY2(named.figure.value > 0, std::string(named.name).c_str());
            QVERIFY2(!named.figure.source.empty(), std::string(named.name).c_str());
        }
        QCOMPARE(findHardware(machine.name).value(), machine);
    }
}

void TestHardware::reachedRatesStayBelowThePeak()
{
    for (const Hardware& machine : hardwarePresets()) {
        for (const Figure& rate :
             {machine.matmulFlops, machine.attentionFlops, machine.flashFlops}) {
            QVERIFY(rate.value < machine.peakFlops.value);
        }
        QVERIFY(machine.memoryBandwidth.value < machine.peakBandwidth.value);
        QVERIFY(machine.betweenBandwidth.value < machine.insideBandwidth.value);
        QVERIFY(machine.insideLatency.value < machine.betweenLatency.value);
    }
}

void TestHardware::newerAcceleratorsAreNotSlower()
{
    const auto a100 = figures(findHardware("a100").value());
    const auto h100 = figures(findHardware("h100").value());
    const auto h200 = figures(findHardware("h200").value());
    for (std::size_t i = 0; i < a100.size(); ++i) {
        if (a100[i].unit != "FLOP/s" && a100[i].unit != "B/s")
            continue;
        QVERIFY2(a100[i].figure.value <= h100[i].figure.value, a100[i].name.data());
        QVERIFY2(h100[i].figure.value <= h200[i].figure.value, a100[i].name.data());
    }
}

void TestHardware::anUnknownMachineIsAnsweredWithTheNames()
{
    const auto machine = findHardware("b200");
    QVERIFY(!machine);
    QCOMPARE(machine.error().code, ErrorCode::BadValue);
    QCOMPARE(machine.error().message,
             std::string("there is no hardware \"b200\"; there are a100, h100, h200, laptop-cpu"));
}

void TestHardware::badFiguresAreNamed()
{
    const auto refused = [](Figure Hardware::*figure, double value) {
        Hardware machine = findHardware("a100").value();
        (machine.*figure).value = value;
        const auto ok = check(machine);
        return ok ? std::string() : ok.error().message.english();
    };
    QCOMPARE(refused(&Hardware::insideLatency, 0), std::string());
    QCOMPARE(refused(&Hardware::reserved, 0), std::string());
    QVERIFY(refused(&Hardware::matmulFlops, 0).starts_with("matrix product rate is 0"));
    QVERIFY(refused(&Hardware::insideLatency, -1).starts_with("latency inside a node is -1"));
    QVERIFY(refused(&Hardware::betweenBandwidth, std::numeric_limits<double>::infinity())
                .starts_with("bandwidth between nodes is inf"));
    QVERIFY(refused(&Hardware::reserved, 1e12).find("reserved") != std::string::npos);
}

PW_TEST(TestHardware)
#include "tst_hardware.moc"

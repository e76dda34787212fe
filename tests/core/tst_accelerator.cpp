// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/accelerator.h"
#include "core/cost/constants.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

/// One catalogue of machines: every number is there and has a source.
class TestAccelerator : public QObject
{
    Q_OBJECT

private slots:
    void everyOneHasAllNumbersAndASource()
    {
        for (const Accelerator& one : accelerators()) {
            QVERIFY2(!one.title.empty() && !one.source.empty() && !one.hostSource.empty(),
                     one.name.data());
            for (const double rate : {one.peakFlops, one.peakBandwidth, one.insideBandwidth,
                                      one.nodeBandwidth, one.hostBandwidth, one.reserved})
                QVERIFY2(rate > 0, one.name.data());
            QVERIFY2(one.memory > 2 * one.reserved, one.name.data());
            QVERIFY2(one.units > 0 && one.hostSharers > 0 && one.nodePorts > 0, one.name.data());
            QVERIFY2(one.devicesPerNode >= one.nodePorts, one.name.data());
            // Of a node's network a device has less than of its node.
            QVERIFY2(one.nodeBandwidth / one.nodePorts <= one.insideBandwidth, one.name.data());
            QCOMPARE(findAccelerator(one.name).value(), one);
        }
    }

    void newerOnesAreNotSlower()
    {
        const char* makers[][5] = {{"v100", "a100", "h100", "b200", "gb200"},
                                   {"v100", "a100", "h100", "h200", "b200"},
                                   {"v100", "a100", "b200", "gb200", "gb300"}};
        for (const auto& row : makers) {
            for (std::size_t i = 1; i < std::size(row); ++i) {
                const Accelerator older = *findAccelerator(row[i - 1]);
                const Accelerator newer = *findAccelerator(row[i]);
                QVERIFY2(older.peakFlops <= newer.peakFlops, row[i]);
                QVERIFY2(older.peakBandwidth <= newer.peakBandwidth, row[i]);
                QVERIFY2(older.insideBandwidth <= newer.insideBandwidth, row[i]);
            }
        }
    }

    void constantsAreWithinTheirLimits()
    {
        const auto infos = plan::constantInfos();
        for (const Accelerator& one : accelerators()) {
            for (const bool oneNode : {false, true}) {
                const plan::Constants constants = plan::constantsFor(one.name, oneNode);
                for (std::size_t i = 0; i < infos.size(); ++i)
                    QVERIFY2(constants.values[i] >= infos[i].minimum &&
                                 constants.values[i] <= infos[i].maximum,
                             std::string(infos[i].name).c_str());
            }
        }
    }

    void anUnknownOneIsAnsweredWithTheNames()
    {
        const auto found = findAccelerator("b400");
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::BadValue);
        QCOMPARE(found.error().message,
                 "there is no hardware 'b400'; there are " + acceleratorNames());
        QVERIFY(acceleratorNames().starts_with("a100, h100, "));
    }
};

PW_TEST(TestAccelerator)
#include "tst_accelerator.moc"

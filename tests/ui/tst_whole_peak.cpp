// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/io/offload_text.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/models/whole_peak.h"
#include "ui/panels/against_rows.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace pw;
using namespace pw::ui;

namespace {

/// Costs in which each kind of memory has a size, and each stage another one.
Costs sizedCosts(const PipelineSpec& spec)
{
    UniformCosts uniform;
    uniform.activation = 64 << 20;
    uniform.keptForWeight = 0.25;
    Costs costs = expand(uniform, spec);
    for (int stage = 0; stage < spec.stages(); ++stage) {
        costs.weights.push_back(Bytes{100 + stage} << 20);
        costs.gradients.push_back(Bytes{200 - stage} << 20);
        costs.optimizer.push_back(Bytes{600} << 20);
    }
    return costs;
}

const NumberRow* rowOf(const std::vector<NumberRow>& rows, const char* name)
{
    const auto found = std::find_if(rows.begin(), rows.end(), [name](const NumberRow& row) {
        return row.name == QString::fromLatin1(name);
    });
    return found == rows.end() ? nullptr : &*found;
}

Project sizedProject(const char* family)
{
    Project project = projectOf(family, test::sized(4, 8), UniformCosts{});
    project.costs = sizedCosts(project.draft.spec);
    return project;
}

} // namespace

class TestWholePeak : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void eachFamilyHasTheCoresPeak_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<bool>("offloaded");
        for (const Family& family : allFamilies()) {
            if (family.search)
                continue;
            const QByteArray id = QByteArray::fromStdString(std::string(family.id));
            QTest::newRow(id.constData()) << id << false;
            QTest::newRow((id + ", offloaded").constData()) << id << true;
        }
    }
    void eachFamilyHasTheCoresPeak()
    {
        QFETCH(QByteArray, id);
        QFETCH(bool, offloaded);
        const Family& family = test::familyOf(id.toStdString());
        FamilyOptions options = test::sized(4, 8);
        Result<PipelineSpec> spec = specOf(family, options);
        if (spec && spec->updateRule != UpdateRule::Flush) {
            options.steps = 3; // versions come and go
            spec = specOf(family, options);
        }
        QVERIFY2(spec, spec ? "" : spec.error().message.c_str());
        Costs costs = sizedCosts(*spec);
        if (offloaded) {
            const Result<std::vector<Pass>> all = parseOffload("all", *spec);
            QVERIFY(all);
            costs.offload.cells = *all;
        }
        const test::FamilyRun run = test::runFamily(family, options, std::move(costs));
        const std::vector<Bytes> held = heldAtMost(run.schedule, run.costs, run.result);
        QCOMPARE(held.size(), std::size_t{4});
        for (const DeviceId device : Ids<DeviceId>(4))
            QCOMPARE(held[device.index()],
                     peakMemory(run.schedule, run.costs, run.result, device).total());
        const PeakMemory expected = peakMemory(run.schedule, run.costs, run.result);
        const WholePeak peak = wholePeak(run.schedule, run.costs, run.result);
        QCOMPARE(peak.total, expected.total());
        QCOMPARE(peak.device, expected.device);
        const Bytes sum =
            std::accumulate(peak.kinds.begin(), peak.kinds.end(), Bytes{0},
                            [](Bytes all, const auto& kind) { return all + kind.second; });
        QCOMPARE(sum, peak.total);
        QVERIFY(peak.total > peakActivation(run.result));
    }

    void samplesTellTheirFullestMoment()
    {
        MemorySample low, high;
        low.rank = RankId(1);
        low.bytes[static_cast<std::size_t>(MemoryUse::Activations)] = 7 << 20;
        high.rank = RankId(1);
        high.bytes[static_cast<std::size_t>(MemoryUse::Weights)] = 6 << 20;
        high.bytes[static_cast<std::size_t>(MemoryUse::Workspace)] = 2 << 20;
        const std::vector<MemorySample> samples = {low, high, low};
        const WholePeak peak = wholePeak(samples);
        QCOMPARE(peak.total, Bytes{8 << 20});
        QCOMPARE(peak.device, DeviceId(1));
        QCOMPARE(kindsText(peak), QStringLiteral("weights 6, workspace 2 MiB"));
        QVERIFY(!wholePeak(std::span<const MemorySample>()).known());
    }

    void theWholePeakIsHeldAgainstThatOf1F1B()
    {
        ScheduleDocument document;
        document.reset(sizedProject("gpipe"));
        QVERIFY(document.schedule() != nullptr);
        Finder finder;
        finder.find(document.schedule(), document.costs(), document.result());
        QTRY_VERIFY(finder.findings() != nullptr);
        const auto rows = againstRows(document, finder.findings().get(), pinnedOf(document));
        const test::FamilyRun other =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), document.costs());
        const auto bytes = [](Bytes size) { return QString::fromStdString(byteText(size)); };
        const PeakMemory own =
            peakMemory(*document.schedule(), document.costs(), document.result());
        const NumberRow* memory = rowOf(rows, "Memory");
        QVERIFY(memory != nullptr);
        QCOMPARE(memory->value,
                 bytes(peakMemory(other.schedule, other.costs, other.result).total()));
        QVERIFY2(memory->note.contains(bytes(own.total())) &&
                     memory->note.contains(QStringLiteral("optimizer")),
                 qPrintable(memory->note));
        QVERIFY2(memory->verdict.endsWith(QStringLiteral("more")), qPrintable(memory->verdict));
        const NumberRow* activations = rowOf(rows, "Activations");
        QVERIFY(activations != nullptr);
        QCOMPARE(activations->value, bytes(peakActivation(other.result)));
        QVERIFY(rowOf(rows, "its memory") != nullptr);
        QCOMPARE(rowOf(rows, "its memory")->value, bytes(own.total()));
        // The line of the status tells the whole, too.
        QVERIFY2(figuresText(document).contains(QStringLiteral("memory ") + bytes(own.total())),
                 qPrintable(figuresText(document)));
    }

    void weightVersionsCount()
    {
        ScheduleDocument document;
        document.reset(sizedProject("pipedream-2bw"));
        QVERIFY(document.schedule() != nullptr);
        const PeakMemory own =
            peakMemory(*document.schedule(), document.costs(), document.result());
        QVERIFY2(figuresText(document).contains(QString::fromStdString(byteText(own.total()))),
                 qPrintable(figuresText(document)));
    }

    void withoutSizesMicroBatchesAreToldAlone()
    {
        ScheduleDocument document;
        document.reset(projectOf("gpipe", test::sized(4, 8), UniformCosts{}));
        Finder finder;
        finder.find(document.schedule(), document.costs(), document.result());
        QTRY_VERIFY(finder.findings() != nullptr);
        const auto rows = againstRows(document, finder.findings().get(), std::nullopt);
        QVERIFY(rowOf(rows, "Memory") == nullptr);
        QVERIFY(rowOf(rows, "Activations") != nullptr);
        QCOMPARE(rowOf(rows, "Activations")->value, QStringLiteral("4 micro-batches"));
    }
};

PW_WINDOW_TEST(TestWholePeak)
#include "tst_whole_peak.moc"

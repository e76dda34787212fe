// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_backend.h"
#include "executor/model/fitting.h"
#include "executor/model/presets.h"
#include "executor/model/training.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr Bytes gibibyte = Bytes{1} << 30;

Schedule scheduleFor(std::string_view id, int devices, int microBatches)
{
    return test::runFamily(test::familyOf(std::string(id)), test::sized(devices, microBatches),
                           UniformCosts{})
        .schedule;
}

/// Bytes of all devices together.
Bytes wholeBytes(const Schedule& schedule, const GptModel& model)
{
    const LayerSplit split = *evenSplit(model.layers, schedule.spec().stages());
    const Result<std::vector<Bytes>> bytes = trainedBytes(schedule, model, split, Optimizer{});
    if (!bytes)
        qFatal("%s", bytes.error().message.c_str());
    return std::accumulate(bytes->begin(), bytes->end(), Bytes{0});
}

FitRequest requestFor(std::vector<MemoryPool> pools)
{
    FitRequest request;
    request.model = *findGptModel("h200");
    request.pools = std::move(pools);
    return request;
}

} // namespace

class TestFitting : public QObject
{
    Q_OBJECT

private slots:
    void theLargestModelThatFitsIsChosen_data();
    void theLargestModelThatFitsIsChosen();
    void everyPoolHoldsItsOwnDevices();
    void whatIsGivenIsKept();
    void whatCannotFitIsRefused();
    void namedSizesFitTheGpusThatTheyNameAndFillThem_data();
    void namedSizesFitTheGpusThatTheyNameAndFillThem();
    void aBackendWithoutMemoryOfItsOwnSaysSo();
};

void TestFitting::theLargestModelThatFitsIsChosen_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<qlonglong>("gib");
    for (const std::string id : {"1f1b", "zb-v", "gpipe", "chimera"}) {
        for (const qlonglong gib : {4LL, 23LL, 79LL, 140LL})
            QTest::addRow("%s, %lld GiB", id.c_str(), gib) << QString::fromStdString(id) << gib;
    }
}

void TestFitting::theLargestModelThatFitsIsChosen()
{
    QFETCH(QString, id);
    QFETCH(qlonglong, gib);
    const Schedule schedule = scheduleFor(id.toStdString(), 4, 12);
    const FitRequest request = requestFor({{gib * gibibyte, 4}});
    const Result<GptModel> model = fittingModel(schedule, request);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QVERIFY(check(*model));
    const Bytes allowed = gib * gibibyte / 10 * 8;
    QVERIFY(wholeBytes(schedule, *model) <= allowed);
    // The next wider one does not fit.
    GptModel wider = *model;
    wider.hidden += 128;
    wider.heads = wider.hidden / 128;
    wider.sequence = std::min(wider.hidden, 2048);
    QVERIFY(wholeBytes(schedule, wider) > allowed);
}

void TestFitting::everyPoolHoldsItsOwnDevices()
{
    // Two GPUs for four devices: 1F1B's first two hold the most, so the first GPU decides.
    const Schedule schedule = scheduleFor("1f1b", 4, 12);
    const Result<GptModel> even =
        fittingModel(schedule, requestFor({{20 * gibibyte, 2}, {20 * gibibyte, 2}}));
    const Result<GptModel> uneven =
        fittingModel(schedule, requestFor({{20 * gibibyte, 2}, {400 * gibibyte, 2}}));
    QVERIFY(even && uneven);
    QCOMPARE(*even, *uneven);
    const Result<std::vector<Bytes>> bytes = trainedBytes(
        schedule, *even, *evenSplit(even->layers, schedule.spec().stages()), Optimizer{});
    QVERIFY(bytes);
    QVERIFY((*bytes)[0] + (*bytes)[1] <= 16 * gibibyte);
    QVERIFY((*bytes)[0] + (*bytes)[1] > (*bytes)[2] + (*bytes)[3]);
    // One where the last devices have little.
    const Result<GptModel> small =
        fittingModel(schedule, requestFor({{400 * gibibyte, 3}, {4 * gibibyte, 1}}));
    QVERIFY(small && small->hidden < even->hidden);
}

void TestFitting::whatIsGivenIsKept()
{
    const Schedule schedule = scheduleFor("1f1b", 4, 12);
    FitRequest request = requestFor({{40 * gibibyte, 4}});
    request.model.hidden = 1024;
    request.model.heads = 8;
    request.model.sequence = 512;
    request.choosesHidden = request.choosesHeads = request.choosesSequence = false;
    const Result<GptModel> deep = fittingModel(schedule, request);
    QVERIFY(deep);
    QCOMPARE(deep->hidden, 1024);
    QCOMPARE(deep->sequence, 512);
    QCOMPARE(deep->layers % 4, 0);
    GptModel deeper = *deep;
    deeper.layers += 4;
    QVERIFY(wholeBytes(schedule, *deep) <= 32 * gibibyte);
    QVERIFY(wholeBytes(schedule, deeper) > 32 * gibibyte);
    // A smaller part of the same memory holds a smaller model.
    request.part = 0.5;
    const Result<GptModel> half = fittingModel(schedule, request);
    QVERIFY(half && half->layers < deep->layers);
    // Heads that are given divide the width.
    request = requestFor({{40 * gibibyte, 4}});
    request.model.heads = 12;
    request.choosesHeads = false;
    const Result<GptModel> twelve = fittingModel(schedule, request);
    QVERIFY(twelve);
    QCOMPARE(twelve->heads, 12);
    QCOMPARE(twelve->hidden % 12, 0);
}

void TestFitting::whatCannotFitIsRefused()
{
    const Schedule schedule = scheduleFor("1f1b", 4, 12);
    FitRequest request = requestFor({{Bytes{1} << 20, 4}});
    const Result<GptModel> none = fittingModel(schedule, request);
    QVERIFY(!none);
    QVERIFY2(none.error().message.english().starts_with("no model fits: the smallest needs "),
             none.error().message.c_str());
    request.choosesHidden = request.choosesLayers = false;
    QVERIFY(!fittingModel(schedule, request));
}

void TestFitting::namedSizesFitTheGpusThatTheyNameAndFillThem_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<qlonglong>("mib"); // what nvidia-smi says that such a GPU has
    QTest::addColumn<QString>("id");
    const std::pair<const char*, qlonglong> gpus[] = {
        {"24gb", 24564}, {"40gb", 40960}, {"80gb", 81559}, {"h200", 143771}};
    for (const auto& [name, mib] : gpus) {
        for (const char* id : {"1f1b", "zb-h1", "zb-v", "v-half"})
            QTest::addRow("%s, %s", name, id) << name << mib << id;
    }
}

void TestFitting::namedSizesFitTheGpusThatTheyNameAndFillThem()
{
    QFETCH(QString, name);
    QFETCH(qlonglong, mib);
    QFETCH(QString, id);
    const Bytes needed =
        wholeBytes(scheduleFor(id.toStdString(), 4, 12), *findGptModel(name.toStdString()));
    // What libraries and the driver have, and an eighth for workspace and rounding.
    const double part =
        static_cast<double>(needed) / (static_cast<double>(mib) * 1024 * 1024 - 1.5e9);
    QVERIFY2(part < 0.88 && part > 0.45, qPrintable(QString::number(part)));
}

void TestFitting::aBackendWithoutMemoryOfItsOwnSaysSo()
{
    const std::unique_ptr<Backend> cpu = makeCpuBackend();
    const Result<std::vector<MemoryPool>> none = cpu->memory(4);
    QVERIFY(!none);
    QCOMPARE(none.error().message,
             std::string("the backend cpu has no memory that a model could fill"));
}

PW_TEST(TestFitting)
#include "tst_fitting.moc"

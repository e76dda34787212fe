// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "executor/api/recording_sink.h"
#include "executor/backends/backends.h"
#include "executor/calibrate/calibration.h"
#include "executor/model/presets.h"
#include "executor/model/training.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr Ticks patience = 60'000 * ticksPerMs;

/// The smallest model that has a layer for every stage.
GptModel tinyModel(int stages)
{
    GptModel model = *findGptModel("tiny");
    model.layers = std::max(model.layers, stages);
    return model;
}

/// What an option with few values, or with endless ones, is tried with beside its default.
std::vector<double> valuesOf(const Parameter& parameter)
{
    constexpr double few = 3;
    std::vector<double> values;
    if (parameter.maximum > few) {
        if (parameter.integer() && parameter.fallbackText.empty())
            values.push_back(parameter.fallback == 2 ? 4 : 2);
        return values;
    }
    for (double value = parameter.minimum; value <= parameter.maximum; ++value)
        if (value != parameter.fallback)
            values.push_back(value);
    return values;
}

/// A backend's run, from measuring to the last pass, as briefly as it goes.
Result<RunFigures> ranOn(Backend& backend, const Family& family, const FamilyOptions& options)
{
    const Result<Schedule> schedule = buildUniform(family, options, {});
    if (!schedule)
        return fail(schedule.error());
    const PipelineSpec& spec = schedule->spec();
    const GptModel model = tinyModel(spec.stages());
    const Result<LayerSplit> split = evenSplit(model.layers, spec.stages());
    if (!split)
        return fail(split.error());
    UniformCosts brief;
    brief.forward = brief.backward = brief.weight = ticksPerMs / 10;
    Costs costs = expand(brief, spec);
    Result<Schedule> order = *schedule;
    if (backend.info().name != "emulated") {
        CalibrationRequest request = calibrationFor(*schedule);
        request.model = model;
        request.split = *split;
        request.iterations = 1;
        request.warmup = 0;
        request.leastTime = 0;
        request.messageSizes = false;
        const Result<CostsFile> file = calibrate(backend, request, Stop());
        if (!file)
            return fail(file.error().code, "calibration: " + file.error().message);
        Result<Costs> measured = costsOf(*file, spec);
        if (!measured)
            return fail(measured.error());
        order = family.build(spec, options, *measured);
        if (!order)
            return fail(order.error());
        if (const Result<void> known = pw::check(*file, *order); !known)
            return fail(known.error());
        costs = std::move(*measured);
        if (const Result<void> sized = setBytes(costs, spec, model, *split, request.optimizer);
            !sized)
            return fail(sized.error());
    }
    Result<RunPlan> plan = makePlan(std::move(*order), std::move(costs), model, *split);
    if (!plan)
        return fail(plan.error());
    plan->warmup = 0;
    plan->iterations = 1;
    plan->patience = patience;
    RecordingSink sink;
    return backend.run(*plan, sink, Stop());
}

} // namespace

/// Every family with each of its options on every backend that is here, in its default shape.
class TestEveryFamily : public QObject
{
    Q_OBJECT

private slots:
    void runsWithEachOfItsOptions_data()
    {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<QString>("id");
        for (const BackendInfo& info : backendInfos())
            for (const Family& family : allFamilies())
                QTest::addRow("%s on %s", std::string(family.id).c_str(), info.name.c_str())
                    << QString::fromStdString(info.name)
                    << QString::fromStdString(std::string(family.id));
    }

    void runsWithEachOfItsOptions()
    {
        QFETCH(QString, backend);
        QFETCH(QString, id);
        const Family& family = **findFamily(id.toStdString());
        FamilyOptions plain;
        const auto opened = openBackend(backend.toStdString(), plain.devices);
        if (!opened)
            QSKIP(opened.error().message.c_str());
        std::vector<FamilyOptions> all = {plain};
        for (const Parameter& parameter : family.parameters)
            for (const double value : valuesOf(parameter)) {
                all.push_back(plain);
                all.back().parameters.emplace_back(parameter.name, value);
            }
        for (const FamilyOptions& options : all) {
            std::string name = options.parameters.empty()
                                   ? std::string("the defaults")
                                   : options.parameters[0].first + " " +
                                         std::to_string(options.parameters[0].second);
            const Result<RunFigures> ran = ranOn(**opened, family, options);
            QVERIFY2(ran, ran ? "" : (name + ": " + ran.error().message).c_str());
            QCOMPARE(ran->iterations, 1);
            QVERIFY2(ran->makespan > 0 && ran->predictedMakespan > 0, name.c_str());
        }
    }

    /// A stage without a pair takes what F and BW take one after the other.
    void pairsAreNeededOnNoStage()
    {
        FamilyOptions options;
        options.microBatches = 4; // in the warm-up of all stages but the last
        options.parameters = {{"overlap", 1}};
        const Result<Schedule> schedule = buildUniform(**findFamily("1f1b"), options, {});
        QVERIFY(schedule);
        const auto backend = openBackend("cpu", options.devices);
        QVERIFY(backend);
        CalibrationRequest request = calibrationFor(*schedule);
        QVERIFY(request.paired);
        request.model = tinyModel(schedule->spec().stages());
        request.split = *evenSplit(request.model.layers, schedule->spec().stages());
        request.iterations = 2;
        request.leastTime = 0;
        request.messageSizes = false;
        const Result<CostsFile> file = calibrate(**backend, request, Stop());
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        int pairs = 0;
        for (const MeasuredPass& pass : file->passes) {
            pairs += pass.paired ? 1 : 0;
            QVERIFY(pass.time.count > 0);
        }
        QVERIFY(pairs > 0);
        const Result<Costs> costs = costsOf(*file, schedule->spec());
        QVERIFY2(costs, costs ? "" : costs.error().message.c_str());
        QCOMPARE(costs->pair.size(), costs->forward.size());
        for (std::size_t cell = 0; cell < costs->pair.size(); ++cell) {
            const bool measured =
                std::any_of(file->passes.begin(), file->passes.end(), [cell](const auto& pass) {
                    return pass.paired && static_cast<std::size_t>(pass.stage) == cell;
                });
            if (!measured)
                QCOMPARE(costs->pair[cell], costs->forward[cell] + costs->fused[cell]);
        }
    }
};

PW_TEST(TestEveryFamily)
#include "tst_every_family.moc"

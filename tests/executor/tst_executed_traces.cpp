// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/match.h"
#include "core/trace/run_export.h"
#include "executor/emulated/emulated_backend.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_forms.h"
#include "tests/support/read_traces.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>

using namespace pw;

namespace {

constexpr int tracedIterations = 3;

/// A family in one form, executed.
struct Executed
{
    test::FamilyRun run;
    exec::RecordingSink::Record record;
};

/// What a family's plan is made from. An order that follows from times is planned with equal ones:
/// those that a run takes are never those of a plan to the tick.
UniformCosts costsFor(const Family& family)
{
    const bool fromTimes = family.search || family.id == "hanayo" || family.id == "zb-v";
    return fromTimes ? test::equalStages(1'500'000, 1'500'000, 1'500'000)
                     : test::equalStages(1'500'000, 1'400'000, 1'200'000, 50'000);
}

Executed executed(const Family& family, const FamilyOptions& options)
{
    test::FamilyRun run = test::runFamily(family, options, costsFor(family));
    exec::RunPlan plan = *test::planOf(run.schedule, run.costs);
    plan.iterations = tracedIterations;
    exec::RecordingSink sink;
    const exec::Stop stop;
    const Result<RunFigures> figures = exec::makeEmulatedBackend()->run(plan, sink, stop);
    if (!figures)
        qFatal("%s", figures.error().message.c_str());
    return {std::move(run), sink.record()};
}

/// The times of each iteration of a run.
std::vector<SimResult> timesOf(const Executed& one)
{
    std::vector<SimResult> times;
    for (int iteration = 0; iteration < tracedIterations; ++iteration) {
        std::vector<RecordedPass> passes;
        std::copy_if(
            one.record.passes.begin(), one.record.passes.end(), std::back_inserter(passes),
            [iteration](const RecordedPass& record) { return record.iteration == iteration; });
        times.push_back(*measuredResult(one.run.schedule, passes, {}));
    }
    return times;
}

RecoveredPipeline pipelineOf(Result<Trace> trace)
{
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return recoverAligned(*trace).pipeline;
}

RecoveredPipeline readBack(const std::vector<test::TraceText>& files)
{
    return pipelineOf(test::importFiles(files));
}

QString textOf(const RecoveredPipeline& pipeline)
{
    std::string all;
    for (const FamilyMatch& match : pipeline.family.matches)
        all += describe(match) + "; ";
    for (const std::string& text : pipeline.unknown)
        all += text + "; ";
    return QString::fromStdString(all);
}

/// The order of a run, with the updates that ran behind it.
DeviceOrders ranOrders(const Executed& one)
{
    DeviceOrders orders = one.run.schedule.orders();
    std::vector<RecordedPass> updates;
    for (const RecordedPass& record : one.record.passes)
        if (record.iteration == 0 && record.entry < 0)
            updates.push_back(record);
    std::stable_sort(
        updates.begin(), updates.end(),
        [](const RecordedPass& a, const RecordedPass& b) { return a.start < b.start; });
    for (const RecordedPass& update : updates) {
        OrderEntry entry;
        entry.pass = update.pass;
        orders[static_cast<std::size_t>(update.rank)].push_back(entry);
    }
    return orders;
}

/// What is wrong with a pipeline that was read back, or nothing.
QString faultOf(const RecoveredPipeline& pipeline, const Family& family, const Executed& one,
                const DeviceOrders& orders, int count = tracedIterations)
{
    if (!pipeline.schedule)
        return "no order: " + textOf(pipeline);
    if (pipeline.schedule->orders() != orders)
        return "another order";
    if (static_cast<int>(pipeline.iterations.size()) != count)
        return QString("%1 iterations").arg(pipeline.iterations.size());
    if (pipeline.violated != 0)
        return QString("%1 dependencies are violated").arg(pipeline.violated);
    if (!pipeline.family.exact())
        return "not exact: " + textOf(pipeline);
    const auto match =
        std::find_if(pipeline.family.matches.begin(), pipeline.family.matches.end(),
                     [&](const FamilyMatch& found) { return found.family == &family; });
    // A search may find the order of a family that needs none.
    if (match == pipeline.family.matches.end())
        return family.search ? QString() : "another name: " + textOf(pipeline);
    const Result<PipelineSpec> spec = specOf(family, match->options);
    const auto makesIt = [&](const Costs& costs) {
        const Result<Schedule> again = family.build(*spec, match->options, costs);
        return again && again->orders() == orders;
    };
    if (!spec || (!makesIt(one.run.costs) && !makesIt(expand(UniformCosts{}, *spec))))
        return "other parameters: " + textOf(pipeline);
    return {};
}

} // namespace

/// Runs of the executor, written as other programs write theirs, are read back.
class TestExecutedTraces : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyIsKnownByItsRun_data() { test::addFamilyForms(); }
    void everyFamilyIsKnownByItsRun()
    {
        QFETCH(QString, id);
        QFETCH(QString, parameter);
        QFETCH(double, value);
        QFETCH(int, steps);
        const Family& family = test::familyOf(id.toStdString());
        const Executed one = executed(family, test::formOptions(parameter, value, steps));
        const exec::RecordingSink::Record& record = one.record;
        const QString own = faultOf(
            pipelineOf(importTraceText(
                writeRunChromeJson(record.passes, record.messages, record.memory), "run.json")),
            family, one, ranOrders(one));
        QVERIFY2(own.isEmpty(), qPrintable("our export: " + own));
        const QString kineto =
            faultOf(readBack(test::chromeTraces(one.run.schedule, timesOf(one), {})), family, one,
                    one.run.schedule.orders());
        QVERIFY2(kineto.isEmpty(), qPrintable("Kineto: " + kineto));
        const PipelineSpec& spec = one.run.schedule.spec();
        const auto places = one.run.schedule.places();
        const bool plain = std::all_of(places.begin(), places.end(), [](const auto& place) {
            return !place.second.valid() &&
                   (place.kind() == PassKind::F || place.kind() == PassKind::BW);
        });
        if (!plain || spec.routeCount() > 1 || spec.segments() > 1 || spec.steps > 1)
            return; // the form cannot say it
        const QString tracer =
            faultOf(readBack(test::chromeTraces(one.run.schedule, timesOf(one).back(),
                                                test::TraceForm::Megatron, 1)),
                    family, one, one.run.schedule.orders(), 1);
        QVERIFY2(tracer.isEmpty(), qPrintable("Megatron's tracer: " + tracer));
    }
};

PW_TEST(TestExecutedTraces)
#include "tst_executed_traces.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "python/traces.h"

#include "app/advice_report.h"
#include "app/import_report.h"
#include "core/families/recognise.h"
#include "core/reading/copies.h"
#include "core/reading/import_trace.h"
#include "core/trace/rules_file.h"
#include "python/own_family.h"

#include <cstddef>
#include <filesystem>

namespace pw::python {

namespace {

/// A 32-bit number of every record.
Column numberColumn(const RecordsObject& records, std::size_t offset)
{
    return {records.passes, reinterpret_cast<const char*>(records.passes->data()) + offset, 'i',
            records.passes->size(), sizeof(RecordedPass)};
}

Column timeColumn(const RecordsObject& records, std::size_t offset)
{
    Column column = numberColumn(records, offset);
    column.code = 'q';
    return column;
}

void bindRecords(py::module_& module)
{
    constexpr std::size_t pass = offsetof(RecordedPass, pass);
    const auto number = [](std::size_t offset) {
        return [offset](const RecordsObject& r) { return numberColumn(r, offset); };
    };
    const auto time = [](std::size_t offset) {
        return [offset](const RecordsObject& r) { return timeColumn(r, offset); };
    };
    py::class_<RecordsObject>(module, "Records",
                              "Passes as they happened: columns of equal length.")
        .def("__len__", [](const RecordsObject& r) { return r.passes->size(); })
        .def_property_readonly("iteration", number(offsetof(RecordedPass, iteration)),
                               "Below 0: warm-up.")
        .def_property_readonly("rank", number(offsetof(RecordedPass, rank)))
        .def_property_readonly("stage", number(pass + offsetof(Pass, stage)))
        .def_property_readonly("micro_batch", number(pass + offsetof(Pass, microBatch)))
        .def_property_readonly("segment", number(pass + offsetof(Pass, segment)))
        .def_property_readonly("start_ns", time(offsetof(RecordedPass, start)),
                               "Nanoseconds since the first moment of the record.")
        .def_property_readonly("end_ns", time(offsetof(RecordedPass, end)))
        .def_property_readonly(
            "kind",
            [](const RecordsObject& r) {
                py::list kinds;
                for (const RecordedPass& one : *r.passes)
                    kinds.append(py::str(name(one.pass.kind).data(), name(one.pass.kind).size()));
                return kinds;
            },
            "'F', 'B', 'W', 'BW', 'R' or 'U'.")
        .def("__repr__", [](const RecordsObject& r) {
            return "<Records of " + std::to_string(r.passes->size()) + " passes>";
        });
}

const RecoveredPipeline& pipelineOf(const TraceObject& trace)
{
    return trace.read->aligned().pipeline;
}

ImportOptions importOptions(const py::object& rules, const py::object& rulesFile,
                            const py::object& kernels)
{
    const auto texts = [](const py::object& value) {
        return value.is_none() ? std::vector<std::string>() : pathsOf(value);
    };
    ImportOptions options;
    for (const std::string& text : texts(rules))
        options.rules.push_back(taken(NameRule::parse(text)));
    if (!rulesFile.is_none())
        for (NameRule& rule : taken(loadNameRules(pathOf(rulesFile))))
            options.rules.push_back(std::move(rule));
    for (const std::string& text : texts(kernels))
        options.kernels.push_back(taken(KernelRule::parse(text)));
    return options;
}

TraceObject imported(const std::vector<std::string>& paths, ImportOptions options, int run)
{
    if (paths.empty())
        throw Refusal("there is no file to import");
    ImportedTrace read =
        taken(interruptible([&](const std::atomic<bool>& stop) -> Result<ImportedTrace> {
            options.progress = [&stop](const ImportProgress&) { return !stop.load(); };
            Result<Trace> trace = importTrace(paths, options);
            if (!trace)
                return fail(trace.error());
            ImportedTrace made;
            made.trace = std::move(*trace);
            made.runs = runsOf(made.trace);
            if (run < 0 || run >= made.runs)
                return fail(ErrorCode::BadValue, "run %1: the trace has runs 0 to %2", run,
                            made.runs - 1);
            if (made.runs > 1)
                keepRun(made.trace, run);
            made.replicas = recoverAllAligned(made.trace);
            if (made.aligned().pipeline.schedule) {
                Result<FittedCosts> fitted = fitTrace(made.trace, made.aligned().pipeline);
                if (fitted)
                    made.fitted = std::move(*fitted);
            }
            return made;
        }));
    read.title = std::filesystem::path(paths.front()).filename().string();
    return {std::make_shared<const ImportedTrace>(std::move(read))};
}

/// The order recovered with costs fitted to it, or None.
py::object scheduleOfTrace(const TraceObject& trace)
{
    const RecoveredPipeline& pipeline = pipelineOf(trace);
    if (!pipeline.schedule)
        return py::none();
    if (!trace.read->fitted)
        return py::cast(scheduleOf(trace.read->title, *pipeline.schedule, medianCosts(pipeline),
                                   "medians of the times recorded"));
    return py::cast(scheduleOf(trace.read->title, *pipeline.schedule,
                               taken(costsOf(trace.read->fitted->file, *pipeline.schedule)),
                               "costs fitted to the times recorded"));
}

py::object measuredOf(const TraceObject& trace)
{
    const RecoveredPipeline& pipeline = pipelineOf(trace);
    if (!pipeline.schedule)
        return py::none();
    return py::cast(simulationOf(py::cast<ScheduleObject>(scheduleOfTrace(trace)),
                                 pipeline.measured, "times as recorded"));
}

RecordsObject traceRecords(const TraceObject& trace, const std::optional<int>& iteration)
{
    auto passes = std::make_shared<std::vector<RecordedPass>>();
    for (const RecoveredIteration& one : pipelineOf(trace).iterations) {
        if (iteration && one.number != *iteration)
            continue;
        for (RecordedPass pass : one.passes) {
            pass.iteration = one.number;
            passes->push_back(pass);
        }
    }
    if (iteration && passes->empty())
        throw Refusal("the trace has no iteration " + std::to_string(*iteration));
    return {std::move(passes)};
}

py::object reportOf(const TraceObject& trace)
{
    const ImportedTrace& read = *trace.read;
    app::ImportReport report(read.trace, read.aligned().pipeline);
    report.aligned(read.aligned().clocks);
    const std::vector<TraceHole> holes = holesOf(read.trace, read.aligned().pipeline);
    report.holes(holes);
    const DeviceFigures activity = deviceFigures(read.trace, false);
    report.activity(activity);
    const std::optional<JobAnalysis> job = analyseJob(read.trace, read.replicas);
    report.ofJob(job ? &*job : nullptr, read.runs);
    if (read.aligned().pipeline.schedule)
        taken(report.replay(0));
    return fromJson(report.json());
}

py::object adviceOf(const TraceObject& trace, const std::vector<int>& layers, double seconds)
{
    const ImportedTrace& read = *trace.read;
    AdviceSource source = taken(adviceSource(read.trace, read.replicas, 0));
    if (!layers.empty())
        taken(setLayers(source, layers));
    AdviceRequest request;
    request.seconds = seconds;
    const Advice advice =
        taken(interruptible([&](const std::atomic<bool>&) { return adviceOn(source, request); }));
    warnOfFamilies();
    return fromJson(app::adviceJson({source, advice, std::nullopt}));
}

py::object familyOf(const TraceObject& trace)
{
    const RecoveredPipeline& pipeline = pipelineOf(trace);
    if (!pipeline.schedule)
        return py::none();
    return py::str(describe(pipeline.family));
}

void bindTrace(py::module_& module)
{
    py::class_<TraceObject>(module, "Trace",
                            "A trace of another program, with the pipeline found in it. What is "
                            "not known is None, and why stands in `unknown`.")
        .def_property_readonly(
            "origin", [](const TraceObject& t) { return t.read->trace.origin; },
            "The program that wrote it.")
        .def_property_readonly(
            "runs", [](const TraceObject& t) { return t.read->runs; },
            "Whole runs that the files hold; `run` of `import_trace` says which one this is.")
        .def_property_readonly(
            "devices", [](const TraceObject& t) { return pipelineOf(t).ranks.size(); },
            "Ranks with passes.")
        .def_property_readonly("stages", [](const TraceObject& t) { return pipelineOf(t).stages; })
        .def_property_readonly("micro_batches",
                               [](const TraceObject& t) { return pipelineOf(t).microBatches; })
        .def_property_readonly(
            "iterations",
            [](const TraceObject& t) {
                std::vector<int> numbers;
                for (const RecoveredIteration& one : pipelineOf(t).iterations)
                    numbers.push_back(one.number);
                return numbers;
            },
            "Numbers of its iterations.")
        .def_property_readonly("family", &familyOf,
                               "What its order is called: 'ZB-H1', 'like 1F1B: …'.")
        .def_property_readonly("schedule", &scheduleOfTrace,
                               "Its order with costs fitted to its times; None: not complete.")
        .def_property_readonly("measured", &measuredOf,
                               "The iteration shown as it happened, a Simulation; or None.")
        .def_property_readonly(
            "residual",
            [](const TraceObject& t) -> py::object {
                return t.read->fitted ? py::object(py::float_(t.read->fitted->residual()))
                                      : py::object(py::none());
            },
            "By how much the fitted costs predict it too long, as a part: the measure of trust.")
        .def_property_readonly(
            "notes", [](const TraceObject& t) { return pipelineOf(t).notes; },
            "How something was found out.")
        .def_property_readonly(
            "unknown", [](const TraceObject& t) { return pipelineOf(t).unknown; },
            "What stays unknown, and why.")
        .def("records", &traceRecords, py::arg("iteration") = py::none(),
             "Its passes, of one iteration or of all.")
        .def("report", &reportOf, "The object of `pipewright import --json`.")
        .def("advise", &adviceOf, py::arg("layers") = std::vector<int>(), py::arg("seconds") = 3.0,
             "The object of `pipewright advise --json`: what to change, with what it promises.\n\n"
             ":param layers: of every stage; none: not known, and no layers are moved\n"
             ":param seconds: for all searches together")
        .def(
            "save_costs",
            [](const TraceObject& t, const py::object& path) {
                if (!t.read->fitted)
                    throw Refusal("there are no costs: the trace has no complete order");
                taken(saveCosts(t.read->fitted->file, pathOf(path)));
            },
            py::arg("path"), "Writes the fitted costs as a file that `costs=` takes.")
        .def("__repr__", [](const TraceObject& t) {
            const RecoveredPipeline& p = pipelineOf(t);
            return "<Trace " + t.read->title + ": " + std::to_string(p.passes) + " passes on " +
                   std::to_string(p.ranks.size()) + " devices, " +
                   (p.schedule ? describe(p.family) : std::string("no complete order")) + ">";
        });
}

} // namespace

void bindTraces(py::module_& module)
{
    bindRecords(module);
    bindTrace(module);
    module.def(
        "import_trace",
        [](const py::object& paths, const py::object& rules, const py::object& rulesFile,
           const py::object& kernels, int run) {
            TraceObject made =
                imported(pathsOf(paths), importOptions(rules, rulesFile, kernels), run);
            warnOfFamilies();
            return made;
        },
        py::arg("paths"), py::kw_only(), py::arg("rules") = py::none(),
        py::arg("rules_file") = py::none(), py::arg("kernels") = py::none(), py::arg("run") = 0,
        "Reads a trace of another program: a file, a folder, or a list of files of one run.\n\n"
        "rules: patterns for foreign names, '{kind}_mb{micro-batch}'; rules_file: a file of them;\n"
        "kernels: what kernels do, 'communication=*exchange*'. run: of several whole runs in one\n"
        "file. Ctrl-C ends the reading.");
}

} // namespace pw::python

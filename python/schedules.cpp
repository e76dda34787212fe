// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/file_options.h"
#include "app/model_options.h"
#include "app/study_files.h"
#include "core/families/family.h"
#include "core/io/file_problem.h"
#include "core/io/project_file.h"
#include "core/io/svg_figure.h"
#include "python/own_orders.h"

#include <tuple>

namespace pw::python {

namespace {

const Schedule& of(const ScheduleObject& object)
{
    return object.study->schedule;
}

py::dict parametersOf(const ScheduleObject& object)
{
    py::dict values;
    const app::Study& study = *object.study;
    if (study.family == nullptr)
        return values;
    for (const Parameter& parameter : study.family->parameters) {
        const double value = parameterValue(*study.family, study.options, parameter.name);
        std::string keyword(parameter.name);
        std::replace(keyword.begin(), keyword.end(), '-', '_');
        if (parameter.type == ParameterType::Flag)
            values[py::str(keyword)] = py::bool_(value != 0);
        else if (parameter.type == ParameterType::Choice)
            values[py::str(keyword)] = py::str(valueText(parameter, value));
        else if (parameter.type == ParameterType::Whole)
            values[py::str(keyword)] = py::int_(static_cast<std::int64_t>(value));
        else
            values[py::str(keyword)] = py::float_(value);
    }
    return values;
}

/// The format of a keyword, else of a path.
FileFormat formatFor(const std::string& format, const std::string& path)
{
    const std::optional<FileFormat> found =
        format.empty() ? formatOfPath(path) : formatOfName(format);
    if (found)
        return *found;
    std::string names;
    for (const std::string& name : writableFormats())
        names += (names.empty() ? "" : ", ") + name;
    throw Refusal(format.empty()
                      ? "the name " + inQuotes(path) +
                            " does not tell a format; format is one of " + names
                      : "there is no format " + inQuotes(format) + "; the formats are " + names);
}

std::string contentOf(const ScheduleObject& object, FileFormat format, const py::dict& keywords)
{
    const app::Arguments arguments = argumentsOf(app::contentOptions(), keywords);
    const std::shared_ptr<const app::Study> study = object.study;
    return taken(interruptible(
        [&](const std::atomic<bool>&) { return app::studyContent(*study, format, arguments); }));
}

/// All that a schedule is, for pickles: a project, with the order itself where no family makes it,
/// and the function that reads it. It is never unpickled as an object that is filled later.
py::tuple pickled(const ScheduleObject& object)
{
    py::dict keywords;
    if (object.study->family == nullptr)
        keywords["order"] = true;
    return py::make_tuple(py::module_::import("pipewright").attr("_schedule_of_project"),
                          py::make_tuple(contentOf(object, FileFormat::Project, keywords)));
}

ScheduleObject unpickled(const std::string& project)
{
    return scheduleOfProject(taken(readProject(project)));
}

/// The picture that a notebook shows; none where the schedule cannot run.
py::object pictureOf(const ScheduleObject& object)
{
    const Result<SimResult> result = simulate(of(object), object.study->costs.costs);
    if (!result)
        return py::none();
    FigureStyle style;
    style.title = object.study->title;
    style.width = 960;
    return py::str(writeSvgFigure(of(object), *result, style));
}

std::string shortText(const ScheduleObject& object)
{
    return "<Schedule " + object.study->title + ": " + app::shapeText(of(object).spec()) + ">";
}

std::string passRepr(const Pass& pass)
{
    std::string text = "Pass('" + std::string(name(pass.kind)) +
                       "', stage=" + std::to_string(pass.stage) +
                       ", micro_batch=" + std::to_string(pass.microBatch);
    if (pass.segment != 0)
        text += ", segment=" + std::to_string(pass.segment);
    if (pass.route != 0)
        text += ", route=" + std::to_string(pass.route);
    return text + ")";
}

void bindPass(py::module_& module)
{
    py::class_<Pass>(module, "Pass",
                     "One kind of work on one stage for one micro-batch.\n\n"
                     "F forward, B backward for the input, W backward for the weights, BW both, R "
                     "recompute, U update (then micro_batch is the step).")
        .def(py::init([](const std::string& kind, int stage, int microBatch, int segment,
                         int route) {
                 if (stage < 0 || microBatch < 0 || segment < 0 || route < 0 || route > 255)
                     throw Refusal("stage, micro_batch, segment and route of a pass count from 0");
                 return Pass{passKindOf(kind), static_cast<std::uint8_t>(route), StageId(stage),
                             microBatch, segment};
             }),
             py::arg("kind"), py::arg("stage"), py::arg("micro_batch"), py::arg("segment") = 0,
             py::arg("route") = 0)
        .def_property_readonly("kind", [](const Pass& p) { return std::string(name(p.kind)); })
        .def_readonly("stage", &Pass::stage, "Position in the model, from 0.")
        .def_readonly("micro_batch", &Pass::microBatch, "From 0, counting on over steps.")
        .def_readonly("segment", &Pass::segment, "Piece of the sequence, from 0.")
        .def_property_readonly(
            "route", [](const Pass& p) { return static_cast<int>(p.route); },
            "0, or 1 for the second direction of a bidirectional family.")
        .def("__eq__",
             [](const Pass& a, const py::object& b) {
                 return py::isinstance<Pass>(b) && a == py::cast<Pass>(b);
             })
        .def("__hash__",
             [](const Pass& p) {
                 return py::hash(py::make_tuple(static_cast<int>(p.kind), p.stage, p.microBatch,
                                                p.segment, static_cast<int>(p.route)));
             })
        .def("__repr__", &passRepr);
}

ScheduleObject ownObject(const py::sequence& orders, const py::object& placement,
                         const py::object& microBatches, int steps, const py::object& segments,
                         const py::object& routeOfMicroBatch, const std::string& updates,
                         const std::string& messages, const std::string& title,
                         const py::kwargs& costs)
{
    Schedule schedule = ownSchedule(
        orders, {placement, microBatches, segments, routeOfMicroBatch, steps, updates, messages});
    app::StudyCosts own =
        taken(app::studyCosts(schedule.spec(), argumentsOf(costKeywords(), costs)));
    return {std::make_shared<const app::Study>(
        app::Study{title, nullptr, {}, std::move(own), std::move(schedule), {}, {}, {}, false})};
}

void bindShape(py::class_<ScheduleObject>& type)
{
    type.def_property_readonly(
            "title", [](const ScheduleObject& s) { return s.study->title; },
            "Of the family, the file or the person.")
        .def_property_readonly(
            "family",
            [](const ScheduleObject& s) -> py::object {
                return s.study->family == nullptr
                           ? py::object(py::none())
                           : py::object(py::str(std::string(s.study->family->id)));
            },
            "Id of the family that made it; None: an order of its own.")
        .def_property_readonly("parameters", &parametersOf,
                               "Every parameter of the family with its value.")
        .def_property_readonly(
            "devices", [](const ScheduleObject& s) { return of(s).devices(); }, "p.")
        .def_property_readonly(
            "micro_batches", [](const ScheduleObject& s) { return of(s).spec().microBatches; },
            "m, of one optimizer step.")
        .def_property_readonly(
            "steps", [](const ScheduleObject& s) { return of(s).spec().steps; }, "Optimizer steps.")
        .def_property_readonly(
            "stages", [](const ScheduleObject& s) { return of(s).spec().stages(); }, "S.")
        .def_property_readonly(
            "segment_lengths", [](const ScheduleObject& s) { return of(s).spec().segmentLengths; },
            "Relative lengths of the segments of a sequence.")
        .def_property_readonly(
            "placement",
            [](const ScheduleObject& s) { return of(s).spec().routes.front().deviceOfStage; },
            "The device of each stage; of two routes, the first.")
        .def_property_readonly(
            "placements",
            [](const ScheduleObject& s) {
                py::list routes;
                for (const Placement& route : of(s).spec().routes)
                    routes.append(route.deviceOfStage);
                return routes;
            },
            "The device of each stage, for every route.")
        .def_property_readonly(
            "pass_count", [](const ScheduleObject& s) { return of(s).passCount(); },
            "Passes, both of a pair counted.")
        .def_property_readonly(
            "costs_text", [](const ScheduleObject& s) { return s.study->costs.wholeText(); },
            "What its passes take, in a sentence.")
        .def_property_readonly(
            "orders",
            [](const ScheduleObject& s) {
                py::list orders;
                for (const DeviceId device : Ids<DeviceId>(of(s).devices()))
                    orders.append(entriesOf(of(s), device));
                return orders;
            },
            "For each device its passes in order: a Pass, or a tuple of two that overlap.");
}

void bindSchedule(py::module_& module)
{
    py::class_<ScheduleObject> type(
        module, "Schedule",
        "An order of passes on devices that is complete, and what its passes take.\n\n"
        "Schedule(orders, placement='linear', …) checks an order of your own: for each device a\n"
        "list of Pass, of texts such as 'F0' or 'BW3.1' (the chunk behind the point), of tuples "
        "of\n"
        "kind, micro-batch, chunk and segment such as ('BW', 3, 1), or of tuples of two of these\n"
        "that overlap; or the whole line as one text. `schedule` makes those of families\n"
        "and reads files. A schedule never changes.");
    type.def(py::init(&ownObject), py::arg("orders"), py::arg("placement") = "linear",
             py::kw_only(), py::arg("micro_batches") = py::none(), py::arg("steps") = 1,
             py::arg("segments") = py::none(), py::arg("route_of_micro_batch") = py::none(),
             py::arg("updates") = "", py::arg("messages") = "",
             py::arg("title") = "an order of its own");
    bindShape(type);
    type.def_static(
            "from_text",
            [](const std::string& text, const std::string& title, const py::kwargs& costs) {
                Schedule schedule = scheduleOfText(text);
                app::StudyCosts own =
                    taken(app::studyCosts(schedule.spec(), argumentsOf(costKeywords(), costs)));
                return ScheduleObject{std::make_shared<const app::Study>(app::Study{
                    title, nullptr, {}, std::move(own), std::move(schedule), {}, {}, {}, false})};
            },
            py::arg("text"), py::kw_only(), py::arg("title") = "an order of its own",
            "Reads the text notation, one device a line.")
        .def(
            "to",
            [](const ScheduleObject& s, const std::string& format, const py::kwargs& keywords) {
                return contentOf(s, formatFor(format, {}), keywords);
            },
            py::arg("format"),
            "The text of a file: 'project', 'torch-csv', 'text', 'sail', 'chrome-json', 'table', "
            "'svg'.\n\n"
            "communication=True: a PyTorch CSV with sends and receives; order=True: a project with "
            "the order itself; title, notes, width: of a project or a figure.")
        .def(
            "save",
            [](const ScheduleObject& s, const py::object& path, const std::string& format,
               const py::kwargs& keywords) {
                const std::string name = pathOf(path);
                taken(writeFile(name, contentOf(s, formatFor(format, name), keywords)));
            },
            py::arg("path"), py::kw_only(), py::arg("format") = "",
            "Writes a file; its name tells the format where none is given. Keywords as of `to`.")
        .def(
            "with_costs",
            [](const ScheduleObject& s, const py::object& costs, const py::kwargs& keywords) {
                app::Study study = *s.study;
                study.costs = costsFor(s, costs, keywords);
                return ScheduleObject{std::make_shared<const app::Study>(std::move(study))};
            },
            py::arg("costs") = py::none(), "The same order with other costs.")
        .def("__eq__",
             [](const ScheduleObject& a, const py::object& b) {
                 return py::isinstance<ScheduleObject>(b) &&
                        of(a) == of(py::cast<ScheduleObject>(b));
             })
        .def("__hash__",
             [](const ScheduleObject& s) { return py::hash(py::str(writeScheduleText(of(s)))); })
        .def("__reduce__", &pickled)
        .def("__str__", [](const ScheduleObject& s) { return writeScheduleText(of(s)); })
        .def("__repr__", &shortText)
        .def("_repr_svg_", &pictureOf, "The timeline as a picture, for notebooks.");
}

} // namespace

std::vector<app::Option> costKeywords()
{
    std::vector<app::Option> all = app::costOptions();
    app::appendModelFields(all);
    return all;
}

std::vector<app::Option> scheduleOptions()
{
    std::vector<app::Option> all = app::shapeOptions();
    for (const std::vector<app::Option>& more : {app::costOptions(), app::fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    app::appendModelFields(all);
    return all;
}

ScheduleObject scheduleOf(const py::object& what, const py::dict& keywords)
{
    if (py::isinstance<ScheduleObject>(what)) {
        const auto schedule = py::cast<ScheduleObject>(what);
        if (keywords.empty())
            return schedule;
        app::Study study = *schedule.study;
        study.costs = costsFor(schedule, py::none(), keywords);
        return {std::make_shared<const app::Study>(std::move(study))};
    }
    const std::string word = pathOf(what);
    if (word == "-")
        throw Refusal("a schedule is a family or a file, and not standard input");
    const app::Arguments arguments = argumentsOf(scheduleOptions(), keywords);
    app::Study study = taken(interruptible(
        [&word, &arguments](const std::atomic<bool>&) { return app::studyOf(word, arguments); }));
    return {std::make_shared<const app::Study>(std::move(study))};
}

ScheduleObject scheduleOfProject(const Project& project)
{
    app::StudyCosts costs = taken(app::costsOfFile(project, app::Arguments()));
    app::Study study{project.title,
                     nullptr,
                     {},
                     std::move(costs),
                     taken(pw::scheduleOf(project)),
                     project.blocks,
                     project.notes,
                     project.annotations,
                     false};
    if (project.family) {
        study.family = taken(findFamily(project.family->id));
        study.options = project.family->options;
    }
    return {std::make_shared<const app::Study>(std::move(study))};
}

ScheduleObject scheduleOf(std::string title, Schedule schedule, Costs costs, std::string text)
{
    app::StudyCosts own;
    own.costs = std::move(costs);
    own.text = std::move(text);
    return {std::make_shared<const app::Study>(app::Study{
        std::move(title), nullptr, {}, std::move(own), std::move(schedule), {}, {}, {}, false})};
}

app::StudyCosts costsFor(const ScheduleObject& schedule, const py::object& costs,
                         const py::dict& keywords)
{
    py::dict all;
    for (const auto& [key, value] : keywords)
        all[key] = value;
    if (py::isinstance<py::dict>(costs)) {
        for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(costs))
            all[key] = value;
    } else if (!costs.is_none()) {
        all["costs"] = pathOf(costs);
    }
    if (all.empty())
        return schedule.study->costs;
    return taken(app::studyCosts(of(schedule).spec(), argumentsOf(costKeywords(), all)));
}

void bindSchedules(py::module_& module)
{
    bindPass(module);
    bindSchedule(module);
    module.def("_schedule_of_project", &unpickled);
    module.def(
        "schedule",
        [](const py::object& what, const py::kwargs& keywords) {
            return scheduleOf(what, keywords);
        },
        py::arg("family_or_file"),
        "The schedule of a family, or of a file.\n\n"
        "Keywords are the options of the command line, with _ for -: devices=4, micro_batches=8,\n"
        "steps=1, every parameter of the family (chunks=2, overlap=True), recompute=True,\n"
        "replicas=2; costs in milliseconds of a device's whole share of the model (forward=1,\n"
        "backward=1, weight=1, pair, comm, update), activation (bytes), or model='llama-7b',\n"
        "hardware='h100', or costs='measured.costs.json'. `keywords` lists them all.\n\n"
        "Raises Error where there is no such schedule, with the sentence of the command line.");
    module.def(
        "keywords",
        [] {
            py::dict all;
            for (const app::Option& option : scheduleOptions()) {
                std::string keyword = option.name == "from" ? "from_" : option.name;
                std::replace(keyword.begin(), keyword.end(), '-', '_');
                all[py::str(keyword)] = option.summary;
            }
            return all;
        },
        "Every keyword that `schedule` takes, with what it means.");
}

} // namespace pw::python

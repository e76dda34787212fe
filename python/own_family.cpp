// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "python/own_family.h"

#include "app/own_families.h"
#include "core/base/try.h"
#include "core/families/family_file.h"
#include "core/families/own_families.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>

namespace pw::python {

namespace {

/// What a function of a family has raised, and the sentence that the core has of it meanwhile.
struct Raised
{
    std::string sentence;
    py::error_already_set error;
};

/// The last ones, which nobody has been told yet. All of it under the interpreter's lock; it is
/// never taken away, since the interpreter may be gone by then.
std::list<Raised>& raised()
{
    static auto* const all = new std::list<Raised>;
    return *all;
}

/// "ZeroDivisionError: division by zero", of one line.
std::string sentenceOf(const py::error_already_set& error)
{
    constexpr std::size_t most = 300;
    std::string text = py::cast<std::string>(error.type().attr("__name__"));
    std::string why;
    try {
        why = py::cast<std::string>(py::str(error.value()));
    } catch (const std::exception&) {
        why.clear(); // it cannot say itself
    }
    if (!why.empty())
        text += ": " + why;
    return text.substr(0, std::min(text.find('\n'), most));
}

/// The failure that the core hands on for an exception: the sentence of `pipewright.Error`, which
/// says that a shape cannot be; any other one is kept, to be raised at the end of the call.
Error errorOf(py::error_already_set& error)
{
    if (error.matches(refusalClass()))
        return {ErrorCode::BadValue, py::cast<std::string>(py::str(error.value()))};
    constexpr std::size_t mostKept = 16;
    Error made{error.matches(PyExc_KeyboardInterrupt) ? ErrorCode::Cancelled : ErrorCode::BadValue,
               sentenceOf(error)};
    std::list<Raised>& all = raised();
    all.remove_if([&made](const Raised& one) { return one.sentence == made.message.english(); });
    all.push_front({made.message, error});
    if (all.size() > mostKept)
        all.pop_back();
    return made;
}

/// Texts of a family and its parameters, which views point into.
struct Texts
{
    std::string id, title, summary, citation, origin;
    std::list<std::string> others;
    std::list<std::vector<std::string_view>> choices;

    std::string_view kept(std::string text)
    {
        others.push_back(std::move(text));
        return others.back();
    }
};

/// A function of Python that makes the orders of a family.
class PythonFamily : public OwnFamily
{
public:
    /// @param make   called with a dict of the shape and the parameters; gives a Schedule
    /// @param whole  the function makes all steps itself
    PythonFamily(std::unique_ptr<Texts> texts, std::vector<Parameter> parameters, py::object make,
                 bool whole)
        : m_texts(std::move(texts))
        , m_parameters(std::move(parameters))
        , m_make(make.release().ptr()) // like its family it is never taken away
        , m_whole(whole)
    {
    }

    std::string_view origin() const override { return m_texts->origin; }
    const Texts& texts() const { return *m_texts; }
    const std::vector<Parameter>& parameters() const { return m_parameters; }

    Result<PipelineSpec> spec(const FamilyOptions& options) const override
    {
        PW_TRY(Schedule made, called(options));
        PipelineSpec spec = made.spec();
        const std::lock_guard lock(m_mutex);
        m_made.push_front({options, std::move(made)});
        constexpr std::size_t mostKept = 4;
        if (m_made.size() > mostKept)
            m_made.pop_back();
        return spec;
    }

    /// What was made for the spec is taken, so that a function is called once for a schedule, and
    /// again for the next one.
    Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options) const override
    {
        {
            const std::lock_guard lock(m_mutex);
            const auto known = std::find_if(m_made.begin(), m_made.end(), [&](const Made& one) {
                return one.options == options && one.schedule.spec() == spec;
            });
            if (known != m_made.end()) {
                Schedule schedule = std::move(known->schedule);
                m_made.erase(known);
                return schedule;
            }
        }
        return called(options);
    }

private:
    struct Made
    {
        FamilyOptions options;
        Schedule schedule;
    };

    Result<Schedule> called(const FamilyOptions& options) const;
    Result<Schedule> ofAllSteps(const Schedule& schedule, const FamilyOptions& options) const;
    py::dict wordsOf(const FamilyOptions& options) const;

    std::unique_ptr<Texts> m_texts;
    std::vector<Parameter> m_parameters;
    PyObject* m_make;
    bool m_whole;
    mutable std::atomic<int> m_inside{0};
    mutable std::mutex m_mutex;
    mutable std::list<Made> m_made;
};

py::object valueOf(const Parameter& parameter, double value)
{
    switch (parameter.type) {
    case ParameterType::Flag:
        return py::bool_(value != 0);
    case ParameterType::Choice:
        return py::str(valueText(parameter, value));
    case ParameterType::Whole:
        return py::int_(static_cast<std::int64_t>(value));
    case ParameterType::Number:
        break;
    }
    return py::float_(value);
}

py::dict PythonFamily::wordsOf(const FamilyOptions& options) const
{
    py::dict words;
    words["devices"] = options.devices;
    words["micro_batches"] = options.microBatches;
    words["steps"] = options.steps;
    if (!options.segmentLengths.empty())
        words["segment_lengths"] = options.segmentLengths;
    for (const Parameter& parameter : m_parameters) {
        std::string keyword(parameter.name);
        std::replace(keyword.begin(), keyword.end(), '-', '_');
        words[py::str(keyword)] = valueOf(parameter, chosen(options, parameter));
    }
    return words;
}

Result<Schedule> PythonFamily::called(const FamilyOptions& options) const
{
    // A function may ask for other families, and so for its own one.
    constexpr int deepest = 50;
    struct Inside
    {
        std::atomic<int>& count;
        int now = ++count;
        ~Inside() { --count; }
    } const inside{m_inside};
    if (inside.now > deepest)
        return fail(ErrorCode::TooLarge, "%1 asks for itself, %2 deep", m_texts->origin, deepest);
    const py::gil_scoped_acquire lock;
    try {
        const py::object made = py::handle(m_make)(wordsOf(options));
        const auto object = py::cast<ScheduleObject>(made);
        return ofAllSteps(object.study->schedule, options);
    } catch (py::error_already_set& error) {
        return tl::unexpected<Error>(errorOf(error));
    }
}

Result<Schedule> PythonFamily::ofAllSteps(const Schedule& schedule,
                                          const FamilyOptions& options) const
{
    PipelineSpec spec = schedule.spec();
    if (spec.devices != options.devices)
        return fail(ErrorCode::BadValue, "%1 makes an order for %2 devices; asked for are %3",
                    m_texts->origin, spec.devices, options.devices);
    if (spec.microBatches != options.microBatches)
        return fail(ErrorCode::BadValue, "%1 makes an order for %2 micro-batches; asked for are %3",
                    m_texts->origin, spec.microBatches, options.microBatches);
    const int steps = m_whole ? options.steps : 1;
    if (spec.steps != steps)
        return fail(ErrorCode::BadValue, "%1 makes an order for %2 steps; asked for are %3",
                    m_texts->origin, spec.steps, steps);
    const bool updates = options.updates || options.steps > 1;
    if (m_whole || !updates || spec.updates)
        return schedule;
    spec.steps = options.steps;
    spec.updates = true;
    return finish(spec, schedule.orders());
}

/// A parameter as Python describes it: a dict of name, type, default, and least and most, or words.
Parameter parameterOf(const py::dict& from, Texts& texts)
{
    Parameter made;
    made.name = texts.kept(py::cast<std::string>(from["name"]));
    made.summary = texts.kept(py::cast<std::string>(from["summary"]));
    const auto type = py::cast<std::string>(from["type"]);
    if (type == "bool") {
        made = flagParameter(made.name, made.summary);
        made.fallback = py::cast<bool>(from["default"]) ? 1 : 0;
        return made;
    }
    if (type == "str") {
        auto& words = texts.choices.emplace_back();
        for (const py::handle word : from["words"])
            words.push_back(texts.kept(py::cast<std::string>(word)));
        made = choiceParameter(made.name, made.summary, words);
        const auto usual = py::cast<std::string>(from["default"]);
        made.fallback =
            static_cast<double>(std::find(words.begin(), words.end(), usual) - words.begin());
        return made;
    }
    made.type = type == "int" ? ParameterType::Whole : ParameterType::Number;
    made.role = roleOfName(made.name);
    made.fallback = py::cast<double>(from["default"]);
    made.minimum = py::cast<double>(from["least"]);
    if (!from["most"].is_none())
        made.maximum = py::cast<double>(from["most"]);
    return made;
}

const Family* addFamily(const py::dict& from, py::object make)
{
    auto texts = std::make_unique<Texts>();
    texts->id = py::cast<std::string>(from["id"]);
    texts->title = py::cast<std::string>(from["title"]);
    texts->summary = py::cast<std::string>(from["summary"]);
    texts->citation = py::cast<std::string>(from["citation"]);
    texts->origin = "the function " + py::cast<std::string>(from["function"]);
    std::vector<Parameter> parameters;
    for (const py::handle one : from["parameters"]) {
        parameters.push_back(parameterOf(py::cast<py::dict>(one), *texts));
        const std::string name(parameters.back().name);
        if (app::isOptionOfProgram(name))
            throw Refusal(texts->origin + ": --" + name +
                          " is an option of the program; the parameter needs another name");
    }
    auto maker = std::make_unique<const PythonFamily>(std::move(texts), parameters, std::move(make),
                                                      py::cast<bool>(from["whole"]));
    Family family;
    family.id = maker->texts().id;
    family.title = maker->texts().title;
    family.summary = maker->texts().summary;
    family.citation = maker->texts().citation;
    family.parameters = std::move(parameters);
    family.fixedOrder = true; // the function is told no costs
    family.ofThisProgram = true;
    const std::string id(family.id);
    std::vector<OwnFamilyEntry> entries;
    entries.push_back({std::move(family), false, std::move(maker)});
    taken(addOwnFamilies(std::move(entries)));
    return taken(findFamily(id));
}

} // namespace

void raiseFromFamily(const std::string& refusal)
{
    std::list<Raised>& all = raised();
    const auto found = std::find_if(all.begin(), all.end(), [&refusal](const Raised& one) {
        return refusal.find(one.sentence) != std::string::npos;
    });
    if (found == all.end())
        return;
    const py::error_already_set error = found->error;
    all.erase(found);
    throw error;
}

void warnOfFamilies()
{
    std::list<Raised> all = std::move(raised());
    raised().clear();
    for (const Raised& one : all) {
        const std::string text = "a function of a family was left out: " + one.sentence;
        if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0)
            throw py::error_already_set();
    }
}

void bindOwnFamilies(py::module_& module)
{
    module.def(
        "_add_family",
        [](const py::dict& from, py::object make) {
            return py::cast(addFamily(from, std::move(make)), py::return_value_policy::reference);
        },
        py::arg("description"), py::arg("make"));
    module.def(
        "_write_family",
        [](const std::string& text, const py::object& path) {
            const std::string name = pathOf(path);
            taken(families::parseFamilyFile(text, name)); // no file that nobody can read
            taken(writeFile(name, text));
        },
        py::arg("text"), py::arg("path"));
}

} // namespace pw::python

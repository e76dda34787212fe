// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/interrupt.h"
#include "app/study_files.h"
#include "core/base/display_text.h"
#include "core/io/file_problem.h"
#include "core/io/project_file.h"
#include "python/own_family.h"

#include <csignal>
#include <deque>
#include <filesystem>
#include <random>
#include <sstream>

namespace pw::python {

namespace {

/// A schedule in a file, for commands, which take files; it goes away with this.
class ScheduleFileOf
{
public:
    explicit ScheduleFileOf(const ScheduleObject& object)
    {
        std::random_device seed;
        m_path =
            std::filesystem::temp_directory_path() /
            ("pipewright-" + std::to_string(seed()) + std::to_string(seed()) + ".pipewright.json");
        taken(writeFile(m_path.string(), taken(writeProject(app::projectOf(*object.study, true)))));
    }
    ~ScheduleFileOf()
    {
        std::error_code unimportant;
        std::filesystem::remove(m_path, unimportant);
    }
    ScheduleFileOf(const ScheduleFileOf&) = delete;
    ScheduleFileOf& operator=(const ScheduleFileOf&) = delete;

    std::string path() const { return m_path.string(); }

private:
    std::filesystem::path m_path;
};

/// What a command prints, and why it ended otherwise than well.
struct Printed
{
    std::string out;
    std::string failure;
};

/// Runs a command of the program in this one.
Printed printedBy(const char* name, const std::vector<std::string>& words, const py::dict& keywords)
{
    useFamilyFiles(words);
    const app::Command& command = *app::findCommand(name);
    const app::Arguments arguments = argumentsOf(app::allOptions(command), keywords, words);
    app::Interrupt::forget();
    Printed printed = interruptible([&](const std::atomic<bool>&) {
        std::ostringstream out, err;
        app::Console console{out, err, app::Screen()};
        const app::Outcome outcome = command.run(arguments, console);
        return Printed{out.str(), outcome ? std::string() : outcome.error().message};
    });
    if (app::Interrupt::received() == SIGINT) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
    }
    raiseFromFamily(printed.failure);
    raiseFromFamily(printed.out); // a family is refused there, and others are not
    return printed;
}

/// Plain words of a command: families, numbers and paths as they are, schedules in files that live
/// as long as this.
class Words
{
public:
    /// The word of a value; an object that is a schedule goes into a file.
    std::string wordOf(const py::handle& what)
    {
        if (py::isinstance<ScheduleObject>(what))
            return m_files.emplace_back(py::cast<ScheduleObject>(what)).path();
        if (py::isinstance<py::int_>(what))
            return py::cast<std::string>(py::str(what)); // of a run that is kept
        return pathOf(what);
    }

private:
    std::deque<ScheduleFileOf> m_files;
};

/// Ends a call whose command takes another number of words.
void refuseCount(const app::Command& command, std::size_t count)
{
    const int words = static_cast<int>(count);
    if (words < command.minimumWords || words > command.maximumWords)
        throw Refusal(std::string(command.name) + " takes " +
                      (command.maximumWords == 0 ? "keywords alone" : std::string(command.words)) +
                      ", and " + std::to_string(count) + (count == 1 ? " is" : " are") + " given");
}

/// What a command says and why it failed, if it did: a text, and a text or None.
py::tuple commanded(const std::string& name, const py::list& what, const py::dict& keywords)
{
    const app::Command* command = app::findCommand(name);
    if (command == nullptr)
        throw Refusal("there is no command " + inQuotes(name));
    Words words;
    std::vector<std::string> texts;
    for (const py::handle one : what)
        texts.push_back(words.wordOf(one));
    refuseCount(*command, texts.size());
    const Printed printed = printedBy(name.c_str(), texts, keywords);
    return py::make_tuple(printed.out, printed.failure.empty()
                                           ? py::object(py::none())
                                           : py::object(py::str(printed.failure)));
}

const char* kindName(app::ValueKind kind)
{
    switch (kind) {
    case app::ValueKind::Flag:
        return "flag";
    case app::ValueKind::Switch:
        return "switch";
    case app::ValueKind::Whole:
        return "whole";
    case app::ValueKind::Number:
        return "number";
    case app::ValueKind::Text:
        break;
    }
    return "text";
}

/// The options of a command, as a program can read them.
py::list optionsOf(const app::Command& command)
{
    py::list options;
    for (const app::Option& option : app::allOptions(command)) {
        py::dict told;
        told["name"] = option.name;
        told["kind"] = kindName(option.kind);
        told["summary"] = option.summary;
        told["choices"] = option.parametrised.empty() ? option.choices : std::vector<std::string>();
        told["several"] = option.repeats || option.lists;
        // A number without which the option may stand is a text to Python, or True.
        told["bare"] = option.optional || !option.omitted.empty();
        options.append(told);
    }
    return options;
}

/// Every command of the program: what it takes, for signatures.
py::dict commandsOf()
{
    py::dict commands;
    for (const app::Command& command : app::allCommands()) {
        py::dict told;
        told["summary"] = std::string(command.summary);
        told["words"] = std::string(command.words);
        told["minimum_words"] = command.minimumWords;
        told["maximum_words"] = command.maximumWords;
        told["options"] = optionsOf(command);
        commands[py::str(std::string(command.name))] = told;
    }
    return commands;
}

py::object converted(const py::object& what, const py::object& out, const py::kwargs& keywords)
{
    Words files;
    std::vector<std::string> words = {files.wordOf(what)};
    if (!out.is_none())
        words.push_back(pathOf(out));
    const Printed printed = printedBy("convert", words, keywords);
    if (!printed.failure.empty())
        throw Refusal(printed.failure);
    if (out.is_none())
        return py::str(printed.out);
    py::list paths; // a folder says which files are in it, a file nothing
    std::istringstream lines(printed.out);
    for (std::string line; std::getline(lines, line);)
        paths.append(line);
    if (paths.empty())
        paths.append(words.back());
    return paths;
}

/// The old name of it, for one version.
py::object emitted(const std::string& target, const py::object& what, py::kwargs keywords)
{
    warnOfOldName("pipewright.emit is an old name, and goes with the next version: "
                  "pipewright.convert(schedule, out, to=target)");
    const py::object out = keywords.contains("to") ? py::object(keywords["to"]) : py::none();
    keywords["to"] = target;
    return converted(what, out, keywords);
}

py::object ran(const py::object& what, const py::kwargs& keywords)
{
    Words words;
    py::dict all(keywords);
    all["json"] = true;
    const Printed printed = printedBy("run", {words.wordOf(what)}, all);
    if (!printed.failure.empty())
        throw Refusal(printed.failure);
    return fromJson(printed.out);
}

py::object verified(const py::object& families, const py::kwargs& keywords)
{
    py::dict all(keywords);
    all["json"] = true;
    const Printed printed = printedBy("verify", pathsOf(families), all);
    // What differs is in the object; without one there was no verification.
    if (printed.out.empty())
        throw Refusal(printed.failure);
    return fromJson(printed.out);
}

} // namespace

void bindCommands(py::module_& module)
{
    app::EndAtOnce::leaveAlone(); // a signal ends a command, not the interpreter
    module.def("_command", &commanded, py::arg("name"), py::arg("words"), py::arg("keywords"));
    module.def("_commands", &commandsOf);
    module.def(
        "convert", &converted, py::arg("schedule"), py::arg("out") = py::none(),
        "A schedule in another form: to='project', 'torch-csv', 'text', 'html', 'svg' and the\n"
        "others of `pipewright convert --to`, or for an engine: 'torch', 'torchtitan', 'nemo',\n"
        "'megatron', 'primus', 'galvatron', 'slurm'.\n\n"
        "schedule: a Schedule, or what `schedule` takes, or a run: its number as text, or 'last'.\n"
        "out: a file, whose ending may stand for to, or an engine's folder. Keywords are the\n"
        "options of `pipewright convert`. Returns the text, or with out the paths of the files\n"
        "that were written.");
    module.def("emit", &emitted, py::arg("target"), py::arg("schedule"),
               "The old name of `convert` for engines, gone with the next version.");
    module.def(
        "run", &ran, py::arg("schedule"),
        "Runs a schedule for real on this machine: trains a small GPT, or with\n"
        "backend='emulated' lets each pass take its modelled time.\n\n"
        "schedule: a Schedule, or what `schedule` takes. Keywords are the options of\n"
        "`pipewright run`: iterations=3, size='tiny', backend='cpu', store='runs.sqlite',\n"
        "no_store=True. Returns the object of `pipewright run --json`. Ctrl-C ends it early.");
    module.def("verify", &verified, py::arg("families"),
               "Trains with a family, or with several, and compares the gradients with those of\n"
               "training on one device.\n\n"
               "Keywords are the options of `pipewright verify`: devices=2, micro_batches=4,\n"
               "plain=True. Returns the object of `pipewright verify --json`; its 'good' tells\n"
               "whether nothing differs. Raises Error where nothing could be run.");
}

} // namespace pw::python

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/interrupt.h"
#include "app/study_files.h"
#include "core/io/file_problem.h"
#include "core/io/project_file.h"
#include "python/own_family.h"

#include <csignal>
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

/// The word of a family, of a file, or of a schedule, which is put into a file meanwhile.
std::string wordOf(const py::object& what, std::optional<ScheduleFileOf>& file)
{
    if (!py::isinstance<ScheduleObject>(what))
        return pathOf(what);
    file.emplace(py::cast<ScheduleObject>(what));
    return file->path();
}

py::object emitted(const std::string& target, const py::object& what, const py::kwargs& keywords)
{
    std::optional<ScheduleFileOf> file;
    const Printed printed = printedBy("emit", {target, wordOf(what, file)}, keywords);
    if (!printed.failure.empty())
        throw Refusal(printed.failure);
    if (!keywords.contains("to"))
        return py::str(printed.out);
    py::list paths;
    std::istringstream lines(printed.out);
    for (std::string line; std::getline(lines, line);)
        paths.append(line);
    return paths;
}

py::object ran(const py::object& what, const py::kwargs& keywords)
{
    std::optional<ScheduleFileOf> file;
    py::dict all(keywords);
    all["json"] = true;
    const Printed printed = printedBy("run", {wordOf(what, file)}, all);
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
    module.def(
        "emit", &emitted, py::arg("target"), py::arg("schedule"),
        "A schedule in the form that another engine reads: 'torch', 'torchtitan', 'nemo',\n"
        "'megatron', 'primus', 'galvatron', 'slurm'.\n\n"
        "schedule: a Schedule, or what `schedule` takes. Keywords are the options of\n"
        "`pipewright emit`. Returns the text, or with to='FOLDER' the paths of the files that\n"
        "were written there.");
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

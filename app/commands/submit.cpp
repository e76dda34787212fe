// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/backend_report.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/old_spellings.h"
#include "app/slurm_follow.h"
#include "app/standard_input.h"
#include "app/store_path.h"
#include "app/study.h"
#include "app/wire_keeper.h"
#include "core/base/display_text.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/own_program.h"
#include "core/io/project_file.h"
#include "core/io/slurm_job.h"
#include "core/io/whole_folder.h"
#include "core/system/clocks.h"
#include "core/system/process.h"
#include "executor/backends/backends.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>

namespace pw::app::commands {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 9> jobOptions = {"partition", "account",       "nodes",
                                                   "tasks",     "cpus-per-task", "gpus-per-task",
                                                   "time",      "name",          "mpi"};
constexpr int mostLogLines = 8;

/// What is done as a job, as the command behind the options says.
struct Inner
{
    std::string name;
    std::vector<std::string> words; ///< as they were typed, without the name
    Arguments arguments;

    bool attended() const { return arguments.has("attended"); }
    bool wired() const { return arguments.has("wire"); }
    bool readsInput() const
    {
        return !arguments.words().empty() && arguments.words()[0] == standardInput;
    }
};

tl::expected<Inner, Failure> innerOf(const std::vector<std::string>& typed)
{
    Inner inner;
    const std::vector<std::string> words = currentSpelling(typed).value_or(typed);
    const auto [command, named] = commandIn(words);
    inner.name = command == nullptr ? words.front() : std::string(command->name);
    inner.words.assign(words.begin() + static_cast<std::ptrdiff_t>(named), words.end());
    if (inner.name != "run" && inner.name != "costs calibrate" && inner.name != "backends")
        return usage("a job runs `run`, `costs calibrate` or `backends`, not " +
                     quotedWord(inner.name));
    Result<Arguments> parsed = parse(allOptions(*command), inner.words);
    if (!parsed)
        return usage(inner.name + ": " + parsed.error().message);
    inner.arguments = std::move(*parsed);
    const int count = static_cast<int>(inner.arguments.words().size());
    if (count < command->minimumWords || count > command->maximumWords)
        return usage(inner.name + " takes " + std::string(command->words));
    if (inner.name == "run" && inner.arguments.has("json"))
        return usage("a job is told on the wire, so --json is not for it; `pipewright show` has "
                     "the run as JSON afterwards");
    return inner;
}

/// One job from the command line to the run in the store.
class Submission
{
public:
    Submission(const Arguments& arguments, Console& console)
        : m_arguments(arguments)
        , m_console(console)
    {
    }

    Outcome run();

private:
    tl::expected<void, Failure> readJob();
    tl::expected<void, Failure> countTasks();
    tl::expected<void, Failure> checkFolder() const;
    tl::expected<void, Failure> makeFolder();
    std::string folderName() const;
    SlurmStep step() const;
    Outcome tellBackends() const;
    Outcome follow();
    Outcome told(const Result<SlurmJobState>& last, WireKeeper& keeper);
    void say(const std::string& text) const;
    std::string place(const char* file) const { return (fs::path(m_folder) / file).string(); }

    const Arguments& m_arguments;
    Console& m_console;
    SlurmJob m_job;
    Inner m_inner;
    std::string m_folder;
    std::string m_number;
    exec::Stop m_stop;
};

tl::expected<void, Failure> Submission::readJob()
{
    for (const char* option : jobOptions) {
        if (!m_arguments.has(option))
            continue;
        if (const Result<void> set = setSlurmOption(m_job, option, m_arguments.text(option)); !set)
            return usage(set.error().message);
    }
    PW_TRY(Inner inner, innerOf(m_arguments.words()));
    m_inner = std::move(inner);
    return {};
}

/// One process a device, unless one runs all.
tl::expected<void, Failure> Submission::countTasks()
{
    if (m_inner.name != "run") {
        m_job.tasks = std::max(m_job.tasks, 1);
        return {};
    }
    PW_TRY(const Study study,
           studyOf(m_inner.arguments.words()[0], m_inner.arguments, OtherParameters::Refuse,
                   {.measured = nullptr, .trains = true}));
    const int devices = study.schedule.devices();
    if (m_job.tasks == 0)
        m_job.tasks = devices;
    if (m_job.tasks != devices && m_job.tasks != 1)
        return usage("--tasks " + std::to_string(m_job.tasks) + ": the schedule has " +
                     std::to_string(devices) +
                     " devices; so many tasks make each a process, and "
                     "1 runs all in one");
    return {};
}

/// Under the user's own data: most clusters have that on every node.
std::string Submission::folderName() const
{
    if (m_arguments.has("folder"))
        return fs::absolute(m_arguments.text("folder")).lexically_normal().string();
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    sys::localTime(now, parts);
    std::array<char, 32> stamp{};
    std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &parts);
    const fs::path store = fs::absolute(storePath(m_inner.arguments));
    return (store.parent_path() / "jobs" /
            (std::string(stamp.data()) + "-" + std::to_string(sys::processNumber())))
        .string();
}

/// What the processes run: the words as they were typed, with the file of standard input in its
/// place, and told on the wire.
SlurmStep Submission::step() const
{
    SlurmStep step;
    step.command = {m_arguments.text("program", ownProgram().string())};
    std::istringstream name(m_inner.name);
    for (std::string word; name >> word;)
        step.command.push_back(word);
    for (std::size_t i = 0; i < m_inner.words.size(); ++i) {
        const std::string& word = m_inner.words[i];
        const bool ours = m_inner.name == "run" && !m_inner.wired();
        if (word == "--attended" || (ours && word == "--no-store") ||
            (ours && word.rfind("--store=", 0) == 0))
            continue;
        if (ours && word == "--store") {
            ++i;
            continue;
        }
        step.command.push_back(word == standardInput ? place("plan.pipewright.json") : word);
    }
    if (m_inner.name == "run" && !m_inner.wired())
        step.command.insert(step.command.end(), {"--wire", "--no-store"});
    step.output = place(m_inner.name == "run" ? "run.jsonl" : "output.txt");
    step.log = place("job.log");
    return step;
}

/// Slurm reads the name in the script, where these have meanings of their own.
tl::expected<void, Failure> Submission::checkFolder() const
{
    if (m_folder.find_first_of("\n\"\\%") != std::string::npos)
        return usage("the folder of a job has no \" \\ % or line end in its name: " +
                     quotedWord(m_folder));
    return {};
}

tl::expected<void, Failure> Submission::makeFolder()
{
    std::vector<FolderFile> files;
    if (m_inner.readsInput()) {
        PW_TRY(std::string plan, readStandardInput(maxProjectBytes, m_inner.attended()));
        files.push_back({"plan.pipewright.json", std::move(plan), false});
    }
    files.push_back({"job.sbatch", slurmScript(m_job, step()), false});
    PW_DO(writeFolder(m_folder, files));
    return {};
}

/// What this computer has, as the nodes will: processors and GPUs come from Slurm.
Outcome Submission::tellBackends() const
{
    PW_DO(slurmIsHere());
    const std::string partitions = slurmPartitions();
    if (partitions.empty())
        return wrong("Slurm's programs are here, but its server does not answer (sinfo)");
    constexpr int shown = 256;
    const auto tasks = static_cast<std::size_t>(m_job.tasks > 0 ? m_job.tasks : shown);
    std::vector<exec::BackendInfo> infos = exec::backendInfos();
    for (exec::BackendInfo& info : infos) {
        if (info.name == "cuda" && m_job.gpusPerTask > 0) {
            info.available = true;
            info.missing.clear();
            info.summary = "trains on GPUs of the nodes, which are not looked at from here";
            info.devices.assign(tasks, {"GPU of a node", 0});
        } else if (info.name == "cpu") {
            info.devices.assign(tasks, {"a task of the job", 0});
        }
        if (info.available)
            info.notes.push_back("as a job of Slurm; partitions:\n" + partitions);
    }
    m_console.out << (m_inner.arguments.has("json") ? backendJson(infos)
                                                    : backendText(infos, m_console.screen));
    return ExitCode::Good;
}

/// News of the queue go to standard error, where the studio shows them too.
void Submission::say(const std::string& text) const
{
    m_console.err << "Slurm: " + displayText(text) + "\n" << std::flush;
}

Outcome Submission::run()
{
    PW_DO(readJob());
    if (m_inner.name == "backends")
        return tellBackends();
    m_folder = folderName();
    PW_DO(checkFolder());
    PW_DO(countTasks());
    if (m_arguments.has("show")) {
        m_console.out << slurmScript(m_job, step());
        return ExitCode::Good;
    }
    PW_DO(slurmIsHere());
    PW_DO(makeFolder());
    PW_TRY(const std::string number, sendToSlurm(place("job.sbatch")));
    m_number = number;
    if (m_arguments.has("detach")) {
        m_console.out << "job " + m_number + ", in " + displayText(m_folder) + "\nscancel " +
                             m_number + " cancels it\n";
        if (m_inner.name == "run")
            m_console.out << "pipewright import " + displayText(shellWord(step().output)) +
                                 " --store FILE keeps its run when it has ended\n";
        return ExitCode::Good;
    }
    say("job " + m_number + " is sent; everything of it is in " + m_folder);
    return follow();
}

Outcome Submission::follow()
{
    const Interrupt interrupt(m_stop);
    std::optional<Attendance> attendance;
    if (m_inner.attended() && m_inner.readsInput())
        attendance.emplace(m_stop);
    const bool keeps =
        m_inner.name == "run" && !m_inner.wired() && !m_inner.arguments.has("no-store");
    WireKeeper keeper(keeps ? storePath(m_inner.arguments) : std::string(),
                      [this](const std::string& what) { say(what); });
    exec::WireReader reader(keeper);
    const bool forwards = m_inner.name != "run" || m_inner.wired();
    const SlurmEars ears = {
        [&](std::string_view bytes) {
            if (forwards)
                m_console.out << bytes << std::flush;
            if (m_inner.name == "run")
                (void)reader.feed(bytes); // what it cannot read, it leaves
            return keeper.status().has_value();
        },
        [this](const std::string& state) { say("job " + m_number + " " + state); },
        [&] {
            if (forwards) // whoever reads hears that somebody is there
                m_console.err << "\n" << std::flush;
        }};
    const Result<SlurmJobState> last = followSlurmJob(m_number, step().output, ears, m_stop);
    return told(last, keeper);
}

/// How the job ended, by what its run says, else by what Slurm says.
Outcome Submission::told(const Result<SlurmJobState>& last, WireKeeper& keeper)
{
    std::string end = last ? "job " + m_number + " " + slurmStateText(last->state, {})
                           : last.error().message.english();
    if (last && last->state.empty())
        end = "job " + m_number + " is not known to Slurm any more";
    keeper.close(end);
    const bool good = m_inner.name == "run" ? keeper.status() == RunStatus::Finished
                                            : last && slurmPhase(last->state) == SlurmPhase::Ended;
    const bool stopped = keeper.status() == RunStatus::Stopped || m_stop.requested();
    if (!good && !stopped && !keeper.status()) {
        if (const std::string log = lastLinesOf(place("job.log"), mostLogLines); !log.empty())
            m_console.err << displayLines(log);
    }
    if (m_inner.name == "run" && !m_inner.wired() && keeper.status()) {
        const RunFigures& figures = keeper.figures();
        m_console.out << displayText(keeper.title()) + ": " +
                             std::string(pw::name(*keeper.status())) + ", makespan " +
                             timeText(figures.makespan) + ", predicted " +
                             timeText(figures.predictedMakespan) + "\n";
        if (keeper.number() > 0)
            m_console.out << "run " + std::to_string(keeper.number()) + " in " +
                                 displayText(storePath(m_inner.arguments)) + "; pipewright show " +
                                 std::to_string(keeper.number()) + "\n";
    }
    if (good)
        return ExitCode::Good;
    if (stopped)
        return wrong("job " + m_number + " was stopped");
    const std::string why = !keeper.fault().empty() ? keeper.fault() : end;
    if (m_inner.wired() && !keeper.saidHello()) {
        // Whoever reads the wire hears there why there is no run.
        exec::WireSink sink(m_console.out, exec::WireHello{PW_VERSION, "slurm", {}});
        sink.fault({RankId::none(), RankId::none(), "", why});
        sink.finished(RunStatus::Failed, {});
    }
    return wrong(why);
}

Outcome runSubmit(const Arguments& arguments, Console& console)
{
    return Submission(arguments, console).run();
}

std::vector<Option> optionsOfSubmit()
{
    constexpr const char* section = "Job";
    const auto text = [](const char* name, const char* placeholder, const char* summary) {
        return Option{.name = name,
                      .kind = ValueKind::Text,
                      .placeholder = placeholder,
                      .summary = summary,
                      .section = section};
    };
    return {
        text("partition", "NAME", "partition of the cluster (default: the cluster's)"),
        text("account", "NAME", "who pays (default: yours)"),
        text("nodes", "N", "nodes (default: as many as the tasks need)"),
        text("tasks", "N", "processes: one per device (default), or 1 that runs all devices"),
        text("cpus-per-task", "N", "processors of a process (default 1)"),
        text("gpus-per-task", "N", "GPUs of a process (default 0)"),
        text("time", "TIME",
             "longest time: minutes, hours:minutes:seconds or days-hours (default: the "
             "partition's)"),
        text("name", "NAME", "name in the queue (default pipewright)"),
        text("mpi", "WAY",
             "how the processes meet: pmix (default) for Open MPI, pmi2 for MPICH; srun "
             "--mpi=list shows what there is"),
        text("program", "PATH", "pipewright as the nodes find it (default: this one)"),
        text("folder", "FOLDER",
             "script, plan, output and log of the job; every node has to see it (default: one "
             "of its own beside the store)"),
        {.name = "show", .summary = "only the batch script; nothing is sent"},
        {.name = "detach", .summary = "ends when the job is sent, and says where its files are"}};
}

} // namespace

Command submit()
{
    Command command;
    command.name = "submit";
    command.group = CommandGroup::Run;
    command.summary = "runs a schedule as a Slurm job, and fetches the result";
    command.words = "-- run FAMILY|FILE …";
    command.about =
        "After -- comes the command that the job runs, with its options: run, costs calibrate, or "
        "backends, which only checks whether a job can be sent. A batch script is written and "
        "given to sbatch; the state of the queue is shown as it changes, the run is followed "
        "while it goes on, and kept in the store. Ctrl-C cancels the job.\n"
        "As a connection of the studio, `pipewright submit --partition NAME --`, or the same "
        "after ssh, runs on a cluster what you drew.\n"
        "Exit code 1 if Slurm does not take the job, or if its run does not reach its end.";
    command.examples = {
        "pipewright submit --partition gpu --time 30 --show -- run 1f1b --devices 4"};
    command.minimumWords = 1;
    command.maximumWords = 100'000;
    command.options = optionsOfSubmit;
    command.run = runSubmit;
    return command;
}

} // namespace pw::app::commands

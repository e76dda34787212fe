// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/adaptive_command.h"
#include "app/backend_access.h"
#include "app/divergence.h"
#include "app/grouping_options.h"
#include "app/interrupt.h"
#include "app/prepare_run.h"
#include "app/progress.h"
#include "app/run_kernels.h"
#include "app/run_report.h"
#include "app/standard_input.h"
#include "app/store_path.h"
#include "core/base/try.h"
#include "core/model/replicas.h"
#include "executor/api/fan_out_sink.h"
#include "executor/api/sampling_sink.h"
#include "executor/api/store_sink.h"
#include "executor/api/wire.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>

namespace pw::app::commands {

namespace {

/// Hands lines on that were known before the run was.
class FirstLines : public exec::RunSink
{
public:
    explicit FirstLines(std::vector<std::string> lines)
        : m_lines(std::move(lines))
    {
    }
    /// Who hears them; set before the run starts.
    void setTarget(exec::RunSink* target) { m_target = target; }

    void started(const exec::RunPlan&, const RunEnvironment&) override
    {
        for (const std::string& line : m_lines)
            m_target->log({0, RankId::none(), LogLevel::Info, line});
    }
    void passes(std::span<const RecordedPass>) override {}
    void messages(std::span<const RecordedMessage>) override {}
    void memory(std::span<const MemorySample>) override {}
    void loss(const StepLoss&) override {}
    void log(const RunLog&) override {}
    void fault(const RunFault&) override {}
    void finished(RunStatus, const RunFigures&) override {}

private:
    std::vector<std::string> m_lines;
    exec::RunSink* m_target = nullptr;
};

/// A run of this command, from the command line to the report.
class RunCommand
{
public:
    RunCommand(const Arguments& arguments, Console& console)
        : m_arguments(arguments)
        , m_console(console)
        , m_wired(arguments.has("wire"))
        , m_plain(!m_wired && !arguments.has("json"))
    {
    }

    Outcome run();

private:
    tl::expected<Study, Failure> studied() const;
    void say(std::string_view what) const;
    Outcome failed(Failure failure);
    Outcome execute(PreparedRun prepared, exec::Backend& backend);
    void measureAgain(const PreparedRun& prepared, const exec::RecordingSink::Record& record);
    void tell(const exec::RunPlan& plan, const exec::SamplingSink& recording);
    void countKernels(const exec::RunPlan& plan, const exec::RecordingSink::Record& record,
                      exec::Backend& backend, exec::RunSink& told);
    Outcome ended(const exec::RunPlan& plan, const exec::RecordingSink::Record& record,
                  const Result<RunFigures>& ran, const std::string& divergence);

    const Arguments& m_arguments;
    Console& m_console;
    bool m_wired;
    bool m_plain;
    exec::Stop m_stop;
    RunContext m_context;
    std::unique_ptr<exec::WireSink> m_wire;
};

tl::expected<Study, Failure> RunCommand::studied() const
{
    const EndAtOnce searching; // which may take minutes, and leaves nothing half done
    // With --adapt the limit is of the micro-batches that are tried, and no order is checked.
    return studyOf(m_arguments.words()[0],
                   m_arguments.has("adapt") ? m_arguments.without({memoryLimitName}) : m_arguments,
                   OtherParameters::Refuse, {.measured = nullptr, .trains = true});
}

void RunCommand::say(std::string_view what) const
{
    if (m_plain)
        showStatus(m_console.err, what);
    else if (m_wire != nullptr)
        m_wire->log({0, RankId::none(), LogLevel::Info, std::string(what)});
}

Outcome RunCommand::run()
{
    for (const auto& [one, other] : {std::pair("wire", "json"), std::pair("store", "no-store")}) {
        if (m_arguments.has(one) && m_arguments.has(other))
            return usage(std::string("--") + one + " and --" + other + " exclude each other");
    }
    PW_DO(checkAdaptOptions(m_arguments));
    const Interrupt interrupt(m_stop);
    PW_TRY(BackendAccess access, BackendAccess::join());
    if (!access.leads())
        return access.serve(m_stop);
    PW_TRY(Study study, studied());
    std::optional<Attendance> attendance;
    if (m_arguments.has("attended"))
        attendance.emplace(m_stop);
    PW_TRY(std::unique_ptr<exec::Backend> backend,
           access.open(m_arguments, study.schedule.devices(), m_context.backendText));
    m_context.backendText = "on " + m_context.backendText;
    if (m_arguments.has("adapt"))
        return runAdapting(study, m_arguments, m_console, *backend, m_context.backendText, m_stop);
    if (m_wired) {
        const exec::BackendInfo info = backend->info();
        m_wire = std::make_unique<exec::WireSink>(
            m_console.out, exec::WireHello{PW_VERSION, info.name, info.devices});
    }
    tl::expected<PreparedRun, Failure> prepared =
        prepareRun(m_arguments.words()[0], std::move(study), m_arguments, *backend, m_stop,
                   [this](std::string_view what) { say(what); });
    if (m_plain)
        showStatus(m_console.err, {});
    if (!prepared)
        return failed(prepared.error());
    return execute(std::move(*prepared), *backend);
}

/// Says on the wire too that there will be no run. One that was asked to end has not failed.
Outcome RunCommand::failed(Failure failure)
{
    if (m_wire != nullptr && m_stop.requested()) {
        m_wire->finished(RunStatus::Stopped, {});
    } else if (m_wire != nullptr) {
        m_wire->fault({RankId::none(), RankId::none(), "", failure.message});
        m_wire->finished(RunStatus::Failed, {});
    }
    return tl::unexpected<Failure>(std::move(failure));
}

Outcome RunCommand::execute(PreparedRun prepared, exec::Backend& backend)
{
    m_context.title = prepared.title.empty() ? m_arguments.words()[0] : prepared.title;
    m_context.costsText = prepared.costsText;
    m_context.modelText = prepared.modelText;
    prepared.plan.title = m_context.title;

    exec::SamplingSink recording;
    std::vector<std::string> lines = {m_context.backendText, m_context.costsText};
    if (const std::string flush = flushText(prepared.plan.schedule.spec()); !flush.empty())
        lines.push_back(flush);
    FirstLines first(std::move(lines));
    std::unique_ptr<ProgressLine> progress;
    std::vector<exec::RunSink*> sinks;
    std::unique_ptr<exec::StoreSink> store;
    if (!m_arguments.has("no-store")) {
        m_context.storePath = storePath(m_arguments);
        Result<std::unique_ptr<exec::StoreSink>> opened = exec::StoreSink::open(
            m_context.storePath, prepared.plan, [this](const std::string& what) {
                if (m_wire != nullptr)
                    m_wire->log({0, RankId::none(), LogLevel::Warning, what});
                else
                    m_console.err << "pipewright run: " + what + "\n";
            });
        if (!opened)
            return failed({ExitCode::Wrong, opened.error().message});
        store = std::move(*opened);
        m_context.storedRun = store->number();
        m_context.storedText = "run " + std::to_string(store->number()) + " in " +
                               m_context.storePath + "; pipewright show " +
                               std::to_string(store->number());
        sinks.push_back(store.get());
    }
    if (m_wire != nullptr)
        sinks.push_back(m_wire.get());
    HeldEnd told(std::move(sinks));
    first.setTarget(&told);
    sinks = {&told, &first};
    DivergenceWatch divergence(told);
    sinks.push_back(&divergence);
    const bool kernels = m_arguments.has("kernels");
    if (kernels)
        told.hold(); // what is said of them comes before the end
    if (!m_wired || kernels)
        sinks.push_back(&recording);
    if (m_plain) {
        m_console.out << runHeading(prepared.plan, m_context, m_console.screen) << "\n"
                      << std::flush;
        if (terminalTakesProgress()) {
            progress = std::make_unique<ProgressLine>(m_console.err);
            sinks.push_back(progress.get());
        }
    }
    exec::FanOutSink all(sinks);
    const Result<RunFigures> ran = backend.run(prepared.plan, all, m_stop);
    if (ran && !m_wired)
        measureAgain(prepared, recording.record());
    if (ran && !m_wired && replicasOf(prepared.plan.schedule.spec()) > 1)
        m_context.job = jobOfRun(recording.record().passes);
    // First what the run was for, as it stands whatever a library that watches may do.
    tell(prepared.plan, recording);
    if (ran && kernels)
        countKernels(prepared.plan, recording.record(), backend, told);
    told.release();
    return ended(prepared.plan, recording.record(), ran, divergence.sentence());
}

/// What came of the run, for people.
void RunCommand::tell(const exec::RunPlan& plan, const exec::SamplingSink& recording)
{
    m_context.extremes = recording.extremes();
    m_context.stride = recording.stride();
    if (m_plain)
        m_console.out << runText(plan, reportOf(plan, recording.record(), m_context.extremes),
                                 m_context, m_console.screen)
                      << std::flush;
}

/// Behind the run, whose times nobody who watches may disturb.
void RunCommand::countKernels(const exec::RunPlan& plan, const exec::RecordingSink::Record& record,
                              exec::Backend& backend, exec::RunSink& told)
{
    say("counting kernels");
    m_context.kernels = countedKernels(plan, record.passes, backend, m_stop);
    const PipelineSpec& spec = plan.schedule.spec();
    if (m_plain) {
        showStatus(m_console.err, {});
        m_console.out << kernelsText(*m_context.kernels, spec, m_console.screen);
    }
    Ticks end = 0;
    for (const RecordedPass& pass : record.passes)
        end = std::max(end, pass.end);
    for (const RunLog& log : kernelLogs(*m_context.kernels, spec, end))
        told.log(log);
}

/// On a machine that drifts one calibration says too little: another one follows the run.
void RunCommand::measureAgain(const PreparedRun& prepared,
                              const exec::RecordingSink::Record& record)
{
    constexpr double muchDrift = 0.05;
    const std::optional<Forecast>& before = prepared.plan.forecast;
    if (!before || !prepared.measureAgain)
        return;
    const double meanwhile =
        driftOf(prepared.plan.schedule, prepared.rounds,
                recordedIterations(prepared.plan.schedule, record.passes, record.messages));
    if (before->drift < muchDrift && std::abs(meanwhile) < muchDrift)
        return;
    say("measuring again what passes take: the machine drifts");
    const Result<std::vector<MeasuredRound>> after = prepared.measureAgain();
    if (m_plain)
        showStatus(m_console.err, {});
    if (!after)
        return;
    std::vector<MeasuredRound> rounds = prepared.rounds;
    rounds.insert(rounds.end(), after->begin(), after->end());
    ForecastRequest request;
    request.iterations = prepared.plan.iterations;
    request.drift = Drift::Between;
    if (const Result<Forecast> both = forecastMakespan(prepared.plan.schedule, rounds, request))
        m_context.bothSides = widenedForFewRounds(*both);
}

Outcome RunCommand::ended(const exec::RunPlan& plan, const exec::RecordingSink::Record& record,
                          const Result<RunFigures>& ran, const std::string& divergence)
{
    if (!m_wired && !m_plain)
        m_console.out << runJson(plan, reportOf(plan, record, m_context.extremes), m_context,
                                 record.environment,
                                 ran ? divergence : ran.error().message.english());
    if (!ran)
        return wrong(ran.error());
    if (!divergence.empty())
        return wrong(divergence + "; a smaller --learning-rate may keep it finite");
    return ExitCode::Good;
}

Outcome runRun(const Arguments& arguments, Console& console)
{
    return RunCommand(arguments, console).run();
}

std::vector<Option> optionsOfRun()
{
    std::vector<Option> all = allRunOptions();
    const std::vector<Option> adapting = adaptOptions();
    all.insert(all.end(), adapting.begin(), adapting.end());
    appendHeldSamples(all);
    all.push_back(attendedOption());
    all.push_back(storeOption());
    all.push_back({.name = "no-store", .summary = "the run is not kept", .section = "Store"});
    constexpr const char* section = "Output";
    all.push_back(kernelsOption());
    all.push_back({.name = "json", .summary = "for programs: one object", .section = section});
    all.push_back({.name = "wire",
                   .summary = "for programs: everything as it happens, one JSON object per line",
                   .section = section});
    return all;
}

} // namespace

Command run()
{
    Command command;
    command.name = "run";
    command.group = CommandGroup::Run;
    command.summary =
        "runs a schedule for real, and shows what was predicted and what was measured";
    command.words = "FAMILY|FILE";
    command.about =
        "Trains a small GPT with the schedule, or lets each pass take its modelled time "
        "(--backend emulated). A backend that trains is calibrated first, briefly, unless --costs "
        "or the times on the command line say what to expect. The prediction comes with the "
        "interval that nine runs in ten lie in, if the machine behaves as it did while it was "
        "measured.\n"
        "Ctrl-C, SIGTERM and SIGHUP end a run early; what it has done by then is kept. A second "
        "one ends the program at once.\n"
        "If mpirun or srun starts as many processes as there are devices, each process is a "
        "device.\n"
        "With --recompute, forwards run once more before their backwards. With --replicas, "
        "several pipelines run side by side and sum their gradients, with one rank for each of "
        "their devices; the report ends with the job: what costs it time, and what repairs would "
        "gain. With --adapt, kfkb switches k between iterations as the network "
        "changes.\n"
        "Exit code 1 if the run does not reach its end, or if its loss is not a finite number; "
        "130, 143 or 129 if Ctrl-C, SIGTERM or SIGHUP ended it.";
    command.examples = {
        "pipewright run 1f1b --backend emulated --devices 4 --iterations 2 --store runs.sqlite",
        "pipewright run zb-h1 --devices 2 --size tiny --iterations 3 --backend cpu --no-store",
        "pipewright run 1f1b --devices 2 --replicas 2 --zero-1 --recompute 0 --size tiny "
        "--iterations 2 --backend cpu --no-store",
        "pipewright run 1f1b --backend emulated --devices 4 --replicas 4 --slow 2.1*1.3 --no-store",
        "pipewright run kfkb --adapt --devices 4 --backend emulated --iterations 4 --every 2 "
        "--link-trace 0:1,100:20 --no-store"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfRun;
    command.run = runRun;
    return command;
}

} // namespace pw::app::commands

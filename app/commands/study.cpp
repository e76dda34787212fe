// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/study.h"

#include "app/backend_access.h"
#include "app/delay_study.h"
#include "app/interrupt.h"
#include "app/prepare_run.h"
#include "app/progress.h"
#include "app/store_path.h"
#include "app/training.h"
#include "core/base/try.h"
#include "core/families/default_family.h"
#include "core/families/family_traits.h"
#include "executor/api/fan_out_sink.h"
#include "executor/api/recording_sink.h"
#include "executor/api/store_sink.h"

#include <ostream>

namespace pw::app::commands {

namespace {

/// The optimizer of a training, as options of `run`.
struct StudiedOptimizer
{
    const char* name;
    std::vector<std::string> options;
};

std::vector<StudiedOptimizer> studiedOptimizers()
{
    return {{"SGD", {"--optimizer=sgd", "--momentum=0", "--learning-rate=0.05"}},
            {"SGD, momentum 0.9", {"--optimizer=sgd", "--learning-rate=0.05"}},
            {"Adam", {"--optimizer=adamw", "--weight-decay=0"}},
            {delayAdamW, {"--optimizer=adamw", "--weight-decay=0.1"}},
            {delayMuon, {"--optimizer=muon", "--weight-decay=0.1"}}};
}

/// The study of a delay, from the command line to its table.
class DelayStudy
{
public:
    DelayStudy(const Arguments& arguments, Console& console)
        : m_arguments(arguments)
        , m_console(console)
        , m_seeds(arguments.whole("seeds", usualSeeds))
        , m_correction(arguments.number("delay-correction", 1))
    {
    }

    static constexpr int usualSeeds = 3;
    static constexpr int usualSteps = 40;

    Outcome run();

private:
    std::vector<std::string> words(const StudiedOptimizer& optimizer, DelayCase which,
                                   int seed) const;
    tl::expected<void, Failure> train(const StudiedOptimizer& optimizer, DelayCase which, int seed,
                                      DelayCurves& into);

    const Arguments& m_arguments;
    Console& m_console;
    int m_seeds;
    double m_correction;
    int m_trained = 0;
    exec::Stop m_stop;
};

std::vector<std::string> DelayStudy::words(const StudiedOptimizer& optimizer, DelayCase which,
                                           int seed) const
{
    const std::string family = which == DelayCase::Flushed
                                   ? std::string(defaultFamily)
                                   : std::string(firstFamily([](const FamilyTraits& traits) {
                                         return traits.updates == UpdateRule::DoubleBuffered;
                                     }));
    // One iteration: its steps follow each other without a flush between them.
    std::vector<std::string> all = {
        family,
        "--iterations=1",
        "--warmup=0",
        "--seed=" + std::to_string(seed),
        "--steps=" + std::to_string(m_arguments.whole("steps", usualSteps)),
        "--devices=" + std::to_string(m_arguments.whole("devices", 2)),
        "--micro-batches=" + std::to_string(m_arguments.whole("micro-batches", 4)),
        "--size=" + m_arguments.text("size", "tiny")};
    all.insert(all.end(), optimizer.options.begin(), optimizer.options.end());
    if (which == DelayCase::Corrected)
        all.push_back("--delay-correction=" + m_arguments.text("delay-correction", "1"));
    return all;
}

tl::expected<void, Failure> DelayStudy::train(const StudiedOptimizer& optimizer, DelayCase which,
                                              int seed, DelayCurves& into)
{
    const std::vector<Option> options = allRunOptions();
    const Result<Arguments> asked = parse(options, words(optimizer, which, seed));
    if (!asked)
        return usage(asked.error().message);
    const std::string& family = asked->words()[0];
    PW_TRY(Study study,
           studyOf(family, *asked, OtherParameters::Refuse, {.measured = nullptr, .trains = true}));
    std::string reason;
    PW_TRY(BackendAccess access, BackendAccess::join());
    PW_TRY(const std::unique_ptr<exec::Backend> backend,
           access.open("cpu", study.schedule.devices(), reason));
    const std::string title = study.title + ", " + optimizer.name +
                              (which == DelayCase::Corrected ? ", corrected" : "") + ", seed " +
                              std::to_string(seed);
    PW_TRY(PreparedRun prepared,
           prepareRun(family, std::move(study), *asked, *backend, m_stop, {}));
    prepared.plan.title = title;
    exec::RecordingSink recording;
    PW_TRY(const std::unique_ptr<exec::StoreSink> store,
           exec::StoreSink::open(storePath(m_arguments), prepared.plan));
    exec::FanOutSink both({store.get(), &recording});
    PW_TRY(const RunFigures figures, backend->run(prepared.plan, both, m_stop));
    static_cast<void>(figures);
    std::vector<double> losses;
    for (const StepLoss& loss : recording.record().losses)
        losses.push_back(loss.loss);
    into.losses.push_back(std::move(losses));
    into.runs.push_back(store->number());
    return {};
}

Outcome DelayStudy::run()
{
    const bool plain = !m_arguments.has("json");
    const Interrupt interrupt(m_stop);
    const std::vector<StudiedOptimizer> optimizers = studiedOptimizers();
    const std::size_t all = optimizers.size() * delayCases * static_cast<std::size_t>(m_seeds);
    std::vector<DelayedOptimizer> studied;
    for (const StudiedOptimizer& optimizer : optimizers) {
        DelayedOptimizer& one = studied.emplace_back();
        one.name = optimizer.name;
        for (const DelayCase which :
             {DelayCase::Flushed, DelayCase::Delayed, DelayCase::Corrected}) {
            for (int seed = 1; seed <= m_seeds; ++seed) {
                if (plain)
                    showStatus(m_console.err, "training " + std::to_string(++m_trained) + " of " +
                                                  std::to_string(all) + ": " + one.name);
                PW_DO(train(optimizer, which, seed, one.of(which)));
            }
        }
    }
    if (!plain) {
        m_console.out << delayJson(studied, m_correction);
        return ExitCode::Good;
    }
    showStatus(m_console.err, {});
    m_console.out << "Loss at the end of " << m_arguments.whole("steps", usualSteps)
                  << " steps, over " << m_seeds << (m_seeds == 1 ? " seed" : " seeds")
                  << ": with a flush, with gradients one step old, and with the delay corrected\n\n"
                  << delayText(studied, m_console.screen) << "\n  runs "
                  << studied.front().of(DelayCase::Flushed).runs.front() << " to "
                  << studied.back().of(DelayCase::Corrected).runs.back() << " in "
                  << storePath(m_arguments) << "\n";
    return ExitCode::Good;
}

Outcome runStudy(const Arguments& arguments, Console& console)
{
    return DelayStudy(arguments, console).run();
}

std::vector<Option> optionsOfStudy()
{
    constexpr double mostSeeds = 100;
    constexpr double mostSteps = 1e5;
    constexpr double most = 64;
    const auto whole = [](const char* name, const char* placeholder, const char* summary,
                          double least, double maximum) {
        return Option{.name = name,
                      .kind = ValueKind::Whole,
                      .placeholder = placeholder,
                      .summary = summary,
                      .minimum = least,
                      .maximum = maximum};
    };
    return {whole("steps", "N", "optimizer steps (default 40)", 4, mostSteps),
            whole("seeds", "N", "trainings of each kind, by first weights and data (default 3)", 1,
                  mostSeeds),
            whole("devices", "P", "devices, p (default 2)", 2, most),
            whole("micro-batches", "M", "of a step (default 4)", 2, most),
            {.name = "size",
             .kind = ValueKind::Text,
             .placeholder = "NAME",
             .summary = "the model that is trained, as of run (default tiny)"},
            delayCorrectionOption("1", ""),
            storeOption(),
            {.name = "json", .summary = "for programs: one object, with curves and their bands"}};
}

} // namespace

Command study()
{
    Command command;
    command.name = "study";
    command.group = CommandGroup::Run;
    command.summary = "whether training with old gradients converges: an experiment of its own";
    command.words = "2bw";
    command.about =
        "Trains a small GPT on the CPU with 1F1B, whose gradients are of the newest weights, and "
        "with PipeDream-2BW, whose gradients are one step old: with SGD, Adam, AdamW and Muon, "
        "with and without a correction of the delay, with several seeds. Says what the delay costs "
        "beside what the papers say of it. Every training is kept as a run; the studio lays their "
        "losses over each other.\n"
        "The correction takes, where s is the optimizer's step and s' the one before, "
        "s + X · (s − s'): what the step before should have been is made good. It is error "
        "feedback, after arXiv:2606.30634, in a form of our own.";
    command.examples = {"pipewright study 2bw --steps 4 --seeds 1 --store study.sqlite"};
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfStudy;
    command.run = [](const Arguments& arguments, Console& console) -> Outcome {
        if (arguments.words()[0] != "2bw")
            return usage("there is no study " + quotedWord(arguments.words()[0]) + ", only 2bw");
        return runStudy(arguments, console);
    };
    return command;
}

} // namespace pw::app::commands

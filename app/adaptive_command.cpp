// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/adaptive_command.h"

#include "app/adaptive_plans.h"
#include "app/adaptive_report.h"
#include "app/backend_access.h"
#include "app/grouping_options.h"
#include "app/progress.h"
#include "app/store_path.h"
#include "core/base/try.h"
#include "core/families/family_traits.h"
#include "executor/api/store_sink.h"

#include <algorithm>
#include <chrono>
#include <ostream>

namespace pw::app {

namespace {

constexpr const char* adaptSection = "Adaptive k (kfkb)";

/// A training of its own in this process and in those of its ranks.
std::uint64_t newTraining()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    static std::uint64_t last = 0;
    constexpr std::uint64_t positive = ~std::uint64_t{0} >> 1;
    last = std::max(last + 1, static_cast<std::uint64_t>(now.count()) & positive);
    return last;
}

/// One run of the command.
class AdaptiveCommand
{
public:
    AdaptiveCommand(const Arguments& arguments, Console& console, exec::Backend& backend,
                    const exec::Stop& stop)
        : m_arguments(arguments)
        , m_console(console)
        , m_backend(backend)
        , m_stop(stop)
        , m_json(arguments.has("json"))
        , m_wire(arguments.has("wire"))
    {
    }

    Outcome run(const Study& study, const std::string& backendText);

private:
    tl::expected<void, Failure> runAll(const std::vector<exec::GroupingPlan>& plans,
                                       AdaptiveReport& report);
    Result<std::unique_ptr<exec::RunSink>> openStore(const exec::GroupingPlan& plan,
                                                     const exec::StretchBegin& begin,
                                                     std::uint64_t training,
                                                     AdaptiveReport& report);
    void say(const std::string& what) const
    {
        if (m_wire && !what.empty())
            m_console.out << sayingLine(what) << std::flush;
        else if (!m_wire && !m_json)
            showStatus(m_console.err, what);
    }

    const Arguments& m_arguments;
    Console& m_console;
    exec::Backend& m_backend;
    const exec::Stop& m_stop;
    const bool m_json;
    const bool m_wire;
};

Outcome AdaptiveCommand::run(const Study& study, const std::string& backendText)
{
    AdaptiveReport report;
    report.backendText = backendText;
    report.every = measuredEvery(m_arguments);
    report.iterations = m_arguments.whole("iterations", 20);
    tl::expected<AdaptivePlans, Failure> made =
        adaptivePlans(study, m_arguments, m_backend, m_stop,
                      [this](std::string_view what) { say(std::string(what)); });
    if (!made) {
        say({});
        return tl::unexpected<Failure>(made.error());
    }
    report.problem = made->problem;
    report.trains = !isEmulated(m_backend);
    if (m_wire)
        m_console.out << outlineLine(report, made->plans) << std::flush;
    if (const auto done = runAll(made->plans, report); !done) {
        say({});
        return tl::unexpected<Failure>(done.error());
    }
    say("simulating");
    const Result<AdaptComparison> simulated = compareGroupings(
        report.problem, report.iterations, report.every, 1, [this] { return m_stop.requested(); });
    say({});
    if (!simulated)
        return wrong(simulated.error());
    report.simulated = *simulated;
    m_console.out << (m_wire   ? resultLine(report)
                      : m_json ? jsonOf(report)
                               : textOf(report, m_console.screen));
    return ExitCode::Good;
}

tl::expected<void, Failure> AdaptiveCommand::runAll(const std::vector<exec::GroupingPlan>& plans,
                                                    AdaptiveReport& report)
{
    exec::AdaptiveRequest request;
    request.iterations = report.iterations;
    request.every = report.every;
    if (m_wire)
        request.ended = [&](const exec::AdaptiveIteration& one) {
            const int k = plans[static_cast<std::size_t>(one.pair)].pair.group;
            m_console.out << iterationLine(one, k) << std::flush;
        };
    const auto ran = [&](const exec::StretchSink& sinks) {
        request.training = newTraining();
        return exec::runAdaptive(m_backend, plans, request, sinks, m_stop);
    };
    say("running with the k that follows the network");
    const exec::StretchSink sinks = [&](const exec::GroupingPlan& plan,
                                        const exec::StretchBegin& begin) {
        return openStore(plan, begin, request.training, report);
    };
    PW_TRY(exec::AdaptiveRun adaptive, ran(sinks));
    report.adaptive = std::move(adaptive);
    if (!m_arguments.has("compare-fixed"))
        return {};
    request.fixed = true;
    request.ended = {};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        say("running with k " + std::to_string(plans[i].pair.group));
        request.first = static_cast<int>(i);
        PW_TRY(exec::AdaptiveRun fixed, ran({}));
        report.fixed.push_back(std::move(fixed));
    }
    return {};
}

/// A stored run for every stretch of one k.
Result<std::unique_ptr<exec::RunSink>> AdaptiveCommand::openStore(const exec::GroupingPlan& plan,
                                                                  const exec::StretchBegin& begin,
                                                                  std::uint64_t training,
                                                                  AdaptiveReport& report)
{
    if (m_arguments.has("no-store"))
        return std::unique_ptr<exec::RunSink>();
    exec::RunPlan stored = plan.plan;
    stored.title = "kFkB, adaptive: k " + std::to_string(plan.pair.group) + ", micro-batch of " +
                   std::to_string(plan.pair.microBatch) + ", from iteration " +
                   std::to_string(begin.iteration);
    stored.warmup = 0;
    stored.training = training;
    stored.firstIteration = begin.iteration;
    stored.adapted = exec::AdaptedPart{plan.pair.group, plan.pair.microBatches, report.every,
                                       begin.start, begin.reason};
    report.storePath = storePath(m_arguments);
    Result<std::unique_ptr<exec::StoreSink>> opened =
        exec::StoreSink::open(report.storePath, stored, [this](const std::string& what) {
            m_console.err << "pipewright run: " + what + "\n";
        });
    if (!opened)
        return fail(opened.error());
    report.stored.push_back((*opened)->number());
    return std::unique_ptr<exec::RunSink>(std::move(*opened));
}

} // namespace

std::vector<Option> adaptOptions()
{
    std::vector<Option> all = {
        {.name = "adapt",
         .summary = "k, with the fastest micro-batch that fits, follows the measured times of "
                    "messages",
         .section = adaptSection}};
    const std::vector<Option> common =
        groupingOptions({adaptSection, adaptSection, adaptSection, "8p", ", modelled:"});
    all.insert(all.end(), common.begin(), common.end());
    all.push_back({.name = "compare-fixed",
                   .summary = "also run every fixed k for as long over the same network",
                   .section = adaptSection});
    return all;
}

tl::expected<void, Failure> checkAdaptOptions(const Arguments& arguments)
{
    if (!arguments.has("adapt")) {
        for (const Option& option : adaptOptions()) {
            if (arguments.has(option.name))
                return usage("--" + option.name + " needs --adapt");
        }
        return {};
    }
    if (const Family& family = regroupingFamily(); arguments.words()[0] != family.id)
        return usage("--adapt is for " + std::string(family.id) + ": the k of " +
                     quotedWord(arguments.words()[0]) + " cannot follow the network");
    for (const char* name : {"group",         "micro-batches", "micro-batch-size",
                             "steps",         "warmup",        "inject",
                             "costs",         "model",         "stage-times",
                             "as-planned",    "recompute",     "offload",
                             "host-link",     "replicas",      "stage-replicas",
                             "comm",          "clip-norm",     "zero-1",
                             "hint",          "kernels",       "slow",
                             passOverheadName}) {
        if (arguments.has(name))
            return usage(std::string("--") + name +
                         " and --adapt exclude each other: micro-batches and k change on the way, "
                         "and the times are its own (--global-batch, --latency, --message)");
    }
    return {};
}

Outcome runAdapting(const Study& study, const Arguments& arguments, Console& console,
                    exec::Backend& backend, const std::string& backendText, const exec::Stop& stop)
{
    return AdaptiveCommand(arguments, console, backend, stop).run(study, backendText);
}

} // namespace pw::app

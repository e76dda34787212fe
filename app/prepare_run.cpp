// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/prepare_run.h"

#include "app/backend_access.h"
#include "app/file_options.h"
#include "app/interrupt.h"
#include "app/model_options.h"
#include "app/offload_options.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "executor/api/hint.h"
#include "executor/calibrate/calibration.h"
#include "executor/model/model_text.h"
#include "executor/model/training.h"

#include <algorithm>
#include <cmath>

namespace pw::app {

namespace {

constexpr const char* runSection = "Run";

/// Whether the command line says what passes take, so that nothing needs to be measured. A message
/// time alone does not.
bool costsAreGiven(const Arguments& arguments)
{
    const std::vector<Option> options = costOptions();
    return std::any_of(options.begin(), options.end(), [&arguments](const Option& option) {
        return option.name != memoryLimitName && option.name != "link-trace" &&
               option.name != "comm" && option.name != "split" && arguments.has(option.name);
    });
}

/// What is measured, briefly, before a run.
exec::CalibrationRequest requestFor(const Study& study, const Training& training)
{
    exec::CalibrationRequest request = exec::calibrationFor(study.schedule);
    request.model = training.model;
    request.split = training.split;
    request.optimizer = training.optimizer;
    request.seed = training.seed;
    constexpr int briefly = 6; // one in every round
    request.iterations = briefly;
    request.warmup = 1;
    request.messageSizes = false;
    return request;
}

/// Measures what the passes of the study take, and makes the study again for that.
tl::expected<Study, Failure> calibrated(const std::string& word,
                                        const exec::CalibrationRequest& request,
                                        const Arguments& arguments, exec::Backend& backend,
                                        const exec::Stop& stop)
{
    Result<CostsFile> measured = exec::calibrate(backend, request, stop);
    if (!measured)
        return wrong("calibration: " + measured.error().message);
    const EndAtOnce searching; // once more, before anything of the run is kept
    tl::expected<Study, Failure> again =
        studyOf(word, arguments, OtherParameters::Refuse,
                {.measured = std::make_shared<CostsFile>(std::move(*measured)), .trains = true});
    if (again)
        again->costs.text += ", a moment ago";
    return again;
}

/// What is wrong with a run before anything of it is measured.
tl::expected<void, Failure> checkBefore(const Study& study, const Training& training,
                                        const Arguments& arguments, const std::string& backend)
{
    for (const char* ofCuda : {"bf16", "tf32"}) {
        if (backend == "cpu" && arguments.has(ofCuda))
            return usage(std::string("--") + ofCuda +
                         " is for the backend cuda, and the CPU computes in 32-bit floats only; "
                         "without it the run is possible");
    }
    if (backend == "cpu" && training.model.element != exec::Element::Float32)
        return wrong("--size " + arguments.text("size") +
                     " computes in bfloat16, and the CPU in 32-bit floats only; another --size, or "
                     "--backend cuda, is possible");
    if (!arguments.has(memoryLimitName))
        return {};
    PW_TRY(const SimResult result, simulate(study.schedule, study.costs.costs));
    if (const std::string over = overLimit(study.schedule, study.costs.costs, result);
        !over.empty())
        return wrong(over);
    return {};
}

/// The interval that will hold the makespan, where times were kept that it can be made from. A link
/// that is modelled on top was not there when they were measured, nor were copies to the host; and
/// they are of an order that is kept.
void addForecast(PreparedRun& prepared, const std::vector<MeasuredRound>& rounds)
{
    exec::RunPlan& plan = prepared.plan;
    if (rounds.empty() || plan.modelledLinks || !plan.program.moves.empty() || plan.hint > 0)
        return;
    ForecastRequest request;
    request.iterations = plan.iterations;
    const Result<Forecast> forecast = forecastMakespan(plan.schedule, rounds, request);
    if (!forecast)
        return;
    plan.forecast = widenedForFewRounds(*forecast);
    prepared.rounds = rounds;
    if (rounds.size() < 2)
        return;
    const double percent = std::round(1000 * forecast->drift) / 10;
    prepared.costsText += ", in " + std::to_string(rounds.size()) +
                          " rounds of which the slowest took " + plainNumber(percent) +
                          " % longer than the fastest";
}

} // namespace

std::vector<Option> planOptions()
{
    constexpr double mostIterations = 1e6;
    constexpr double mostMs = 1e8;
    return {{.name = "iterations",
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary = "how often the whole schedule is run (default 5)",
             .section = runSection,
             .minimum = 1,
             .maximum = mostIterations},
            {.name = "warmup",
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary =
                 "iterations that are run first and not counted (default 1; 3 on cuda, whose "
                 "graphs are made then)",
             .section = runSection,
             .minimum = 0,
             .maximum = mostIterations},
            {.name = "patience",
             .kind = ValueKind::Number,
             .placeholder = "MS",
             .summary = "a longer wait for another device is a fault (default 3000 and three "
                        "iterations, up to four times that if others share the cores)",
             .section = runSection,
             .minimum = 1,
             .maximum = mostMs},
            {.name = "hint",
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary = "the order is a hint: a device that waits runs what is ready, up to N "
                        "places ahead, within the same memory",
             .section = runSection,
             .minimum = 1,
             .maximum = maxPasses},
            {.name = "as-planned",
             .summary = "predict with the times in the file; nothing is measured first",
             .section = runSection},
            {.name = "inject",
             .kind = ValueKind::Text,
             .placeholder = "FAULT,…",
             .summary = "what goes wrong on purpose: throw, stall, wrong-tag, lose-message, die, "
                        "out-of-memory or skip-weight, then the pass and the iteration, such as "
                        "stall:F3.1@2",
             .section = runSection},
            {.name = "slow",
             .kind = ValueKind::Text,
             .placeholder = "R.S*FACTOR,…",
             .summary = "emulated workers that take longer than planned: replica and stage from 0, "
                        "such as 2.1*1.3",
             .section = runSection}};
}

std::vector<Option> allRunOptions()
{
    std::vector<Option> all = shapeOptions();
    for (std::vector<Option>& more :
         std::vector<std::vector<Option>>{costOptions(), fileOptions(), trainingOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    all.push_back(backendOption());
    const std::vector<Option> plan = planOptions();
    all.insert(all.end(), plan.begin(), plan.end());
    return all;
}

tl::expected<std::vector<exec::InjectedFault>, Failure> faultsOf(const Arguments& arguments)
{
    std::vector<exec::InjectedFault> faults;
    if (!arguments.has("inject"))
        return faults;
    const std::string text = arguments.text("inject");
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        Result<exec::InjectedFault> fault = exec::parseFault(text.substr(begin, end - begin));
        if (!fault)
            return usage("--inject: " + fault.error().message);
        faults.push_back(*fault);
        begin = end + 1;
    }
    return faults;
}

tl::expected<PreparedRun, Failure> prepareRun(const std::string& word, Study study,
                                              const Arguments& arguments, exec::Backend& backend,
                                              const exec::Stop& stop,
                                              const std::function<void(std::string_view)>& say)
{
    const bool emulated = isEmulated(backend);
    PW_TRY(std::vector<exec::InjectedFault> faults, faultsOf(arguments));
    if (const auto given = givenTrainingOption(arguments); emulated && given)
        return usage("--" + *given +
                     " is for a backend that trains, such as --backend cpu; an "
                     "emulated one takes modelled times");
    PW_TRY(const Training training, emulated ? withoutTraining(study.schedule.spec())
                                             : trainingOf(arguments, study.schedule, backend));
    PW_DO(checkBefore(study, training, arguments, backend.info().name));
    std::string modelText;
    std::function<Result<std::vector<MeasuredRound>>()> measureAgain;
    if (!emulated) {
        modelText = "trains " + exec::describe(training.model, training.split);
        if (const std::string fitted = fitText(arguments, training.model); !fitted.empty())
            modelText += "; " + fitted;
        if (!arguments.has("as-planned") && !costsAreGiven(arguments)) {
            if (say)
                say("measuring what passes take");
            const exec::CalibrationRequest request = requestFor(study, training);
            PW_TRY(Study again, calibrated(word, request, arguments, backend, stop));
            measureAgain = [request, &backend, &stop]() -> Result<std::vector<MeasuredRound>> {
                PW_TRY(CostsFile file, exec::calibrate(backend, request, stop));
                return std::move(file.rounds);
            };
            study = std::move(again);
        }
        PW_DO(exec::setBytes(study.costs.costs, study.schedule.spec(), training.model,
                             training.split, training.optimizer));
        // What is hidden and what fits, of the bytes and times that the run has.
        PW_DO(chooseOffload(study, arguments));
    }
    PW_TRY(exec::RunPlan plan,
           exec::makePlan(std::move(study.schedule), std::move(study.costs.costs), training.model,
                          training.split));
    plan.title = study.title;
    plan.family = study.family == nullptr ? "" : std::string(study.family->id);
    plan.optimizer = training.optimizer;
    PW_DO(applyTraining(plan, arguments, backend.info().name));
    plan.seed = training.seed;
    plan.warmup = arguments.whole("warmup", backend.info().warmup);
    plan.iterations = arguments.whole("iterations", 5);
    plan.modelledLinks = arguments.has("link-trace") || arguments.has("comm");
    plan.patience = ticksFromMs(arguments.number("patience", 0));
    plan.faults = std::move(faults);
    if (arguments.has("slow") && !emulated)
        return usage("--slow is for --backend emulated: a device that computes takes its own time");
    if (arguments.has("slow")) {
        PW_TRY(plan.slow, exec::parseSlowWorkers(arguments.text("slow"), plan.schedule.spec()));
    }
    if (arguments.has("hint"))
        PW_DO(exec::setHint(plan, arguments.whole("hint", 1), backend.info().name));
    PreparedRun prepared{std::move(plan), study.title, study.costs.wholeText(), modelText};
    if (study.costs.measured != nullptr && !emulated)
        addForecast(prepared, study.costs.measured->rounds);
    if (prepared.plan.forecast)
        prepared.measureAgain = std::move(measureAgain);
    return prepared;
}

} // namespace pw::app

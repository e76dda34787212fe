// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/backend_access.h"
#include "app/interrupt.h"
#include "app/memory_troubles.h"
#include "app/own_families.h"
#include "app/text_table.h"
#include "app/training.h"
#include "app/verify_cases.h"
#include "app/verify_report.h"
#include "core/base/names.h"
#include "core/base/try.h"
#include "core/families/default_family.h"
#include "core/families/family_traits.h"
#include "core/model/routes.h"
#include "executor/verify/verification.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>
#include <string>

namespace pw::app::commands {

namespace {

using exec::Comparison;

class Verification
{
public:
    Verification(exec::Backend& backend, VerifyGrid grid, const exec::Stop& stop)
        : m_backend(backend)
        , m_grid(std::move(grid))
        , m_stop(stop)
        , m_allowed(exec::allowedError(m_grid.element))
    {
    }

    double allowed() const { return m_allowed; }
    const MemoryTroubles& troubles() const { return m_troubles; }

    CaseResult verify(const VerifyCase& one)
    {
        CaseResult result;
        result.one = one;
        Result<exec::RunPlan> plan = planOf(one, m_grid);
        if (plan) {
            if (const Result<void> can = exec::checkBackend(*plan, m_backend.info().name); !can)
                plan = fail(can.error());
        }
        if (!plan) {
            result.refusal = plan.error().message;
            return result;
        }
        const Result<Comparison> compared = compare(*plan, *plan);
        if (!compared) {
            result.failure = compared.error().message;
            return result;
        }
        result.comparison = *compared;
        result.good = compared->error() <= m_allowed;
        return result;
    }

    /// @param mpi  programs are made again in each process, so none can be broken
    std::vector<Control> controls(bool mpi)
    {
        std::vector<Control> all;
        const auto add = [&](const char* name, std::string_view family, int steps,
                             const std::function<void(exec::RunPlan&)>& breakRun,
                             const std::function<void(exec::RunPlan&)>& breakTruth) {
            all.push_back(control(name, family, steps, m_grid.element, breakRun, breakTruth));
        };
        const auto splitting = firstFamily([](const FamilyTraits& traits) {
            return traits.splitsBackward && traits.oneWay && traits.chunks == 1;
        });
        const auto buffered = firstFamily([](const FamilyTraits& traits) {
            return traits.updates == UpdateRule::DoubleBuffered;
        });
        const auto bidirectional =
            firstFamily([](const FamilyTraits& traits) { return traits.routes > 1; });
        const auto nothing = [](exec::RunPlan&) {};
        // The update works on 32-bit floats whatever the elements are, and what elements of 16 bits
        // round would hide a rule of it that is left out.
        const auto addRule = [&](const char* name,
                                 const std::function<void(exec::RunPlan&)>& breakTruth) {
            all.push_back(
                control(name, defaultFamily, 1, exec::Element::Float32, nothing, breakTruth));
        };
        add("a W left out", splitting, 1, skipOne(PassKind::W, StageId(1)), nothing);
        add("a weight gradient left out", defaultFamily, 1, skipOne(PassKind::BW, StageId(0)),
            nothing);
        add("a forward on other data", defaultFamily, 1, nothing,
            [](exec::RunPlan& truth) { ++truth.seed; });
        add("weights one version too new", buffered, 3, nothing,
            [](exec::RunPlan& truth) { makeFlushed(truth); });
        if (m_grid.optimizer.delayCorrection > 0)
            all.push_back(control(
                "a delay that is not corrected", buffered, 3, exec::Element::Float32, nothing,
                [](exec::RunPlan& truth) { truth.optimizer.delayCorrection = 0; }));
        // A rule of the update that is left out shows in the parameters after the first one or two.
        if (m_grid.optimizer.kind == exec::OptimizerKind::AdamW) {
            addRule("weights that do not decay",
                    [](exec::RunPlan& truth) { truth.optimizer.weightDecay = 0; });
            addRule("a second moment that forgets too fast",
                    [](exec::RunPlan& truth) { truth.optimizer.beta2 = 0.98; });
        } else {
            addRule("no momentum", [](exec::RunPlan& truth) { truth.optimizer.momentum = 0; });
        }
        if (!mpi) {
            add(
                "gradients of two replicas not reduced", bidirectional, 1,
                [](exec::RunPlan& plan) {
                    for (std::vector<Instruction>& rank : plan.program.ranks)
                        std::erase_if(rank, [](const Instruction& instruction) {
                            return instruction.kind == InstructionKind::Reduce;
                        });
                },
                nothing);
        }
        return all;
    }

private:
    Result<Comparison> compare(const exec::RunPlan& plan, const exec::RunPlan& truth)
    {
        PW_TRY(const exec::ReferenceRun* const reference, m_references.of(truth));
        Result<Comparison> compared =
            exec::compareWithReference(m_backend, plan, *reference, m_stop);
        if (compared)
            m_troubles.take(compared->gpus);
        return compared;
    }

    static std::function<void(exec::RunPlan&)> skipOne(PassKind kind, StageId stage)
    {
        return [kind, stage](exec::RunPlan& plan) {
            plan.faults = {{exec::FaultKind::SkipWeight, {kind, 0, stage, 1, 0}, 0}};
        };
    }

    /// The same shape with the plain rule: a gradient at a time of the weights that it changes.
    static void makeFlushed(exec::RunPlan& truth)
    {
        const PipelineSpec& spec = truth.schedule.spec();
        FamilyOptions options;
        options.devices = spec.stages();
        options.microBatches = spec.microBatches;
        options.steps = spec.steps;
        options.updates = true;
        const Result<const Family*> plain = findFamily(defaultFamily);
        if (!plain)
            return;
        if (Result<Schedule> schedule = buildUniform(**plain, options, UniformCosts{}))
            truth.schedule = std::move(*schedule);
    }

    Control control(std::string_view name, std::string_view family, int steps,
                    exec::Element element, const std::function<void(exec::RunPlan&)>& breakRun,
                    const std::function<void(exec::RunPlan&)>& breakTruth)
    {
        Control control;
        control.name = std::string(name) + " (" + std::string(family) + ")";
        VerifyCase one;
        one.family = *findFamily(family); // one of the program
        one.options.devices = 2;
        one.options.microBatches = 4;
        one.options.steps = steps;
        one.iterations = steps == 1 ? 3 : 1;
        // What asynchronous families cannot do would hide what is broken.
        VerifyGrid grid = m_grid;
        grid.optimizer.clipNorm = 0;
        grid.postValidation = false;
        grid.element = element;
        // Two directions of each replica have to be routes, too.
        grid.replicas = std::min(grid.replicas, maxRoutes / 2);
        Result<exec::RunPlan> plan = planOf(one, grid);
        if (!plan) {
            control.failure = plan.error().message;
            return control;
        }
        exec::RunPlan truth = *plan;
        breakRun(*plan);
        breakTruth(truth);
        // Of its own, since the broken truth must not be kept for others.
        References references;
        const Result<const exec::ReferenceRun*> reference = references.of(truth);
        const Result<Comparison> compared =
            reference ? exec::compareWithReference(m_backend, *plan, **reference, m_stop)
                      : fail(reference.error());
        if (!compared) {
            control.failure = compared.error().message;
            return control;
        }
        control.comparison = *compared;
        control.detected = compared->error() > exec::allowedError(element);
        return control;
    }

    exec::Backend& m_backend;
    VerifyGrid m_grid;
    const exec::Stop& m_stop;
    double m_allowed;
    References m_references;
    MemoryTroubles m_troubles;
};

VerifyGrid gridOf(const Arguments& arguments)
{
    VerifyGrid grid;
    if (arguments.has("devices"))
        grid.devices = {arguments.whole("devices", 0)};
    else if (arguments.has("thorough"))
        grid.devices = {1, 2, 3, 4, 8};
    if (arguments.has("micro-batches"))
        grid.microBatches = {arguments.whole("micro-batches", 0)};
    grid.variants = !arguments.has("plain");
    grid.seed =
        static_cast<std::uint64_t>(arguments.number("seed", static_cast<double>(grid.seed)));
    if (arguments.has("bf16"))
        grid.element = exec::Element::BFloat16;
    grid.flashAttention = arguments.has("flash-attention");
    grid.optimizer = exec::comparableOptimizer();
    grid.optimizer.kind = optimizerKindOf(arguments);
    grid.optimizer.momentum = exec::usualMomentum(grid.optimizer.kind);
    if (grid.optimizer.kind == exec::OptimizerKind::Sgd)
        grid.optimizer.learningRate = 0.01;
    grid.optimizer.delayCorrection = arguments.number("delay-correction", 0);
    grid.shardedOptimizer = arguments.has("zero-1");
    // What is to be shared needs somebody to share it with.
    grid.impliedReplicas = grid.shardedOptimizer && !arguments.has("replicas");
    grid.replicas = arguments.whole("replicas", grid.impliedReplicas ? 2 : 1);
    grid.optimizer.clipNorm = arguments.number("clip-norm", 0);
    grid.postValidation = arguments.has("post-validation");
    grid.offload = arguments.text("offload", "");
    return grid;
}

tl::expected<std::vector<const Family*>, Failure> familiesOf(const Arguments& arguments)
{
    std::vector<const Family*> families;
    for (const std::string& word : arguments.words()) {
        const Result<const Family*> family = familyOrFile(word);
        if (!family && !sameName(word, "all"))
            return usage(family.error().message);
        if (family)
            families.push_back(*family);
    }
    if (families.empty()) {
        for (const Family& family : allFamilies())
            families.push_back(&family);
    }
    return families;
}

constexpr const char* impliedText =
    "\n--zero-1 without --replicas: 2 replicas of every pipeline, and replicas of single stages";

Outcome runVerify(const Arguments& arguments, Console& console)
{
    exec::Stop stop;
    const Interrupt interrupt(stop);
    PW_TRY(const std::vector<const Family*> families, familiesOf(arguments));
    PW_TRY(BackendAccess access, BackendAccess::join());
    if (!access.leads())
        return access.serve(stop);
    const VerifyGrid grid = gridOf(arguments);
    if (grid.shardedOptimizer && grid.replicas < 2)
        return usage("--zero-1 needs --replicas 2 or more, which it has without --replicas: one "
                     "copy of a stage has all of its optimizer");
    if (grid.postValidation && grid.optimizer.clipNorm <= 0)
        return usage("--post-validation needs --clip-norm above 0: else nothing waits for a norm");
    std::string reason;
    PW_TRY(std::unique_ptr<exec::Backend> backend,
           access.open(arguments.text("backend", "cpu"),
                       grid.replicas * *std::max_element(grid.devices.begin(), grid.devices.end()),
                       reason));

    Verification verification(*backend, grid, stop);
    std::vector<FamilyResult> results;
    bool good = true;
    for (const Family* family : families) {
        FamilyResult result;
        result.family = family;
        for (const VerifyCase& one : casesOf(*family, grid)) {
            result.cases.push_back(verification.verify(one));
            if (stop.requested())
                return wrong("stopped on request");
        }
        good = good && result.failed() == 0;
        results.push_back(std::move(result));
    }
    for (const std::string& trouble : verification.troubles().lines())
        console.err << wrapped("warning: " + trouble, console.screen.width);
    const std::vector<Control> controls = verification.controls(access.spansProcesses());
    good = good && std::all_of(controls.begin(), controls.end(),
                               [](const Control& control) { return control.detected; });
    if (arguments.has("json")) {
        console.out << jsonOf(results, controls, backend->info().name, verification.allowed(),
                              good);
    } else {
        const Screen& screen = console.screen;
        console.out << screen.paint("on " + reason + "; relative errors, up to " +
                                        errorText(verification.allowed()) + " allowed" +
                                        (grid.impliedReplicas ? impliedText : ""),
                                    Role::Secondary)
                    << "\n\n"
                    << tableOf(results, screen);
        if (const std::string lines = linesOf(results, arguments.has("verbose"), screen);
            !lines.empty())
            console.out << "\n" << lines;
        console.out << "\n" << controlsText(controls, screen);
    }
    if (!good)
        return wrong("not every run gives what training on one device gives");
    return ExitCode::Good;
}

constexpr const char* shapeSection = "What is run";

/// How weights are updated, and over how many replicas.
std::vector<Option> updateOptions()
{
    return {
        {.name = "optimizer",
         .kind = ValueKind::Text,
         .placeholder = "NAME",
         .summary =
             "sgd (with momentum), adamw or muon, whose steps for the matrices of layers are "
             "orthogonal and adamw's for the rest (default adamw)",
         .section = shapeSection,
         .choices = optimizerNames()},
        delayCorrectionOption("0: none", shapeSection),
        {.name = "replicas",
         .kind = ValueKind::Whole,
         .placeholder = "D",
         .summary = "data-parallel replicas; compared with one that has all micro-batches "
                    "(default 1)",
         .section = shapeSection,
         .minimum = 1,
         .maximum = maxRoutes},
        {.name = "zero-1",
         .summary = "every replica holds the optimizer's states of only its part of the weights, "
                    "and updates that part (ZeRO stage 1) (default: with 2 replicas)",
         .section = shapeSection},
        {.name = "clip-norm",
         .kind = ValueKind::Number,
         .placeholder = "X",
         .summary = "largest norm of all gradients together; larger ones are scaled down to it "
                    "(default: no limit)",
         .section = shapeSection,
         .minimum = 0,
         .maximum = 1e9},
        {.name = "post-validation",
         .summary = "updates do not wait for the norm of --clip-norm, and are taken back if it is "
                    "too large",
         .section = shapeSection},
        {.name = "offload",
         .kind = ValueKind::Text,
         .placeholder = "CELLS",
         .summary =
             "every run keeps these activations in the host's memory: all, or stages and "
             "micro-batches as in simulate, such as 0,1 or 0:2-3 (default: two variants of a "
             "shape keep all there)",
         .section = shapeSection}};
}

std::vector<Option> optionsOfVerify()
{
    constexpr double mostDevices = 64;
    constexpr double mostMicroBatches = 4096;
    Option backend = backendOption();
    backend.summary = "cpu or cuda (default cpu)";
    backend.choices = {"auto", "cpu", "cuda"};
    std::vector<Option> all = {
        {.name = "devices",
         .kind = ValueKind::Whole,
         .placeholder = "P",
         .summary = "devices, p (default 2 and 4)",
         .section = shapeSection,
         .minimum = 1,
         .maximum = mostDevices},
        {.name = "micro-batches",
         .kind = ValueKind::Whole,
         .placeholder = "M",
         .summary = "micro-batches, m (default 1, 2 … 4p)",
         .section = shapeSection,
         .minimum = 1,
         .maximum = mostMicroBatches},
        {.name = "plain",
         .summary = "without recompute, segments and other parameters of the families",
         .section = shapeSection},
        {.name = "thorough", .summary = "with 1, 2, 3, 4 and 8 devices", .section = shapeSection}};
    const std::vector<Option> update = updateOptions();
    all.insert(all.end(), update.begin(), update.end());
    const std::vector<Option> rest = {
        {.name = "bf16",
         .summary = "weights and activations of 16 bits; sums and states stay at 32",
         .section = shapeSection},
        {.name = "flash-attention",
         .summary = "no matrix of scores is kept; the reference keeps its own",
         .section = shapeSection},
        {.name = "seed",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "of weights and data",
         .section = shapeSection,
         .minimum = 0,
         .maximum = 1e15},
        backend,
        {.name = "verbose",
         .summary = "one line for every run, and why a family refuses a shape",
         .section = "Output"},
        {.name = "json", .summary = "for programs: one object", .section = "Output"}};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

} // namespace

Command verify()
{
    Command command;
    command.name = "verify";
    command.group = CommandGroup::Run;
    command.summary = "whether every schedule trains exactly as one device does";
    command.words = "[FAMILY…]";
    command.about =
        "Trains a small model of odd sizes with each schedule for three optimizer steps or more, "
        "and compares every loss, every gradient and every parameter before each update with the "
        "same model on one device, one micro-batch after the other; asynchronous families are "
        "compared with their own update rule, computed one micro-batch after the other. An error "
        "is ‖a − b‖ ⁄ ‖b‖ of a tensor. In 32 bits up to 1e-5 is allowed, which sums in another "
        "order stay below.\n"
        "With --bf16 up to 0.06: rounding to 8 bits errs by up to 2⁻⁹, and with about twenty "
        "roundings per layer and direction, forward and backward over six layers, √240·2⁻⁹ ≈ 3 % "
        "is to be expected.\n"
        "With --replicas every copy of a stage is compared with one pipeline that has all "
        "micro-batches, and with --clip-norm the reference clips as well.\n"
        "With --offload activations go to the host's memory and back, over a link on which the "
        "largest takes as long as a forward; that changes no number.\n"
        "A dash counts shapes that a family refuses; --verbose says why. Some runs are broken on "
        "purpose, and must be noticed; those that leave out a rule of the optimizer in 32 bits "
        "always, since 16 would hide it.\n"
        "Exit code 1 if anything differs, or if a broken run is not noticed.";
    command.examples = {"pipewright verify zb-h1 --devices 2 --micro-batches 4",
                        "pipewright verify pipedream pipedream-2bw --devices 2 --plain",
                        "pipewright verify 1f1b --devices 2 --micro-batches 4 --replicas 2 "
                        "--zero-1 --clip-norm 0.5 --post-validation",
                        "pipewright verify gis --devices 2 --offload all"};
    command.wordKind = WordKind::Family;
    command.minimumWords = 0;
    command.maximumWords = 1000;
    command.options = optionsOfVerify;
    command.run = runVerify;
    return command;
}

} // namespace pw::app::commands

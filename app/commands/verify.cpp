// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/backend_access.h"
#include "app/interrupt.h"
#include "app/text_table.h"
#include "app/verify_cases.h"
#include "core/io/json_text.h"
#include "executor/verify/verification.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>

namespace pw::app::commands {

namespace {

using exec::Comparison;

/// What became of one case.
struct CaseResult
{
    VerifyCase one;
    std::string refusal; ///< the family cannot do this shape; the rest is then empty
    std::string failure; ///< the run itself failed
    Comparison comparison;
    bool good = false;
};

/// A schedule that is broken on purpose.
struct Control
{
    std::string name;
    Comparison comparison;
    std::string failure;
    bool detected = false;
};

std::string errorText(double error)
{
    if (!std::isfinite(error))
        return "none"; // no number
    // A point in every locale.
    std::array<char, 32> text{};
    const std::to_chars_result end = std::to_chars(text.data(), text.data() + text.size(), error,
                                                   std::chars_format::scientific, 1);
    return {text.data(), end.ptr};
}

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

    CaseResult verify(const VerifyCase& one)
    {
        CaseResult result;
        result.one = one;
        const Result<exec::RunPlan> plan = planOf(one, m_grid);
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
        const auto add = [&](const char* name, const char* family, int steps,
                             const std::function<void(exec::RunPlan&)>& breakRun,
                             const std::function<void(exec::RunPlan&)>& breakTruth) {
            all.push_back(control(name, family, steps, breakRun, breakTruth));
        };
        const auto nothing = [](exec::RunPlan&) {};
        add("a W left out (zb-h1)", "zb-h1", 1, skipOne(PassKind::W, 1), nothing);
        add("a weight gradient left out (1f1b)", "1f1b", 1, skipOne(PassKind::BW, 0), nothing);
        add("a forward on other data (1f1b)", "1f1b", 1, nothing,
            [](exec::RunPlan& truth) { ++truth.seed; });
        add("weights one version too new (pipedream-2bw)", "pipedream-2bw", 3, nothing,
            [](exec::RunPlan& truth) { makeFlushed(truth); });
        if (!mpi) {
            add(
                "gradients of two replicas not reduced (chimera)", "chimera", 1,
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
        const Result<const exec::ReferenceRun*> reference = m_references.of(truth);
        if (!reference)
            return fail(reference.error());
        return exec::compareWithReference(m_backend, plan, **reference, m_stop);
    }

    static std::function<void(exec::RunPlan&)> skipOne(PassKind kind, int stage)
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
        options.devices = spec.devices;
        options.microBatches = spec.microBatches;
        options.steps = spec.steps;
        options.updates = true;
        const Result<const Family*> plain = findFamily("1f1b");
        if (!plain)
            return;
        if (Result<Schedule> schedule = buildUniform(**plain, options, UniformCosts{}))
            truth.schedule = std::move(*schedule);
    }

    Control control(std::string name, const char* family, int steps,
                    const std::function<void(exec::RunPlan&)>& breakRun,
                    const std::function<void(exec::RunPlan&)>& breakTruth)
    {
        Control control;
        control.name = std::move(name);
        VerifyCase one;
        const Result<const Family*> found = findFamily(family);
        if (!found) {
            control.failure = found.error().message;
            return control;
        }
        one.family = *found;
        one.options.devices = 2;
        one.options.microBatches = 4;
        one.options.steps = steps;
        one.iterations = steps == 1 ? 2 : 1;
        Result<exec::RunPlan> plan = planOf(one, m_grid);
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
        control.detected = compared->error() > m_allowed;
        return control;
    }

    exec::Backend& m_backend;
    VerifyGrid m_grid;
    const exec::Stop& m_stop;
    double m_allowed;
    References m_references;
};

/// Results of one family.
struct FamilyResult
{
    const Family* family = nullptr;
    std::vector<CaseResult> cases;

    int count(bool (*which)(const CaseResult&)) const
    {
        return static_cast<int>(std::count_if(cases.begin(), cases.end(), which));
    }
    int runs() const
    {
        return count([](const CaseResult& one) { return one.refusal.empty(); });
    }
    int refused() const
    {
        return count([](const CaseResult& one) { return !one.refusal.empty(); });
    }
    int failed() const
    {
        return count([](const CaseResult& one) { return one.refusal.empty() && !one.good; });
    }
};

std::string shapeOf(const VerifyCase& one)
{
    return "p=" + std::to_string(one.options.devices) +
           " m=" + std::to_string(one.options.microBatches) +
           (one.variant.empty() ? "" : ", " + one.variant);
}

std::string tableOf(const std::vector<FamilyResult>& families, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"family", "", Align::Left},
                             {"runs"},
                             {"–"},
                             {"loss"},
                             {"gradient"},
                             {"parameter"},
                             {"result", "", Align::Left},
                             {"worst gradient", "", Align::Left}});
    for (const FamilyResult& family : families) {
        Comparison worst;
        for (const CaseResult& one : family.cases) {
            if (!one.refusal.empty() || !one.failure.empty())
                continue;
            worst.loss.take(one.comparison.loss.error, one.comparison.loss.where);
            worst.gradient.take(one.comparison.gradient.error, one.comparison.gradient.where);
            worst.parameter.take(one.comparison.parameter.error, one.comparison.parameter.where);
        }
        const bool ran = family.runs() > 0;
        const bool good = family.failed() == 0;
        table.append({std::string(family.family->id), std::to_string(family.runs()),
                      family.refused() > 0 ? std::to_string(family.refused()) : "",
                      ran ? errorText(worst.loss.error) : "–",
                      ran ? errorText(worst.gradient.error) : "–",
                      ran ? errorText(worst.parameter.error) : "–",
                      !ran ? "–" : (good ? "good" : screen.paint("WRONG", Role::Refusal)),
                      ran ? worst.gradient.where : ""});
    }
    return table.text(0);
}

std::string controlsText(const std::vector<Control>& controls, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"broken on purpose", "", Align::Left},
                             {"loss"},
                             {"gradient"},
                             {"result", "", Align::Left}});
    for (const Control& control : controls) {
        table.append({control.name, errorText(control.comparison.loss.error),
                      errorText(control.comparison.gradient.error),
                      control.detected ? "noticed" : screen.paint("NOT NOTICED", Role::Refusal)});
    }
    return table.text(0);
}

/// A line for each case that is not simply good; with `all` for every one.
std::string linesOf(const std::vector<FamilyResult>& families, bool all, const Screen& screen)
{
    std::string text;
    for (const FamilyResult& family : families) {
        for (const CaseResult& one : family.cases) {
            std::string what;
            if (!one.refusal.empty())
                what = "–  " + one.refusal;
            else if (!one.failure.empty())
                what = "failed: " + one.failure;
            else
                what = std::string(one.good ? "good" : "WRONG") + ", gradient " +
                       errorText(one.comparison.gradient.error) + " (" +
                       one.comparison.gradient.where + "), loss " +
                       errorText(one.comparison.loss.error) + ", parameter " +
                       errorText(one.comparison.parameter.error);
            if (all || (one.refusal.empty() && !one.good))
                text +=
                    wrapped(std::string(family.family->id) + " " + shapeOf(one.one) + ": " + what,
                            screen.width, 4, 2);
        }
    }
    return text;
}

void writeDeviation(JsonText& json, const char* name, const exec::Deviation& deviation)
{
    json.key(std::string(name) + "_error");
    std::isfinite(deviation.error) ? json.value(deviation.error) : json.null();
    json.member(std::string(name) + "_where", std::string_view(deviation.where));
}

void writeCase(JsonText& json, const CaseResult& one)
{
    json.beginObject(JsonText::Layout::OneLine);
    json.member("devices", one.one.options.devices);
    json.member("micro_batches", one.one.options.microBatches);
    json.member("variant", std::string_view(one.one.variant));
    if (!one.refusal.empty()) {
        json.member("refusal", std::string_view(one.refusal));
    } else if (!one.failure.empty()) {
        json.member("good", false);
        json.member("failure", std::string_view(one.failure));
    } else {
        json.member("good", one.good);
        json.member("updates", one.comparison.updates);
        writeDeviation(json, "loss", one.comparison.loss);
        writeDeviation(json, "gradient", one.comparison.gradient);
        writeDeviation(json, "parameter", one.comparison.parameter);
    }
    json.endObject();
}

std::string jsonOf(const std::vector<FamilyResult>& families, const std::vector<Control>& controls,
                   const std::string& backend, double allowed, bool good)
{
    JsonText json;
    json.beginObject();
    json.member("backend", std::string_view(backend));
    json.member("allowed_error", allowed);
    json.member("good", good);
    json.key("families");
    json.beginArray();
    for (const FamilyResult& family : families) {
        json.beginObject();
        json.member("family", family.family->id);
        json.member("runs", family.runs());
        json.member("refused", family.refused());
        json.member("good", family.failed() == 0);
        json.key("cases");
        json.beginArray();
        for (const CaseResult& one : family.cases)
            writeCase(json, one);
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.key("controls");
    json.beginArray();
    for (const Control& control : controls) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("broken", std::string_view(control.name));
        json.member("noticed", control.detected);
        writeDeviation(json, "loss", control.comparison.loss);
        writeDeviation(json, "gradient", control.comparison.gradient);
        if (!control.failure.empty())
            json.member("failure", std::string_view(control.failure));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.text();
}

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
    if (arguments.text("optimizer", "sgd") == "adamw") {
        // With the usual 1e-8 a gradient that is nothing but rounding would move its weight as far
        // as any other.
        grid.optimizer.kind = exec::OptimizerKind::AdamW;
        grid.optimizer.epsilon = 1e-3;
    } else {
        grid.optimizer.kind = exec::OptimizerKind::Sgd;
        grid.optimizer.learningRate = 0.01;
    }
    return grid;
}

tl::expected<std::vector<const Family*>, Failure> familiesOf(const Arguments& arguments)
{
    std::vector<const Family*> families;
    for (const std::string& word : arguments.words()) {
        const Result<const Family*> family = findFamily(word);
        if (!family && word != "all")
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

Outcome run(const Arguments& arguments, Console& console)
{
    exec::Stop stop;
    const Interrupt interrupt(stop);
    const tl::expected<std::vector<const Family*>, Failure> families = familiesOf(arguments);
    if (!families)
        return tl::unexpected<Failure>(families.error());
    tl::expected<BackendAccess, Failure> access = BackendAccess::join();
    if (!access)
        return tl::unexpected<Failure>(access.error());
    if (!access->leads())
        return access->serve(stop);
    const VerifyGrid grid = gridOf(arguments);
    std::string reason;
    tl::expected<std::unique_ptr<exec::Backend>, Failure> backend =
        access->open(arguments.text("backend", "cpu"),
                     *std::max_element(grid.devices.begin(), grid.devices.end()), reason);
    if (!backend)
        return tl::unexpected<Failure>(backend.error());

    Verification verification(**backend, grid, stop);
    std::vector<FamilyResult> results;
    bool good = true;
    for (const Family* family : *families) {
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
    const std::vector<Control> controls = verification.controls(access->spansProcesses());
    good = good && std::all_of(controls.begin(), controls.end(),
                               [](const Control& control) { return control.detected; });
    if (arguments.has("json")) {
        console.out << jsonOf(results, controls, (*backend)->info().name, verification.allowed(),
                              good);
    } else {
        const Screen& screen = console.screen;
        console.out << screen.paint("on " + reason + "; relative errors, up to " +
                                        errorText(verification.allowed()) + " allowed",
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

std::vector<Option> options()
{
    constexpr double mostDevices = 64;
    constexpr double mostMicroBatches = 4096;
    constexpr const char* shape = "What is run";
    Option backend = backendOption();
    backend.summary = "cpu or cuda (default cpu)";
    backend.choices = {"auto", "cpu", "cuda"};
    return {{.name = "devices",
             .kind = ValueKind::Whole,
             .placeholder = "P",
             .summary = "devices, p (default 2 and 4)",
             .section = shape,
             .minimum = 1,
             .maximum = mostDevices},
            {.name = "micro-batches",
             .kind = ValueKind::Whole,
             .placeholder = "M",
             .summary = "micro-batches, m (default 1, 2 … 4p)",
             .section = shape,
             .minimum = 1,
             .maximum = mostMicroBatches},
            {.name = "plain",
             .summary = "without recompute, segments and other parameters of the families",
             .section = shape},
            {.name = "thorough", .summary = "with 1, 2, 3, 4 and 8 devices", .section = shape},
            {.name = "optimizer",
             .kind = ValueKind::Text,
             .placeholder = "NAME",
             .summary = "sgd (with momentum) or adamw (default sgd)",
             .section = shape,
             .choices = {"sgd", "adamw"}},
            {.name = "bf16",
             .summary = "elements of 16 bits, where the backend has them",
             .section = shape},
            {.name = "flash-attention",
             .summary = "no matrix of scores is kept; the reference keeps its own",
             .section = shape},
            {.name = "seed",
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary = "of weights and data",
             .section = shape,
             .minimum = 0,
             .maximum = 1e15},
            backend,
            {.name = "verbose",
             .summary = "a line for every run, and why a family cannot do a shape",
             .section = "Output"},
            {.name = "json", .summary = "for programs: one object", .section = "Output"}};
}

} // namespace

Command verify()
{
    Command command;
    command.name = "verify";
    command.summary = "whether every schedule trains exactly as one device does";
    command.words = "[FAMILY…]";
    command.about =
        "Trains a small model of odd sizes by each schedule for three optimizer steps or more, and "
        "compares every loss, every gradient and every parameter before each update with the same "
        "model on one device, one micro-batch after the other; asynchronous families with their "
        "update rule computed one after the other. An error is ‖a − b‖ ⁄ ‖b‖ of a tensor. In 32 "
        "bits up to 1e-5 is allowed, which sums in another order stay below.\n"
        "With --bf16 up to 0.06: rounding to 8 bits errs by up to 2⁻⁹, and of the some twenty "
        "roundings a layer and direction, forth and back over six layers, √240·2⁻⁹ ≈ 3 % is to be "
        "expected.\n"
        "A dash counts shapes that a family refuses; --verbose says why. Some runs are broken on "
        "purpose, and must be noticed.\n"
        "Exit code 1 where anything differs, or a broken run is not noticed.";
    command.examples = {"pipewright verify zb-h1 --devices 2 --micro-batches 4",
                        "pipewright verify pipedream pipedream-2bw --devices 2 --plain"};
    command.wordKind = WordKind::Family;
    command.minimumWords = 0;
    command.maximumWords = 1000;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands

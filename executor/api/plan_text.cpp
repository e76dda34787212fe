// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/plan_text.h"

#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/io/project_file.h"
#include "core/model/offload.h"
#include "core/model/routes.h"

#include <array>
#include <charconv>
#include <limits>

namespace pw::exec {

namespace {

using Layout = JsonText::Layout;

constexpr std::int64_t maxPlanBytes = 16 * maxProjectBytes;
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr double widest = std::numeric_limits<double>::max();
constexpr int formatVersion = 2; ///< 2: activations may be offloaded

struct ModelField
{
    std::string_view name;
    int GptModel::*value;
};
constexpr std::array<ModelField, 7> modelFields = {{
    {"layers", &GptModel::layers},
    {"hidden", &GptModel::hidden},
    {"heads", &GptModel::heads},
    {"ffn", &GptModel::ffn},
    {"sequence", &GptModel::sequence},
    {"vocabulary", &GptModel::vocabulary},
    {"samples", &GptModel::samples},
}};

struct OptimizerField
{
    std::string_view name;
    double Optimizer::*value;
};
constexpr std::array<OptimizerField, 8> optimizerFields = {{
    {"learning_rate", &Optimizer::learningRate},
    {"momentum", &Optimizer::momentum},
    {"beta1", &Optimizer::beta1},
    {"beta2", &Optimizer::beta2},
    {"epsilon", &Optimizer::epsilon},
    {"weight_decay", &Optimizer::weightDecay},
    {"clip_norm", &Optimizer::clipNorm},
    {"delay_correction", &Optimizer::delayCorrection},
}};

// Passes, messages and instructions go as runs of numbers of fixed length.
constexpr std::size_t passNumbers = 5;
constexpr std::size_t messageNumbers = 2 * passNumbers + 2;
constexpr std::size_t splitNumbers = 4;
constexpr std::size_t reductionNumbers = 7;
constexpr std::size_t moveNumbers = passNumbers + 4;
constexpr std::size_t instructionNumbers = 2;
constexpr std::size_t faultNumbers = passNumbers + 2;

void put(JsonText& json, const Pass& pass)
{
    json.value(static_cast<int>(pass.kind));
    json.value(static_cast<int>(pass.route));
    json.value(pass.stage);
    json.value(pass.microBatch);
    json.value(pass.segment);
}

void writeProgram(JsonText& json, const Program& program)
{
    json.key("program");
    json.beginObject();
    json.key("ranks");
    json.beginArray();
    for (const std::vector<Instruction>& rank : program.ranks) {
        json.beginArray(Layout::OneLine);
        for (const Instruction& instruction : rank) {
            json.value(static_cast<int>(instruction.kind));
            json.value(instruction.index);
        }
        json.endArray();
    }
    json.endArray();
    json.key("messages");
    json.beginArray(Layout::OneLine);
    for (const Message& message : program.messages) {
        put(json, message.producer);
        put(json, message.consumer);
        json.value(message.from);
        json.value(message.to);
    }
    json.endArray();
    json.key("reductions");
    json.beginArray(Layout::OneLine);
    for (const Reduction& reduction : program.reductions) {
        json.value(reduction.stage);
        json.value(reduction.update);
        json.value(reduction.ranks[0]);
        json.value(reduction.ranks[1]);
        json.value(reduction.routes[0]);
        json.value(reduction.routes[1]);
        json.value(static_cast<int>(reduction.kind));
    }
    json.endArray();
    if (!program.moves.empty()) {
        json.key("moves");
        json.beginArray(Layout::OneLine);
        for (const HostMove& move : program.moves) {
            put(json, move.cell);
            for (const int number : {move.rank.value, move.needed.value, move.freedWithin ? 1 : 0,
                                     move.fetchedWithin ? 1 : 0})
                json.value(number);
        }
        json.endArray();
    }
    json.endObject();
}

class PlanReader
{
public:
    explicit PlanReader(std::string_view text)
        : m_text(text)
    {
    }

    Result<RunPlan> run()
    {
        const Result<JsonDocument> document = parseJson(m_text, maxPlanBytes);
        if (!document)
            return fail(document.error());
        JsonFields fields(*document, "", m_failure);
        fields.integer("plan", 1, formatVersion);
        const std::string projectText = fields.text("project");
        if (m_failure)
            return fail(*m_failure);
        Result<Project> project = readProject(projectText);
        if (!project)
            return fail(project.error());
        Result<Schedule> schedule = scheduleOf(*project);
        if (!schedule)
            return fail(schedule.error());
        RunPlan plan{
            .title = project->title, .schedule = std::move(*schedule), .costs = costsOf(*project)};
        readModel(fields, plan.model);
        readSplit(fields, plan.split);
        readOptimizer(fields, plan.optimizer);
        plan.seed = readSeed(fields);
        plan.warmup = fields.count("warmup", 0);
        plan.iterations = fields.count("iterations", 0);
        plan.modelledLinks = fields.truth("modelled_links");
        plan.shardedOptimizer = fields.truth("sharded_optimizer");
        plan.postValidation = fields.truth("post_validation");
        plan.hint = fields.count("hint", 0);
        plan.training = static_cast<std::uint64_t>(fields.integer("training", 0, highest));
        plan.firstIteration = fields.count("first_iteration", 0);
        if (const std::int64_t start = fields.integer("trace_start_ns", -1, highest); start >= 0)
            plan.traceStart = start;
        plan.patience = fields.integer("patience_ns", 0, highest);
        readFaults(fields, plan.faults);
        if (fields.has("slow")) {
            Result<std::vector<SlowWorker>> slow =
                parseSlowWorkers(fields.text("slow"), plan.schedule.spec());
            if (!slow)
                return fail(slow.error());
            plan.slow = std::move(*slow);
        }
        if (const Result<void> good = readProgram(fields, plan); !good)
            return fail(good.error());
        fields.finish();
        if (m_failure)
            return fail(*m_failure);
        return plan;
    }

private:
    // Plans that were written have these numbers.
    static_assert(static_cast<int>(Element::Float32) == 0 &&
                  static_cast<int>(Element::BFloat16) == 1);
    static_assert(static_cast<int>(OptimizerKind::Sgd) == 0 &&
                  static_cast<int>(OptimizerKind::AdamW) == 1 &&
                  static_cast<int>(OptimizerKind::Muon) == 2);

    void readModel(JsonFields& fields, GptModel& model)
    {
        const JsonValue* object = fields.object("model");
        if (object == nullptr)
            return;
        JsonFields inner(*object, "model", m_failure);
        for (const ModelField& field : modelFields)
            model.*field.value = inner.count(field.name, 0);
        model.element =
            static_cast<Element>(inner.integer("element", 0, static_cast<int>(Element::BFloat16)));
        model.flashAttention = inner.truth("flash_attention", false);
        model.tf32 = inner.truth("tf32", false);
        inner.finish();
    }

    void readOptimizer(JsonFields& fields, Optimizer& optimizer)
    {
        const JsonValue* object = fields.object("optimizer");
        if (object == nullptr)
            return;
        JsonFields inner(*object, "optimizer", m_failure);
        optimizer.kind = static_cast<OptimizerKind>(
            inner.integer("kind", 0, static_cast<int>(OptimizerKind::Muon)));
        for (const OptimizerField& field : optimizerFields)
            optimizer.*field.value = inner.number(field.name, -widest, widest);
        inner.finish();
    }

    /// A list of numbers that come in groups of a length.
    std::vector<int> numbers(JsonFields& fields, std::string_view name, std::size_t group)
    {
        constexpr std::int64_t least = std::numeric_limits<int>::min();
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        std::vector<int> all;
        for (const std::int64_t number : fields.integers(name, least, most))
            all.push_back(static_cast<int>(number));
        if (all.size() % group != 0) {
            fields.refuse(name, "%1 has %2 numbers, which do not come in groups of %3", all.size(),
                          group);
            all.clear();
        }
        return all;
    }

    Pass passAt(JsonFields& fields, std::string_view name, const int* number)
    {
        if (number[0] < 0 || number[0] >= passKindCount || number[1] < 0 || number[1] >= maxRoutes)
            fields.refuse(name, "%1 has a pass of no kind or route");
        return {static_cast<PassKind>(number[0]), static_cast<std::uint8_t>(number[1]),
                StageId(number[2]), number[3], number[4]};
    }

    void readSplit(JsonFields& fields, LayerSplit& split)
    {
        const std::vector<int> all = numbers(fields, "split", splitNumbers);
        for (std::size_t i = 0; i < all.size(); i += splitNumbers)
            split.push_back({all[i], all[i + 1] != 0, all[i + 2] != 0 ? 1 : 0, all[i + 3]});
    }

    std::uint64_t readSeed(JsonFields& fields)
    {
        // A text: JSON's whole numbers end at 2^63.
        const std::string text = fields.text("seed");
        std::uint64_t seed = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), seed);
        if (read.ec != std::errc() || read.ptr != text.data() + text.size())
            fields.refuse("seed", "%1 is not a whole number");
        return seed;
    }

    void readFaults(JsonFields& fields, std::vector<InjectedFault>& faults)
    {
        const std::vector<int> all = numbers(fields, "faults", faultNumbers);
        for (std::size_t i = 0; i < all.size(); i += faultNumbers) {
            if (all[i] < 0 || all[i] > static_cast<int>(FaultKind::SkipWeight))
                fields.refuse("faults", "%1 has a fault of no kind");
            faults.push_back({static_cast<FaultKind>(all[i]),
                              passAt(fields, "faults", all.data() + i + 2), all[i + 1]});
        }
    }

    Result<void> readProgram(JsonFields& fields, RunPlan& plan)
    {
        if (!fields.has("program")) {
            Result<Program> program = programOf(plan.schedule, plan.costs);
            if (!program)
                return fail(program.error());
            plan.program = std::move(*program);
            return {};
        }
        const JsonValue* object = fields.object("program");
        if (object == nullptr)
            return {};
        JsonFields inner(*object, "program", m_failure);
        Program& program = plan.program;
        const std::vector<int> messages = numbers(inner, "messages", messageNumbers);
        for (std::size_t i = 0; i < messages.size(); i += messageNumbers) {
            const int* at = messages.data() + i;
            program.messages.push_back(
                {passAt(inner, "messages", at), passAt(inner, "messages", at + passNumbers),
                 RankId(at[2 * passNumbers]), RankId(at[2 * passNumbers + 1])});
        }
        const std::vector<int> reductions = numbers(inner, "reductions", reductionNumbers);
        for (std::size_t i = 0; i < reductions.size(); i += reductionNumbers)
            program.reductions.push_back(
                reductionAt(inner, reductions.data() + i, plan.schedule.spec()));
        if (inner.has("moves"))
            readMoves(inner, plan);
        if (const JsonValue* ranks = inner.list("ranks")) {
            for (const JsonValue& rank : ranks->GetArray())
                program.ranks.push_back(readInstructions(inner, rank, plan));
        }
        inner.finish();
        if (m_failure)
            return {};
        return proveProgress(plan.schedule, program, plan.schedule.spec().messages);
    }

    void readMoves(JsonFields& fields, RunPlan& plan)
    {
        const std::vector<int> all = numbers(fields, "moves", moveNumbers);
        for (std::size_t i = 0; i < all.size(); i += moveNumbers) {
            const int* at = all.data() + i;
            const Pass cell = passAt(fields, "moves", at);
            at += passNumbers;
            if (at[0] < 0 || at[0] >= plan.schedule.devices() || at[1] < 0 ||
                at[1] >= plan.schedule.entryCount() ||
                offloadedCells({cell}, plan.schedule.spec()) != std::vector<Pass>{cell})
                fields.refuse("moves",
                              "%1 has a copy of no activation, on no rank or for no entry");
            plan.program.moves.push_back(
                {cell, RankId(at[0]), EntryId(at[1]), at[2] != 0, at[3] != 0});
        }
    }

    static Reduction reductionAt(JsonFields& fields, const int* number, const PipelineSpec& spec)
    {
        const auto within = [](int value, int count) { return value >= 0 && value < count; };
        const bool good = within(number[0], spec.stages()) && within(number[2], spec.devices) &&
                          within(number[3], spec.devices) && within(number[4], spec.routeCount()) &&
                          within(number[5], spec.routeCount()) &&
                          within(number[6], static_cast<int>(ReductionKind::Weights) + 1);
        if (!good)
            fields.refuse("reductions", "%1 has a reduction of no kind, stage, rank or route");
        return {StageId(number[0]),
                number[1],
                {RankId(number[2]), RankId(number[3])},
                {number[4], number[5]},
                good ? static_cast<ReductionKind>(number[6]) : ReductionKind::Sum};
    }

    std::vector<Instruction> readInstructions(JsonFields& fields, const JsonValue& list,
                                              const RunPlan& plan)
    {
        std::vector<Instruction> rank;
        if (!list.IsArray() || list.Size() % instructionNumbers != 0) {
            fields.refuse("ranks", "%1 has an element that is not a list of instructions");
            return rank;
        }
        const auto limit = [&](InstructionKind kind) {
            switch (kind) {
            case InstructionKind::Compute:
                return static_cast<std::size_t>(plan.schedule.entryCount());
            case InstructionKind::Send:
            case InstructionKind::Receive:
                return plan.program.messages.size();
            case InstructionKind::Reduce:
                return plan.program.reductions.size();
            case InstructionKind::Stow:
            case InstructionKind::Free:
            case InstructionKind::Fetch:
                return plan.program.moves.size();
            }
            return std::size_t{0};
        };
        for (rapidjson::SizeType i = 0; i < list.Size(); i += instructionNumbers) {
            const bool whole = list[i].IsInt() && list[i + 1].IsInt();
            const int kind = whole ? list[i].GetInt() : -1;
            const int index = whole ? list[i + 1].GetInt() : -1;
            if (kind < 0 || kind > static_cast<int>(InstructionKind::Fetch) || index < 0 ||
                static_cast<std::size_t>(index) >= limit(static_cast<InstructionKind>(kind))) {
                fields.refuse("ranks", "%1 has an instruction that means nothing");
                return rank;
            }
            rank.push_back({static_cast<InstructionKind>(kind), index});
        }
        return rank;
    }

    std::string_view m_text;
    JsonFields::Failure m_failure;
};

} // namespace

Result<std::string> writePlan(const RunPlan& plan)
{
    Project project;
    project.title = plan.title;
    project.draft = draftOf(plan.schedule);
    setTables(project, plan.costs);
    const Result<std::string> text = writeProject(project);
    if (!text)
        return fail(text.error());
    const Result<Program> lowered = programOf(plan.schedule, plan.costs);

    JsonText json;
    json.beginObject();
    // An executor that knows no offload keeps its hands off what it would leave on the device.
    json.member("plan", plan.program.moves.empty() ? 1 : formatVersion);
    json.member("project", std::string_view(*text));
    json.key("model");
    json.beginObject(Layout::OneLine);
    for (const ModelField& field : modelFields)
        json.member(field.name, plan.model.*field.value);
    json.member("element", static_cast<int>(plan.model.element));
    json.member("flash_attention", plan.model.flashAttention);
    json.member("tf32", plan.model.tf32);
    json.endObject();
    json.key("split");
    json.beginArray(Layout::OneLine);
    for (const StageContent& stage : plan.split) {
        for (const int number :
             {stage.layers, stage.embedding ? 1 : 0, stage.outputs > 0 ? 1 : 0, stage.multiToken})
            json.value(number);
    }
    json.endArray();
    json.key("optimizer");
    json.beginObject(Layout::OneLine);
    json.member("kind", static_cast<int>(plan.optimizer.kind));
    for (const OptimizerField& field : optimizerFields)
        json.member(field.name, plan.optimizer.*field.value);
    json.endObject();
    json.member("seed", std::string_view(std::to_string(plan.seed)));
    json.member("warmup", plan.warmup);
    json.member("iterations", plan.iterations);
    json.member("modelled_links", plan.modelledLinks);
    json.member("sharded_optimizer", plan.shardedOptimizer);
    json.member("post_validation", plan.postValidation);
    json.member("hint", plan.hint);
    json.member("training", static_cast<std::int64_t>(plan.training));
    json.member("first_iteration", plan.firstIteration);
    json.member("trace_start_ns", static_cast<std::int64_t>(plan.traceStart.value_or(-1)));
    json.member("patience_ns", plan.patience);
    json.key("faults");
    json.beginArray(Layout::OneLine);
    for (const InjectedFault& fault : plan.faults) {
        json.value(static_cast<int>(fault.kind));
        json.value(fault.iteration);
        put(json, fault.pass);
    }
    json.endArray();
    if (!plan.slow.empty())
        json.member("slow", std::string_view(slowText(plan.slow)));
    // What lowering gives again need not travel.
    if (!lowered || *lowered != plan.program)
        writeProgram(json, plan.program);
    json.endObject();
    return json.text();
}

Result<RunPlan> readPlan(std::string_view text)
{
    return PlanReader(text).run();
}

} // namespace pw::exec

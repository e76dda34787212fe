// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/engine_text.h"

#include "core/base/try.h"
#include "core/io/checked_engines.h"
#include "core/lower/program.h"

namespace pw {

namespace {

std::string listText(const std::vector<std::vector<std::string>>& stages)
{
    std::string text = "[";
    for (const std::vector<std::string>& stage : stages) {
        text += text.size() > 1 ? ", [" : "[";
        for (std::size_t i = 0; i < stage.size(); ++i)
            text += (i > 0 ? ", \"" : "\"") + stage[i] + "\"";
        text += "]";
    }
    return text + "]";
}

/// A node of Primus's table.
std::string primusNode(std::string_view function, int microBatch, int chunk)
{
    return "(" + std::string(function) + "|" + std::to_string(microBatch) + "|" +
           std::to_string(chunk) + ")";
}

/// Writes Primus's table of a schedule.
class PrimusWriter
{
public:
    PrimusWriter(const Schedule& schedule, const Program& program)
        : m_schedule(schedule)
        , m_program(program)
    {
        const auto chunks = chunksOfDevices(schedule.spec());
        m_chunk.resize(static_cast<std::size_t>(schedule.spec().stages()));
        for (const std::vector<HostedStage>& device : chunks) {
            for (std::size_t chunk = 0; chunk < device.size(); ++chunk)
                m_chunk[static_cast<std::size_t>(device[chunk].stage)] = static_cast<int>(chunk);
        }
    }

    std::string rank(std::size_t rank) const
    {
        std::string line = "Rank " + std::to_string(rank) + ": ";
        bool first = true;
        const auto add = [&](const std::string& node) {
            line += (first ? "" : ",") + node;
            first = false;
        };
        for (const Instruction& instruction : m_program.ranks[rank]) {
            if (instruction.kind != InstructionKind::Compute) {
                add(message(instruction));
                continue;
            }
            const Pass pass = m_schedule.entry(EntryId(instruction.index)).pass;
            add(node(name(pass.kind), pass));
            // From one stage to the next on the same rank Primus has a message too.
            if (const StageId next = nextHere(pass, DeviceId(rank)); next >= 0) {
                const std::string_view way = pass.kind == PassKind::F ? "F" : "B";
                add(node("S" + std::string(way), pass));
                add(primusNode("R" + std::string(way), pass.microBatch, chunk(next)));
            }
        }
        return line + "\n";
    }

private:
    int chunk(StageId stage) const { return m_chunk[static_cast<std::size_t>(stage)]; }
    std::string node(std::string_view function, const Pass& pass) const
    {
        return primusNode(function, pass.microBatch, chunk(pass.stage));
    }
    std::string message(const Instruction& instruction) const
    {
        const Message& message = m_program.messages[static_cast<std::size_t>(instruction.index)];
        const bool sends = instruction.kind == InstructionKind::Send;
        const std::string way = message.producer.kind == PassKind::F ? "F" : "B";
        return node((sends ? "S" : "R") + way, sends ? message.producer : message.consumer);
    }
    /// The stage that takes the result of a pass, where it is on the same rank; else −1.
    StageId nextHere(const Pass& pass, DeviceId rank) const
    {
        const PipelineSpec& spec = m_schedule.spec();
        const StageId next = pass.kind == PassKind::F ? pass.stage + 1
                             : isBackward(pass.kind)  ? pass.stage - 1
                                                      : StageId::none();
        const bool exists = next >= 0 && next < spec.stages();
        return exists && spec.device(0, next) == rank ? next : StageId::none();
    }

    const Schedule& m_schedule;
    const Program& m_program;
    std::vector<int> m_chunk; // by stage
};

} // namespace

Result<std::string> torchScheduleName(const PipelineSpec& spec)
{
    if (spec.routeCount() == 1) {
        const Placement& placement = spec.routes.front();
        const int chunks = spec.stages() / spec.devices;
        if (placement == Placement::linear(spec.devices))
            return std::string("1F1B");
        if (chunks > 1 && placement == Placement::looped(spec.devices, chunks))
            return std::string("PipelineScheduleMulti");
        if (placement == Placement::vShape(spec.devices))
            return std::string("ZBVZeroBubble");
    }
    return fail(ErrorCode::BadValue,
                "TorchTitan and NeMo AutoModel know three placements: a stage a rank, stage k on "
                "rank k mod P, and a V of two; this schedule has another one. emit torch writes a "
                "driver that takes any placement of one route");
}

Result<std::vector<std::vector<std::string>>> moduleNames(const LayerSplit& split,
                                                          ModuleStyle style)
{
    const bool titan = style == ModuleStyle::TorchTitan;
    const std::string inside = titan ? "" : "model.";
    std::vector<std::vector<std::string>> names(split.size());
    int layer = 0;
    for (std::size_t stage = 0; stage < split.size(); ++stage) {
        if (split[stage].multiToken > 0)
            return fail(ErrorCode::BadValue,
                        "stage %1 has multi-token layers, which neither TorchTitan nor NeMo "
                        "AutoModel has a name for",
                        stage);
        if (split[stage].embedding)
            names[stage].push_back(titan ? "tok_embeddings" : "model.embed_tokens");
        for (int i = 0; i < split[stage].layers; ++i)
            names[stage].push_back(inside + "layers." + std::to_string(layer++));
        if (split[stage].outputs > 0) {
            names[stage].push_back(inside + "norm");
            names[stage].emplace_back("lm_head");
        }
        if (!titan) // every stage turns positions by itself
            names[stage].push_back(inside + "rotary_emb");
    }
    return names;
}

Result<std::string> torchTitanOptions(const Schedule& schedule, const LayerSplit& split,
                                      std::string_view csvPath)
{
    const PipelineSpec& spec = schedule.spec();
    PW_TRY(const std::string name, torchScheduleName(spec));
    PW_TRY(const auto modules, moduleNames(split, ModuleStyle::TorchTitan));
    const std::string csv(csvPath);
    return checkedLine(torchTitanChecked) + checkedTableLine(csvPath) +
           "\"\"\"A pipeline for TorchTitan, whose configurations are functions. Put this file "
           "and " +
           csv +
           " where Python finds them, and in a\nconfig_registry:\n\n"
           "    from torchtitan_pipeline import apply\n\n"
           "    def llama3_pipeline() -> Trainer.Config:\n"
           "        return apply(llama3_debugmodel())\n\"\"\"\n\n"
           "import pathlib\n\n\n"
           "def apply(config):\n"
           "    parallelism = config.parallelism\n"
           "    parallelism.pipeline_parallel_degree = " +
           std::to_string(spec.devices) +
           "\n    parallelism.num_pp_microbatches = " + std::to_string(spec.microBatches) +
           "\n    # With a CSV the name decides where stages are, and nothing else.\n"
           "    parallelism.pipeline_parallel_schedule = \"" +
           name +
           "\"\n    parallelism.pipeline_parallel_schedule_csv = "
           "str(pathlib.Path(__file__).with_name(\"" +
           csv + "\"))\n    parallelism.module_fqns_per_model_part = " + listText(modules) +
           "\n    return config\n";
}

Result<std::string> nemoConfig(const Schedule& schedule, const LayerSplit& split,
                               std::string_view csvPath)
{
    const PipelineSpec& spec = schedule.spec();
    PW_TRY(const std::string name, torchScheduleName(spec));
    PW_TRY(const auto modules, moduleNames(split, ModuleStyle::HuggingFace));
    return checkedLine(nemoChecked) + checkedTableLine(csvPath) +
           "distributed:\n  pp_size: " + std::to_string(spec.devices) +
           "\n  pipeline:\n    # with a CSV the name decides the placement alone\n"
           "    pp_schedule: " +
           name + "\n    pp_schedule_csv: " + std::string(csvPath) +
           "\n    pp_microbatch_size: 1\n    pp_batch_size: " + std::to_string(spec.microBatches) +
           "\n    scale_grads_in_schedule: false\n    module_fqns_per_model_part: " +
           listText(modules) + "\n";
}

Result<std::string> primusTable(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const auto refuse = [](const Sentence& what) {
        return fail(ErrorCode::BadValue, "Primus's table has no %1", what);
    };
    if (spec.segments() > 1)
        return refuse(said("segments; this schedule has %1", spec.segments()));
    if (spec.routeCount() > 1)
        return refuse(said("second route"));
    if (spec.steps > 1 || spec.updates)
        return refuse(said("optimizer updates"));
    if (schedule.anyRecompute())
        return refuse(said("recompute passes"));
    for (const EntryId i : schedule.entries()) {
        if (schedule.entry(i).paired)
            return refuse(said("overlapped pairs"));
    }
    PW_TRY(const Program program, lower(schedule, ReceivePlacement::AsSent));
    const PrimusWriter writer(schedule, program);
    std::string text = checkedLine(primusChecked);
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank)
        text += writer.rank(rank);
    return text;
}

} // namespace pw

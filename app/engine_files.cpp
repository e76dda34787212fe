// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/engine_files.h"

#include "app/model_options.h"
#include "app/study.h"
#include "app/study_costs.h"
#include "core/base/display_text.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/checked_engines.h"
#include "core/io/engine_text.h"
#include "core/io/file_problem.h"
#include "core/io/megatron_layout.h"
#include "core/io/megatron_text.h"
#include "core/io/project_file.h"
#include "core/io/slurm_job.h"
#include "core/io/torch_csv.h"
#include "core/model/offload.h"

#include <algorithm>
#include <map>
#include <ostream>

namespace pw::app {

namespace {

constexpr const char* layoutOption = "pipeline-model-parallel-layout";
constexpr const char* globalBatchOption = "global-batch";

/// What is written, and for whom.
struct Emission
{
    const Study& study;
    const Arguments& arguments;
    LayerSplit split;
};

using Text = tl::expected<std::string, Failure>;

Text textOr(Result<std::string> made)
{
    PW_TRY(std::string text, std::move(made));
    return text;
}

/// The layers of every stage, as the options, the model or Megatron's own say.
tl::expected<LayerSplit, Failure> splitOf(const Study& study, const Arguments& arguments)
{
    const int stages = study.schedule.spec().stages();
    if (arguments.has(layoutOption)) {
        if (arguments.has("split") || arguments.has("layers"))
            return usage(std::string(layoutOption).insert(0, "--") +
                         " says what --layers and --split say");
        PW_TRY(const std::string flat, expandMegatronLayout(arguments.text(layoutOption)));
        PW_TRY(LayerSplit split, parseLayout(flat));
        if (split.size() != static_cast<std::size_t>(stages))
            return wrong("the layout has " + countText(split.size(), "stage") +
                         "; the schedule has " + std::to_string(stages));
        return split;
    }
    int layers = arguments.whole("layers", stages);
    if (arguments.has("model")) {
        PW_TRY(const LanguageModel model, modelOf(arguments));
        layers = model.dense.layers;
    }
    PW_TRY(LayerSplit split, splitAsked(arguments, layers, stages));
    return split;
}

std::string fitSentence(const MegatronFit& fit)
{
    std::string text;
    if (fit.apart == 0 && fit.splitOnes == 0)
        return "# the order is Megatron's own for these numbers\n";
    if (fit.apart > 0)
        text += "# warning: the drawn order is not of this form: " +
                countText(fit.apart, "pass is", "passes are") + " elsewhere in the nearest one\n";
    if (fit.splitOnes > 0)
        text += "# warning: " + countText(fit.splitOnes, "W has", "W passes have") +
                " no place there: a backward is one pass\n";
    return text;
}

Text megatron(const Emission& emission)
{
    const PipelineSpec& spec = emission.study.schedule.spec();
    PW_TRY(const MegatronFit fit, fitMegatron(emission.study.schedule));
    PW_DO(checkMegatronLayout(emission.split, spec.devices));
    const std::string flat = flatMegatronLayout(emission.split);
    const std::string layout = compressMegatronLayout(flat);
    int layers = 0, multiToken = 0, outputs = 0;
    for (const StageContent& stage : emission.split) {
        layers += stage.layers;
        multiToken += stage.multiToken;
        outputs += stage.outputs;
    }
    const CheckedEngine& engine = megatronOf(emission.split);
    std::string text = checkedLine(engine) + "--pipeline-model-parallel-size " +
                       std::to_string(spec.devices) + "\n--num-layers " + std::to_string(layers) +
                       "\n--" + layoutOption + " \"" + layout + "\"\n";
    if (fit.chunks > 1)
        text += "--microbatch-group-size-per-virtual-pipeline-stage " + std::to_string(fit.group) +
                "\n";
    if (multiToken > 0)
        text += "--mtp-num-layers " + std::to_string(multiToken) + "\n";
    if (outputs > 1)
        text += "--untie-embeddings-and-output-weights\n";
    if (engine.commit != megatronChecked.commit)
        text += std::string("# ") + (outputs > 1 ? "losses" : "multi-token layers") +
                " on several stages: the main line of Megatron-LM refuses that, the pull request "
                "takes it\n";
    if (fit.overlap)
        text += "--overlap-moe-expert-parallel-comm\n"
                "# that needs experts on several ranks (--expert-model-parallel-size above 1)\n";
    text += "# " + countText(spec.microBatches, "micro-batch", "micro-batches") +
            ": --global-batch-size is that times --micro-batch-size and the "
            "data-parallel size\n" +
            fitSentence(fit) + "# the layout, a line a pipeline rank and its chunks in turn:\n";
    const auto table = megatronLayoutTable(emission.split, spec.devices);
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        text += "#   PP rank " + std::to_string(rank) + ":";
        for (std::size_t chunk = 0; chunk < table[rank].size(); ++chunk)
            text += (chunk > 0 ? "; " : " ") + table[rank][chunk];
        text += "\n";
    }
    return text;
}

Text galvatron(const Emission& emission)
{
    const int microBatches = emission.study.schedule.spec().microBatches;
    PW_TRY(const GalvatronStrategy strategy,
           galvatronOf(emission.study.schedule, emission.split,
                       emission.arguments.whole(globalBatchOption, microBatches)));
    return writeGalvatron(strategy);
}

/// A job for Slurm that runs the schedule with one process a device.
Text slurm(const Emission& emission)
{
    SlurmJob job;
    job.tasks = emission.study.schedule.devices();
    SlurmStep step;
    step.command = {"pipewright", "run", projectName, "--backend", "cpu", "--store", "runs.sqlite"};
    return slurmScript(job, step) +
           "# For GPUs: #SBATCH --gpus-per-task=1 above, and --backend cuda.\n"
           "# pmix where Slurm has it (srun --mpi=list), else PIPEWRIGHT_MPI=pmi2.\n";
}

/// What goes to one of the targets as text; those with a folder have more beside it.
Text textFor(const std::string& target, const Emission& emission)
{
    const Schedule& schedule = emission.study.schedule;
    if (target == "megatron")
        return megatron(emission);
    if (target == "torchtitan")
        return textOr(torchTitanOptions(schedule, emission.split, csvName));
    if (target == "nemo")
        return textOr(nemoConfig(schedule, emission.split, csvName));
    if (target == "primus") {
        PW_DO(primusClass(schedule, emission.study.title)); // what cannot run is no table either
        return textOr(primusTable(schedule));
    }
    if (target == "galvatron")
        return galvatron(emission);
    return slurm(emission);
}

/// The files of a target, for its folder.
tl::expected<std::vector<EmittedFile>, Failure> filesFor(const std::string& target,
                                                         const Emission& emission)
{
    if (target == "torch") {
        PW_TRY(
            std::vector<EmittedFile> files,
            torchFolder(emission.study.schedule, emission.study.costs.costs, emission.study.title));
        return files;
    }
    PW_TRY(std::string text, textFor(target, emission));
    std::vector<EmittedFile> files;
    const std::map<std::string, std::string> names = {
        {"megatron", "megatron.args"},   {"torchtitan", "torchtitan_pipeline.py"},
        {"nemo", "nemo.yaml"},           {"primus", "primus_table.txt"},
        {"galvatron", "galvatron.json"}, {"slurm", "job.sbatch"}};
    files.push_back({names.at(target), std::move(text), target == "slurm"});
    if (target == "torchtitan" || target == "nemo") {
        PW_TRY(std::string csv, writeTorchCsv(emission.study.schedule, TorchForm::ComputeOnly));
        files.push_back({csvName, std::move(csv), false});
    }
    if (target == "primus") {
        PW_TRY(std::string module, primusClass(emission.study.schedule, emission.study.title));
        files.push_back({"pipewright_schedule.py", std::move(module), false});
    }
    if (target == "slurm") {
        PW_TRY(std::string project,
               emittedProject(emission.study.schedule, emission.study.costs.costs,
                              emission.study.title));
        files.push_back({projectName, std::move(project), false});
    }
    return files;
}

/// A strategy's project, to standard output or into a folder.
Outcome readStrategy(const std::string& path, const std::string& folder, Console& console)
{
    PW_TRY(const std::string text, strategyProject(path));
    if (folder == "-") {
        console.out << text;
        return ExitCode::Good;
    }
    PW_DO(writeFolder(folder, {{projectName, text, false}}));
    console.out << displayText(folder) << "/" << projectName << "\n";
    return ExitCode::Good;
}

} // namespace

tl::expected<std::string, Failure> strategyProject(const std::string& path)
{
    constexpr std::int64_t longest = 1 << 20;
    PW_TRY(const std::string content, readFile(path, longest));
    const Result<GalvatronStrategy> strategy = readGalvatron(content);
    if (!strategy)
        return wrong(path + ": " + strategy.error().message);
    FamilyChoice choice;
    choice.id = strategy->family;
    choice.options.devices = strategy->devices;
    choice.options.microBatches = strategy->microBatches;
    PW_TRY(const Family* const family, findFamily(choice.id));
    PW_TRY(const PipelineSpec spec, specOf(*family, choice.options));
    Project project;
    project.title = std::string(family->title) + " of a strategy of Galvatron";
    project.notes = "layers of the stages:";
    for (const int layers : strategy->layers)
        project.notes += " " + std::to_string(layers);
    project.family = std::move(choice);
    project.draft.spec = spec;
    project.costs = UniformCosts{};
    PW_TRY(const std::string text, writeProject(project));
    return text;
}

bool isStrategy(const std::string& word)
{
    constexpr std::int64_t longest = 1 << 20;
    if (fileKind(word) != FileKind::Regular)
        return false;
    const Result<std::string> content = readFile(word, longest);
    return content && content->find("\"pp_deg\"") != std::string::npos;
}

const std::vector<std::string>& engineTargets()
{
    static const std::vector<std::string> targets = {"torch",  "torchtitan", "nemo", "megatron",
                                                     "primus", "galvatron",  "slurm"};
    return targets;
}

bool isEngine(const std::string& target)
{
    const std::vector<std::string>& all = engineTargets();
    return std::find(all.begin(), all.end(), target) != all.end();
}

tl::expected<void, Failure> checkEngine(const std::string& target)
{
    if (isEngine(target))
        return {};
    std::string all;
    for (const std::string& name : engineTargets())
        all += (all.empty() ? "" : ", ") + name;
    return usage(quotedWord(target) + " is not a target; there are " + all);
}

tl::expected<std::vector<EmittedFile>, Failure> engineFiles(const std::string& target,
                                                            const Study& study, LayerSplit split,
                                                            const Arguments& arguments)
{
    return filesFor(target, Emission{study, arguments, std::move(split)});
}

std::vector<Option> engineTargetOptions()
{
    constexpr const char* section = "For an engine";
    return {{.name = layoutOption,
             .kind = ValueKind::Text,
             .placeholder = "LAYOUT",
             .summary = "layers of the stages as a command line of Megatron says them, in place of "
                        "--layers and --split",
             .section = section},
            {.name = globalBatchOption,
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary = "into Galvatron's strategy: samples of a step (default: one a micro-batch)",
             .section = section,
             .minimum = 1,
             .maximum = 1e9}};
}

Outcome convertToEngine(const std::string& target, const Arguments& arguments, Console& console)
{
    const std::string& input = arguments.words()[0];
    const std::string folder = arguments.words().size() > 1 ? arguments.words()[1] : "-";
    if (target == "torch" && folder == "-")
        return usage("--to torch writes a folder: say which as OUT, the second word");
    if (target == "galvatron" && isStrategy(input))
        return readStrategy(input, folder, console);
    // Without a model, layers and their split are of the engine's alone.
    const Arguments asked =
        arguments.has("model") ? arguments : arguments.without({"layers", "split"});
    PW_TRY(const Study study, studyOf(input, asked));
    PW_DO(refuseOffload(study.costs.costs, study.schedule.spec(),
                        "an engine's own offload is not set from a schedule"));
    PW_TRY(LayerSplit split, splitOf(study, arguments));
    if (folder == "-") {
        PW_TRY(const std::string text,
               textFor(target, Emission{study, arguments, std::move(split)}));
        console.out << text;
        return ExitCode::Good;
    }
    PW_TRY(const auto files, engineFiles(target, study, std::move(split), arguments));
    PW_DO(writeFolder(folder, files));
    for (const EmittedFile& file : files)
        console.out << displayText(folder) << "/" << file.path << "\n";
    return ExitCode::Good;
}

} // namespace pw::app

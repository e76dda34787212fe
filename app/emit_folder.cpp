// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/emit_folder.h"

#include "app/torch_package.h"
#include "core/base/display_text.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/checked_engines.h"
#include "core/io/project_file.h"
#include "core/io/torch_csv.h"

namespace pw::app {

namespace {

/// A text in Markdown that shows it as it is: no mark of it means anything.
std::string plainInMarkdown(const std::string& text)
{
    constexpr std::string_view marks = "\\`*_{}[]()<>#+-.!|~&:$@\"'=^";
    std::string plain;
    for (const char c : text) {
        if (marks.find(c) != std::string_view::npos)
            plain += '\\';
        plain += c;
    }
    return plain;
}

std::string readmeOf(const Schedule& schedule, const std::string& title)
{
    const PipelineSpec& spec = schedule.spec();
    return "# " + plainInMarkdown(displayText(title)) + "\n\n" + countText(spec.devices, "rank") +
           ", " + countText(spec.stages(), "stage") + ", " +
           countText(spec.microBatches, "micro-batch", "micro-batches") +
           ", for PyTorch's own pipelining runtime.\n" + checkedAgainst(torchChecked) +
           ".\n\n"
           "    ./run.sh                 torchrun with " +
           countText(spec.devices, "process", "processes") +
           ": on GPUs where each has one, else on the CPU\n"
           "    ./run.sh --verify        compares all gradients with one device first\n"
           "    ./run.sh --traces t      leaves a trace of PyTorch's profiler for every rank\n"
           "    ./run.sh --module my.py:build   trains a model of your own\n\n"
           "Needs Python 3.10 and PyTorch 2.6 or newer, and nothing else. On several nodes, give "
           "torchrun its usual\noptions in TORCHRUN:\n\n"
           "    TORCHRUN=\"torchrun --nnodes 2 --nproc-per-node 4 --rdzv-backend c10d "
           "--rdzv-endpoint HOST:29500\" ./run.sh\n\n"
           "`schedule.csv` is the order in PyTorch's compute-only form; `plan.pipewright.json` the "
           "same with its placement and costs.\n"
           "A model of your own is a function that is given the number of stages and returns a "
           "dict: `stages` (modules, or a\nfunction of the index), `inputs` and `target` (of the "
           "execution and the number of micro-batches: the whole batch),\n`loss` (of an output and "
           "a target: the mean over a micro-batch).\n\n"
           "In a training program of your own:\n\n"
           "    schedule = _PipelineScheduleRuntime(stages, " +
           std::to_string(spec.microBatches) +
           ", loss_fn=loss)\n"
           "    schedule._load_csv(\"schedule.csv\", \"compute_only\")\n\n"
           "These files are yours, under any licence.\n";
}

std::string runScript(int devices)
{
    return "#!/bin/sh\n" + checkedLine(torchChecked) +
           "cd \"$(dirname \"$0\")\" || exit 1\n"
           "# torchrun, also of builds without libuv, such as Debian's.\n"
           "export USE_LIBUV=\"${USE_LIBUV:-0}\"\n"
           "exec ${TORCHRUN:-python3 -m pipewright_torch.torchrun --nproc-per-node " +
           std::to_string(devices) + "} -m pipewright_torch run plan.pipewright.json \"$@\"\n";
}

} // namespace

Result<std::string> emittedProject(const Schedule& schedule, const Costs& costs,
                                   const std::string& title)
{
    Project project;
    project.title = title;
    project.draft = draftOf(schedule);
    setTables(project, costs);
    return writeProject(project);
}

Result<std::vector<EmittedFile>> torchFolder(const Schedule& schedule, const Costs& costs,
                                             const std::string& title)
{
    PW_TRY(std::string csv, writeTorchCsv(schedule, TorchForm::ComputeOnly));
    // What is written must be what is meant: read it as PyTorch would.
    const Result<Draft> back = readTorchCsv(csv);
    if (!back || back->orders != schedule.orders())
        return fail(ErrorCode::BadValue, "the schedule file does not read back as this order%1",
                    back ? Sentence() : said(": %1", back.error().message));
    PW_TRY(std::string project, emittedProject(schedule, costs, title));
    std::vector<EmittedFile> files = {{csvName, std::move(csv), false},
                                      {projectName, std::move(project), false},
                                      {"README.md", readmeOf(schedule, title), false},
                                      {"run.sh", runScript(schedule.devices()), true}};
    for (const TorchFile& file : torchPackage())
        files.push_back(
            {"pipewright_torch/" + std::string(file.name), std::string(file.text), false});
    return files;
}

} // namespace pw::app

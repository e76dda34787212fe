// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/plan_options.h"
#include "app/plan_report.h"
#include "core/base/text.h"
#include "core/plan/emit.h"
#include "core/plan/plan_words.h"
#include "python/binding.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace pw::python {

namespace {

/// What a search found, with what was asked.
struct PlanObject
{
    std::shared_ptr<const app::PlanQuestion> question;
    std::shared_ptr<const plan::PlanTable> table;
};

/// One way to train.
struct PlanRow
{
    PlanObject plan;
    const plan::Evaluation* row = nullptr; ///< of the table

    const plan::Configuration& configuration() const { return row->configuration; }
};

constexpr double msPerSecond = 1e3;

py::list peaksOf(const PlanRow& row)
{
    py::list peaks;
    constexpr double most = 4e18;
    for (const plan::MemoryParts& memory : row.row->memory)
        peaks.append(static_cast<std::int64_t>(std::llround(std::min(memory.total(), most))));
    return peaks;
}

py::list memoryOf(const PlanRow& row)
{
    py::list ranks;
    for (const plan::MemoryParts& memory : row.row->memory) {
        py::dict kinds;
        for (const plan::NamedBytes& part : plan::namedBytes(memory))
            kinds[py::str(part.name)] = part.bytes;
        ranks.append(kinds);
    }
    return ranks;
}

py::dict partsOf(const PlanRow& row)
{
    py::dict parts;
    for (const plan::NamedPart& part : plan::namedParts(*row.row))
        parts[py::str(part.name)] = msPerSecond * part.seconds;
    return parts;
}

ScheduleObject scheduleOfRow(const PlanRow& row)
{
    const app::PlanQuestion& question = *row.plan.question;
    return scheduleOfProject(
        taken(plan::projectOf(question.model, question.cluster, question.wish, *row.row)));
}

void bindDegrees(py::class_<PlanRow>& type)
{
    const auto degree = [](int plan::Configuration::*member) {
        return [member](const PlanRow& row) { return row.configuration().*member; };
    };
    type.def_property_readonly("pipeline_parallel", degree(&plan::Configuration::pipelineParallel))
        .def_property_readonly("tensor_parallel", degree(&plan::Configuration::tensorParallel))
        .def_property_readonly("data_parallel", degree(&plan::Configuration::dataParallel))
        .def_property_readonly("context_parallel", degree(&plan::Configuration::contextParallel))
        .def_property_readonly("expert_parallel", degree(&plan::Configuration::expertParallel))
        .def_property_readonly("micro_batch_size", degree(&plan::Configuration::microBatchSize),
                               "Samples of a micro-batch.")
        .def_property_readonly("chunks", degree(&plan::Configuration::chunks), "Of a device.")
        .def_property_readonly(
            "micro_batches", [](const PlanRow& r) { return r.configuration().microBatches(); },
            "Of an iteration, on one replica.")
        .def_property_readonly("family", [](const PlanRow& r) { return r.configuration().family; })
        .def_property_readonly(
            "recompute", [](const PlanRow& r) { return plan::recomputeText(r.configuration()); },
            "What is computed again: 'none', 'selective', 'full' …")
        .def_property_readonly(
            "split", [](const PlanRow& r) { return r.configuration().split; },
            "Layers of every stage.");
}

void bindPlanRow(py::module_& module)
{
    py::class_<PlanRow> type(module, "PlanRow", "One way to train a model on a cluster.");
    bindDegrees(type);
    type.def_property_readonly(
            "iteration_ms", [](const PlanRow& r) { return msPerSecond * r.row->seconds(); },
            "Milliseconds of one iteration.")
        .def_property_readonly(
            "tokens_per_second",
            [](const PlanRow& r) { return plan::tokensPerSecond(r.plan.question->model, *r.row); })
        .def_property_readonly(
            "mfu",
            [](const PlanRow& r) {
                return plan::modelUtilisation(r.plan.question->model, r.plan.question->cluster,
                                              *r.row);
            },
            "Model FLOPs over what the devices' peak would give, 0 to 1.")
        .def_property_readonly("peak_bytes", &peaksOf, "By pipeline rank.")
        .def_property_readonly("memory", &memoryOf,
                               "By pipeline rank the same by kind, a dict of bytes: weights,\n"
                               "weight_versions, gradients, optimizer, activations, working,\n"
                               "buffers, loss, slices, dummy_gradients, fragments.")
        .def_property_readonly(
            "bubble", [](const PlanRow& r) { return r.row->bubble; },
            "Idle part of the pipeline's time, over all devices.")
        .def_property_readonly("parts_ms", &partsOf,
                               "What the iteration goes into, in milliseconds, by name.")
        .def("schedule", &scheduleOfRow, "Its schedule with its costs.")
        .def(
            "torch",
            [](const PlanRow& r) {
                return taken(plan::torchTableOf(r.plan.question->model, r.plan.question->cluster,
                                                r.configuration()));
            },
            "Its order as the CSV of PyTorch's pipelining runtime.")
        .def(
            "megatron",
            [](const PlanRow& r) {
                return taken(plan::megatronFlags(r.plan.question->model, r.configuration()));
            },
            "Its options for Megatron.")
        .def("__repr__", [](const PlanRow& r) {
            return "<PlanRow " + plan::rowName(*r.row) + ": " +
                   plainNumber(msPerSecond * r.row->seconds(), 5) + " ms>";
        });
}

PlanObject planOf(const py::dict& keywords)
{
    std::vector<app::Option> options = app::planningOptions();
    options.push_back({.name = "top",
                       .kind = app::ValueKind::Whole,
                       .placeholder = "N",
                       .minimum = 1,
                       .maximum = 1000});
    const auto question = std::make_shared<const app::PlanQuestion>(
        taken(app::planQuestion(argumentsOf(options, keywords))));
    plan::PlanTable table = taken(interruptible([&question](const std::atomic<bool>& stop) {
        return plan::search(question->model, question->cluster, question->wish, &stop);
    }));
    if (table.rows.empty())
        throw Refusal(app::nothingFitsText(*question, table));
    return {question, std::make_shared<const plan::PlanTable>(std::move(table))};
}

py::list planRowsOf(const PlanObject& plan, std::span<const plan::Evaluation> rows)
{
    py::list all;
    for (const plan::Evaluation& row : rows)
        all.append(PlanRow{plan, &row});
    return all;
}

/// As many of them as were asked for.
py::list firstRowsOf(const PlanObject& plan, const std::vector<plan::Evaluation>& rows)
{
    const auto most = static_cast<std::size_t>(plan.question->wish.rows);
    return planRowsOf(plan, std::span(rows).first(std::min(rows.size(), most)));
}

} // namespace

void bindPlans(py::module_& module)
{
    bindPlanRow(module);
    py::class_<PlanObject>(module, "Plan", "Ways to train a model on a cluster, the fastest first.")
        .def_property_readonly(
            "rows", [](const PlanObject& p) { return firstRowsOf(p, p.table->rows); },
            "Those that fit the memory.")
        .def_property_readonly(
            "pareto", [](const PlanObject& p) { return firstRowsOf(p, p.table->pareto); },
            "Those that no other beats in both time and memory.")
        .def_property_readonly(
            "unflushed", [](const PlanObject& p) { return planRowsOf(p, p.table->unflushed); },
            "Of every family without a flush the best on the shapes of the first rows: its "
            "weights\n"
            "are a step old or more.")
        .def_property_readonly(
            "question",
            [](const PlanObject& p) {
                return plan::headline(p.question->model, p.question->cluster, p.question->wish);
            },
            "Model, batch and cluster, in a sentence.")
        .def_property_readonly(
            "candidates", [](const PlanObject& p) { return p.table->candidates; },
            "Configurations that there are.")
        .def_property_readonly(
            "evaluated", [](const PlanObject& p) { return p.table->evaluated; },
            "Of them simulated; the others cannot be among the first.")
        .def_property_readonly(
            "proven", [](const PlanObject& p) { return p.table->proven; },
            "Of the first rows those before which no other configuration can come.")
        .def(
            "as_list",
            [](const PlanObject& p) { return fromJson(app::planJson(*p.question, *p.table)); },
            "The array of `pipewright plan --json`.")
        .def("__repr__", [](const PlanObject& p) {
            return "<Plan " +
                   plan::headline(p.question->model, p.question->cluster, p.question->wish) + ": " +
                   std::to_string(p.table->rows.size()) + " rows>";
        });
    module.def(
        "plan", [](const py::kwargs& keywords) { return planOf(keywords); },
        "The best parallelism, split and schedule for a model on a cluster.\n\n"
        "Keywords are the options of `pipewright plan`, with _ for -: model='llama3-70b',\n"
        "hardware='h100', gpus=64, global_batch=256 and what is given of the plan. Raises Error\n"
        "where nothing fits, with the least change that would help. Ctrl-C ends the search.");
}

} // namespace pw::python

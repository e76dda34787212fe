// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/cost/model_fields.h"
#include "core/io/family_value.h"
#include "core/io/file_problem.h"
#include "core/io/json_text.h"
#include "core/io/offload_text.h"
#include "core/io/project_file.h"
#include "core/io/project_parts.h"
#include "core/io/schedule_text.h"
#include "core/io/spec_names.h"

namespace pw {

namespace {

using Layout = JsonText::Layout;

class ProjectWriter
{
public:
    std::string run(const Project& project)
    {
        m_json.beginObject();
        m_json.member("pipewright", 1);
        if (!project.title.empty())
            m_json.member("title", std::string_view(project.title));
        if (!project.notes.empty())
            m_json.member("notes", std::string_view(project.notes));
        if (project.family) {
            writeFamily(*project.family);
        } else {
            writeSpec(project.draft.spec);
            m_json.key("schedule");
            m_json.beginArray();
            for (const std::string& line : writeOrders(project.draft))
                m_json.value(std::string_view(line));
            m_json.endArray();
        }
        m_json.key("costs");
        m_json.beginObject();
        if (const auto* uniform = std::get_if<UniformCosts>(&project.costs))
            writeUniform(*uniform);
        else
            writeTables(std::get<Costs>(project.costs));
        if (project.origin)
            writeOrigin(*project.origin);
        m_json.endObject();
        if (project.offload != Offload{})
            writeOffload(project);
        if (!project.blocks.empty()) {
            m_json.key("blocks");
            m_json.beginArray();
            for (const BuildingBlock& block : project.blocks)
                writeBlock(block);
            m_json.endArray();
        }
        writeAnnotations(m_json, project.annotations);
        m_json.endObject();
        return m_json.text();
    }

private:
    void placements(const std::vector<Placement>& routes, int devices)
    {
        m_json.key("placement");
        m_json.beginArray(Layout::OneLine);
        for (const Placement& route : routes)
            m_json.value(std::string_view(placementText(route, devices)));
        m_json.endArray();
    }

    void writeFamily(const FamilyChoice& family)
    {
        const FamilyOptions& options = family.options;
        m_json.key("family");
        m_json.beginObject();
        m_json.member("id", std::string_view(family.id));
        m_json.member("devices", options.devices);
        m_json.member("micro_batches", options.microBatches);
        m_json.member("steps", options.steps);
        m_json.member("updates", options.updates);
        if (!options.segmentLengths.empty())
            m_json.numbers("segment_lengths", options.segmentLengths);
        m_json.key("options");
        m_json.beginObject(Layout::OneLine);
        const auto known = findFamily(family.id);
        for (const auto& [name, value] : options.parameters)
            writeFamilyValue(m_json, name, value, known ? *known : nullptr);
        m_json.endObject();
        m_json.endObject();
    }

    void writeSpec(const PipelineSpec& spec)
    {
        m_json.key("spec");
        m_json.beginObject();
        m_json.member("devices", spec.devices);
        m_json.member("micro_batches", spec.microBatches);
        m_json.member("steps", spec.steps);
        placements(spec.routes, spec.devices);
        if (!spec.routeOfMicroBatch.empty())
            m_json.numbers("route_of_micro_batch", spec.routeOfMicroBatch);
        m_json.numbers("segment_lengths", spec.segmentLengths);
        m_json.member("update_rule", name(spec.updateRule));
        m_json.member("updates", spec.updates);
        m_json.member("messages", name(spec.messages));
        m_json.endObject();
    }

    void writeUniform(const UniformCosts& costs)
    {
        m_json.key("uniform");
        m_json.beginObject();
        for (const UniformField& field : uniformFields)
            m_json.member(field.name, costs.*field.value);
        if (costs.pair)
            m_json.member("pair_ns", *costs.pair);
        m_json.member("kept_for_weight", costs.keptForWeight);
        m_json.member("stash", costs.stash);
        if (costs.memoryCap > 0)
            m_json.member("memory_cap_bytes", costs.memoryCap);
        m_json.endObject();
    }

    void writeOffload(const Project& project)
    {
        const Offload& offload = project.offload;
        m_json.key("offload");
        m_json.beginObject();
        m_json.member("cells", std::string_view(offloadText(offload.cells, project.draft.spec)));
        m_json.member("latency_ns", offload.link.latency);
        m_json.member("bytes_per_second", offload.link.bytesPerSecond);
        m_json.endObject();
    }

    void writeOrigin(const CostOrigin& origin)
    {
        m_json.key("origin");
        m_json.beginObject();
        m_json.member("hardware", std::string_view(origin.hardware));
        m_json.member("split", std::string_view(origin.split));
        m_json.member("recompute_in", name(origin.recomputeIn));
        if (!(origin.engine == EngineMemory())) {
            m_json.key("engine");
            m_json.beginObject(Layout::OneLine);
            m_json.member("loss", std::string_view(lossText(origin.engine)));
            m_json.member("dummy_gradients", origin.engine.dummyGradients);
            m_json.member("joins_slices", origin.engine.joinsSlices);
            m_json.endObject();
        }
        m_json.key("model");
        m_json.beginObject();
        const TransformerModel& dense = origin.model.dense;
        m_json.member("name", std::string_view(dense.name));
        for (const ModelNumber& number : modelNumbers)
            m_json.member(number.name, dense.*number.member);
        LanguageModel further = origin.model;
        for (const FurtherNumber& number : furtherModelNumbers()) {
            if (const int value = number.of(further); value != 0)
                m_json.member(number.name, value);
        }
        for (const ModelFlag& flag : modelFlags)
            m_json.member(flag.name, dense.*flag.member);
        m_json.member("recompute", name(dense.recompute));
        m_json.endObject();
        m_json.endObject();
    }

    void writeLink(const Link& link)
    {
        m_json.beginObject(Layout::OneLine);
        m_json.member("latency_ns", link.latency);
        m_json.member("bytes_per_second", link.bytesPerSecond);
        m_json.endObject();
    }

    void writeTables(const Costs& costs)
    {
        m_json.key("tables");
        m_json.beginObject();
        for (const TableField& field : tableFields) {
            if (!(costs.*field.table).empty())
                m_json.numbers(field.name, costs.*field.table);
        }
        m_json.key("activation");
        m_json.beginArray();
        for (const ActivationCost& cost : costs.activation) {
            m_json.beginObject(Layout::OneLine);
            for (const ActivationField& field : activationFields)
                m_json.member(field.name, cost.*field.value);
            m_json.endObject();
        }
        m_json.endArray();
        if (costs.fragments > 0)
            m_json.member("fragments", costs.fragments);
        if (costs.shareCap != 0)
            m_json.member("share_cap", costs.shareCap);
        m_json.key("link");
        writeLink(costs.link);
        if (!costs.links.empty()) {
            m_json.key("links");
            m_json.beginArray();
            for (const Link& link : costs.links)
                writeLink(link);
            m_json.endArray();
        }
        if (!costs.linkTrace.empty()) {
            m_json.key("link_trace");
            m_json.beginArray();
            for (const LinkPhase& phase : costs.linkTrace) {
                m_json.beginObject(Layout::OneLine);
                m_json.member("start_ns", phase.start);
                m_json.member("slowdown", phase.slowdown);
                m_json.endObject();
            }
            m_json.endArray();
        }
        if (!costs.single.empty()) {
            m_json.key("single");
            m_json.beginArray();
            for (const PassTime& single : costs.single) {
                m_json.beginObject(Layout::OneLine);
                writePass(single.pass);
                m_json.member("time_ns", single.time);
                m_json.endObject();
            }
            m_json.endArray();
        }
        m_json.endObject();
    }

    void writePass(const Pass& pass)
    {
        m_json.member("kind", name(pass.kind));
        m_json.member("route", static_cast<int>(pass.route));
        m_json.member("stage", pass.stage);
        m_json.member("micro_batch", pass.microBatch);
        m_json.member("segment", pass.segment);
    }

    void writeBlock(const BuildingBlock& block)
    {
        m_json.beginObject();
        if (!block.title.empty())
            m_json.member("title", std::string_view(block.title));
        m_json.member("devices", block.devices);
        placements(block.routes, block.devices);
        m_json.member("micro_batches", block.microBatches);
        if (!block.routeOfMicroBatch.empty())
            m_json.numbers("route_of_micro_batch", block.routeOfMicroBatch);
        m_json.numbers("segment_lengths", block.segmentLengths);
        m_json.member("interval", block.interval);
        m_json.key("passes");
        m_json.beginArray();
        for (const BlockPass& pass : block.passes) {
            m_json.beginObject(Layout::OneLine);
            writePass(pass.pass);
            m_json.member("start", pass.start);
            m_json.member("duration", pass.duration);
            m_json.endObject();
        }
        m_json.endArray();
        m_json.endObject();
    }

    JsonText m_json;
};

} // namespace

namespace {

/// A project whose family no other program knows, with the order that it makes.
Result<Project> withItsOrder(const Project& project)
{
    PW_TRY(const Schedule schedule, scheduleOf(project));
    Project made = project;
    made.family.reset();
    made.draft = draftOf(schedule);
    return made;
}

} // namespace

Result<std::string> writeProject(const Project& project)
{
    if (project.family) {
        const auto family = findFamily(project.family->id);
        if (family && (*family)->ofThisProgram) {
            PW_TRY(const Project whole, withItsOrder(project));
            return writeProject(whole);
        }
    }
    if (!project.family) {
        PW_DO(check(project.draft.spec));
        if (project.draft.orders.size() != static_cast<std::size_t>(project.draft.spec.devices)) {
            return fail(ErrorCode::BadValue, "orders are given for %1 of %2 devices",
                        project.draft.orders.size(), project.draft.spec.devices);
        }
    }
    std::string text = ProjectWriter().run(project);
    // A file that cannot be read, or reads as something else, must not replace a good one.
    const auto read = readProject(text);
    if (!read)
        return fail(ErrorCode::BadValue, "the project cannot be saved: %1", read.error().message);
    if (!(*read == project))
        return fail(ErrorCode::BadValue, "the project holds something that no file can hold");
    return text;
}

Result<void> saveProject(const Project& project, const std::string& path)
{
    PW_TRY(const auto text, writeProject(project));
    return writeFile(path, text);
}

} // namespace pw

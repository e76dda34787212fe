// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/cost/accelerator.h"
#include "core/cost/model_fields.h"
#include "core/io/family_value.h"
#include "core/io/file_problem.h"
#include "core/io/project_file.h"
#include "core/io/project_parts.h"
#include "core/io/schedule_text.h"
#include "core/io/spec_names.h"
#include "core/model/routes.h"

#include <algorithm>
#include <limits>

namespace pw {

Project::Project() = default;
PW_VALUE_DEFINED(Project);
bool Project::operator==(const Project& other) const = default;

namespace {

using Value = JsonValue;

constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

/// The most that one number of a file may be, so that sums over a schedule stay in 64 bits.
std::int64_t mostOf(std::string_view field)
{
    constexpr std::string_view time = "_ns";
    constexpr std::int64_t pebibyte = std::int64_t{1} << 50;
    const bool isTime =
        field.size() > time.size() && field.substr(field.size() - time.size()) == time;
    return isTime ? longestPass : pebibyte;
}
constexpr double highestNumber = std::numeric_limits<double>::max();

/// Elements of a list, each as fields with its path.
template<typename Each>
void eachObject(JsonFields& fields, std::string_view name, JsonFields::Failure& failure, Each each)
{
    const Value* list = fields.list(name);
    if (list == nullptr)
        return;
    for (rapidjson::SizeType i = 0; i < list->Size() && !failure; ++i) {
        JsonFields element((*list)[i], fields.pathOf(name, i), failure);
        each(element);
        element.finish();
    }
}

class ProjectReader
{
public:
    Result<Project> run(const Value& root)
    {
        JsonFields fields(root, "", m_failure);
        if (!fields.has("pipewright"))
            return fail(ErrorCode::Syntax,
                        "this is not a project: the field pipewright is missing");
        const std::int64_t version = fields.integer("pipewright", 0, highest);
        if (!m_failure && version != 1) {
            return fail(ErrorCode::Version,
                        "the project is of version %1; this program reads version 1", version);
        }
        m_project.title = fields.title("title", "");
        m_project.notes = fields.text("notes", "");
        if (fields.has("family"))
            readFamily(fields);
        else
            readDraft(fields);
        if (const Value* costs = fields.object("costs"))
            readCosts(*costs);
        if (fields.has("offload")) {
            if (const Value* offload = fields.object("offload"))
                readOffload(*offload);
        }
        if (fields.has("blocks")) {
            eachObject(fields, "blocks", m_failure, [&](JsonFields& block) { readBlock(block); });
        }
        if (fields.has("annotations"))
            m_project.annotations = readAnnotations(fields, m_failure);
        fields.finish();
        if (m_failure)
            return fail(*m_failure);
        return std::move(m_project);
    }

private:
    void refuse(Error error)
    {
        if (!m_failure)
            m_failure = std::move(error);
    }

    std::vector<int> lengths(JsonFields& fields, std::string_view name)
    {
        const auto wide = fields.integers(name, 1, std::numeric_limits<int>::max());
        return {wide.begin(), wide.end()};
    }

    std::vector<std::uint8_t> routesOfMicroBatches(JsonFields& fields)
    {
        std::vector<std::uint8_t> routes;
        for (const std::int64_t route : fields.integers("route_of_micro_batch", 0, maxRoutes - 1))
            routes.push_back(static_cast<std::uint8_t>(route));
        return routes;
    }

    std::vector<Placement> placements(JsonFields& fields, int devices)
    {
        std::vector<Placement> routes;
        for (const std::string& text : fields.texts("placement")) {
            auto placement = parsePlacement(text, devices);
            if (!placement) {
                fields.refuse("placement", "%1 is impossible: %2", placement.error().message);
                return {};
            }
            routes.push_back(std::move(*placement));
            if (routes.size() > static_cast<std::size_t>(maxRoutes))
                break;
        }
        return routes;
    }

    int devices(JsonFields& fields)
    {
        return static_cast<int>(fields.integer("devices", 1, maxFileDevices));
    }

    void readFamily(JsonFields& fields)
    {
        const Value* object = fields.object("family");
        if (object == nullptr)
            return;
        JsonFields family(*object, "family", m_failure);
        FamilyChoice choice;
        choice.id = family.text("id");
        FamilyOptions& options = choice.options;
        options.devices = devices(family);
        options.microBatches = family.count("micro_batches", 1);
        options.steps = family.count("steps", 1, 1);
        options.updates = family.truth("updates", false);
        options.segmentLengths = lengths(family, "segment_lengths");
        if (family.has("options")) {
            if (const Value* given = family.object("options"))
                readOptions(*given, choice.id, options);
        }
        family.finish();
        if (m_failure)
            return;
        const auto found = findFamily(choice.id);
        if (!found)
            return refuse(found.error());
        auto spec = specOf(**found, options);
        if (!spec)
            return refuse(spec.error());
        m_project.draft.spec = std::move(*spec);
        m_project.family = std::move(choice);
    }

    void readOptions(const Value& given, const std::string& id, FamilyOptions& options)
    {
        const auto family = findFamily(id);
        constexpr std::size_t most = 100;
        JsonFields fields(given, "family.options", m_failure);
        for (const auto& member : given.GetObject()) {
            const std::string_view name(member.name.GetString(), member.name.GetStringLength());
            if (options.parameters.size() >= most || m_failure)
                return fields.refuse(name, "%1 is one option too many");
            for (const auto& [other, value] : options.parameters) {
                if (other == name)
                    return fields.refuse(name, "%1 appears twice");
            }
            options.parameters.emplace_back(
                std::string(name),
                readFamilyValue(fields, name, member.value, family ? *family : nullptr));
        }
    }

    void readDraft(JsonFields& fields)
    {
        const Value* object = fields.object("spec");
        const std::vector<std::string> lines = fields.texts("schedule");
        if (object == nullptr || m_failure)
            return;
        JsonFields spec(*object, "spec", m_failure);
        PipelineSpec& shape = m_project.draft.spec;
        shape.devices = devices(spec);
        shape.microBatches = spec.count("micro_batches", 1);
        shape.steps = spec.count("steps", 1, 1);
        shape.routes = placements(spec, shape.devices);
        shape.routeOfMicroBatch = routesOfMicroBatches(spec);
        shape.segmentLengths = {1};
        if (spec.has("segment_lengths"))
            shape.segmentLengths = lengths(spec, "segment_lengths");
        shape.updateRule = readName(spec, "update_rule", allUpdateRules);
        shape.updates = spec.truth("updates", false);
        shape.messages = readName(spec, "messages", allMessageRules);
        spec.finish();
        if (m_failure)
            return;
        if (auto sound = check(shape); !sound)
            return refuse(Error{sound.error().code, said("spec: %1", sound.error().message)});
        if (lines.size() != static_cast<std::size_t>(shape.devices)) {
            return fields.refuse("schedule", "%1 has %2 lines for %3 devices", lines.size(),
                                 shape.devices);
        }
        readOrders(lines);
    }

    void readOrders(const std::vector<std::string>& lines)
    {
        const ChunkTable chunks(m_project.draft.spec);
        FileProblems problems;
        for (std::size_t device = 0; device < lines.size(); ++device) {
            const FilePlace start{static_cast<std::int32_t>(device), 1};
            m_project.draft.orders.push_back(parseOrder(lines[device], m_project.draft.spec, chunks,
                                                        DeviceId(device), start, problems));
            if (!problems.none()) {
                const FileProblem& first = problems.list.front();
                return refuse(Error{ErrorCode::Syntax, said("schedule[%1], byte %2: %3", device,
                                                            first.place.column, first.text)});
            }
        }
    }

    /// A rule by its name; the first one where it is absent.
    template<typename T, std::size_t n>
    T readName(JsonFields& fields, std::string_view field, const std::array<T, n>& all)
    {
        const std::string text = fields.text(field, std::string(name(all.front())));
        const auto value = named(all, text);
        if (!value)
            fields.refuse(field, "%1 is %2, which is none of its values", inQuotes(text));
        return value.value_or(all.front());
    }

    void readCosts(const Value& object)
    {
        JsonFields fields(object, "costs", m_failure);
        if (fields.has("uniform")) {
            if (const Value* uniform = fields.object("uniform"))
                readUniform(*uniform);
        } else if (const Value* tables = fields.object("tables")) {
            readTables(*tables);
        }
        if (fields.has("origin") && !fields.has("uniform")) {
            if (const Value* origin = fields.object("origin"))
                readOrigin(*origin);
        }
        fields.finish();
    }

    void readOffload(const Value& object)
    {
        JsonFields fields(object, "offload", m_failure);
        m_project.offload = pw::readOffload(fields, m_project.draft.spec);
        fields.finish();
        if (m_failure)
            return;
        if (auto sound = check(costsOf(m_project), m_project.draft.spec); !sound)
            refuse(sound.error());
    }

    void readUniform(const Value& object)
    {
        JsonFields fields(object, "costs.uniform", m_failure);
        UniformCosts costs;
        for (const UniformField& field : uniformFields)
            costs.*field.value = fields.integer(field.name, 0, mostOf(field.name));
        if (fields.has("pair_ns"))
            costs.pair = fields.integer("pair_ns", 0, mostOf("pair_ns"));
        costs.keptForWeight = fields.number("kept_for_weight", 0, 1);
        costs.stash = fields.number("stash", 0, 1);
        costs.memoryCap =
            fields.integer("memory_cap_bytes", 0, mostOf("memory_cap_bytes"), costs.memoryCap);
        fields.finish();
        m_project.costs = costs;
    }

    void readOrigin(const Value& object)
    {
        JsonFields fields(object, "costs.origin", m_failure);
        CostOrigin origin;
        origin.hardware = fields.title("hardware");
        origin.split = fields.title("split");
        origin.recomputeIn = readName(fields, "recompute_in", allRecomputeIn);
        if (fields.has("engine")) {
            if (const Value* engine = fields.object("engine"))
                readEngine(*engine, origin.engine);
        }
        if (const Value* model = fields.object("model"))
            readModel(*model, origin.model);
        fields.finish();
        if (m_failure)
            return;
        if (const auto machine = findAccelerator(origin.hardware); !machine)
            return fields.refuse("hardware", "%1 is none: %2", machine.error().message);
        m_project.origin = std::move(origin);
    }

    void readEngine(const Value& object, EngineMemory& engine)
    {
        JsonFields fields(object, "costs.origin.engine", m_failure);
        const std::string loss = fields.text("loss", lossText(engine));
        if (const Result<void> set = setLoss(engine, loss); !set)
            fields.refuse("loss", "%1 is impossible: %2", set.error().message);
        engine.dummyGradients = fields.truth("dummy_gradients", false);
        engine.joinsSlices = fields.truth("joins_slices", false);
        fields.finish();
    }

    void readModel(const Value& object, LanguageModel& model)
    {
        JsonFields fields(object, "costs.origin.model", m_failure);
        TransformerModel& dense = model.dense;
        const auto whole = [&fields](std::string_view field, int& number) {
            number = static_cast<int>(fields.integer(field, std::numeric_limits<int>::min(),
                                                     std::numeric_limits<int>::max(), number));
        };
        dense.name = fields.title("name", dense.name);
        for (const ModelNumber& number : modelNumbers)
            whole(number.name, dense.*number.member);
        for (const FurtherNumber& number : furtherModelNumbers())
            whole(number.name, number.of(model));
        for (const ModelFlag& flag : modelFlags)
            dense.*flag.member = fields.truth(flag.name, dense.*flag.member);
        const std::string recompute =
            fields.text("recompute", std::string(name(RecomputePolicy::None)));
        const auto found =
            std::find(recomputePolicyNames.begin(), recomputePolicyNames.end(), recompute);
        if (found == recomputePolicyNames.end())
            fields.refuse("recompute", "%1 is %2, which is none of its values",
                          inQuotes(recompute));
        else
            dense.recompute = static_cast<RecomputePolicy>(found - recomputePolicyNames.begin());
        fields.finish();
        if (m_failure)
            return;
        if (auto sound = check(model); !sound)
            refuse(
                Error{sound.error().code, said("costs.origin.model: %1", sound.error().message)});
    }

    Link readLink(JsonFields& fields)
    {
        Link link;
        link.latency = fields.integer("latency_ns", 0, mostOf("latency_ns"));
        link.bytesPerSecond = fields.number("bytes_per_second", 0, highestNumber);
        return link;
    }

    void readTables(const Value& object)
    {
        JsonFields fields(object, "costs.tables", m_failure);
        Costs costs;
        for (const TableField& field : tableFields)
            costs.*field.table = fields.integers(field.name, 0, mostOf(field.name));
        eachObject(fields, "activation", m_failure, [&](JsonFields& one) {
            ActivationCost cost;
            for (const ActivationField& field : activationFields)
                cost.*field.value = one.integer(field.name, 0, mostOf(field.name));
            costs.activation.push_back(cost);
        });
        costs.fragments = fields.number("fragments", 0, 1, 0);
        costs.shareCap = fields.integer("share_cap", 0, highest, 0);
        if (const Value* link = fields.object("link")) {
            JsonFields one(*link, "costs.tables.link", m_failure);
            costs.link = readLink(one);
            one.finish();
        }
        if (fields.has("links")) {
            eachObject(fields, "links", m_failure,
                       [&](JsonFields& one) { costs.links.push_back(readLink(one)); });
        }
        if (fields.has("link_trace")) {
            eachObject(fields, "link_trace", m_failure, [&](JsonFields& one) {
                costs.linkTrace.push_back(
                    {one.integer("start_ns", 0, highest), one.number("slowdown", 0, 1e6)});
            });
        }
        if (fields.has("single")) {
            eachObject(fields, "single", m_failure, [&](JsonFields& one) {
                const Pass pass = readPass(one);
                costs.single.push_back({pass, one.integer("time_ns", 0, mostOf("time_ns"))});
            });
        }
        fields.finish();
        if (m_failure)
            return;
        if (auto sound = check(costs, m_project.draft.spec); !sound)
            return refuse(
                Error{sound.error().code, said("costs.tables: %1", sound.error().message)});
        m_project.costs = std::move(costs);
    }

    Pass readPass(JsonFields& fields)
    {
        Pass pass;
        pass.kind = readName(fields, "kind", allPassKinds);
        pass.route = static_cast<std::uint8_t>(fields.integer("route", 0, maxRoutes - 1));
        pass.stage = StageId(fields.count("stage", 0));
        pass.microBatch = fields.count("micro_batch", 0);
        pass.segment = fields.count("segment", 0);
        return pass;
    }

    /// A block may be unfinished; its numbers are checked as far as following them goes.
    void readBlock(JsonFields& fields)
    {
        BuildingBlock block;
        block.title = fields.title("title", "");
        block.devices = devices(fields);
        block.routes = placements(fields, block.devices);
        block.microBatches = fields.count("micro_batches", 1);
        block.routeOfMicroBatch = routesOfMicroBatches(fields);
        block.segmentLengths = lengths(fields, "segment_lengths");
        block.interval = fields.integer("interval", 1, maxBlockTicks);
        const PipelineSpec shape = specOf(block);
        if (!m_failure) {
            if (auto sound = check(shape); !sound)
                return refuse(Error{sound.error().code, said("blocks: %1", sound.error().message)});
        }
        eachObject(fields, "passes", m_failure, [&](JsonFields& one) {
            BlockPass pass;
            pass.pass = readPass(one);
            pass.start = one.integer("start", -maxBlockTicks, maxBlockTicks);
            pass.duration = one.integer("duration", 1, maxBlockTicks);
            auto within = [&](std::string_view field, int value, int end) {
                if (value >= end)
                    one.refuse(field, "%1 is %2; the block has %3", value, end);
            };
            within("route", pass.pass.route, shape.routeCount());
            within("stage", pass.pass.stage, shape.stages());
            within("micro_batch", pass.pass.microBatch, block.microBatches);
            within("segment", pass.pass.segment, shape.segments());
            block.passes.push_back(pass);
        });
        m_project.blocks.push_back(std::move(block));
    }

    JsonFields::Failure m_failure;
    Project m_project;
};

} // namespace

Result<Project> readProject(std::string_view text)
{
    PW_TRY(const auto document, parseJson(text, maxProjectBytes));
    return ProjectReader().run(document);
}

Result<Project> loadProject(const std::string& path)
{
    PW_TRY(const auto text, readFile(path, maxProjectBytes));
    auto project = readProject(text);
    if (!project)
        return fail(project.error().code, "%1: %2", path, project.error().message);
    return project;
}

} // namespace pw

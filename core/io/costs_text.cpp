// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/io/costs_file.h"
#include "core/io/costs_rounds.h"
#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

namespace pw {

namespace {

using Value = JsonValue;
using Layout = JsonText::Layout;

constexpr std::int64_t costsVersion = 1;
constexpr std::int64_t longestTime = longestPass;
constexpr std::int64_t mostBytes = std::int64_t{1} << 50;
constexpr std::int64_t mostCount = std::int64_t{1} << 50;
constexpr std::int64_t mostStages = 1'000'000;
constexpr double mostBytesPerSecond = 1e15;

struct BytesField
{
    std::string_view name;
    std::vector<Bytes> CostsFile::*table;
    bool byCell = false;
};

constexpr std::array<BytesField, 5> bytesFields = {{
    {"forward_message_bytes", &CostsFile::forwardMessage, true},
    {"backward_message_bytes", &CostsFile::backwardMessage, true},
    {"weights_bytes", &CostsFile::weights, false},
    {"gradients_bytes", &CostsFile::gradients, false},
    {"optimizer_bytes", &CostsFile::optimizer, false},
}};

struct EdgesField
{
    std::string_view name;
    std::vector<Ticks> PassEdges::*table;
};

constexpr std::array<EdgesField, 3> edgesFields = {{
    {"gap_ns", &PassEdges::gap},
    {"first_forward_ns", &PassEdges::firstForward},
    {"last_backward_ns", &PassEdges::lastBackward},
}};

struct ActivationBytes
{
    std::string_view name;
    Bytes ActivationCost::*value;
};

constexpr std::array<ActivationBytes, 3> activationFields = {{
    {"activation_bytes", &ActivationCost::activation},
    {"kept_for_weight_bytes", &ActivationCost::keptForWeight},
    {"stash_bytes", &ActivationCost::stash},
}};

constexpr std::string_view pairName = "F+BW";

std::string_view nameOf(const MeasuredPass& pass)
{
    return pass.paired ? pairName : name(pass.kind);
}

auto placeOf(const MeasuredPass& pass)
{
    return std::tuple(pass.kind, pass.paired, pass.stage, pass.segment);
}

class Writer
{
public:
    std::string run(const CostsFile& file)
    {
        m_json.beginObject();
        m_json.member("pipewright_costs", costsVersion);
        for (const auto& [field, text] :
             {std::pair{"title", &file.title}, std::pair{"backend", &file.backend},
              std::pair{"host", &file.host}, std::pair{"hardware", &file.hardware},
              std::pair{"model", &file.model}})
            m_json.member(field, std::string_view(*text));
        m_json.member("devices", file.devices);
        m_json.member("stages", file.stages);
        m_json.numbers("segment_lengths", file.segmentLengths);
        m_json.key("passes");
        m_json.beginArray();
        for (const MeasuredPass& pass : file.passes) {
            m_json.beginObject(Layout::OneLine);
            m_json.member("kind", nameOf(pass));
            m_json.member("stage", pass.stage);
            m_json.member("segment", pass.segment);
            spread(pass.time);
            m_json.endObject();
        }
        m_json.endArray();
        m_json.key("launch_gap");
        m_json.beginObject(Layout::OneLine);
        spread(file.launchGap);
        m_json.endObject();
        m_json.key("link");
        m_json.beginObject(Layout::OneLine);
        m_json.member("latency_ns", file.link.latency);
        m_json.member("bytes_per_second", file.link.bytesPerSecond);
        m_json.endObject();
        m_json.key("messages");
        m_json.beginArray();
        for (const MeasuredMessage& message : file.messages) {
            m_json.beginObject(Layout::OneLine);
            m_json.member("bytes", message.bytes);
            spread(message.time);
            m_json.endObject();
        }
        m_json.endArray();
        if (!file.edges.empty()) {
            m_json.key("edges");
            m_json.beginObject();
            for (const EdgesField& field : edgesFields)
                m_json.numbers(field.name, file.edges.*field.table);
            m_json.endObject();
        }
        if (!file.rounds.empty())
            writeRounds(m_json, file.rounds);
        bytes(file);
        m_json.endObject();
        return m_json.text();
    }

private:
    void spread(const Spread& time)
    {
        m_json.member("count", time.count);
        m_json.member("low_ns", time.low);
        m_json.member("median_ns", time.median);
        m_json.member("high_ns", time.high);
        m_json.member("mean_ns", time.mean);
    }

    void bytes(const CostsFile& file)
    {
        if (!file.activation.empty()) {
            m_json.key("activation");
            m_json.beginArray();
            for (const ActivationCost& cost : file.activation) {
                m_json.beginObject(Layout::OneLine);
                for (const ActivationBytes& field : activationFields)
                    m_json.member(field.name, cost.*field.value);
                m_json.endObject();
            }
            m_json.endArray();
        }
        for (const BytesField& field : bytesFields) {
            if (!(file.*field.table).empty())
                m_json.numbers(field.name, file.*field.table);
        }
    }

    JsonText m_json;
};

class Reader
{
public:
    Result<CostsFile> run(const Value& root)
    {
        JsonFields fields(root, "", m_failure);
        if (!fields.has("pipewright_costs")) {
            return fail(ErrorCode::Syntax,
                        "this is not a costs file: the field pipewright_costs is missing");
        }
        const std::int64_t found = fields.integer("pipewright_costs", 0, mostCount);
        if (!m_failure && found != costsVersion) {
            return fail(ErrorCode::Version,
                        "the costs file is of version %1; this program reads version 1", found);
        }
        for (const auto& [field, text] :
             {std::pair{"title", &m_file.title}, std::pair{"backend", &m_file.backend},
              std::pair{"host", &m_file.host}, std::pair{"hardware", &m_file.hardware},
              std::pair{"model", &m_file.model}})
            *text = fields.title(field, "");
        m_file.devices = static_cast<int>(fields.integer("devices", 1, maxFileDevices));
        m_file.stages = static_cast<int>(fields.integer("stages", 1, mostStages));
        const std::vector<std::int64_t> lengths =
            fields.integers("segment_lengths", 1, std::numeric_limits<int>::max());
        m_file.segmentLengths.assign(lengths.begin(), lengths.end());
        if (m_file.segmentLengths.empty())
            fields.refuse("segment_lengths", "%1 is empty");
        eachObject(fields, "passes", [&](JsonFields& pass) { readPass(pass); });
        sortPasses(fields);
        m_file.launchGap = spreadObject(fields, "launch_gap");
        if (const Value* link = fields.object("link")) {
            JsonFields inner(*link, "link", m_failure);
            m_file.link.latency = inner.integer("latency_ns", 0, longestTime);
            m_file.link.bytesPerSecond = inner.number("bytes_per_second", 0, mostBytesPerSecond);
            inner.finish();
        }
        eachObject(fields, "messages", [&](JsonFields& message) {
            const Bytes bytes = message.integer("bytes", 0, mostBytes);
            m_file.messages.push_back({bytes, spread(message)});
        });
        readEdges(fields);
        m_file.rounds = readRounds(fields, m_file.stages,
                                   static_cast<int>(m_file.segmentLengths.size()), m_failure);
        readBytes(fields);
        fields.finish();
        if (m_failure)
            return fail(*m_failure);
        return std::move(m_file);
    }

private:
    template<typename Each>
    void eachObject(JsonFields& fields, std::string_view name, Each each)
    {
        const Value* list = fields.list(name);
        if (list == nullptr)
            return;
        for (rapidjson::SizeType i = 0; i < list->Size() && !m_failure; ++i) {
            JsonFields element((*list)[i], fields.pathOf(name, i), m_failure);
            each(element);
            element.finish();
        }
    }

    static Spread spread(JsonFields& fields)
    {
        Spread time;
        time.count = fields.integer("count", 0, mostCount);
        time.low = fields.integer("low_ns", 0, longestTime);
        time.median = fields.integer("median_ns", time.low, longestTime);
        time.high = fields.integer("high_ns", time.median, longestTime);
        time.mean = fields.integer("mean_ns", 0, longestTime);
        return time;
    }

    Spread spreadObject(JsonFields& fields, std::string_view name)
    {
        const Value* object = fields.object(name);
        if (object == nullptr)
            return {};
        JsonFields inner(*object, fields.pathOf(name), m_failure);
        const Spread time = spread(inner);
        inner.finish();
        return time;
    }

    void readPass(JsonFields& fields)
    {
        MeasuredPass pass;
        const std::string kind = fields.text("kind");
        const auto* known = std::find_if(allPassKinds.begin(), allPassKinds.end(),
                                         [&kind](PassKind k) { return name(k) == kind; });
        pass.paired = kind == pairName;
        if (!pass.paired && known == allPassKinds.end())
            fields.refuse("kind", "%1 is %2, none of F, B, W, BW, R, U, F+BW", inQuotes(kind));
        else if (!pass.paired)
            pass.kind = *known;
        pass.stage = StageId(fields.integer("stage", 0, m_file.stages - 1));
        const std::int64_t segments = static_cast<std::int64_t>(m_file.segmentLengths.size());
        pass.segment = static_cast<int>(fields.integer(
            "segment", 0, pass.kind == PassKind::U ? 0 : std::max<std::int64_t>(segments, 1) - 1));
        pass.time = spread(fields);
        m_file.passes.push_back(pass);
    }

    void sortPasses(JsonFields& fields)
    {
        std::vector<MeasuredPass>& passes = m_file.passes;
        std::sort(passes.begin(), passes.end(), [](const MeasuredPass& a, const MeasuredPass& b) {
            return placeOf(a) < placeOf(b);
        });
        const auto twice = std::adjacent_find(
            passes.begin(), passes.end(),
            [](const MeasuredPass& a, const MeasuredPass& b) { return placeOf(a) == placeOf(b); });
        if (twice != passes.end()) {
            fields.refuse("passes", "%1 has %2 of stage %3, segment %4 twice", nameOf(*twice),
                          twice->stage, twice->segment);
        }
    }

    void readEdges(JsonFields& fields)
    {
        if (!fields.has("edges"))
            return;
        const Value* edges = fields.object("edges");
        if (edges == nullptr)
            return;
        JsonFields inner(*edges, "edges", m_failure);
        for (const EdgesField& field : edgesFields) {
            std::vector<Ticks>& table = m_file.edges.*field.table;
            table = inner.integers(field.name, 0, longestTime);
            if (table.size() != static_cast<std::size_t>(m_file.devices))
                inner.refuse(field.name, "%1 has %2 elements, not %3", table.size(),
                             m_file.devices);
        }
        inner.finish();
    }

    void readBytes(JsonFields& fields)
    {
        const std::size_t stages = static_cast<std::size_t>(m_file.stages);
        const std::size_t cells = stages * m_file.segmentLengths.size();
        const auto sized = [&](std::string_view name, std::size_t size, std::size_t wanted) {
            if (size != wanted)
                fields.refuse(name, "%1 has %2 elements, not %3", size, wanted);
        };
        if (fields.has("activation")) {
            eachObject(fields, "activation", [&](JsonFields& cell) {
                ActivationCost cost;
                for (const ActivationBytes& field : activationFields)
                    cost.*field.value = cell.integer(field.name, 0, mostBytes);
                m_file.activation.push_back(cost);
            });
            sized("activation", m_file.activation.size(), cells);
        }
        for (const BytesField& field : bytesFields) {
            if (!fields.has(field.name))
                continue;
            m_file.*field.table = fields.integers(field.name, 0, mostBytes);
            sized(field.name, (m_file.*field.table).size(), field.byCell ? cells : stages);
        }
    }

    CostsFile m_file;
    JsonFields::Failure m_failure;
};

} // namespace

std::string writeCosts(const CostsFile& file)
{
    return Writer().run(file);
}

Result<CostsFile> readCosts(std::string_view text)
{
    PW_TRY(const JsonDocument document, parseJson(text, maxCostsFileBytes));
    return Reader().run(document);
}

Result<CostsFile> loadCosts(const std::string& path)
{
    PW_TRY(const std::string text, readFile(path, maxCostsFileBytes));
    Result<CostsFile> file = readCosts(text);
    if (!file)
        return fail(file.error().code, "%1: %2", path, file.error().message);
    return file;
}

Result<void> saveCosts(const CostsFile& file, const std::string& path)
{
    return writeFile(path, writeCosts(file));
}

} // namespace pw

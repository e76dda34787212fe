// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/golden.h"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace pw::test {

namespace {

using rapidjson::Value;

std::filesystem::path folder()
{
    const char* given = std::getenv("PW_GOLDEN");
    return given && *given ? given : PW_GOLDEN_DIR;
}

bool allNumbers(const Value& list)
{
    return std::all_of(list.Begin(), list.End(), [](const Value& v) { return v.IsNumber(); });
}

bool allStrings(const Value& list)
{
    return std::all_of(list.Begin(), list.End(), [](const Value& v) { return v.IsString(); });
}

std::vector<double> numbersOf(const Value& list)
{
    std::vector<double> out;
    for (const Value& value : list.GetArray())
        out.push_back(value.GetDouble());
    return out;
}

void addField(GoldenFields& fields, const std::string& name, const Value& value)
{
    if (value.IsNull())
        return;
    if (value.IsNumber()) {
        fields.numbers[name] = value.GetDouble();
    } else if (value.IsString()) {
        fields.texts[name] = value.GetString();
    } else if (value.IsArray() && allNumbers(value)) {
        fields.lists[name] = numbersOf(value);
    } else if (value.IsArray() && allStrings(value)) {
        for (const Value& line : value.GetArray())
            fields.lines[name].push_back(line.GetString());
    } else {
        rapidjson::StringBuffer buffer;
        rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
        value.Accept(writer);
        fields.texts[name] = buffer.GetString();
    }
}

GoldenFields fieldsOf(const Value& object)
{
    GoldenFields fields;
    for (const auto& member : object.GetObject())
        addField(fields, member.name.GetString(), member.value);
    return fields;
}

/// Reads the passes of one device from `TYPE MB [.CHUNK] [:SEG]` tokens and `(a+b)` pairs.
class TokenReader
{
public:
    TokenReader(std::string_view text, int device, const GoldenOrder& order)
        : m_text(text)
        , m_device(static_cast<std::size_t>(device))
        , m_order(&order)
    {
    }

    Result<std::vector<OrderEntry>> read()
    {
        std::vector<OrderEntry> out;
        while (m_at < m_text.size()) {
            if (take(" "))
                continue;
            OrderEntry entry;
            const bool pair = take("(");
            bool ok = readPass(entry.pass);
            if (ok && pair)
                ok = take("+") && readPass(entry.partner) && take(")");
            if (!ok)
                return fail(ErrorCode::Syntax, "golden order " + m_order->id + ": \"" +
                                                   std::string(m_text.substr(m_at, 12)) + "\"");
            entry.paired = pair;
            out.push_back(entry);
        }
        return out;
    }

private:
    bool take(std::string_view what)
    {
        if (m_text.substr(m_at, what.size()) != what)
            return false;
        m_at += what.size();
        return true;
    }

    bool readNumber(int& value)
    {
        const std::size_t begin = m_at;
        value = 0;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9')
            value = value * 10 + (m_text[m_at++] - '0');
        return m_at > begin;
    }

    bool readPass(Pass& pass)
    {
        if (take("BW"))
            pass.kind = PassKind::BW;
        else if (take("F"))
            pass.kind = PassKind::F;
        else if (take("B"))
            pass.kind = PassKind::B;
        else if (take("W"))
            pass.kind = PassKind::W;
        else if (take("R"))
            pass.kind = PassKind::R;
        else
            return false;
        int chunk = 0;
        if (!readNumber(pass.microBatch) || (take(".") && !readNumber(chunk)) ||
            (take(":") && !readNumber(pass.segment)))
            return false;
        const std::vector<int>& stages = m_order->placement[m_device];
        if (chunk >= static_cast<int>(stages.size()))
            return false;
        pass.stage = stages[static_cast<std::size_t>(chunk)];
        pass.route = static_cast<std::uint8_t>(m_order->bidirectional ? chunk : 0);
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_device;
    const GoldenOrder* m_order;
};

Result<GoldenOrder> orderOf(const std::string& id, const Value& json)
{
    GoldenOrder order;
    order.id = id;
    order.devices = json["p"].GetInt();
    order.microBatches = json["m"].GetInt();
    order.segments = json.HasMember("nseg") ? json["nseg"].GetInt() : 1;
    order.bidirectional = json.HasMember("nstages");
    order.hasProblems = json.HasMember("problems");
    for (const Value& device : json["placement"].GetArray()) {
        order.placement.emplace_back();
        for (const Value& stage : device.GetArray())
            order.placement.back().push_back(stage.GetInt());
    }
    for (const Value& line : json["ranks"].GetArray()) {
        const int device = static_cast<int>(order.orders.size());
        auto entries = TokenReader(line.GetString(), device, order).read();
        if (!entries)
            return fail(entries.error());
        order.orders.push_back(std::move(*entries));
    }
    order.extras = fieldsOf(json);
    return order;
}

/// A cost is one number, or one a stage.
std::vector<double> costOf(const Value& value)
{
    return value.IsArray() ? numbersOf(value) : std::vector<double>{value.GetDouble()};
}

GoldenTimes timesOf(const Value& json)
{
    GoldenTimes times;
    times.makespan = json["makespan"].GetDouble();
    times.maxSpan = json["max_span"].GetDouble();
    times.firstStart = numbersOf(json["rank_first"]);
    times.lastEnd = numbersOf(json["rank_last"]);
    for (const Value& peak : json["peak_live"].GetArray())
        times.peakLive.push_back(peak.GetInt());
    return times;
}

GoldenRun runOf(const Value& json)
{
    GoldenRun run;
    run.order = json["order"].GetString();
    const Value& params = json["params"];
    run.parameters = fieldsOf(params);
    run.chunks = static_cast<int>(run.parameters.number("chunks", 1));
    run.forward = costOf(params["cost"][0]);
    run.backward = costOf(params["cost"][1]);
    run.weight = costOf(params["cost"][2]);
    run.hop = run.parameters.number("comm");
    if (run.parameters.has("ov"))
        run.pair = run.parameters.number("ov");
    if (params.HasMember("seg_weight"))
        run.segmentWeight = numbersOf(params["seg_weight"]);
    if (json.HasMember("ref") && json["ref"].IsObject())
        run.reference = fieldsOf(json["ref"]);
    if (json.HasMember("sim") && json["sim"].IsObject())
        run.times = timesOf(json["sim"]);
    return run;
}

std::string text(const Pass& pass)
{
    std::string out(name(pass.kind));
    out += std::to_string(pass.microBatch) + " on stage " + std::to_string(pass.stage);
    if (pass.segment > 0)
        out += " segment " + std::to_string(pass.segment);
    if (pass.route > 0)
        out += " route " + std::to_string(pass.route);
    return out;
}

std::string text(const std::vector<OrderEntry>& order, std::size_t place)
{
    if (place >= order.size())
        return "the end";
    const OrderEntry& entry = order[place];
    return entry.paired ? "(" + text(entry.pass) + " + " + text(entry.partner) + ")"
                        : text(entry.pass);
}

Ticks valueAt(const std::vector<double>& values, int stage, double scale)
{
    const double units = values.size() == 1 ? values[0] : values[static_cast<std::size_t>(stage)];
    return goldenTicks(units * scale);
}

} // namespace

double GoldenFields::number(const std::string& name, double fallback) const
{
    const auto found = numbers.find(name);
    return found == numbers.end() ? fallback : found->second;
}

Ticks goldenTicks(double units)
{
    return ticksFromMs(units);
}

bool goldenAvailable()
{
    std::error_code ignored;
    return std::filesystem::is_directory(folder(), ignored);
}

std::string goldenFolder()
{
    return folder();
}

std::vector<std::string> goldenFiles()
{
    std::vector<std::string> names;
    if (!goldenAvailable())
        return names;
    for (const auto& file : std::filesystem::directory_iterator(folder())) {
        if (file.path().extension() != ".json")
            continue;
        const std::string stem = file.path().stem().string();
        // Two files hold other tables.
        if (stem != "wall_times" && stem != "seq1f1b_solver")
            names.push_back(stem);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<GoldenFile> loadGolden(const std::string& name)
{
    const std::filesystem::path path = folder() / (name + ".json");
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return fail(ErrorCode::Io, "cannot read " + path.string());
    std::stringstream content;
    content << stream.rdbuf();
    rapidjson::Document json;
    json.Parse<rapidjson::kParseFullPrecisionFlag>(content.str().c_str());
    if (json.HasParseError() || !json.IsObject() || !json.HasMember("schema"))
        return fail(ErrorCode::Syntax, path.string() + " is not a golden file");
    if (std::string_view(json["schema"].GetString()) != "pp-oracle/1")
        return fail(ErrorCode::Version, path.string() + " has another schema");

    GoldenFile file;
    file.name = name;
    const Value& orders = json["orders"];
    for (const auto& member : orders.GetObject()) {
        auto order = orderOf(member.name.GetString(), member.value);
        if (!order)
            return fail(order.error());
        file.orders[order->id] = std::move(*order);
    }
    for (const Value& run : json["runs"].GetArray())
        file.runs.push_back(runOf(run));
    return file;
}

PipelineSpec goldenSpec(const GoldenOrder& order)
{
    PipelineSpec spec;
    spec.devices = order.devices;
    spec.microBatches = order.microBatches;
    spec.segmentLengths.assign(static_cast<std::size_t>(order.segments), 1);
    const std::size_t routes = order.bidirectional ? 2 : 1;
    spec.routes.assign(routes,
                       Placement{std::vector<int>(static_cast<std::size_t>(order.stages()), 0)});
    for (std::size_t device = 0; device < order.placement.size(); ++device) {
        const std::vector<int>& stages = order.placement[device];
        for (std::size_t chunk = 0; chunk < stages.size(); ++chunk)
            spec.routes[order.bidirectional ? chunk : 0]
                .deviceOfStage[static_cast<std::size_t>(stages[chunk])] = static_cast<int>(device);
    }
    if (order.bidirectional) {
        // The first half of the micro-batches takes the first route.
        spec.routeOfMicroBatch.assign(static_cast<std::size_t>(order.microBatches), 1);
        std::fill_n(spec.routeOfMicroBatch.begin(), order.microBatches / 2, std::uint8_t{0});
    }
    return spec;
}

Costs goldenCosts(const GoldenRun& run, const GoldenOrder& order)
{
    const PipelineSpec spec = goldenSpec(order);
    Costs costs;
    for (int stage = 0; stage < spec.stages(); ++stage) {
        for (std::size_t q = 0; q < spec.segmentLengths.size(); ++q) {
            const double scale = run.segmentWeight.empty() ? 1 : run.segmentWeight[q];
            costs.forward.push_back(valueAt(run.forward, stage, scale));
            costs.backward.push_back(valueAt(run.backward, stage, scale));
            costs.weight.push_back(valueAt(run.weight, stage, scale));
            if (run.pair)
                costs.pair.push_back(goldenTicks(*run.pair * scale));
        }
    }
    costs.link.latency = goldenTicks(run.hop);
    costs.activation = activationShares(spec, 1, 0);
    return costs;
}

std::string firstDifference(const DeviceOrders& expected, const DeviceOrders& got)
{
    if (expected.size() != got.size())
        return "expected " + std::to_string(expected.size()) + " devices, got " +
               std::to_string(got.size());
    for (std::size_t device = 0; device < expected.size(); ++device) {
        const std::size_t length = std::max(expected[device].size(), got[device].size());
        for (std::size_t place = 0; place < length; ++place) {
            const bool both = place < expected[device].size() && place < got[device].size();
            if (both && expected[device][place] == got[device][place])
                continue;
            return "device " + std::to_string(device) + ", place " + std::to_string(place) +
                   ": expected " + text(expected[device], place) + ", got " +
                   text(got[device], place);
        }
    }
    return {};
}

DeviceOrders splitBackward(const DeviceOrders& orders)
{
    DeviceOrders out(orders.size());
    for (std::size_t device = 0; device < orders.size(); ++device) {
        for (const OrderEntry& entry : orders[device]) {
            if (entry.paired || entry.pass.kind != PassKind::BW) {
                out[device].push_back(entry);
                continue;
            }
            Pass pass = entry.pass;
            for (const PassKind kind : {PassKind::B, PassKind::W}) {
                pass.kind = kind;
                out[device].push_back(single(pass));
            }
        }
    }
    return out;
}

} // namespace pw::test

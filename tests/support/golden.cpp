// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/golden.h"

#include "tests/support/data_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace pw::test {

namespace {

/// A decimal number, the whole text.
bool isNumber(std::string_view text, double& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string> partsOf(std::string_view text, char between)
{
    std::vector<std::string> out;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(between, at), text.size());
        out.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

std::vector<double> numbersOf(std::string_view list)
{
    std::vector<double> out;
    for (const std::string& part : partsOf(list, ',')) {
        double value = 0;
        if (!isNumber(part, value))
            return {};
        out.push_back(value);
    }
    return out;
}

/// Words `name=value` of a line: a number, several with commas, or a text.
GoldenFields fieldsOf(const std::vector<std::string>& words, std::size_t first)
{
    GoldenFields fields;
    for (std::size_t i = first; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        if (equals == std::string::npos)
            continue;
        const std::string name = words[i].substr(0, equals);
        const std::string value = words[i].substr(equals + 1);
        double number = 0;
        if (isNumber(value, number))
            fields.numbers[name] = number;
        if (std::vector<double> list = numbersOf(value); !list.empty())
            fields.lists[name] = std::move(list);
        else
            fields.texts[name] = value;
    }
    return fields;
}

/// Reads the passes of one device from `F0.1/2` tokens and `(a+b)` pairs.
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
            (take("/") && !readNumber(pass.segment)))
            return false;
        const std::vector<int>& stages = m_order->placement[m_device];
        if (chunk >= static_cast<int>(stages.size()))
            return false;
        pass.stage = StageId(stages[static_cast<std::size_t>(chunk)]);
        pass.route = static_cast<std::uint8_t>(m_order->bidirectional ? chunk : 0);
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_device;
    const GoldenOrder* m_order;
};

/// Reads a file of orders line by line.
class FileReader
{
public:
    explicit FileReader(const std::string& name) { m_file.name = name; }

    Result<GoldenFile> read(std::istream& stream)
    {
        std::string line;
        for (int number = 1; std::getline(stream, line); ++number) {
            if (line.empty() || line[0] == '#')
                continue;
            if (const Result<void> done = readLine(line); !done)
                return fail(ErrorCode::Syntax, m_file.name + ".txt, line " +
                                                   std::to_string(number) + ": " +
                                                   done.error().message);
        }
        if (m_file.orders.empty() || m_file.runs.empty())
            return fail(ErrorCode::Syntax, m_file.name + ".txt holds no orders or no runs");
        return std::move(m_file);
    }

private:
    Result<void> readLine(const std::string& line)
    {
        const std::vector<std::string> words = partsOf(line, ' ');
        if (words[0] == "run")
            return readRun(words);
        if (words[0] == "order")
            return beginOrder(words);
        if (m_order == nullptr)
            return fail(ErrorCode::Syntax, "\"" + words[0] + "\" before the first order");
        if (words[0] == "placement") {
            for (std::size_t i = 1; i < words.size(); ++i) {
                m_order->placement.emplace_back();
                for (const double stage : numbersOf(words[i]))
                    m_order->placement.back().push_back(static_cast<int>(stage));
            }
            return {};
        }
        if (words[0] == "csv") {
            m_csv = &m_order->extras.texts[words[1]];
            return {};
        }
        if (line[0] == '|' && m_csv != nullptr) {
            *m_csv += line.substr(1) + "\r\n"; // as PyTorch ends its rows
            return {};
        }
        return readDevice(line);
    }

    Result<void> beginOrder(const std::vector<std::string>& words)
    {
        const GoldenFields fields = fieldsOf(words, 2);
        m_order = &m_file.orders[words[1]];
        m_csv = nullptr;
        m_order->id = words[1];
        m_order->devices = static_cast<int>(fields.number("devices"));
        m_order->microBatches = static_cast<int>(fields.number("micro-batches"));
        m_order->segments = static_cast<int>(fields.number("segments", 1));
        m_order->bidirectional = fields.number("routes", 1) == 2;
        m_order->hasProblems = words.back() == "unsound";
        return {};
    }

    Result<void> readDevice(const std::string& line)
    {
        const int device = static_cast<int>(m_order->orders.size());
        const std::string start = "d" + std::to_string(device) + ": ";
        if (line.rfind(start, 0) != 0 || device >= static_cast<int>(m_order->placement.size()))
            return fail(ErrorCode::Syntax, "not the passes of device " + std::to_string(device));
        const std::string passes = line.substr(start.size());
        auto entries = TokenReader(passes, device, *m_order).read();
        if (!entries)
            return fail(entries.error());
        m_order->orders.push_back(std::move(*entries));
        return {};
    }

    Result<void> readRun(const std::vector<std::string>& words)
    {
        GoldenRun run;
        run.order = words[1];
        if (m_file.orders.count(run.order) == 0)
            return fail(ErrorCode::Syntax, "a run of an order that is not there, " + run.order);
        run.parameters = fieldsOf(words, 2);
        const auto& lists = run.parameters.lists;
        for (const char* needed : {"forward", "backward", "weight"})
            if (lists.count(needed) == 0)
                return fail(ErrorCode::Syntax, std::string("a run without ") + needed);
        run.chunks = static_cast<int>(run.parameters.number("chunks", 1));
        run.forward = lists.at("forward");
        run.backward = lists.at("backward");
        run.weight = lists.at("weight");
        run.hop = run.parameters.number("comm");
        if (run.parameters.has("ov"))
            run.pair = run.parameters.number("ov");
        if (const auto scales = lists.find("seg_weight"); scales != lists.end())
            run.segmentWeight = scales->second;
        for (const auto& [name, value] : run.parameters.numbers)
            if (name.rfind("ref.", 0) == 0)
                run.reference.numbers[name.substr(4)] = value;
        if (run.parameters.has("makespan")) {
            GoldenTimes times;
            times.makespan = run.parameters.number("makespan");
            times.maxSpan = run.parameters.number("span");
            times.firstStart = lists.at("first");
            times.lastEnd = lists.at("last");
            for (const double peak : lists.at("peak"))
                times.peakLive.push_back(static_cast<int>(peak));
            run.times = std::move(times);
        }
        m_file.runs.push_back(std::move(run));
        return {};
    }

    GoldenFile m_file;
    GoldenOrder* m_order = nullptr; ///< the one being read
    std::string* m_csv = nullptr;   ///< the text whose rows follow
};

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

std::vector<std::string> goldenFiles()
{
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(testData("orders")))
        if (file.path().extension() == ".txt")
            names.push_back(file.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

Result<GoldenFile> loadGolden(const std::string& name)
{
    const std::string path = testData("orders/" + name + ".txt");
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return fail(ErrorCode::Io, "cannot read " + path);
    return FileReader(name).read(stream);
}

PipelineSpec goldenSpec(const GoldenOrder& order)
{
    PipelineSpec spec;
    spec.devices = order.devices;
    spec.microBatches = order.microBatches;
    spec.segmentLengths.assign(static_cast<std::size_t>(order.segments), 1);
    const std::size_t routes = order.bidirectional ? 2 : 1;
    spec.routes.assign(routes, Placement{std::vector<DeviceId>(
                                   static_cast<std::size_t>(order.stages()), DeviceId(0))});
    for (std::size_t device = 0; device < order.placement.size(); ++device) {
        const std::vector<int>& stages = order.placement[device];
        for (std::size_t chunk = 0; chunk < stages.size(); ++chunk)
            spec.routes[order.bidirectional ? chunk : 0]
                .deviceOfStage[static_cast<std::size_t>(stages[chunk])] = DeviceId(device);
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
    for (const StageId stage : Ids<StageId>(spec.stages())) {
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

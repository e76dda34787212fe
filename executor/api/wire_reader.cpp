// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/io/spec_names.h"
#include "core/model/routes.h"
#include "executor/api/wire.h"
#include "executor/api/wire_fields.h"

#include <algorithm>
#include <optional>

namespace pw::exec {

namespace {

constexpr std::array<LogLevel, 2> allLogLevels = {LogLevel::Info, LogLevel::Warning};

using Fields = WireFields;

Pass readPass(Fields& fields)
{
    Pass pass;
    pass.kind = fields.word("kind", allPassKinds);
    pass.stage = StageId(fields.small("stage", 0));
    pass.microBatch = fields.small("mb", 0);
    pass.segment = fields.small("seg", 0, 0);
    pass.route = static_cast<std::uint8_t>(fields.whole("route", 0, maxRoutes - 1, 0));
    return pass;
}

RecordedPass readRecord(Fields& fields)
{
    RecordedPass record;
    record.iteration = fields.iteration();
    record.rank = RankId(fields.small("rank", 0));
    record.entry = EntryId(fields.small("entry", -1, -1));
    record.pass = readPass(fields);
    record.start = fields.time("start");
    record.end = fields.time("end");
    if (record.end < record.start)
        fields.refuse("end", "is before start");
    return record;
}

RecordedMessage readMessage(Fields& fields)
{
    RecordedMessage record;
    record.iteration = fields.iteration();
    record.message = fields.small("id", -1, -1);
    record.from = RankId(fields.small("from", 0));
    record.to = RankId(fields.small("to", 0));
    record.producer = readPass(fields);
    record.bytes = fields.bytes("bytes");
    record.posted = fields.time("posted");
    record.started = fields.time("started");
    record.ended = fields.time("ended");
    if (record.ended < record.posted)
        fields.refuse("ended", "is before posted");
    return record;
}

MemorySample readSample(Fields& fields)
{
    MemorySample sample;
    sample.iteration = fields.iteration();
    sample.rank = RankId(fields.small("rank", 0));
    sample.time = fields.time("time");
    // A later program may know further uses behind ours.
    const JsonValue* bytes = fields.list("bytes", false);
    for (std::size_t use = 0; bytes != nullptr && use < sample.bytes.size(); ++use) {
        const auto index = static_cast<rapidjson::SizeType>(use);
        if (index >= bytes->Size() || !(*bytes)[index].IsInt64()) {
            fields.refuse("bytes", "is not a list of eight sizes");
            break;
        }
        sample.bytes[use] = (*bytes)[index].GetInt64();
    }
    return sample;
}

RecordedCopy readCopy(Fields& fields)
{
    RecordedCopy record;
    record.iteration = fields.iteration();
    record.rank = RankId(fields.small("rank", 0));
    record.cell = readPass(fields);
    const std::string_view to = fields.text("to", false);
    record.back = to == "device";
    if (!record.back && to != "host")
        fields.refuse("to", "is none of its words");
    record.bytes = fields.bytes("bytes");
    record.start = fields.time("start");
    record.end = fields.time("end");
    if (record.end < record.start)
        fields.refuse("end", "is before start");
    return record;
}

/// What a GPU does not tell is absent.
GpuReading readGpu(Fields& fields)
{
    constexpr std::int64_t mostTaken = std::int64_t{1} << 60; // sums of some stay in range
    const auto known = [&fields](const char* name) {
        return static_cast<std::int32_t>(
            fields.whole(name, 0, Fields::mostSmall, GpuReading::unknown));
    };
    const auto bytes = [&fields](const char* name) {
        return fields.whole(name, -mostTaken, mostTaken, 0);
    };
    GpuReading reading;
    reading.rank = RankId(fields.small("rank", 0));
    reading.gpu = fields.small("gpu", 0);
    reading.ranks = fields.small("ranks", 1, 1);
    const std::string_view at = fields.text("at", false);
    reading.atEnd = at == "end";
    if (!reading.atEnd && at != "start")
        fields.refuse("at", "is none of its words");
    reading.time = fields.time("time");
    reading.clock = known("mhz");
    reading.memoryClock = known("memory_mhz");
    reading.power = known("milliwatts");
    reading.temperature = known("celsius");
    reading.slowdownsKnown = fields.has("slowed");
    const std::optional<GpuSlowdowns> slowdowns = slowdownsOf(fields.text("slowed"));
    if (!slowdowns)
        fields.refuse("slowed", "has a word that is none of its words");
    reading.slowdowns = slowdowns.value_or(0);
    reading.memory = {bytes("taken"),    bytes("reserved"),   bytes("books"),
                      bytes("contexts"), bytes("workspaces"), bytes("connections")};
    return reading;
}

std::vector<RunDevice> readDevices(Fields& fields, std::string& failure)
{
    std::vector<RunDevice> devices;
    const JsonValue* list = fields.list("devices", true);
    for (rapidjson::SizeType i = 0; list != nullptr && i < list->Size(); ++i) {
        if (!(*list)[i].IsObject()) {
            fields.refuse("devices", "holds something that is not an object");
            break;
        }
        Fields device((*list)[i], failure);
        devices.push_back({std::string(device.text("name")), device.bytes("memory")});
    }
    return devices;
}

WireStarted readStarted(Fields& fields, std::string& failure)
{
    WireStarted started;
    started.title = fields.text("title");
    RunEnvironment& environment = started.environment;
    environment.host = fields.text("host");
    environment.backend = fields.text("backend");
    environment.transport = fields.text("transport");
    environment.driver = fields.text("driver");
    environment.build = fields.text("build");
    environment.devices = readDevices(fields, failure);
    started.ranks = fields.small("ranks", 1);
    started.stages = fields.small("stages", 1);
    started.microBatches = fields.small("micro_batches", 1);
    started.segments = fields.small("segments", 1, 1);
    started.steps = fields.small("steps", 1, 1);
    started.warmup = fields.small("warmup", 0, 0);
    started.iterations = fields.small("iterations", 0, 0);
    started.settings = fields.text("settings");
    started.project = fields.text("project");
    return started;
}

RunFigures readFigures(Fields& fields)
{
    RunFigures figures;
    constexpr Ticks longest = (Ticks{1} << 62) - 1;
    figures.iterations = fields.small("iterations", 0);
    figures.makespan = fields.time("makespan");
    figures.makespanLow = fields.time("makespan_low");
    figures.makespanHigh = fields.time("makespan_high");
    figures.predictedMakespan = fields.time("predicted_makespan");
    figures.predictedLow = fields.whole("predicted_low", 0, longest, 0);
    figures.predictedHigh =
        fields.whole("predicted_high", figures.predictedLow, longest, figures.predictedLow);
    figures.spanBubble = fields.number("span_bubble");
    figures.predictedSpanBubble = fields.number("predicted_span_bubble");
    figures.peakActivation = fields.bytes("peak_activation");
    figures.predictedPeakActivation = fields.bytes("predicted_peak_activation");
    figures.firstLoss = fields.number("first_loss");
    figures.lastLoss = fields.number("last_loss");
    return figures;
}

} // namespace

struct WireReader::Parts
{
    Parts(WireListener& l, std::size_t most)
        : listener(l)
        , longest(most)
    {
    }

    void feed(std::string_view bytes)
    {
        while (!bytes.empty() && !refused) {
            const std::size_t end = bytes.find('\n');
            const std::string_view piece = bytes.substr(0, end);
            if (!tooLong && line.size() + piece.size() > longest) {
                tooLong = true;
                line.clear();
                line.shrink_to_fit();
            }
            if (!tooLong)
                line += piece;
            if (end == std::string_view::npos)
                break;
            bytes.remove_prefix(end + 1);
            finishLine();
        }
        flush();
    }

    void finishLine()
    {
        ++lines;
        if (tooLong)
            complain("longer than " + std::to_string(longest) + " bytes");
        else
            readLine();
        tooLong = false;
        line.clear();
    }

    void complain(const std::string& reason)
    {
        flush();
        ++broken;
        listener.broken(lines, reason);
    }

    void readLine()
    {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (line.empty())
            return;
        const JsonLine parsed(line);
        if (parsed.value() == nullptr)
            return complain("not JSON: " + parsed.problem());
        if (!parsed.value()->IsObject())
            return complain("no JSON object");
        readObject(*parsed.value());
    }

    void readObject(const JsonValue& object)
    {
        std::string failure;
        Fields fields(object, failure);
        const std::string kind(fields.text("t", false));
        if (kind == "hello" && failure.empty())
            readHello(fields, failure);
        else if (failure.empty() && !saidHello)
            failure = "\"" + kind.substr(0, 40) + "\" before \"hello\"";
        else if (failure.empty() && !readRecord(kind, fields, failure))
            ++unknown;
        if (!failure.empty())
            complain(failure);
    }

    void readHello(Fields& fields, std::string& failure)
    {
        const std::int64_t protocol = fields.whole("protocol", 0, Fields::highest);
        const WireHello hello{std::string(fields.text("program")),
                              std::string(fields.text("backend")), readDevices(fields, failure)};
        if (saidHello)
            failure = "a second \"hello\"";
        if (!failure.empty())
            return;
        if (protocol != wireProtocol) {
            refused = Error{
                ErrorCode::Version,
                said("the executor is Pipewright %1 and speaks wire protocol %2; this program "
                     "knows protocol %3: use the same version of Pipewright at both ends",
                     hello.program, protocol, wireProtocol)};
            return;
        }
        saidHello = true;
        listener.hello(hello);
    }

    /// @return whether the kind is known; with a failure nothing of it reaches the listener
    bool readRecord(std::string_view kind, Fields& fields, std::string& failure)
    {
        if (kind == "pass")
            keep(passes, exec::readRecord(fields), failure);
        else if (kind == "message")
            keep(messages, readMessage(fields), failure);
        else if (kind == "memory")
            keep(samples, readSample(fields), failure);
        else if (kind == "copy")
            keep(copies, readCopy(fields), failure);
        else
            return readRare(kind, fields, failure);
        return true;
    }

    bool readRare(std::string_view kind, Fields& fields, std::string& failure)
    {
        if (kind == "started") {
            const WireStarted started = readStarted(fields, failure);
            tell(failure, [&] { listener.started(started); });
        } else if (kind == "loss") {
            const StepLoss loss{fields.small("step", 0), fields.number("loss")};
            tell(failure, [&] { listener.loss(loss); });
        } else if (kind == "gpu") {
            const GpuReading reading = readGpu(fields);
            tell(failure, [&] { listener.gpus(std::span<const GpuReading>(&reading, 1)); });
        } else if (kind == "log") {
            const RunLog log{fields.time("time"), RankId(fields.small("rank", -1, -1)),
                             fields.word("level", allLogLevels), std::string(fields.text("text"))};
            tell(failure, [&] { listener.log(log); });
        } else if (kind == "error") {
            const RunFault fault{
                RankId(fields.small("rank", -1, -1)), RankId(fields.small("peer", -1, -1)),
                std::string(fields.text("pass")), std::string(fields.text("text"))};
            tell(failure, [&] { listener.fault(fault); });
        } else if (kind == "finished") {
            const RunStatus status = fields.word("status", allRunStatuses);
            const RunFigures figures = readFigures(fields);
            tell(failure, [&] {
                finished = true;
                listener.finished(status, figures);
            });
        } else {
            return false;
        }
        return true;
    }

    template<typename Call>
    void tell(const std::string& failure, const Call& call)
    {
        if (!failure.empty())
            return;
        flush();
        call();
    }

    /// A record joins its batch; a batch of another kind goes first.
    template<typename T>
    void keep(std::vector<T>& batch, const T& record, const std::string& failure)
    {
        if (!failure.empty())
            return;
        constexpr std::size_t most = 8192;
        const std::size_t waiting =
            passes.size() + messages.size() + samples.size() + copies.size();
        if (batch.size() != waiting || waiting >= most)
            flush();
        batch.push_back(record);
    }

    void flush()
    {
        if (!passes.empty())
            listener.passes(passes);
        if (!messages.empty())
            listener.messages(messages);
        if (!samples.empty())
            listener.memory(samples);
        if (!copies.empty())
            listener.copies(copies);
        passes.clear();
        messages.clear();
        samples.clear();
        copies.clear();
    }

    WireListener& listener;
    std::size_t longest;
    std::string line; // without its end, as far as it has come
    bool tooLong = false;
    bool saidHello = false;
    bool finished = false;
    std::optional<Error> refused;
    std::int64_t lines = 0;
    std::int64_t broken = 0;
    std::int64_t unknown = 0;
    // One of them at most holds records.
    std::vector<RecordedPass> passes;
    std::vector<RecordedMessage> messages;
    std::vector<MemorySample> samples;
    std::vector<RecordedCopy> copies;
};

WireReader::WireReader(WireListener& listener, std::size_t longest)
    : m_parts(std::make_unique<Parts>(listener, longest))
{
}

WireReader::~WireReader() = default;

Result<void> WireReader::feed(std::string_view bytes)
{
    m_parts->feed(bytes);
    if (m_parts->refused)
        return fail(*m_parts->refused);
    return {};
}

Result<void> WireReader::end()
{
    // A last line without its end is read too, where it is whole.
    if (m_parts->tooLong || !m_parts->line.empty())
        m_parts->feed("\n");
    if (m_parts->refused)
        return fail(*m_parts->refused);
    if (!m_parts->saidHello)
        return fail(ErrorCode::Fault, "the executor ended without a word that this program knows");
    if (!m_parts->finished)
        return fail(ErrorCode::Fault, "the executor ended before its run did");
    return {};
}

std::int64_t WireReader::lines() const
{
    return m_parts->lines;
}

std::int64_t WireReader::brokenLines() const
{
    return m_parts->broken;
}

std::int64_t WireReader::unknownKinds() const
{
    return m_parts->unknown;
}

} // namespace pw::exec

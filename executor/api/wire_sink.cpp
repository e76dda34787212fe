// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/pass_label.h"
#include "executor/api/plan_settings.h"
#include "executor/api/wire.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <ostream>

namespace pw::exec {

namespace {

/// Length of the UTF-8 sequence at the start of a text; 0 where there is none.
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    }
    // Overlong forms, surrogates, and what lies above U+10FFFF.
    if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) >= 0xa0) ||
        (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) >= 0x90))
        return 0;
    return length;
}

/// Lines as they are written; keeps its memory from one to the next.
class Lines
{
public:
    void begin(std::string_view kind)
    {
        m_text += "{\"t\":\"";
        m_text += kind;
        m_text += '"';
    }
    void end() { m_text += "}\n"; }

    /// @param name  with its quotes and colon, and a comma before: `,"it":`
    void whole(std::string_view name, std::int64_t number)
    {
        m_text += name;
        append(number);
    }
    void number(std::string_view name, double value)
    {
        m_text += name;
        if (std::isfinite(value))
            append(value);
        else
            m_text += std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
    }
    /// @param value  of our own: nothing in it needs escaping
    void word(std::string_view name, std::string_view value)
    {
        m_text += name;
        m_text += '"';
        m_text += value;
        m_text += '"';
    }
    /// Anybody's text; bytes that are not UTF-8 become U+FFFD.
    void text(std::string_view name, std::string_view value)
    {
        m_text += name;
        m_text += '"';
        for (std::size_t i = 0; i < value.size();) {
            const auto c = static_cast<unsigned char>(value[i]);
            if (c == '"' || c == '\\') {
                m_text += '\\';
                m_text += value[i++];
            } else if (c < 0x20) {
                constexpr std::string_view digits = "0123456789abcdef";
                m_text += "\\u00";
                m_text += digits[c >> 4];
                m_text += digits[c & 15];
                ++i;
            } else if (const std::size_t length = sequenceLength(value.substr(i)); length > 0) {
                m_text += value.substr(i, length);
                i += length;
            } else {
                m_text += "\xef\xbf\xbd";
                ++i;
            }
        }
        m_text += '"';
    }
    void raw(std::string_view text) { m_text += text; }
    void append(std::int64_t number)
    {
        char digits[24];
        m_text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    }

    std::string_view written() const { return m_text; }
    void clear() { m_text.clear(); }

private:
    void append(double value)
    {
        char digits[32];
        m_text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }

    std::string m_text;
};

void writeDevices(Lines& lines, const std::vector<RunDevice>& devices)
{
    lines.raw(",\"devices\":[");
    for (std::size_t i = 0; i < devices.size(); ++i) {
        lines.text(i == 0 ? "{\"name\":" : ",{\"name\":", devices[i].name);
        lines.whole(",\"memory\":", devices[i].memory);
        lines.raw("}");
    }
    lines.raw("]");
}

void writePass(Lines& lines, const Pass& pass)
{
    lines.word(",\"kind\":", name(pass.kind));
    lines.whole(",\"stage\":", pass.stage);
    lines.whole(",\"mb\":", pass.microBatch);
    if (pass.segment != 0)
        lines.whole(",\"seg\":", pass.segment);
    if (pass.route != 0)
        lines.whole(",\"route\":", pass.route);
}

/// What PyTorch calls the sending of a result.
std::string sendLabel(const Pass& producer)
{
    const std::string stage = "PP:" + std::to_string(producer.stage);
    if (producer.kind == PassKind::U)
        return stage + "REDUCE_GRAD";
    return stage + (producer.kind == PassKind::F ? "SEND_F" : "SEND_B") +
           std::to_string(producer.microBatch);
}

} // namespace

struct WireSink::Parts
{
    explicit Parts(std::ostream& o)
        : out(o)
    {
    }

    void flush()
    {
        const std::string_view text = lines.written();
        if (!text.empty() && out) {
            out.write(text.data(), static_cast<std::streamsize>(text.size()));
            out.flush();
        }
        lines.clear();
    }

    /// Optimizer step of a pass, counted over all iterations.
    std::int64_t stepOf(const RecordedPass& record) const
    {
        const bool oneAStep =
            record.pass.kind == PassKind::U && spec.updateRule != UpdateRule::Stashed;
        const int step =
            oneAStep ? record.pass.microBatch : record.pass.microBatch / spec.microBatches;
        return (std::int64_t{record.iteration} + warmup) * spec.steps + step;
    }

    std::string label(const RecordedPass& record) const
    {
        const bool inOrder = schedule && record.entry >= 0 && record.entry < schedule->entryCount();
        if (inOrder && schedule->places()[static_cast<std::size_t>(record.entry)].second.valid())
            return entryLabel(schedule->entry(record.entry));
        return passLabel(record.pass);
    }

    std::ostream& out;
    Lines lines;
    std::optional<Schedule> schedule;
    PipelineSpec spec;
    int warmup = 0;
};

WireSink::WireSink(std::ostream& out, const WireHello& hello)
    : m_parts(std::make_unique<Parts>(out))
{
    Lines& lines = m_parts->lines;
    lines.begin("hello");
    lines.whole(",\"protocol\":", wireProtocol);
    lines.text(",\"program\":", hello.program);
    lines.text(",\"backend\":", hello.backend);
    writeDevices(lines, hello.devices);
    lines.end();
    m_parts->flush();
}

WireSink::~WireSink() = default;

bool WireSink::good() const
{
    return static_cast<bool>(m_parts->out);
}

void WireSink::started(const RunPlan& plan, const RunEnvironment& environment)
{
    m_parts->schedule = plan.schedule;
    m_parts->spec = plan.schedule.spec();
    m_parts->warmup = plan.warmup;
    Lines& lines = m_parts->lines;
    lines.begin("started");
    lines.text(",\"title\":", plan.title);
    lines.text(",\"host\":", environment.host);
    lines.text(",\"backend\":", environment.backend);
    lines.text(",\"transport\":", environment.transport);
    lines.text(",\"driver\":", environment.driver);
    lines.text(",\"build\":", environment.build);
    writeDevices(lines, environment.devices);
    const PipelineSpec& spec = m_parts->spec;
    lines.whole(",\"ranks\":", spec.devices);
    lines.whole(",\"stages\":", spec.stages());
    lines.whole(",\"micro_batches\":", spec.microBatches);
    lines.whole(",\"segments\":", spec.segments());
    lines.whole(",\"steps\":", spec.steps);
    lines.whole(",\"warmup\":", plan.warmup);
    lines.whole(",\"iterations\":", plan.iterations);
    lines.text(",\"settings\":", planSettings(plan));
    lines.text(",\"project\":", planProject(plan).value_or(std::string()));
    lines.end();
    m_parts->flush();
}

void WireSink::passes(std::span<const RecordedPass> batch)
{
    Lines& lines = m_parts->lines;
    for (const RecordedPass& record : batch) {
        lines.begin("pass");
        lines.word(",\"label\":", m_parts->label(record));
        lines.whole(",\"it\":", record.iteration);
        lines.whole(",\"step\":", m_parts->stepOf(record));
        lines.whole(",\"rank\":", record.rank);
        lines.whole(",\"entry\":", record.entry);
        writePass(lines, record.pass);
        lines.whole(",\"start\":", record.start);
        lines.whole(",\"end\":", record.end);
        lines.end();
    }
    m_parts->flush();
}

void WireSink::messages(std::span<const RecordedMessage> batch)
{
    Lines& lines = m_parts->lines;
    for (const RecordedMessage& record : batch) {
        lines.begin("message");
        lines.word(",\"label\":", sendLabel(record.producer));
        lines.whole(",\"it\":", record.iteration);
        lines.whole(",\"id\":", record.message);
        lines.whole(",\"from\":", record.from);
        lines.whole(",\"to\":", record.to);
        writePass(lines, record.producer);
        lines.whole(",\"bytes\":", record.bytes);
        lines.whole(",\"posted\":", record.posted);
        lines.whole(",\"started\":", record.started);
        lines.whole(",\"ended\":", record.ended);
        lines.end();
    }
    m_parts->flush();
}

void WireSink::memory(std::span<const MemorySample> batch)
{
    Lines& lines = m_parts->lines;
    for (const MemorySample& sample : batch) {
        lines.begin("memory");
        lines.whole(",\"it\":", sample.iteration);
        lines.whole(",\"rank\":", sample.rank);
        lines.whole(",\"time\":", sample.time);
        std::string_view before = ",\"bytes\":[";
        for (const Bytes bytes : sample.bytes) {
            lines.whole(before, bytes);
            before = ",";
        }
        lines.raw("]");
        lines.end();
    }
    m_parts->flush();
}

void WireSink::copies(std::span<const RecordedCopy> batch)
{
    Lines& lines = m_parts->lines;
    for (const RecordedCopy& record : batch) {
        lines.begin("copy");
        lines.whole(",\"it\":", record.iteration);
        lines.whole(",\"rank\":", record.rank);
        writePass(lines, record.cell);
        lines.word(",\"to\":", record.back ? "device" : "host");
        lines.whole(",\"bytes\":", record.bytes);
        lines.whole(",\"start\":", record.start);
        lines.whole(",\"end\":", record.end);
        lines.end();
    }
    m_parts->flush();
}

void WireSink::gpus(std::span<const GpuReading> batch)
{
    Lines& lines = m_parts->lines;
    const auto known = [&lines](std::string_view name, std::int32_t number) {
        if (number != GpuReading::unknown)
            lines.whole(name, number);
    };
    for (const GpuReading& reading : batch) {
        lines.begin("gpu");
        lines.whole(",\"rank\":", reading.rank);
        lines.whole(",\"gpu\":", reading.gpu);
        lines.whole(",\"ranks\":", reading.ranks);
        lines.word(",\"at\":", reading.atEnd ? "end" : "start");
        lines.whole(",\"time\":", reading.time);
        known(",\"mhz\":", reading.clock);
        known(",\"memory_mhz\":", reading.memoryClock);
        known(",\"milliwatts\":", reading.power);
        known(",\"celsius\":", reading.temperature);
        if (reading.slowdownsKnown)
            lines.word(",\"slowed\":", slowdownWords(reading.slowdowns));
        if (reading.atEnd) {
            lines.whole(",\"taken\":", reading.memory.taken);
            lines.whole(",\"reserved\":", reading.memory.reserved);
            lines.whole(",\"books\":", reading.memory.books);
            lines.whole(",\"contexts\":", reading.memory.contexts);
            lines.whole(",\"workspaces\":", reading.memory.workspaces);
            lines.whole(",\"connections\":", reading.memory.connections);
        }
        lines.end();
    }
    m_parts->flush();
}

void WireSink::loss(const StepLoss& loss)
{
    Lines& lines = m_parts->lines;
    lines.begin("loss");
    lines.whole(",\"step\":", loss.step);
    lines.number(",\"loss\":", loss.loss);
    lines.end();
    m_parts->flush();
}

void WireSink::log(const RunLog& log)
{
    Lines& lines = m_parts->lines;
    lines.begin("log");
    lines.whole(",\"time\":", log.time);
    lines.whole(",\"rank\":", log.rank);
    lines.word(",\"level\":", name(log.level));
    lines.text(",\"text\":", log.text);
    lines.end();
    m_parts->flush();
}

void WireSink::fault(const RunFault& fault)
{
    Lines& lines = m_parts->lines;
    lines.begin("error");
    lines.whole(",\"rank\":", fault.rank);
    lines.whole(",\"peer\":", fault.peer);
    lines.text(",\"pass\":", fault.pass);
    lines.text(",\"text\":", fault.text);
    lines.end();
    m_parts->flush();
}

void WireSink::finished(RunStatus status, const RunFigures& figures)
{
    Lines& lines = m_parts->lines;
    lines.begin("finished");
    lines.word(",\"status\":", name(status));
    lines.whole(",\"iterations\":", figures.iterations);
    lines.whole(",\"makespan\":", figures.makespan);
    lines.whole(",\"makespan_low\":", figures.makespanLow);
    lines.whole(",\"makespan_high\":", figures.makespanHigh);
    lines.whole(",\"predicted_makespan\":", figures.predictedMakespan);
    if (figures.predictedHigh > 0) {
        lines.whole(",\"predicted_low\":", figures.predictedLow);
        lines.whole(",\"predicted_high\":", figures.predictedHigh);
    }
    lines.number(",\"span_bubble\":", figures.spanBubble);
    lines.number(",\"predicted_span_bubble\":", figures.predictedSpanBubble);
    lines.whole(",\"peak_activation\":", figures.peakActivation);
    lines.whole(",\"predicted_peak_activation\":", figures.predictedPeakActivation);
    lines.number(",\"first_loss\":", figures.firstLoss);
    lines.number(",\"last_loss\":", figures.lastLoss);
    lines.end();
    m_parts->flush();
}

} // namespace pw::exec

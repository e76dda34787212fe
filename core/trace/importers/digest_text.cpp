// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/trace/importers/byte_source.h"
#include "core/trace/importers/digest.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <limits>

namespace pw {

namespace {

constexpr int digestVersion = 1;
constexpr std::string_view opening = "{\"pipewright_digest\":";
constexpr std::int64_t mostBytes = std::int64_t{1} << 30;
constexpr std::int64_t mostNumber = std::numeric_limits<std::int32_t>::max();

// How many numbers describe one of each, in the lists of a digest.
constexpr std::size_t spanNumbers = 7, labelNumbers = 10, callNumbers = 8, sumNumbers = 6;
constexpr std::size_t stepNumbers = 3, peakNumbers = 3, trackNumbers = 3, processNumbers = 6;
constexpr std::size_t groupNumbers = 2;

std::string hex(std::uint64_t number)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text(16, '0');
    for (auto at = text.rbegin(); at != text.rend(); ++at, number >>= 4)
        *at = digits[number & 15];
    return text;
}

/// A list of numbers on one line.
class Numbers
{
public:
    template<typename... All>
    void add(All... numbers)
    {
        (m_all.push_back(static_cast<std::int64_t>(numbers)), ...);
    }
    void write(JsonText& json, std::string_view name) const { json.numbers(name, m_all); }

private:
    std::vector<std::int64_t> m_all;
};

template<typename List, typename Of>
void writeTexts(JsonText& json, std::string_view name, const List& list, const Of& of)
{
    json.key(name);
    json.beginArray(JsonText::Layout::OneLine);
    for (const auto& one : list)
        json.value(std::string_view(of(one)));
    json.endArray();
}

void writeSaid(JsonText& json, const EventFile& said)
{
    Numbers numbers;
    numbers.add(said.rankNumber, said.hasBase, said.countedPasses, said.shapeOnly, said.shape.ranks,
                said.shape.chunks, said.shape.microBatches, said.shape.group);
    numbers.write(json, "said");
    json.member("rank_from", std::string_view(said.rankFrom));
    json.member("origin", std::string_view(said.origin));
    Numbers steps;
    for (const OwnStep& step : said.steps)
        steps.add(step.iteration, step.length, step.firstSpan);
    steps.write(json, "steps");
    Numbers peaks;
    for (const TracePeak& peak : said.peaks)
        peaks.add(peak.rank.value, peak.iteration, peak.bytes);
    peaks.write(json, "peaks");
    Numbers sums;
    for (const WorkSum& sum : said.sums)
        sums.add(sum.rank.value, sum.step, sum.kind, sum.name, sum.count, sum.total);
    sums.write(json, "sums");
}

void writeProcesses(JsonText& json, const std::vector<EventProcess>& processes)
{
    Numbers numbers;
    for (const EventProcess& one : processes)
        numbers.add(one.rankSaid, one.replica, one.labelled, one.onTheHost, one.ownDevice,
                    one.device);
    numbers.write(json, "processes");
    writeTexts(json, "process_ids", processes,
               [](const EventProcess& one) -> const std::string& { return one.id; });
    writeTexts(json, "process_names", processes,
               [](const EventProcess& one) -> const std::string& { return one.name; });
    writeTexts(json, "process_labels", processes,
               [](const EventProcess& one) -> const std::string& { return one.label; });
    writeTexts(json, "process_said_by", processes,
               [](const EventProcess& one) -> const std::string& { return one.saidBy; });
}

void writeTracks(JsonText& json, const Trace& trace)
{
    Numbers numbers;
    for (const TraceTrack& track : trace.tracks)
        numbers.add(track.rank.value, track.device, track.deviceNumber);
    numbers.write(json, "tracks");
    writeTexts(json, "track_processes", trace.tracks,
               [](const TraceTrack& one) -> const std::string& { return one.process; });
    writeTexts(json, "track_threads", trace.tracks,
               [](const TraceTrack& one) -> const std::string& { return one.thread; });
}

void writeGroups(JsonText& json, const std::vector<ProcessGroup>& groups)
{
    Numbers numbers;
    for (const ProcessGroup& group : groups)
        numbers.add(group.size, group.unique);
    numbers.write(json, "groups");
    writeTexts(json, "group_names", groups,
               [](const ProcessGroup& one) -> const std::string& { return one.name; });
    writeTexts(json, "group_descriptions", groups,
               [](const ProcessGroup& one) -> const std::string& { return one.description; });
    writeTexts(json, "group_ranks", groups,
               [](const ProcessGroup& one) -> const std::string& { return one.ranks; });
}

/// Starts by their distance from the one before.
void writeSpans(JsonText& json, const Trace& trace)
{
    Numbers labels;
    for (const SpanLabel& one : trace.labels)
        labels.add(one.role, one.kind, one.openBackward, one.paired, one.iteration, one.route,
                   one.stage.value, one.chunk, one.microBatch, one.segment);
    labels.write(json, "labels");
    Numbers spans;
    Ticks before = 0;
    for (const TraceSpan& one : trace.spans) {
        spans.add(one.rank.value, one.track, one.name, one.label,
                  static_cast<int>(one.trust) * activityKindCount + static_cast<int>(one.activity),
                  one.start - before, one.end - one.start);
        before = one.start;
    }
    spans.write(json, "spans");
    Numbers calls;
    for (const CollectiveCall& one : trace.calls)
        calls.add(one.span, one.group, one.kind, one.sent, one.received, one.sequence, one.peer,
                  one.sends);
    calls.write(json, "calls");
}

/// Reads the lists of a digest, and keeps what is wrong with them.
class DigestReader
{
public:
    DigestReader(const JsonDocument& document, Trace& trace, TraceNames& names)
        : m_fields(document, "", m_failure)
        , m_trace(trace)
        , m_names(names)
        , m_firstSpan(trace.spans.size())
        , m_firstTrack(trace.tracks.size())
        , m_firstLabel(trace.labels.size())
    {
    }

    Result<EventFile> run()
    {
        m_fields.integer("pipewright_digest", digestVersion, digestVersion);
        m_fields.text("key");
        m_fields.integer("bytes", 0, std::numeric_limits<std::int64_t>::max());
        const std::string file = m_fields.text("file");
        EventFile said;
        readProcesses(said);
        readSaid(said);
        readNames();
        readTracks(said);
        readGroups();
        readSpans(said);
        readSums(said);
        m_trace.events += m_fields.integer("events", 0, std::numeric_limits<std::int64_t>::max());
        m_trace.leftOut +=
            m_fields.integer("left_out", 0, std::numeric_limits<std::int64_t>::max());
        for (std::string& warning : m_fields.texts("warnings"))
            m_trace.warnings.push_back(std::move(warning));
        m_fields.finish();
        if (m_failure)
            return fail(*m_failure);
        m_trace.files.back() = file;
        return said;
    }

private:
    /// A list whose length is a multiple of `each`.
    std::vector<std::int64_t> numbers(std::string_view name, std::size_t each)
    {
        std::vector<std::int64_t> all = m_fields.integers(name, -(latestTime - 1), latestTime - 1);
        if (all.size() % each != 0) {
            m_fields.refuse(name, "%1 lacks a number at its end");
            all.clear();
        }
        return all;
    }
    std::int32_t small(std::string_view name, std::int64_t number, std::int64_t least,
                       std::int64_t most)
    {
        if (number >= least && number <= most)
            return static_cast<std::int32_t>(number);
        m_fields.refuse(name, "%1 has a number that nothing has");
        return static_cast<std::int32_t>(least);
    }
    std::vector<std::string> textsOf(std::string_view name, std::size_t count)
    {
        std::vector<std::string> all = m_fields.texts(name);
        if (all.size() != count) {
            m_fields.refuse(name, "%1 is not as long as the numbers beside it");
            all.resize(count);
        }
        for (std::string& one : all)
            one = cleanText(one);
        return all;
    }

    void readProcesses(EventFile& said)
    {
        const std::vector<std::int64_t> all = numbers("processes", processNumbers);
        const std::size_t count = all.size() / processNumbers;
        const std::vector<std::string> ids = textsOf("process_ids", count);
        const std::vector<std::string> names = textsOf("process_names", count);
        const std::vector<std::string> labels = textsOf("process_labels", count);
        const std::vector<std::string> by = textsOf("process_said_by", count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t* at = all.data() + i * processNumbers;
            EventProcess one;
            one.id = ids[i];
            one.name = names[i];
            one.label = labels[i];
            one.saidBy = by[i];
            one.rankSaid = small("processes", at[0], -1, mostNumber);
            one.replica = small("processes", at[1], -1, mostNumber);
            one.labelled = at[2];
            one.onTheHost = at[3];
            one.ownDevice = at[4] != 0;
            one.device = small("processes", at[5], -1, mostNumber);
            said.processes.push_back(std::move(one));
        }
        m_processes = static_cast<std::int64_t>(count);
    }

    TraceRankId process(std::string_view name, std::int64_t number)
    {
        return rankAsYet(ProcessId(small(name, number, 0, m_processes - 1)));
    }

    void readSaid(EventFile& said)
    {
        constexpr std::size_t saidNumbers = 8;
        const std::vector<std::int64_t> all = numbers("said", saidNumbers);
        if (all.size() != saidNumbers) {
            m_fields.refuse("said", "%1 is not what a digest has");
            return;
        }
        const auto at = [&](std::size_t i) { return small("said", all[i], -1, mostNumber); };
        said.rankNumber = at(0);
        said.hasBase = all[1] != 0;
        said.countedPasses = all[2] != 0;
        said.shapeOnly = all[3] != 0;
        said.shape = {at(4), at(5), at(6), at(7)};
        said.rankFrom = cleanText(m_fields.text("rank_from"));
        said.origin = cleanText(m_fields.text("origin"));
        const std::vector<std::int64_t> steps = numbers("steps", stepNumbers);
        for (std::size_t i = 0; i < steps.size(); i += stepNumbers)
            said.steps.push_back({small("steps", steps[i], -1, mostNumber), steps[i + 1],
                                  m_firstSpan + static_cast<std::size_t>(
                                                    small("steps", steps[i + 2], 0, mostNumber))});
        const std::vector<std::int64_t> peaks = numbers("peaks", peakNumbers);
        for (std::size_t i = 0; i < peaks.size(); i += peakNumbers)
            said.peaks.push_back({process("peaks", peaks[i]),
                                  small("peaks", peaks[i + 1], -1, mostNumber), peaks[i + 2]});
    }

    void readNames()
    {
        for (const std::string& name : m_fields.texts("names"))
            m_nameOf.push_back(m_names.indexOf(name));
    }

    std::int32_t name(std::string_view list, std::int64_t number, std::int64_t least)
    {
        const std::int32_t at =
            small(list, number, least, static_cast<std::int64_t>(m_nameOf.size()) - 1);
        return at < 0 || m_nameOf.empty() ? -1 : m_nameOf[static_cast<std::size_t>(at)];
    }

    void readTracks(const EventFile&)
    {
        const std::vector<std::int64_t> all = numbers("tracks", trackNumbers);
        const std::size_t count = all.size() / trackNumbers;
        const std::vector<std::string> processes = textsOf("track_processes", count);
        const std::vector<std::string> threads = textsOf("track_threads", count);
        for (std::size_t i = 0; i < count; ++i) {
            TraceTrack track;
            track.rank = process("tracks", all[i * trackNumbers]);
            track.process = processes[i];
            track.thread = threads[i];
            track.device = all[i * trackNumbers + 1] != 0;
            track.deviceNumber = small("tracks", all[i * trackNumbers + 2], -1, mostNumber);
            m_trace.tracks.push_back(std::move(track));
        }
    }

    void readGroups()
    {
        const std::vector<std::int64_t> all = numbers("groups", groupNumbers);
        const std::size_t count = all.size() / groupNumbers;
        const std::vector<std::string> names = textsOf("group_names", count);
        const std::vector<std::string> descriptions = textsOf("group_descriptions", count);
        const std::vector<std::string> ranks = textsOf("group_ranks", count);
        for (std::size_t i = 0; i < count; ++i)
            m_groupOf.push_back(
                m_names.groupOf({names[i], descriptions[i], ranks[i],
                                 small("groups", all[i * groupNumbers], -1, mostNumber),
                                 all[i * groupNumbers + 1] != 0}));
    }

    void readLabels()
    {
        const std::vector<std::int64_t> all = numbers("labels", labelNumbers);
        for (std::size_t i = 0; i < all.size(); i += labelNumbers) {
            const auto at = [&](std::size_t n) {
                return small("labels", all[i + n], -1, mostNumber);
            };
            SpanLabel label;
            label.role = static_cast<SpanRole>(
                small("labels", all[i], 0, static_cast<int>(SpanRole::Remainder)));
            label.kind = static_cast<PassKind>(small("labels", all[i + 1], 0, passKindCount - 1));
            label.openBackward = all[i + 2] != 0;
            label.paired = all[i + 3] != 0;
            label.iteration = at(4);
            label.route = at(5);
            label.stage = StageId(at(6));
            label.chunk = at(7);
            label.microBatch = at(8);
            label.segment = at(9);
            m_trace.labels.push_back(label);
        }
    }

    void readSpans(const EventFile&)
    {
        readLabels();
        const auto lastTrack = static_cast<std::int64_t>(m_trace.tracks.size() - m_firstTrack) - 1;
        const auto lastLabel = static_cast<std::int64_t>(m_trace.labels.size() - m_firstLabel) - 1;
        const std::vector<std::int64_t> all = numbers("spans", spanNumbers);
        Ticks before = 0;
        for (std::size_t i = 0; i < all.size() && !m_failure; i += spanNumbers) {
            const std::int64_t* at = all.data() + i;
            TraceSpan span;
            span.rank = process("spans", at[0]);
            span.track =
                static_cast<std::int32_t>(m_firstTrack) + small("spans", at[1], 0, lastTrack);
            span.name = name("spans", at[2], 0);
            const std::int32_t label = small("spans", at[3], -1, lastLabel);
            span.label = label < 0 ? -1 : static_cast<std::int32_t>(m_firstLabel) + label;
            const std::int32_t kind =
                small("spans", at[4], 0, std::int64_t{trustCount} * activityKindCount - 1);
            span.trust = static_cast<Trust>(kind / activityKindCount);
            span.activity = static_cast<ActivityKind>(kind % activityKindCount);
            span.start = before + at[5];
            if (span.start > latestTime || span.start < -latestTime || at[6] < 0)
                m_fields.refuse("spans", "%1 has a time that nothing has");
            span.end = std::min(span.start, latestTime) + std::min(at[6], latestTime);
            before = m_failure ? 0 : span.start;
            m_trace.spans.push_back(span);
        }
        readCalls();
    }

    void readCalls()
    {
        const auto last = static_cast<std::int64_t>(m_trace.spans.size() - m_firstSpan) - 1;
        const std::vector<std::int64_t> all = numbers("calls", callNumbers);
        for (std::size_t i = 0; i < all.size(); i += callNumbers) {
            const std::int64_t* at = all.data() + i;
            CollectiveCall call;
            call.span = static_cast<std::int32_t>(m_firstSpan) + small("calls", at[0], 0, last);
            const std::int32_t group =
                small("calls", at[1], -1, static_cast<std::int64_t>(m_groupOf.size()) - 1);
            call.group = group < 0 ? -1 : m_groupOf[static_cast<std::size_t>(group)];
            call.kind =
                static_cast<CollectiveKind>(small("calls", at[2], 0, collectiveKindCount - 1));
            call.sent = std::clamp<Bytes>(at[3], -1, mostCollectiveBytes);
            call.received = std::clamp<Bytes>(at[4], -1, mostCollectiveBytes);
            call.sequence = at[5];
            call.peer = small("calls", at[6], -1, mostNumber);
            call.sends = at[7] != 0;
            m_trace.calls.push_back(call);
        }
    }

    void readSums(EventFile& said)
    {
        const std::vector<std::int64_t> all = numbers("sums", sumNumbers);
        for (std::size_t i = 0; i < all.size(); i += sumNumbers) {
            const std::int64_t* at = all.data() + i;
            WorkSum sum;
            sum.rank = process("sums", at[0]);
            sum.step = small("sums", at[1], -1, mostNumber);
            sum.kind = static_cast<ActivityKind>(small("sums", at[2], 0, activityKindCount - 1));
            sum.name = name("sums", at[3], -1);
            sum.count = std::max<std::int64_t>(at[4], 0);
            sum.total = std::max<Ticks>(at[5], 0);
            said.sums.push_back(sum);
        }
    }

    JsonFields::Failure m_failure;
    JsonFields m_fields;
    Trace& m_trace;
    TraceNames& m_names;
    std::size_t m_firstSpan, m_firstTrack, m_firstLabel;
    std::int64_t m_processes = 0;
    std::vector<std::int32_t> m_nameOf, m_groupOf; // of the trace, by number in the digest
};

Result<std::string> wholeText(const OpenSource& open, const KeepReading& goOn)
{
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    std::string text;
    std::array<char, std::size_t{64} << 10> buffer{};
    while (const std::size_t count = source->read(buffer.data(), buffer.size())) {
        text.append(buffer.data(), count);
        if (static_cast<std::int64_t>(text.size()) > mostBytes)
            return fail(ErrorCode::TooLarge, "a digest of more than %1 bytes", mostBytes);
        if (goOn && !goOn())
            return fail(ErrorCode::Cancelled, "reading was stopped");
    }
    return text;
}

} // namespace

Result<DigestSource> digestSource(const std::string& file, std::string_view salt)
{
    // FNV-1a, eight bytes at a time.
    constexpr std::uint64_t prime = 0x100'0000'01B3, basis = 0xCBF2'9CE4'8422'2325;
    DigestSource made{file, basis, 0};
    const auto mix = [&made](const char* bytes, std::size_t count) {
        for (std::size_t at = 0; at < count; at += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + at, std::min(sizeof word, count - at));
            made.key = (made.key ^ word) * prime;
            made.key ^= made.key >> 32;
        }
    };
    mix(salt.data(), salt.size());
    std::ifstream in(file, std::ios::binary);
    std::vector<char> buffer(std::size_t{1} << 20);
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
        mix(buffer.data(), static_cast<std::size_t>(in.gcount()));
        made.bytes += in.gcount();
    }
    if (!in.eof())
        return fail(ErrorCode::Io, "%1 cannot be read", file);
    return made;
}

std::string digestText(const FilePart& part, const DigestSource& source)
{
    const Trace& trace = part.trace;
    JsonText json;
    json.beginObject(JsonText::Layout::OneLine);
    json.member("pipewright_digest", digestVersion);
    json.member("key", std::string_view(hex(source.key)));
    json.member("bytes", source.bytes);
    json.member("file", std::string_view(cleanText(source.file)));
    json.member("events", trace.events);
    json.member("left_out", trace.leftOut);
    writeProcesses(json, part.said.processes);
    writeSaid(json, part.said);
    writeTexts(json, "names", trace.names,
               [](const std::string& one) -> const std::string& { return one; });
    writeTracks(json, trace);
    writeGroups(json, trace.groups);
    writeSpans(json, trace);
    writeTexts(json, "warnings", trace.warnings,
               [](const std::string& one) -> const std::string& { return one; });
    json.endObject();
    return json.text();
}

Result<std::string> packedDigest(const FilePart& part, const DigestSource& source)
{
    const std::string text = digestText(part, source);
    z_stream stream{};
    constexpr int asGz = 15 + 16, memory = 8;
    if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, asGz, memory, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return fail(ErrorCode::TooLarge, "there is no memory to pack a digest");
    std::string packed(::deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const int ended = ::deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    ::deflateEnd(&stream);
    if (ended != Z_STREAM_END)
        return fail(ErrorCode::TooLarge, "a digest is too large to be packed");
    return packed;
}

bool looksLikeDigest(std::string_view head)
{
    std::string tight;
    for (const char c : head.substr(0, 2 * opening.size()))
        if (c != ' ' && c != '\n')
            tight += c;
    return tight.compare(0, opening.size(), opening) == 0;
}

Result<EventFile> readDigest(const OpenSource& open, std::int32_t /*number*/, Trace& trace,
                             TraceNames& names, const KeepReading& goOn)
{
    const std::string file = trace.files.back();
    PW_TRY(const std::string text, wholeText(open, goOn));
    const std::size_t firstSpan = trace.spans.size();
    const Result<JsonDocument> document = parseJson(text, mostBytes);
    if (!document)
        return fail(document.error().code, "%1: %2", file, document.error().message);
    if (!document->IsObject())
        return fail(ErrorCode::Syntax, "%1: a digest is one object", file);
    Result<EventFile> read = DigestReader(*document, trace, names).run();
    if (!read)
        return fail(read.error().code, "%1: %2", file, read.error().message);
    read->firstSpan = firstSpan;
    return read;
}

bool isDigestOf(const std::string& path, const DigestSource& source)
{
    if (fileKind(path) != FileKind::Regular)
        return false;
    const Result<std::unique_ptr<FileSource>> open = FileSource::open(path);
    if (!open)
        return false;
    constexpr std::size_t enough = 256;
    const std::string head = headOf(**open, enough);
    return looksLikeDigest(head) && head.find("\"" + hex(source.key) + "\"") < head.size();
}

} // namespace pw

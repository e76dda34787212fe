// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/reading/digest/digest.h"
#include "core/reading/digest/digest_layout.h"
#include "core/reading/packing/byte_source.h"
#include "core/system/machine.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace pw {

namespace {

/// FNV-1a, eight bytes at a time.
class Hash
{
public:
    void mix(const char* bytes, std::size_t count)
    {
        constexpr std::uint64_t prime = 0x100'0000'01B3;
        for (std::size_t at = 0; at < count; at += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + at, std::min(sizeof word, count - at));
            m_value = (m_value ^ word) * prime;
            m_value ^= m_value >> 32;
        }
    }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0xCBF2'9CE4'8422'2325;
};

/// A text of a length that is read.
std::string bounded(const std::string& text)
{
    constexpr std::string_view cut = "...";
    if (text.size() <= longestDigestText)
        return text;
    std::size_t end = longestDigestText - cut.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end; // between two characters
    return text.substr(0, end).append(cut);
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
        json.value(std::string_view(bounded(of(one))));
    json.endArray();
}

void writeSaid(JsonText& json, const EventFile& said)
{
    Numbers numbers;
    numbers.add(said.rankNumber, said.replica, said.hasBase, said.countedPasses, said.linkedPasses,
                said.shapeOnly, said.shape.ranks, said.shape.chunks, said.shape.microBatches,
                said.shape.group);
    numbers.write(json, "said");
    if (said.earliest)
        json.member("earliest", *said.earliest);
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
                  digest_numbers::endNumber(one.end, one.peer));
    calls.write(json, "calls");
}

void writeRepairs(JsonText& json, const TraceRepairs& repairs)
{
    Numbers places;
    for (const TraceRepair& one : repairs.list)
        places.add(one.position);
    json.member("repair_count", repairs.count);
    places.write(json, "repairs");
    writeTexts(json, "repair_texts", repairs.list,
               [](const TraceRepair& one) -> const std::string& { return one.text; });
}

} // namespace

std::string digestKey(std::uint64_t key)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text(16, '0');
    for (auto at = text.rbegin(); at != text.rend(); ++at, key >>= 4)
        *at = digits[key & 15];
    return text;
}

Result<DigestSource> digestSource(const std::string& file, std::string_view salt)
{
    Hash content;
    std::int64_t bytes = 0;
    std::ifstream in(std::filesystem::path(file), std::ios::binary);
    std::vector<char> buffer(std::size_t{1} << 20);
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
        content.mix(buffer.data(), static_cast<std::size_t>(in.gcount()));
        bytes += in.gcount();
    }
    if (!in.eof())
        return fail(ErrorCode::Io, "%1 cannot be read", file);
    std::error_code ignored; // the path as it is will do
    const std::string path = std::filesystem::weakly_canonical(file, ignored).string();
    Hash place;
    place.mix(path.data(), path.size());
    Hash key;
    key.mix(salt.data(), salt.size());
    const std::string number = digestKey(content.value());
    key.mix(number.data(), number.size());
    return DigestSource{file, key.value(),    bytes, place.value(), content.value(),
                        path, sys::hostName()};
}

std::string digestText(const FilePart& part, const DigestSource& source)
{
    const Trace& trace = part.trace;
    JsonText json;
    json.beginObject(JsonText::Layout::OneLine);
    json.member("pipewright_digest", source.readBy.empty() ? plainDigestVersion : digestVersion);
    json.member("key", std::string_view(digestKey(source.key)));
    json.member("bytes", source.bytes);
    json.member("file", std::string_view(cleanText(source.file)));
    json.member("place", std::string_view(digestKey(source.place)));
    json.member("content", std::string_view(digestKey(source.content)));
    json.member("path", std::string_view(bounded(cleanText(source.path))));
    json.member("host", std::string_view(bounded(cleanText(source.host))));
    if (!source.readBy.empty())
        json.member("read_by", std::string_view(source.readBy));
    json.member("events", trace.events);
    json.member("left_out", trace.leftOut);
    if (!trace.ended.empty())
        json.member("ended", std::string_view(bounded(trace.ended)));
    writeProcesses(json, part.said.processes);
    writeSaid(json, part.said);
    writeTexts(json, "names", trace.names,
               [](const std::string& one) -> const std::string& { return one; });
    writeTracks(json, trace);
    writeGroups(json, trace.groups);
    writeSpans(json, trace);
    writeTexts(json, "warnings", trace.warnings,
               [](const std::string& one) -> const std::string& { return one; });
    writeRepairs(json, trace.repairs);
    json.endObject();
    return json.text();
}

Result<std::string> packedDigest(const FilePart& part, const DigestSource& source)
{
    if (source.readBy.size() > longestDigestText)
        return fail(ErrorCode::TooLarge,
                    "the rules that %1 is read by have %2 bytes; in a digest they can have %3",
                    source.file, source.readBy.size(), longestDigestText);
    const std::string text = digestText(part, source);
    if (static_cast<std::int64_t>(text.size()) > mostDigestBytes)
        return fail(ErrorCode::TooLarge, "the digest of %1 would have more than %2 bytes",
                    source.file, mostDigestBytes);
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

} // namespace pw

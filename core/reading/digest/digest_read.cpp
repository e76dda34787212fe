// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/reading/digest/digest.h"
#include "core/reading/digest/digest_layout.h"
#include "core/reading/packing/byte_source.h"
#include "core/trace/reading_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace pw {

namespace {

constexpr std::string_view opening = "{\"pipewright_digest\":";
constexpr std::int64_t mostEvents = std::int64_t{1} << 40; // their sum over all files fits
constexpr std::int64_t mostNumber = std::numeric_limits<std::int32_t>::max();

std::uint64_t keyOf(JsonFields& fields, std::string_view name)
{
    const std::string text = fields.text(name);
    std::uint64_t key = 0;
    constexpr int base = 16;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), key, base);
    if (end.ec != std::errc() || digestKey(key) != text)
        fields.refuse(name, "%1 is not a hash");
    return key;
}

/// What a digest says first: by which version it is, and of which file.
DigestSource sourceIn(JsonFields& fields)
{
    const std::int64_t version = fields.integer("pipewright_digest", 0, mostNumber);
    if (version < oldestDigestVersion || version > digestVersion)
        fields.refuse("pipewright_digest",
                      "%1 is %2: another version made it; pipewright reduce makes it anew",
                      version);
    DigestSource source;
    source.file = fields.title("file");
    source.bytes = fields.integer("bytes", 0, std::numeric_limits<std::int64_t>::max());
    source.key = keyOf(fields, "key");
    source.place = keyOf(fields, "place");
    if (version == oldestDigestVersion)
        return source;
    source.content = keyOf(fields, "content");
    source.path = fields.title("path");
    source.host = fields.title("host");
    if (version <= plainDigestVersion)
        return source;
    source.readBy = fields.text("read_by");
    if (source.readBy.size() > longestDigestText || !readingRulesOf(source.readBy))
        fields.refuse("read_by", "%1 has no rules of a reading");
    return source;
}

/// Reads the lists of a digest, and keeps what is wrong with them.
class DigestReader
{
public:
    DigestReader(const JsonDocument& document, std::int32_t number, Trace& trace, TraceNames& names)
        : m_fields(document, "", m_failure)
        , m_number(number)
        , m_trace(trace)
        , m_names(names)
        , m_firstSpan(trace.spans.size())
        , m_firstTrack(trace.tracks.size())
        , m_firstLabel(trace.labels.size())
    {
    }

    Result<EventFile> run()
    {
        const DigestSource source = sourceIn(m_fields);
        EventFile said;
        readProcesses(said);
        readSaid(said);
        readPeaks(said);
        readNames();
        readTracks();
        readGroups();
        readLabels();
        readSpans();
        readSteps(said);
        readCalls();
        readSums(said);
        readEnd();
        m_fields.finish();
        if (m_failure)
            return fail(*m_failure);
        m_trace.files.back() = cleanText(source.file);
        if (!source.path.empty())
            said.reduced = RankFile{{},
                                    cleanText(source.path),
                                    cleanText(source.host),
                                    digestKey(source.content),
                                    source.bytes,
                                    source.readBy};
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
    std::int32_t rankNumber(std::string_view name, std::int64_t number)
    {
        return small(name, number, -1, mostRankNumber);
    }
    std::string text(std::string_view name, std::string one)
    {
        if (one.size() > longestDigestText)
            m_fields.refuse(name, "%1 has a text of %2 bytes; it can have %3", one.size(),
                            longestDigestText);
        return m_failure ? std::string() : cleanText(one);
    }
    std::vector<std::string> texts(std::string_view name)
    {
        std::vector<std::string> all = m_fields.texts(name);
        for (std::string& one : all)
            one = text(name, std::move(one));
        return all;
    }
    std::vector<std::string> textsOf(std::string_view name, std::size_t count)
    {
        std::vector<std::string> all = texts(name);
        if (all.size() != count) {
            m_fields.refuse(name, "%1 is not as long as the numbers beside it");
            all.resize(count);
        }
        return all;
    }

    void readProcesses(EventFile& said)
    {
        const std::vector<std::int64_t> all = numbers("processes", digest_numbers::process);
        const std::size_t count = all.size() / digest_numbers::process;
        const std::vector<std::string> ids = textsOf("process_ids", count);
        const std::vector<std::string> names = textsOf("process_names", count);
        const std::vector<std::string> labels = textsOf("process_labels", count);
        const std::vector<std::string> by = textsOf("process_said_by", count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t* at = all.data() + i * digest_numbers::process;
            EventProcess one;
            one.id = ids[i];
            one.name = names[i];
            one.label = labels[i];
            one.saidBy = by[i];
            one.rankSaid = rankNumber("processes", at[0]);
            one.replica = rankNumber("processes", at[1]);
            one.labelled = at[2];
            one.onTheHost = at[3];
            one.ownDevice = at[4] != 0;
            one.device = rankNumber("processes", at[5]);
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
        const std::vector<std::int64_t> all = numbers("said", digest_numbers::said);
        if (all.size() != digest_numbers::said) {
            m_fields.refuse("said", "%1 is not what a digest has");
            return;
        }
        const auto at = [&](std::size_t i) { return small("said", all[i], -1, mostNumber); };
        said.rankNumber = rankNumber("said", all[0]);
        said.replica = rankNumber("said", all[1]);
        said.hasBase = all[2] != 0;
        said.countedPasses = all[3] != 0;
        said.linkedPasses = all[4] != 0;
        said.shapeOnly = all[5] != 0;
        said.shape = {at(6), at(7), at(8), at(9)};
        if (m_fields.has("earliest"))
            said.earliest = m_fields.integer("earliest", -latestTime + 1, latestTime - 1);
        said.rankFrom = text("rank_from", m_fields.text("rank_from"));
        said.origin = text("origin", m_fields.text("origin"));
    }

    void readPeaks(EventFile& said)
    {
        const std::vector<std::int64_t> peaks = numbers("peaks", digest_numbers::peak);
        for (std::size_t i = 0; i < peaks.size(); i += digest_numbers::peak)
            said.peaks.push_back({process("peaks", peaks[i]),
                                  small("peaks", peaks[i + 1], -1, mostNumber), peaks[i + 2]});
    }

    /// A step's spans run to those of the next one, so their begins cannot go back.
    void readSteps(EventFile& said)
    {
        const std::vector<std::int64_t> steps = numbers("steps", digest_numbers::step);
        const auto spans = static_cast<std::int64_t>(m_trace.spans.size() - m_firstSpan);
        std::int64_t before = 0;
        for (std::size_t i = 0; i < steps.size() && !m_failure; i += digest_numbers::step) {
            if (steps[i + 1] < 0)
                m_fields.refuse("steps", "%1 has a time that nothing has");
            const std::int32_t first = small("steps", steps[i + 2], before, spans);
            said.steps.push_back({small("steps", steps[i], 0, mostNumber), steps[i + 1],
                                  m_firstSpan + static_cast<std::size_t>(first)});
            before = first;
        }
        // They are moved behind each other.
        for (std::size_t i = m_firstSpan; !steps.empty() && i < m_trace.spans.size(); ++i)
            if (m_trace.spans[i].start < 0 || m_trace.spans[i].end > latestTime / 2)
                m_fields.refuse("spans", "%1 has a time that nothing has");
    }

    void readNames()
    {
        for (const std::string& name : texts("names"))
            m_nameOf.push_back(m_names.indexOf(name));
    }

    std::int32_t name(std::string_view list, std::int64_t number, std::int64_t least)
    {
        const std::int32_t at =
            small(list, number, least, static_cast<std::int64_t>(m_nameOf.size()) - 1);
        return at < 0 || m_nameOf.empty() ? -1 : m_nameOf[static_cast<std::size_t>(at)];
    }

    void readTracks()
    {
        const std::vector<std::int64_t> all = numbers("tracks", digest_numbers::track);
        const std::size_t count = all.size() / digest_numbers::track;
        const std::vector<std::string> processes = textsOf("track_processes", count);
        const std::vector<std::string> threads = textsOf("track_threads", count);
        for (std::size_t i = 0; i < count; ++i) {
            TraceTrack track;
            track.rank = process("tracks", all[i * digest_numbers::track]);
            track.process = processes[i];
            track.thread = threads[i];
            track.device = all[i * digest_numbers::track + 1] != 0;
            track.deviceNumber =
                small("tracks", all[i * digest_numbers::track + 2], -1, mostNumber);
            m_trace.tracks.push_back(std::move(track));
        }
    }

    void readGroups()
    {
        const std::vector<std::int64_t> all = numbers("groups", digest_numbers::group);
        const std::size_t count = all.size() / digest_numbers::group;
        const std::vector<std::string> names = textsOf("group_names", count);
        const std::vector<std::string> descriptions = textsOf("group_descriptions", count);
        const std::vector<std::string> ranks = textsOf("group_ranks", count);
        for (std::size_t i = 0; i < count; ++i)
            m_groupOf.push_back(
                m_names.groupOf({names[i], descriptions[i], ranks[i],
                                 rankNumber("groups", all[i * digest_numbers::group]),
                                 all[i * digest_numbers::group + 1] != 0}));
    }

    void readLabels()
    {
        const std::vector<std::int64_t> all = numbers("labels", digest_numbers::label);
        for (std::size_t i = 0; i < all.size(); i += digest_numbers::label) {
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

    void readSpans()
    {
        const auto lastTrack = static_cast<std::int64_t>(m_trace.tracks.size() - m_firstTrack) - 1;
        const auto lastLabel = static_cast<std::int64_t>(m_trace.labels.size() - m_firstLabel) - 1;
        const std::vector<std::int64_t> all = numbers("spans", digest_numbers::span);
        Ticks before = 0;
        for (std::size_t i = 0; i < all.size() && !m_failure; i += digest_numbers::span) {
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
            if (span.start >= latestTime || span.start <= -latestTime || at[6] < 0 ||
                at[6] >= latestTime - span.start) {
                m_fields.refuse("spans", "%1 has a time that nothing has");
                return;
            }
            span.end = span.start + at[6];
            before = span.start;
            m_trace.spans.push_back(span);
        }
    }

    void readCalls()
    {
        const auto last = static_cast<std::int64_t>(m_trace.spans.size() - m_firstSpan) - 1;
        const std::vector<std::int64_t> all = numbers("calls", digest_numbers::call);
        std::int64_t next = 0; // one a span, by span
        for (std::size_t i = 0; i < all.size() && !m_failure; i += digest_numbers::call) {
            const std::int64_t* at = all.data() + i;
            CollectiveCall call;
            call.span = static_cast<std::int32_t>(m_firstSpan) + small("calls", at[0], next, last);
            next = at[0] + 1;
            const std::int32_t group =
                small("calls", at[1], -1, static_cast<std::int64_t>(m_groupOf.size()) - 1);
            call.group = group < 0 ? -1 : m_groupOf[static_cast<std::size_t>(group)];
            call.kind =
                static_cast<CollectiveKind>(small("calls", at[2], 0, collectiveKindCount - 1));
            call.sent = std::clamp<Bytes>(at[3], -1, mostCollectiveBytes);
            call.received = std::clamp<Bytes>(at[4], -1, mostCollectiveBytes);
            call.sequence = at[5];
            call.peer = rankNumber("calls", at[6]);
            call.end =
                digest_numbers::endOf(small("calls", at[7], 0, messageEndCount - 1), call.peer);
            m_trace.calls.push_back(call);
        }
    }

    void readSums(EventFile& said)
    {
        const std::vector<std::int64_t> all = numbers("sums", digest_numbers::sum);
        for (std::size_t i = 0; i < all.size(); i += digest_numbers::sum) {
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

    /// What is said of the file as a whole.
    void readEnd()
    {
        m_trace.events += m_fields.integer("events", 0, mostEvents);
        m_trace.leftOut += m_fields.integer("left_out", 0, mostEvents);
        std::string ended = text("ended", m_fields.text("ended", std::string()));
        if (!ended.empty())
            m_trace.ended = std::move(ended);
        const std::int64_t repairs = m_fields.integer("repair_count", 0, mostNumber);
        const std::vector<std::int64_t> places = numbers("repairs", 1);
        std::vector<std::string> what = textsOf("repair_texts", places.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            m_trace.repairs.add(
                {m_number, std::max<std::int64_t>(places[i], 0), std::move(what[i])});
        m_trace.repairs.count +=
            std::max<std::int64_t>(repairs - static_cast<std::int64_t>(places.size()), 0);
        for (std::string& warning : texts("warnings"))
            m_trace.warnings.push_back(std::move(warning));
    }

    JsonFields::Failure m_failure;
    JsonFields m_fields;
    std::int32_t m_number; // of the file
    Trace& m_trace;
    TraceNames& m_names;
    std::size_t m_firstSpan, m_firstTrack, m_firstLabel;
    std::int64_t m_processes = 0;
    std::vector<std::int32_t> m_nameOf, m_groupOf; // of the trace, by number in the digest
};

Result<std::string> wholeText(ByteSource& source, const KeepReading& goOn)
{
    std::string text;
    std::array<char, std::size_t{64} << 10> buffer{};
    while (const std::size_t count = source.read(buffer.data(), buffer.size())) {
        text.append(buffer.data(), count);
        if (static_cast<std::int64_t>(text.size()) > mostDigestBytes)
            return fail(ErrorCode::TooLarge, "a digest of more than %1 bytes", mostDigestBytes);
        if (goOn && !goOn())
            return fail(ErrorCode::Cancelled, "reading was stopped");
    }
    return text;
}

} // namespace

bool looksLikeDigest(std::string_view head)
{
    std::string tight;
    for (const char c : head.substr(0, 2 * opening.size()))
        if (c != ' ' && c != '\n')
            tight += c;
    return tight.compare(0, opening.size(), opening) == 0;
}

Result<EventFile> readDigest(const OpenSource& open, std::int32_t number, Trace& trace,
                             TraceNames& names, const KeepReading& goOn)
{
    const std::string file = trace.files.back();
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    PW_TRY(const std::string text, wholeText(*source, goOn));
    const std::size_t firstSpan = trace.spans.size();
    const Result<JsonDocument> document = parseJson(text, mostDigestBytes);
    if (!document)
        return fail(document.error().code, "%1: %2", file, document.error().message);
    if (!document->IsObject())
        return fail(ErrorCode::Syntax, "%1: a digest is one object", file);
    Result<EventFile> read = DigestReader(*document, number, trace, names).run();
    if (!read)
        return fail(read.error().code, "%1: %2", file, read.error().message);
    read->firstSpan = firstSpan;
    // What came of it is as large as what an import may take in.
    if (goOn && !goOn())
        return fail(ErrorCode::Cancelled, "reading was stopped");
    return read;
}

std::optional<DigestSource> sourceOfDigest(const std::string& path)
{
    if (fileKind(path) != FileKind::Regular)
        return std::nullopt;
    const Result<std::unique_ptr<FileSource>> source = FileSource::open(path);
    if (!source)
        return std::nullopt;
    const Result<std::string> text = wholeText(**source, {});
    if (!text || !(*source)->failure().empty())
        return std::nullopt;
    const Result<JsonDocument> document = parseJson(*text, mostDigestBytes);
    if (!document)
        return std::nullopt;
    JsonFields::Failure failure;
    JsonFields fields(*document, "", failure);
    DigestSource found = sourceIn(fields);
    if (failure)
        return std::nullopt;
    return found;
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/trace/importers/event_time.h"
#include "core/trace/importers/importer.h"
#include "core/trace/importers/json_objects.h"
#include "core/trace/importers/plain_spans.h"
#include "core/trace/importers/whole_source.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace pw::importers {

namespace {

constexpr std::string_view megatronPrefix = "megatron.";

/// Days since 1970 of a day of the Gregorian calendar. @source H. Hinnant, "chrono-compatible
/// low-level date algorithms"
std::int64_t daysSinceEpoch(std::int64_t year, std::int64_t month, std::int64_t day)
{
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t ofEra = year - era * 400;
    const std::int64_t ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146'097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719'468;
}

/// "2026-10-01T12:00:00.123456Z" as nanoseconds since 1970.
std::optional<Ticks> ticksOfDate(std::string_view text)
{
    constexpr std::size_t least = 19;
    if (text.size() < least || text[4] != '-' || text[7] != '-' ||
        (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':')
        return std::nullopt;
    const auto number = [&](std::size_t at, std::size_t length) {
        return std::int64_t{smallNumber(text.substr(at, length))};
    };
    const std::int64_t year = number(0, 4), month = number(5, 2), day = number(8, 2),
                       hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
    if (year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 ||
        hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return std::nullopt;
    std::string_view rest = text.substr(least);
    Ticks nanoseconds = 0;
    if (!rest.empty() && rest.front() == '.') {
        Ticks unit = 100'000'000;
        for (rest.remove_prefix(1); !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
             rest.remove_prefix(1)) {
            nanoseconds += (rest.front() - '0') * unit;
            unit /= 10;
        }
    }
    if (!rest.empty() && rest != "Z" && rest != "+00:00")
        return std::nullopt;
    const std::int64_t seconds =
        daysSinceEpoch(year, month, day) * 86'400 + hour * 3600 + minute * 60 + second;
    return seconds * ticksPerMs * 1000 + nanoseconds;
}

/// Attributes, whichever way they are written: an object, or a list of key and value.
class Attributes
{
public:
    explicit Attributes(const JsonValue* value)
        : m_value(value)
    {
    }

    std::int64_t whole(std::string_view name) const
    {
        const JsonValue* found = find(name);
        if (found == nullptr)
            return -1;
        if (found->IsObject()) {
            const std::int64_t number = wholeMember(*found, "intValue");
            return number >= 0 ? number : wholeMember(*found, "stringValue");
        }
        if (found->IsString())
            return largeNumber({found->GetString(), found->GetStringLength()});
        return found->IsInt64() ? std::max<std::int64_t>(found->GetInt64(), -1) : -1;
    }

    std::string_view text(std::string_view name) const
    {
        const JsonValue* found = find(name);
        if (found != nullptr && found->IsObject())
            return textMember(*found, "stringValue");
        return found != nullptr && found->IsString()
                   ? std::string_view(found->GetString(), found->GetStringLength())
                   : std::string_view();
    }

private:
    const JsonValue* find(std::string_view name) const
    {
        if (m_value == nullptr)
            return nullptr;
        if (m_value->IsObject())
            return memberOf(*m_value, name);
        if (!m_value->IsArray())
            return nullptr;
        for (const JsonValue& one : m_value->GetArray())
            if (textMember(one, "key") == name)
                return memberOf(one, "value");
        return nullptr;
    }

    const JsonValue* m_value;
};

/// What a resource says of the process that made the spans.
struct SpanMaker
{
    std::int32_t rank = -1; ///< of all processes
    std::int32_t pipeline = -1;
    std::int32_t tensor = 1;
    std::int32_t data = 1;
    std::int32_t chunks = -1;

    /// Megatron numbers tensor ranks first, then data, then pipeline.
    std::int32_t pipelineRank() const
    {
        const std::int64_t inner = std::int64_t{tensor} * data;
        return rank < 0 || pipeline < 0
                   ? rank
                   : static_cast<std::int32_t>(std::min<std::int64_t>(rank / inner, pipeline - 1));
    }
};

SpanMaker makerOf(const Attributes& resource)
{
    constexpr std::int64_t most = 65'536;
    SpanMaker maker;
    const auto size = [&](std::string_view name, std::int32_t fallback) {
        const std::int64_t number = resource.whole(name);
        return number >= 1 && number <= most ? static_cast<std::int32_t>(number) : fallback;
    };
    maker.pipeline = size("dl.pipeline_parallel.size", -1);
    maker.tensor = size("dl.tensor_parallel.size", 1);
    maker.data = size("dl.data_parallel.size", 1);
    maker.chunks = size("dl.virtual_pipeline_parallel.size", -1);
    const std::string_view instance = resource.text("service.instance.id");
    constexpr std::string_view word = "rank";
    if (const std::size_t at = instance.rfind(word); at != std::string_view::npos) {
        std::string_view digits = instance.substr(at + word.size());
        digits.remove_prefix(std::min(digits.find_first_not_of("-_"), digits.size()));
        const std::int32_t rank = smallNumber(digits);
        maker.rank = rank < most ? rank : -1;
    }
    return maker;
}

/// A span as it is read; passes wait for the steps that they are in.
struct FoundSpan
{
    SpanMaker maker;
    std::string name;
    Ticks start = 0;
    Ticks end = 0;
    SpanLabel label;
};

SpanLabel labelOfName(std::string_view name, const Attributes& attributes)
{
    SpanLabel label;
    const bool forward = name.find("forward") != std::string_view::npos;
    if (name == "megatron.microbatch.forward" || name == "megatron.microbatch.backward")
        label.role = SpanRole::Pass;
    else if (name.find("megatron.p2p.send_") == 0)
        label.role = SpanRole::Send;
    else if (name.find("megatron.p2p.recv_") == 0)
        label.role = SpanRole::Receive;
    else if (name == "megatron.train_step")
        label.role = SpanRole::Step;
    label.kind = label.role == SpanRole::Step || forward ? PassKind::F : PassKind::BW;
    const auto small = [](std::int64_t number) {
        constexpr std::int64_t most = 1 << 30;
        return number > most ? -1 : static_cast<std::int32_t>(number);
    };
    label.microBatch = small(attributes.whole("megatron.microbatch_id"));
    label.chunk = small(attributes.whole("megatron.model_chunk_id"));
    label.iteration = small(attributes.whole("megatron.iteration"));
    return label;
}

class SpanReading
{
public:
    SpanReading(std::int32_t number, Trace& trace, TraceNames& names)
        : m_spans(trace, names, "Megatron OpenTelemetry")
        , m_number(number)
    {
    }

    /// An object of the text: a span, or resourceSpans.
    void take(const JsonValue& object, std::int64_t position)
    {
        if (const JsonValue* resources = memberOf(object, "resourceSpans");
            resources != nullptr && resources->IsArray()) {
            for (const JsonValue& resource : resources->GetArray())
                takeResource(resource, position);
            return;
        }
        if (memberOf(object, "start_time") == nullptr)
            return; // a log line of another kind
        const JsonValue* resource = memberOf(object, "resource");
        const JsonValue* said = resource == nullptr ? nullptr : memberOf(*resource, "attributes");
        takeSpan(object, makerOf(Attributes(said != nullptr ? said : resource)), position);
    }

    bool tooMany() const { return m_found.size() > mostFound; }

    void damaged(std::int64_t position)
    {
        m_spans.leaveOut();
        m_spans.trace().repairs.add({m_number, position, "an object that is not JSON, left out"});
    }

    Result<EventFile> finish()
    {
        if (m_found.empty())
            return fail(ErrorCode::Syntax, m_spans.path() + ": no span of OpenTelemetry in it");
        findSteps();
        countWithinSteps();
        const std::map<std::int32_t, std::int32_t> first = firstRanks();
        for (FoundSpan& one : m_found)
            append(one, first);
        EventFile& file = m_spans.file();
        file.countedPasses = m_counted;
        std::vector<std::string>& warnings = m_spans.trace().warnings;
        warnings.push_back(m_spans.path() + ": spans are the host's time around launches that do "
                                            "not wait, and no time of a GPU");
        if (m_replicas > 0)
            warnings.push_back(m_spans.path() + ": " + groupedNumber(m_replicas) +
                               " spans are of ranks that share their place in the pipeline with "
                               "another; left out");
        return std::move(file);
    }

private:
    void takeResource(const JsonValue& resource, std::int64_t position)
    {
        const JsonValue* said = memberOf(resource, "resource");
        const SpanMaker maker =
            makerOf(Attributes(said == nullptr ? nullptr : memberOf(*said, "attributes")));
        const JsonValue* scopes = memberOf(resource, "scopeSpans");
        if (scopes == nullptr || !scopes->IsArray())
            return;
        for (const JsonValue& scope : scopes->GetArray()) {
            const JsonValue* spans = memberOf(scope, "spans");
            if (spans == nullptr || !spans->IsArray())
                continue;
            for (const JsonValue& span : spans->GetArray())
                takeSpan(span, maker, position);
        }
    }

    void takeSpan(const JsonValue& span, const SpanMaker& maker, std::int64_t position)
    {
        ++m_spans.trace().events;
        const std::optional<Ticks> start = timeOf(span, "startTimeUnixNano", "start_time"),
                                   end = timeOf(span, "endTimeUnixNano", "end_time");
        if (!start || !end || *start > *end) {
            damaged(position);
            return;
        }
        FoundSpan found;
        found.maker = maker;
        found.name = textMember(span, "name").substr(0, longestName);
        found.start = *start;
        found.end = *end;
        found.label = labelOfName(found.name, Attributes(memberOf(span, "attributes")));
        m_found.push_back(std::move(found));
    }

    static std::optional<Ticks> timeOf(const JsonValue& span, std::string_view nanoseconds,
                                       std::string_view date)
    {
        const std::int64_t whole = wholeMember(span, nanoseconds);
        if (whole >= 0)
            return whole < latestTime / 2 ? std::optional(whole) : std::nullopt;
        return ticksOfDate(textMember(span, date));
    }

    /// Steps in the order of time of each rank are iterations, unless they say their numbers.
    void findSteps()
    {
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const FoundSpan& a, const FoundSpan& b) { return a.start < b.start; });
        std::map<std::int32_t, std::int32_t> counts;
        for (FoundSpan& one : m_found)
            if (one.label.role == SpanRole::Step) {
                const std::int32_t number = counts[one.maker.rank]++;
                one.label.iteration = one.label.iteration >= 0 ? one.label.iteration : number;
                m_steps[one.maker.rank].push_back(&one);
            }
    }

    std::int32_t stepAt(const FoundSpan& one) const
    {
        const auto steps = m_steps.find(one.maker.rank);
        if (steps == m_steps.end())
            return -1;
        const auto after =
            std::upper_bound(steps->second.begin(), steps->second.end(), one.start,
                             [](Ticks time, const FoundSpan* step) { return time < step->start; });
        if (after == steps->second.begin())
            return -1;
        const FoundSpan& step = **std::prev(after);
        return one.start < step.end ? step.label.iteration : -1;
    }

    void countWithinSteps()
    {
        m_counted = std::any_of(m_found.begin(), m_found.end(), [](const FoundSpan& one) {
            return one.label.role == SpanRole::Pass && one.label.microBatch < 0;
        });
        for (FoundSpan& one : m_found)
            if (one.label.role == SpanRole::Pass && one.label.iteration < 0)
                one.label.iteration = std::max(stepAt(one), 0);
    }

    /// The rank that stands for each place in the pipeline.
    std::map<std::int32_t, std::int32_t> firstRanks() const
    {
        std::map<std::int32_t, std::int32_t> first;
        for (const FoundSpan& one : m_found) {
            const auto [at, made] = first.emplace(one.maker.pipelineRank(), one.maker.rank);
            at->second = std::min(at->second, one.maker.rank);
        }
        return first;
    }

    void append(FoundSpan& one, const std::map<std::int32_t, std::int32_t>& first)
    {
        const std::int32_t place = one.maker.pipelineRank();
        if (const auto found = first.find(place);
            found == first.end() || found->second != one.maker.rank) {
            ++m_replicas;
            return;
        }
        ToldShape& shape = m_spans.file().shape;
        shape.ranks = std::max(shape.ranks, one.maker.pipeline);
        shape.chunks = std::max(shape.chunks, one.maker.chunks);
        const std::int32_t rank = m_spans.rank(place, "resource");
        const bool message =
            one.label.role == SpanRole::Send || one.label.role == SpanRole::Receive;
        const char* row = one.label.role == SpanRole::Pass   ? "passes"
                          : one.label.role == SpanRole::Step ? "steps"
                          : message                          ? "messages"
                                                             : "other";
        // A message that says no micro-batch is one of many that look alike.
        if (message && one.label.microBatch < 0)
            one.label = {};
        m_spans.append(rank, row, one.name, one.start, one.end, Trust::Host, one.label);
    }

    static constexpr std::size_t mostFound = 5'000'000;

    PlainSpans m_spans;
    std::int32_t m_number;
    std::vector<FoundSpan> m_found;
    std::map<std::int32_t, std::vector<const FoundSpan*>> m_steps;
    std::int64_t m_replicas = 0;
    bool m_counted = false;
};

/// Spans of OpenTelemetry, as its console exporter or as OTLP in JSON writes them.
bool looksLikeMegatronSpans(std::string_view head)
{
    const auto has = [head](std::string_view word) {
        return head.find(word) != std::string_view::npos;
    };
    if (has("\"traceEvents\""))
        return false;
    const bool console = has("\"start_time\"") && has("\"context\"") && has("\"trace_id\"");
    return console || (has("\"resourceSpans\"") && has("\"scopeSpans\"")) ||
           (has("\"resourceSpans\"") && has(megatronPrefix));
}

/// Megatron's `megatron.microbatch.forward` and `.backward` are passes, `megatron.p2p.*` messages,
/// `megatron.train_step` an iteration; others are spans without a label. JSON objects one behind
/// the other (console) or `resourceSpans` (OTLP), text between objects is skipped.
///
/// All times are the host's around launches that do not wait, and are marked so. Ranks follow from
/// `service.instance.id` and the sizes in the resource; of ranks that share a place in the pipeline
/// the first stands for all. A micro-batch that no attribute says is counted (`countPasses`).
/// @error TooLarge  an object of more than 32 MiB
Result<EventFile> readMegatronSpans(const OpenSource& open, std::int32_t number, Trace& trace,
                                    TraceNames& names, const KeepReading& goOn)
{
    const Result<std::unique_ptr<ByteSource>> source = open();
    if (!source)
        return fail(source.error());
    const std::string& file = trace.files[static_cast<std::size_t>(number)];
    SpanReading reading(number, trace, names);
    JsonObjects objects(**source, goOn);
    while (objects.next()) {
        const Result<JsonDocument> object =
            parseJson(objects.text(), static_cast<std::int64_t>(JsonObjects::longest));
        if (object)
            reading.take(*object, objects.position());
        else
            reading.damaged(objects.position());
        if (reading.tooMany())
            return fail(ErrorCode::TooLarge,
                        file +
                            ": more than 5,000,000 spans of OpenTelemetry, the most that is read");
    }
    if (objects.stopped())
        return fail(ErrorCode::Cancelled, file + ": reading was stopped");
    if (objects.tooLong())
        return fail(ErrorCode::TooLarge, file + ", byte " + std::to_string(objects.position()) +
                                             ": an object of more than " +
                                             byteText(static_cast<Bytes>(JsonObjects::longest)) +
                                             ", the most that is read");
    if (objects.cut())
        reading.damaged(objects.position());
    return reading.finish();
}

} // namespace

Importer megatron_spans()
{
    Importer importer;
    importer.id = "megatron-spans";
    importer.title = "Megatron's OpenTelemetry spans";
    importer.endings = {".json", ".jsonl"};
    importer.precedence = 20;
    importer.content = {looksLikeMegatronSpans, readMegatronSpans};
    return importer;
}

} // namespace pw::importers

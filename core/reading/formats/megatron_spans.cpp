// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/reading/chrome/json_objects.h"
#include "core/reading/chrome/otel_span.h"
#include "core/reading/events/event_time.h"
#include "core/reading/events/importer.h"
#include "core/reading/events/plain_spans.h"
#include "core/reading/events/whole_source.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace pw::importers {

namespace {

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

    /// Of the pipeline, where the job has several; −1: it has one.
    std::int32_t replica() const
    {
        return rank < 0 || pipeline < 0 || data < 2 ? -1 : rank / tensor % data;
    }

    /// The place in the job, which its tensor ranks share.
    std::pair<std::int32_t, std::int32_t> place() const { return {pipelineRank(), replica()}; }
};

SpanMaker makerOf(const OtelAttributes& resource)
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

SpanLabel labelOfName(std::string_view name, const OtelAttributes& attributes)
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

class SpanReading : public OtelVisitor
{
public:
    SpanReading(std::int32_t number, Trace& trace, TraceNames& names)
        : m_spans(trace, names, "Megatron OpenTelemetry")
        , m_number(number)
    {
    }

    /// An object of the text: a span, or many with their resources.
    void take(const JsonValue& object, std::int64_t position)
    {
        m_position = position;
        visitOtelSpans(object, *this);
    }

    void takeResource(const OtelAttributes& resource) override { m_maker = makerOf(resource); }

    void takeSpan(const OtelSpan& span) override
    {
        ++m_spans.trace().events;
        if (!span.start || !span.end || *span.start > *span.end) {
            damaged(m_position);
            return;
        }
        FoundSpan found;
        found.maker = m_maker;
        found.name = span.name.substr(0, longestName);
        found.start = *span.start;
        found.end = *span.end;
        found.label = labelOfName(found.name, span.attributes);
        m_found.push_back(std::move(found));
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
            return fail(ErrorCode::Syntax, "%1: no span of OpenTelemetry in it", m_spans.path());
        findSteps();
        countWithinSteps();
        const RankOfPlace first = firstRanks();
        for (FoundSpan& one : m_found)
            append(one, first);
        EventFile& file = m_spans.file();
        file.countedPasses = m_counted;
        std::vector<std::string>& warnings = m_spans.trace().warnings;
        warnings.push_back(m_spans.path() + ": spans are the host's time around launches that do "
                                            "not wait, and no time of a GPU");
        if (m_shards > 0)
            warnings.push_back(m_spans.path() + ": " + groupedNumber(m_shards) +
                               " spans are of ranks that share their place in the pipeline with "
                               "another; left out");
        return std::move(file);
    }

private:
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

    using RankOfPlace = std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t>;

    /// The rank that stands for each place.
    RankOfPlace firstRanks() const
    {
        RankOfPlace first;
        for (const FoundSpan& one : m_found) {
            const auto [at, made] = first.emplace(one.maker.place(), one.maker.rank);
            at->second = std::min(at->second, one.maker.rank);
        }
        return first;
    }

    void append(FoundSpan& one, const RankOfPlace& first)
    {
        if (const auto found = first.find(one.maker.place());
            found == first.end() || found->second != one.maker.rank) {
            ++m_shards;
            return;
        }
        ToldShape& shape = m_spans.file().shape;
        shape.ranks = std::max(shape.ranks, one.maker.pipeline);
        shape.chunks = std::max(shape.chunks, one.maker.chunks);
        const ProcessId rank =
            m_spans.rank(one.maker.pipelineRank(), "resource", one.maker.replica());
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
    std::int64_t m_position = 0; ///< of the object that is read
    SpanMaker m_maker;           ///< of the spans that follow
    std::vector<FoundSpan> m_found;
    std::map<std::int32_t, std::vector<const FoundSpan*>> m_steps;
    std::int64_t m_shards = 0;
    bool m_counted = false;
};

/// Megatron's `megatron.microbatch.forward` and `.backward` are passes, `megatron.p2p.*` messages,
/// `megatron.train_step` an iteration; others are spans without a label. Objects of any form that
/// `visitOtelSpans` knows, one behind the other; text between objects is skipped.
///
/// All times are the host's around launches that do not wait, and are marked so. Ranks follow from
/// `service.instance.id` and the sizes in the resource, and so do replicas; of the tensor ranks
/// that share a place the first stands for all. A micro-batch that no attribute says is counted
/// (`countPasses`).
/// @error TooLarge  an object of more than 32 MiB
Result<EventFile> readMegatronSpans(const OpenSource& open, std::int32_t number, Trace& trace,
                                    TraceNames& names, const KeepReading& goOn)
{
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    const std::string& file = trace.files[static_cast<std::size_t>(number)];
    SpanReading reading(number, trace, names);
    JsonObjects objects(*source, goOn);
    while (objects.next()) {
        const Result<JsonDocument> object =
            parseJson(objects.text(), static_cast<std::int64_t>(JsonObjects::longest));
        if (object)
            reading.take(*object, objects.position());
        else
            reading.damaged(objects.position());
        if (reading.tooMany())
            return fail(ErrorCode::TooLarge,
                        "%1: more than 5,000,000 spans of OpenTelemetry, the most that is read",
                        file);
    }
    if (objects.stopped())
        return fail(ErrorCode::Cancelled, "%1: reading was stopped", file);
    if (objects.tooLong())
        return fail(ErrorCode::TooLarge,
                    "%1, byte %2: an object of more than %3, the most that is read", file,
                    objects.position(), byteText(static_cast<Bytes>(JsonObjects::longest)));
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
    importer.content = {looksLikeOtelSpans, readMegatronSpans};
    return importer;
}

} // namespace pw::importers

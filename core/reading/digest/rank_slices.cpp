// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/digest/rank_slices.h"

#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/reading/copies.h"
#include "core/reading/digest/digest.h"
#include "core/reading/digest/digest_layout.h"
#include "core/reading/import_trace.h"
#include "core/trace/recover.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// From when to when.
struct SliceWindow
{
    Ticks first = std::numeric_limits<Ticks>::max();
    Ticks last = std::numeric_limits<Ticks>::min();

    bool none() const { return first > last; }
    void take(Ticks start, Ticks end)
    {
        first = std::min(first, start);
        last = std::max(last, end);
    }
};

/// The rank that is meant: of a file with one rank that one, whatever number it has by itself.
std::optional<TraceRankId> rankIn(const Trace& trace, const SliceRequest& request)
{
    std::set<TraceRankId> there;
    for (const TraceSpan& span : trace.spans)
        there.insert(span.rank);
    if (there.size() == 1)
        return *there.begin();
    std::optional<TraceRankId> found;
    for (const TraceRankId id : there) {
        const TraceRank& rank = trace.ranks[id.index()];
        if (rank.number == request.rank && (!found || rank.replica == request.replica))
            found = id;
    }
    return found;
}

/// When an iteration runs on a rank, by its passes and by the steps that are named.
SliceWindow iterationOf(const Trace& trace, TraceRankId rank, std::int32_t number)
{
    SliceWindow stretch;
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = trace.labelOf(span);
        if (label != nullptr && span.rank == rank && label->iteration == number)
            stretch.take(span.start, span.end);
    }
    if (!stretch.none())
        return stretch;
    for (const RecoveredPipeline& pipeline : recoverReplicas(trace))
        for (const RecoveredIteration& one : pipeline.iterations)
            for (const RecordedPass& pass : one.passes)
                if (one.number == number &&
                    pipeline.rankOfDevice[deviceOf(pass.rank).index()] == rank)
                    stretch.take(pass.start, pass.end);
    return stretch;
}

} // namespace

std::string sliceRequestText(const SliceRequest& request)
{
    JsonText text;
    text.beginObject(JsonText::Layout::OneLine);
    text.member("file", std::string_view(request.file));
    text.member("content", std::string_view(request.content));
    text.member("rank", request.rank);
    text.member("replica", request.replica);
    if (request.iteration)
        text.member("iteration", *request.iteration);
    writeReadingRules(text, request.reading);
    text.endObject();
    return text.text();
}

Result<SliceRequest> sliceRequestOf(std::string_view line)
{
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min(),
                           most = std::numeric_limits<std::int32_t>::max();
    PW_TRY(const JsonDocument document, parseJson(line, std::int64_t{longestSliceRequest}));
    if (!document.IsObject())
        return fail(ErrorCode::Syntax, "a request for slices is one object");
    JsonFields::Failure failure;
    JsonFields fields(document, "", failure);
    SliceRequest request;
    request.file = fields.title("file");
    request.content = fields.text("content");
    request.rank = static_cast<std::int32_t>(fields.integer("rank", -1, mostRankNumber));
    request.replica = static_cast<std::int32_t>(fields.integer("replica", -1, mostRankNumber));
    if (fields.has("iteration"))
        request.iteration = static_cast<std::int32_t>(fields.integer("iteration", least, most));
    const ReadingRuleTexts reading = ReadingRuleTexts::in(fields);
    fields.finish();
    if (failure)
        return fail(*failure);
    PW_TRY(request.reading, reading.rules());
    return request;
}

Result<Trace> rankSlices(const SliceRequest& request)
{
    if (fileKind(request.file) == FileKind::Missing)
        return fail(ErrorCode::Io, "%1 is not there any more: it was moved or deleted",
                    request.file);
    PW_TRY(const DigestSource source, digestSource(request.file, {}));
    if (digestKey(source.content) != request.content)
        return fail(ErrorCode::BadValue,
                    "%1 has changed since its digest was made; pipewright reduce makes it anew",
                    request.file);
    ImportOptions options;
    options.rules = request.reading.names;
    options.kernels = request.reading.kernels;
    PW_TRY(Trace trace, importTrace({request.file}, options));
    const std::optional<TraceRankId> rank = rankIn(trace, request);
    if (!rank)
        return fail(ErrorCode::BadValue, "%1 has nothing of rank %2", request.file, request.rank);
    SliceWindow stretch;
    if (request.iteration) {
        stretch = iterationOf(trace, *rank, *request.iteration);
        if (stretch.none())
            return fail(ErrorCode::BadValue, "%1 says of no pass that it is of iteration %2",
                        request.file, *request.iteration);
    }
    keepSpans(trace, [&](const TraceSpan& span) {
        return span.rank == *rank &&
               (stretch.none() || (span.start <= stretch.last && span.end >= stretch.first));
    });
    return trace;
}

} // namespace pw

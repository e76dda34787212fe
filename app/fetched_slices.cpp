// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/fetched_slices.h"

#include "app/activity_gantt.h"
#include "app/child_program.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/json_text.h"
#include "core/reading/digest/rank_slices.h"

#include <utility>

namespace pw::app {

namespace {

constexpr std::chrono::milliseconds longestFetch{600'000};
constexpr std::size_t mostFetched = std::size_t{1} << 30;

Result<std::string> fetchedText(const SliceRequest& request, const std::string& via)
{
    PW_TRY(std::vector<std::string> words, commandLineWords(via));
    words.emplace_back("slices");
    PW_TRY(ChildOutput answer,
           runChild(words, longestFetch, sliceRequestText(request) + "\n", mostFetched));
    if (answer.code == 0)
        return std::move(answer.out);
    constexpr int notReached = 255; // of ssh
    const Sentence why =
        answer.err.empty() ? said("it ended with %1", answer.code) : Sentence(answer.lastLine());
    if (answer.code == notReached)
        return fail(ErrorCode::Io, "the machine of rank %1 cannot be reached by '%2': %3",
                    request.rank, via, why);
    return fail(ErrorCode::Io, "'%1' has no slices of rank %2: %3", via, request.rank, why);
}

Result<StoredTrace> tracesOf(const SliceRequest& request, const KeptRankFile& file,
                             const std::string& via)
{
    if (via.empty() && fileKind(file.path) == FileKind::Missing)
        return fail(ErrorCode::Io,
                    "%1, the trace of rank %2, is not on this machine; it was on %3: name a way "
                    "to it, as --via 'ssh %3 pipewright'",
                    file.path, request.rank, file.host.empty() ? "another" : file.host);
    if (!via.empty()) {
        PW_TRY(const std::string text, fetchedText(request, via));
        return traceOfSliceText(text);
    }
    PW_TRY(Trace trace, rankSlices(request));
    StoredTrace made;
    made.title = file.path;
    made.trace = std::move(trace);
    made.lanes = activityLanes(made.trace);
    return made;
}

} // namespace

Result<FetchedSlices> fetchedSlices(const std::string& store, RunNumber run,
                                    const RankQuestion& question)
{
    const std::int32_t rank = question.rank;
    PW_TRY(const std::vector<KeptRankFile> files, rankFiles(store, run, rank));
    if (files.empty()) {
        PW_TRY(const std::vector<KeptRankFile> any, rankFiles(store, run, -1));
        if (any.empty())
            return fail(ErrorCode::BadValue,
                        "run %1 was not put together from digests: what it has of slices is in "
                        "the store, and --lanes shows it",
                        run);
        return fail(ErrorCode::BadValue, "run %1 has no digest of rank %2", run, rank);
    }
    Result<FetchedSlices> found = fail(ErrorCode::Io, "");
    const ReadingRules& asked = question.reading;
    for (const KeptRankFile& file : files) { // of several the one that has the iteration
        Result<StoredTrace> trace =
            tracesOf({file.path,
                      file.content,
                      file.rank,
                      file.replica,
                      question.iteration,
                      {asked.names.empty() ? file.readBy.names : asked.names,
                       asked.kernels.empty() ? file.readBy.kernels : asked.kernels}},
                     file, question.via);
        if (trace)
            return FetchedSlices{file, std::move(*trace)};
        found = fail(trace.error());
    }
    return found;
}

Result<std::string> fetchedLanes(const FetchedSlices& slices, const Screen& screen)
{
    const TraceActivity source(slices.trace.trace, slices.trace.lanes);
    return activityGantt(source, screen);
}

std::string fetchedJson(const FetchedSlices& slices)
{
    const Trace& trace = slices.trace.trace;
    const ActivityLanes& lanes = slices.trace.lanes;
    JsonText text;
    text.beginObject();
    text.member("rank", slices.file.rank);
    text.member("file", std::string_view(slices.file.path));
    text.member("host", std::string_view(slices.file.host));
    text.key("lanes");
    text.beginArray();
    for (std::size_t i = 0; i < lanes.lanes.size(); ++i) {
        const ActivityLane& lane = lanes.lanes[i];
        text.beginObject();
        text.member("owner", std::string_view(lane.owner));
        text.member("name", std::string_view(lane.name));
        text.member("device", lane.device);
        text.key("slices");
        text.beginArray();
        const std::size_t end =
            i + 1 < lanes.lanes.size() ? lanes.firstSpan[i + 1] : lanes.spans.size();
        for (std::size_t at = lanes.firstSpan[i]; at < end; ++at) {
            const TraceSpan& span = trace.spans[static_cast<std::size_t>(lanes.spans[at])];
            text.beginObject(JsonText::Layout::OneLine);
            text.member("name", trace.nameOf(span));
            text.member("kind", name(span.activity));
            text.member("depth", std::int64_t{span.depth});
            text.member("start_ms", msFromTicks(span.start));
            text.member("end_ms", msFromTicks(span.end));
            text.endObject();
        }
        text.endArray();
        text.endObject();
    }
    text.endArray();
    text.endObject();
    return text.text();
}

} // namespace pw::app

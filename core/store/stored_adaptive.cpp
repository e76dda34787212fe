// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_adaptive.h"

#include "core/analysis/message_slowdown.h"
#include "core/base/try.h"
#include "core/io/json_fields.h"
#include "core/io/project_file.h"
#include "core/store/stored_iteration.h"
#include "core/store/stored_limits.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

constexpr std::int64_t longestSettings = 1 << 20;
constexpr std::int64_t mostOfGroup = 1 << 20;
constexpr std::int64_t mostAdapted = 1 << 30; ///< iterations
/// Times beyond are damage, and sums of what is within do not leave 64 bits.
constexpr Ticks latestAdapted = latestStored >> 10;

/// What the settings of a stretch say.
struct StretchSettings
{
    std::string training;
    int every = 0;
    AdaptedStretch stretch;
};

/// None where the settings are of a run of another kind.
Result<std::optional<StretchSettings>> stretchOf(const RunDetails& details)
{
    const Result<JsonDocument> document = parseJson(details.settings, longestSettings);
    if (!document || !document->IsObject())
        return std::optional<StretchSettings>(); // of an import, or of another program
    const auto member = document->FindMember("adaptive");
    if (member == document->MemberEnd())
        return std::optional<StretchSettings>();
    const std::string whose = "run " + std::to_string(details.run.number) + ", settings.adaptive";
    if (!member->value.IsObject())
        return fail(ErrorCode::BadValue, "%1 is not an object", whose);
    JsonFields::Failure failure;
    JsonFields fields(member->value, whose, failure);
    StretchSettings made;
    made.training = fields.text("training");
    made.stretch.run = details.run.number;
    made.stretch.firstIteration =
        static_cast<int>(fields.integer("first_iteration", 0, mostAdapted));
    made.stretch.start = fields.integer("start_ns", 0, latestAdapted);
    made.every = static_cast<int>(fields.integer("every", 1, mostAdapted));
    made.stretch.group = static_cast<int>(fields.integer("k", 1, mostOfGroup));
    made.stretch.microBatch = static_cast<int>(fields.integer("micro_batch", 1, mostOfGroup));
    made.stretch.microBatches = static_cast<int>(fields.integer("micro_batches", 1, mostOfGroup));
    made.stretch.reason = fields.text("reason", std::string());
    if (failure)
        return fail(failure->code, failure->message);
    return std::optional(std::move(made));
}

/// Appends the iterations of a stretch.
Result<void> addIterations(RunStore& store, const RunDetails& details, StoredAdaptive& all,
                           std::size_t place)
{
    AdaptedStretch& stretch = all.stretches[place];
    PW_TRY(const std::vector<IterationSpan> spans, store.iterations(stretch.run));
    PW_TRY(const std::vector<RecordedMessage> read, store.messages(RecordQuery{stretch.run}));
    const Result<Project> project = readProject(details.project);
    if (!project)
        return fail(project.error().code, "run %1: %2", stretch.run, project.error().message);
    const Costs costs = costsOf(*project);
    std::map<std::int32_t, std::vector<RecordedMessage>> messages;
    for (const RecordedMessage& message : read)
        messages[message.iteration].push_back(message);
    Ticks start = stretch.start;
    for (const WholeIteration& one : wholeIterations(spans)) {
        if (one.iteration < 0 || one.iteration > mostAdapted || one.first < -latestAdapted ||
            one.last > latestAdapted || start > latestAdapted)
            return fail(ErrorCode::BadValue, "run %1 has an iteration that no stretch has",
                        stretch.run);
        AdaptedPoint point;
        point.stretch = place;
        point.iteration = stretch.firstIteration + one.iteration;
        point.start = start;
        point.time = one.makespan();
        point.slowdown = MessageSlowdown(costs, project->draft.spec, messages[one.iteration],
                                         one.iteration, {one.first, one.last})
                             .mean();
        start += point.time;
        stretch.time += point.time;
        ++stretch.iterations;
        all.iterations.push_back(point);
    }
    return {};
}

} // namespace

int StoredAdaptive::switches() const
{
    int count = 0;
    for (std::size_t i = 1; i < stretches.size(); ++i)
        count += stretches[i].group != stretches[i - 1].group ? 1 : 0;
    return count;
}

Result<std::optional<StoredAdaptive>> storedAdaptive(RunStore& store, RunNumber run)
{
    const Result<RunDetails> own = store.run(run);
    if (!own)
        return fail(own.error());
    const Result<std::optional<StretchSettings>> asked = stretchOf(*own);
    if (!asked)
        return fail(asked.error());
    if (!*asked)
        return std::optional<StoredAdaptive>();
    PW_TRY(const std::vector<StoredRun> runs, store.runs());
    StoredAdaptive all;
    all.every = (*asked)->every;
    std::map<RunNumber, RunDetails> details;
    for (const StoredRun& each : runs) {
        if (each.family != own->run.family)
            continue;
        PW_TRY(RunDetails other, store.run(each.number));
        Result<std::optional<StretchSettings>> found = stretchOf(other);
        // What another training says wrongly is its own affair.
        if (!found || !*found || (*found)->training != (*asked)->training)
            continue;
        all.stretches.push_back(std::move((*found)->stretch));
        details.emplace(each.number, std::move(other));
    }
    std::sort(all.stretches.begin(), all.stretches.end(),
              [](const AdaptedStretch& a, const AdaptedStretch& b) {
                  return std::pair(a.firstIteration, a.run) < std::pair(b.firstIteration, b.run);
              });
    for (std::size_t i = 0; i < all.stretches.size(); ++i)
        if (auto added = addIterations(store, details.at(all.stretches[i].run), all, i); !added)
            return fail(added.error());
    return std::optional(std::move(all));
}

} // namespace pw

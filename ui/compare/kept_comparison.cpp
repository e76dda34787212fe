// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/kept_comparison.h"

#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/io/project_file.h"
#include "core/sim/metrics.h"
#include "ui/core_sentences.h"
#include "ui/text.h"

#include <limits>

namespace pw::ui {

namespace {

constexpr std::int64_t mostComparisonBytes = std::int64_t{256} << 20;

Result<void> writeSource(JsonText& json, const Compared& timeline)
{
    if (timeline.run != 0) {
        json.member("run", timeline.run);
        json.member("iteration", static_cast<int>(timeline.iteration));
        return {};
    }
    if (timeline.costs == nullptr)
        return {};
    Project project;
    project.title = timeline.title.toStdString();
    project.draft = draftOf(*timeline.schedule);
    setTables(project, *timeline.costs);
    PW_TRY(const std::string text, writeProject(project));
    json.member("project", std::string_view(text));
    return {};
}

const JsonValue* keptMember(const JsonValue& object, const char* name)
{
    const auto found = object.FindMember(name);
    return found == object.MemberEnd() ? nullptr : &found->value;
}

std::string keptText(const JsonValue& object, const char* name)
{
    const JsonValue* value = keptMember(object, name);
    return value != nullptr && value->IsString()
               ? std::string(value->GetString(), value->GetStringLength())
               : std::string();
}

std::int64_t keptWhole(const JsonValue& object, const char* name)
{
    const JsonValue* value = keptMember(object, name);
    return value != nullptr && value->IsInt64() ? value->GetInt64() : 0;
}

} // namespace

Result<std::string> comparisonData(const std::vector<ComparedRow>& rows)
{
    JsonText json;
    json.beginArray();
    for (const ComparedRow& row : rows) {
        json.beginObject(JsonText::Layout::OneLine);
        const std::string title = row.title.toStdString();
        json.member("title", std::string_view(title));
        if (row.timeline == nullptr) {
            const std::string why = row.problem.toStdString();
            json.member("refusal", std::string_view(why));
            json.endObject();
            continue;
        }
        const SimResult& times = row.timeline->times;
        json.member("makespan_ms", msFromTicks(times.makespan));
        json.member("span_bubble_ms", msFromTicks(spanBubble(times).idle));
        json.member("span_bubble_rate", spanBubble(times).rate());
        json.member("wall_bubble_ms", msFromTicks(wallBubble(times).idle));
        json.member("wall_bubble_rate", wallBubble(times).rate());
        json.member("peak_activation_mb", peakMicroBatches(times));
        json.member("peak_activation_bytes", peakActivation(times));
        json.member("peak_memory_bytes", row.timeline->memory.total);
        PW_DO(writeSource(json, *row.timeline));
        json.endObject();
    }
    json.endArray();
    return json.text();
}

Result<std::vector<KeptRow>> keptRows(std::string_view data)
{
    PW_TRY(const JsonDocument all, parseJson(data, mostComparisonBytes));
    if (!all.IsArray())
        return fail(ErrorCode::Syntax, "the kept comparison is not a list of rows");
    std::vector<KeptRow> rows;
    for (const JsonValue& value : all.GetArray()) {
        if (!value.IsObject())
            return fail(ErrorCode::Syntax, "the kept comparison is not a list of rows");
        KeptRow row;
        row.title = text(keptText(value, "title"));
        row.refusal = text(keptText(value, "refusal"));
        row.project = keptText(value, "project");
        row.run = keptWhole(value, "run");
        constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        const std::int64_t iteration = keptWhole(value, "iteration");
        if (row.refusal.isEmpty() && row.project.empty() &&
            (row.run <= 0 || iteration < least || iteration > most))
            return fail(ErrorCode::BadValue, "%1 does not say what it was made from",
                        row.title.toStdString());
        row.iteration = static_cast<std::int32_t>(iteration);
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<ComparedPtr> comparedProject(const QString& title, const std::string& project)
{
    PW_TRY(const Project read, readProject(project));
    PW_TRY(Schedule schedule, scheduleOf(read));
    auto compared = std::make_shared<Compared>();
    compared->title = title;
    compared->costs = std::make_shared<const Costs>(costsOf(read));
    PW_TRY(compared->times, simulate(schedule, *compared->costs));
    compared->schedule = std::make_shared<const Schedule>(std::move(schedule));
    compared->lanes = lanesOf(compared->schedule, compared->times);
    compared->memory = wholePeak(*compared->schedule, *compared->costs, compared->times);
    return ComparedPtr(std::move(compared));
}

} // namespace pw::ui

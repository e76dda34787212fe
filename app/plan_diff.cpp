// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/plan_diff.h"

#include "app/file_options.h"
#include "app/loss_report.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "core/analysis/fit.h"
#include "core/analysis/plan_run.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/pass_label.h"
#include "core/model/replicas.h"
#include "core/reading/sniff.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>

namespace pw::app {

namespace {

/// A plan, a run, and what was found between them.
struct Comparison
{
    std::string planName;
    std::string traceName;
    ReadTrace read;
    Schedule plan;
    bool ownCosts = false;
    FittedCosts fitted;
    PlanRun found;
};

std::string signedStretch(Ticks time)
{
    return (time > 0 ? "+" : time < 0 ? "−" : "") + timeText(std::abs(time));
}

std::string planLabel(const Pass& pass)
{
    return passLabel(pass) + (pass.segment > 0 ? "/" + std::to_string(pass.segment) : "");
}

/// The entry that ends the gap before a pass.
std::map<Pass, EntryId> entryByPass(const Schedule& schedule)
{
    std::map<Pass, EntryId> entries;
    for (const EntryId i : schedule.entries()) {
        const OrderEntry entry = schedule.entry(i);
        entries.emplace(entry.pass, i);
        if (entry.paired)
            entries.emplace(entry.partner, i);
    }
    return entries;
}

Ticks sumOf(const std::array<Ticks, lossCauseCount>& parts)
{
    Ticks sum = 0;
    for (const Ticks part : parts)
        sum += part;
    return sum;
}

/// The largest cause in front of a pass: "4.2 ms, dependency".
std::string lostText(const std::array<Ticks, lossCauseCount>& parts)
{
    const auto most = std::max_element(parts.begin(), parts.end());
    if (*most == 0)
        return {};
    return timeText(sumOf(parts)) + ", " +
           std::string(name(static_cast<LossCause>(most - parts.begin())));
}

std::string plannedPassesText(const Comparison& one, int most, const Screen& screen)
{
    const Schedule& ran = *one.read.aligned().pipeline.schedule;
    const std::map<Pass, EntryId> entries = entryByPass(ran);
    std::vector<MatchedPass> passes = one.found.match.matched;
    std::stable_sort(passes.begin(), passes.end(), [](const MatchedPass& a, const MatchedPass& b) {
        return std::abs(a.moved()) > std::abs(b.moved());
    });
    const auto shown = std::min(passes.size(), static_cast<std::size_t>(most));
    TextTable table(screen, {{"pass", "", TextTable::Align::Left},
                             {"rank"},
                             {"planned"},
                             {"start"},
                             {"end"},
                             {"end moved"},
                             {"longer by"},
                             {"lost before it", "", TextTable::Align::Left}});
    for (std::size_t i = 0; i < shown; ++i) {
        const MatchedPass& pass = passes[i];
        const auto entry = entries.find(pass.pass);
        table.append(
            {planLabel(pass.pass), std::to_string(pass.rank), timeText(pass.startBefore),
             timeText(pass.startAfter), timeText(pass.endAfter), signedStretch(pass.moved()),
             signedStretch(pass.grown()),
             entry == entries.end()
                 ? ""
                 : lostText(one.found.lostBefore[static_cast<std::size_t>(entry->second)])});
    }
    std::string out = "\n" + screen.bold("Passes that moved most") + "\n" + table.text();
    if (passes.size() > shown)
        out +=
            "  and " + groupedNumber(static_cast<std::int64_t>(passes.size() - shown)) + " more\n";
    return out;
}

std::string orderText(const Comparison& one, int most, const Screen& screen)
{
    const std::vector<MovedEntry>& moved = one.found.moved;
    std::string out = "  order " + groupedNumber(static_cast<std::int64_t>(moved.size())) + " of " +
                      groupedNumber(one.plan.passCount()) + " passes ran at another place\n";
    for (std::size_t i = 0; i < std::min(moved.size(), static_cast<std::size_t>(most)); ++i)
        out += wrapped(planLabel(moved[i].pass) + " on rank " + std::to_string(moved[i].device) +
                           ": planned as number " + std::to_string(moved[i].planned + 1) +
                           ", ran as number " + std::to_string(moved[i].ran + 1),
                       screen.width, 6, 4);
    return out;
}

std::string planDiffText(const Comparison& one, int most, const Screen& screen)
{
    const TimelineMatch& match = one.found.match;
    const RecoveredPipeline& pipeline = one.read.aligned().pipeline;
    std::string out =
        screen.bold(one.planName + " → " + one.traceName + ", iteration " +
                    std::to_string(pipeline.iteration()->number)) +
        "\n  makespan " + timeText(match.makespanBefore) + " → " + timeText(match.makespanAfter) +
        " (" + signedStretch(match.makespanAfter - match.makespanBefore) + "), " +
        groupedNumber(static_cast<std::int64_t>(match.matched.size())) + " passes in both";
    if (!match.onlyBefore.empty() || !match.onlyAfter.empty())
        out += ", " + std::to_string(match.onlyBefore.size()) + " only in the plan, " +
               std::to_string(match.onlyAfter.size()) + " only in the run";
    out += one.ownCosts ? "\n  the plan with its own costs\n"
                        : "\n  the plan with what passes took in the run, in the median\n";
    return out + orderText(one, most, screen) +
           lossText(one.read.trace, pipeline, one.found.account, screen) +
           plannedPassesText(one, most, screen);
}

void passMembers(JsonText& json, const Pass& pass)
{
    json.member("kind", name(pass.kind));
    json.member("route", static_cast<int>(pass.route));
    json.member("stage", pass.stage);
    json.member("micro_batch", pass.microBatch);
    json.member("segment", pass.segment);
}

std::string planDiffJson(const Comparison& one)
{
    const TimelineMatch& match = one.found.match;
    const RecoveredPipeline& pipeline = one.read.aligned().pipeline;
    const std::map<Pass, EntryId> entries = entryByPass(*pipeline.schedule);
    JsonText json;
    json.beginObject();
    json.member("plan", std::string_view(one.planName));
    json.member("trace", std::string_view(one.traceName));
    json.member("iteration", static_cast<std::int64_t>(pipeline.iteration()->number));
    json.member("own_costs", one.ownCosts);
    json.member("makespan_before_ns", match.makespanBefore);
    json.member("makespan_after_ns", match.makespanAfter);
    json.member("matched", static_cast<std::int64_t>(match.matched.size()));
    json.member("only_before", static_cast<std::int64_t>(match.onlyBefore.size()));
    json.member("only_after", static_cast<std::int64_t>(match.onlyAfter.size()));
    json.member("out_of_order", static_cast<std::int64_t>(one.found.moved.size()));
    json.key("passes");
    json.beginArray();
    for (const MatchedPass& pass : match.matched) {
        json.beginObject(JsonText::Layout::OneLine);
        passMembers(json, pass.pass);
        json.member("rank", pass.rank);
        json.member("planned_start_ns", pass.startBefore);
        json.member("planned_end_ns", pass.endBefore);
        json.member("start_ns", pass.startAfter);
        json.member("end_ns", pass.endAfter);
        json.member("end_moved_ns", pass.moved());
        json.member("longer_by_ns", pass.grown());
        if (const auto entry = entries.find(pass.pass); entry != entries.end()) {
            const auto& lost = one.found.lostBefore[static_cast<std::size_t>(entry->second)];
            json.key("lost_before_ns");
            json.beginObject(JsonText::Layout::OneLine);
            for (const LossCause cause : allLossCauses)
                if (const Ticks time = lost[static_cast<std::size_t>(cause)]; time > 0)
                    json.member(name(cause), time);
            json.endObject();
        }
        json.endObject();
    }
    json.endArray();
    json.key("moved");
    json.beginArray();
    for (const MovedEntry& moved : one.found.moved) {
        json.beginObject(JsonText::Layout::OneLine);
        passMembers(json, moved.pass);
        json.member("rank", moved.device);
        json.member("planned_place", moved.planned);
        json.member("place", moved.ran);
        json.endObject();
    }
    json.endArray();
    lossJson(json, one.read.trace, pipeline, one.found.account);
    json.endObject();
    return json.text();
}

/// The plan as its file says it. A CSV has no sure count of what its passes take.
tl::expected<ScheduleFile, Failure> planOfFile(const std::string& path, const Arguments& arguments)
{
    tl::expected<ScheduleFile, Failure> file = readScheduleFile(path, arguments);
    if (!file)
        return file;
    if (file->problemCount > 0)
        return wrong(problemsText(path, *file));
    return file;
}

tl::expected<Comparison, Failure> comparisonOf(const Arguments& arguments, Console& console)
{
    const std::vector<std::string>& words = arguments.words();
    PW_TRY(const ScheduleFile file, planOfFile(words.front(), arguments));
    Result<Schedule> plan = scheduleOf(file.project);
    if (!plan)
        return wrong(words.front() + ": " + plan.error().message);
    PW_TRY(ReadTrace read, readTrace({words.begin() + 1, words.end()}, arguments, console));
    const RecoveredPipeline& pipeline = read.aligned().pipeline;
    if (!pipeline.schedule)
        return wrong("the order of the run is not known: " + whyNoOrder(pipeline));
    PW_TRY(FittedCosts fitted, fitTrace(read.trace, pipeline));
    std::optional<Costs> ofFile;
    if (file.hasCosts)
        ofFile = costsOf(file.project);
    // Of a plan with replicas the one that is shown.
    if (pipeline.replicas > 1 && replicasOf(plan->spec()) == pipeline.replicas) {
        if (ofFile)
            ofFile = oneReplicaCosts(*ofFile, *plan, pipeline.replica);
        PW_TRY(*plan, oneReplica(*plan, pipeline.replica));
    }
    const Result<Costs> costs = ofFile ? Result<Costs>(*ofFile) : costsOf(fitted.file, *plan);
    if (!costs)
        return wrong("the plan does not fit the run: " + costs.error().message);
    PW_TRY(PlanRun found, comparePlan(*plan, *costs, pipeline));
    return Comparison{words.front(), words[1],          std::move(read), std::move(*plan),
                      file.hasCosts, std::move(fitted), std::move(found)};
}

} // namespace

bool isPlanAndTrace(const Arguments& arguments)
{
    const std::vector<std::string>& words = arguments.words();
    if (words.size() < 2 || fileKind(words.front()) != FileKind::Regular)
        return false;
    const bool run =
        words[1] == "last" || words[1].find_first_not_of("0123456789") == std::string::npos;
    return !run || fileKind(words[1]) != FileKind::Missing;
}

Outcome planDiff(const Arguments& arguments, Console& console)
{
    PW_TRY(const Comparison one, comparisonOf(arguments, console));
    if (arguments.has("fit"))
        PW_DO(saveCosts(one.fitted.file, arguments.text("fit")));
    console.out << (arguments.has("json")
                        ? planDiffJson(one)
                        : fitted(planDiffText(one, arguments.whole("top", 10), console.screen),
                                 console.screen.width));
    return ExitCode::Good;
}

} // namespace pw::app

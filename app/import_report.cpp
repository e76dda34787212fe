// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/import_report.h"

#include "app/activity_report.h"
#include "app/family_report.h"
#include "app/import_json.h"
#include "app/job_report.h"
#include "app/log_report.h"
#include "app/loss_report.h"
#include "app/proposal_report.h"
#include "app/text_table.h"
#include "core/analysis/account.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/job/job_sentences.h"
#include "core/trace/trace_memory.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace pw::app {

namespace {

/// Lines of each list that people see; JSON has all of them.
constexpr std::size_t mostRowsShown = 8;

std::string percent(double part)
{
    constexpr double whole = 100;
    return plainNumber(part * whole, 3) + " %";
}

std::string exactTime(Ticks time)
{
    return millisecondText(time);
}

std::string rankName(const TraceRank& rank)
{
    return rank.number < 0 ? "?" : std::to_string(rank.number) + (rank.guessed ? " (counted)" : "");
}

/// A heading with indented lines; the rest is counted.
std::string listText(const std::string& title, const std::vector<std::string>& lines,
                     std::int64_t count, const Screen& screen)
{
    if (lines.empty())
        return {};
    std::string out = "\n" + screen.bold(title) + "\n";
    for (std::size_t i = 0; i < std::min(lines.size(), mostRowsShown); ++i)
        out += wrapped(lines[i], screen.width, 4, 2);
    const std::int64_t more =
        count - static_cast<std::int64_t>(std::min(lines.size(), mostRowsShown));
    if (more > 0)
        out += "  and " + groupedNumber(more) + " more\n";
    return out;
}

std::vector<std::string> repairLines(const Trace& trace)
{
    std::vector<std::string> lines;
    for (const TraceRepair& repair : trace.repairs.list)
        lines.push_back((trace.files.size() > 1
                             ? trace.files[static_cast<std::size_t>(repair.file)] + ", "
                             : std::string()) +
                        "byte " + std::to_string(repair.position) + ": " + repair.text);
    return lines;
}

/// What is added to the times of a rank: "1.2 ms … 1.3 ms ± 0.03 ms".
std::string clockText(const RankClock& clock)
{
    if (!clock.atFirst.bounded() || !clock.atLast.bounded())
        return timeText(clock.atFirst.value) + " (open to a side)";
    const auto [low, high] = std::minmax(clock.atFirst.value, clock.atLast.value);
    return timeText(low) + (low == high ? "" : " … " + timeText(high)) + " ± " +
           timeText(std::max(clock.atFirst.error(), clock.atLast.error()));
}

void repairsJson(JsonText& text, const TraceRepairs& repairs)
{
    text.member("repair_count", repairs.count);
    text.key("repairs");
    text.beginArray();
    for (const TraceRepair& repair : repairs.list) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("file", static_cast<std::int64_t>(repair.file));
        text.member("byte", repair.position);
        text.member("text", std::string_view(repair.text));
        text.endObject();
    }
    text.endArray();
}

/// What was not recorded, and between which moments it must have been.
std::string holesText(const std::vector<TraceHole>* holes, const Screen& screen)
{
    if (holes == nullptr)
        return {};
    std::vector<std::string> lines;
    for (const TraceHole& hole : *holes)
        lines.push_back(hole.text + ": " +
                        (hole.rank < 0 ? "all of it"
                                       : "between " + millisecondText(hole.from) + " and " +
                                             millisecondText(hole.to)));
    return listText("Holes", lines, static_cast<std::int64_t>(lines.size()), screen);
}

} // namespace

Result<void> ImportReport::replay(Ticks hop)
{
    const Costs costs = measuredCosts(m_pipeline, hop);
    PW_TRY(const SimResult result, simulate(*m_pipeline.schedule, costs));
    PW_TRY(std::vector<ReplayedIteration> replays, replayIterations(m_pipeline, hop));
    m_hop = hop;
    m_replayed = result.makespan;
    m_replays = std::move(replays);
    return {};
}

std::string ImportReport::headText(const Screen& screen) const
{
    const std::string file = std::filesystem::path(m_trace.files.front()).filename().string();
    std::string out =
        screen.bold(m_trace.files.size() == 1
                        ? file
                        : file + " and " +
                              countText(static_cast<std::int64_t>(m_trace.files.size()) - 1,
                                        "file more", "files more")) +
        "\n";
    TextTable table(screen, {{"", "", TextTable::Align::Left}, {"", "", TextTable::Align::Left}});
    const auto ranks = static_cast<std::int64_t>(m_trace.ranks.size());
    table.append(
        {"trace",
         m_trace.origin + ", " + countText(ranks, "rank") + ", " +
             countText(m_trace.events, "event") + ", " + countText(m_trace.spans.size(), "span") +
             (m_trace.leftOut > 0 ? ", " + groupedNumber(m_trace.leftOut) + " left out" : "")});
    if (const RecoveredIteration* shown = m_pipeline.iteration())
        appendPipeline(table, *shown);
    if (!m_messages.pairs.empty())
        table.append({"messages", countText(m_messages.pairs.size(), "pair") + ", ends within " +
                                      timeText(m_messages.endDifference) + "; transfer " +
                                      timeText(m_messages.transfer) + " a side"});
    if (m_replayed)
        table.append(
            {"run again", exactTime(*m_replayed) + " with the same order and times, " +
                              (m_hop == 0 ? "free links" : "links of " + timeText(m_hop))});
    appendFamily(table, screen);
    if (m_clocks != nullptr && m_clocks->messages > 0) {
        std::string clocks(name(m_clocks->outcome));
        if (m_clocks->outcome == ClockOutcome::Shifted)
            for (std::size_t device = 1; device < m_clocks->ranks.size(); ++device)
                clocks += (device == 1 ? " by " : ", ") + clockText(m_clocks->ranks[device]);
        table.append({"clocks", clocks});
    }
    if (m_stored)
        table.append({"stored", "as run " + std::to_string(*m_stored)});
    return out + table.text();
}

/// How many passes were found, how far their times are trusted, and what shape they make.
void ImportReport::appendPipeline(TextTable& table, const RecoveredIteration& shown) const
{
    table.append({"passes", countText(m_pipeline.passes, "pass", "passes") + " in " +
                                countText(m_pipeline.iterations.size(), "iteration") +
                                "; shown is iteration " + std::to_string(shown.number)});
    std::string trust;
    const auto counts = trustCounts(m_pipeline);
    for (int i = 0; i < trustCount; ++i)
        if (const std::int64_t count = counts[static_cast<std::size_t>(i)]; count > 0)
            trust += (trust.empty() ? "" : ", ") + std::string(name(static_cast<Trust>(i))) +
                     (count == m_pipeline.passes ? "" : " " + groupedNumber(count));
    table.append({"times", trust});
    table.append(
        {"shape",
         countText(m_pipeline.rankOfDevice.size(), "device") + ", " +
             countText(m_pipeline.stages, "stage") +
             (m_pipeline.chunks > 1 ? " (" + std::to_string(m_pipeline.chunks) + " chunks a device)"
                                    : "") +
             ", " + countText(m_pipeline.microBatches, "micro-batch", "micro-batches") +
             (m_pipeline.segments > 1 ? " of " + std::to_string(m_pipeline.segments) + " segments"
                                      : "") +
             (m_pipeline.split ? ", B and W" : ", BW")});
    table.append({"makespan", exactTime(shown.makespan())});
}

/// The family whose order it is, and others of the same order.
void ImportReport::appendFamily(TextTable& table, const Screen& screen) const
{
    const std::vector<FamilyMatch>& matches = m_pipeline.family.matches;
    if (matches.empty()) {
        if (m_pipeline.iteration() != nullptr)
            table.append(
                {"family", screen.bold("unknown") +
                               (m_pipeline.family.like ? ", " + describe(m_pipeline.family) : "")});
        return;
    }
    table.append({"family", screen.bold(describe(matches.front())) + ", " +
                                std::to_string(matches.front().outOfOrder) + " of " +
                                std::to_string(matches.front().entries) + " entries out of order"});
    std::string others;
    for (std::size_t i = 1; i < matches.size(); ++i)
        others += (i == 1 ? "" : ", ") + describe(matches[i]);
    if (!others.empty())
        table.append({"", "the same order: " + others});
}

std::string ImportReport::ranksText(const Screen& screen) const
{
    if (m_pipeline.ranks.empty())
        return {};
    TextTable table(screen, {{"rank", "", TextTable::Align::Left},
                             {"passes"},
                             {"first start"},
                             {"last end"},
                             {"busy"},
                             {"idle"},
                             {"peak chunks"}});
    for (const RankFigures& figures : m_pipeline.ranks)
        table.append({rankName(m_trace.ranks[figures.rank.index()]), groupedNumber(figures.passes),
                      timeText(figures.firstStart), timeText(figures.lastEnd),
                      timeText(figures.busy), percent(figures.idle),
                      std::to_string(figures.peakLive)});
    return "\n" + table.text();
}

/// The most memory that each rank had in use, where a file tells it.
std::string ImportReport::memoryText(const Screen& screen) const
{
    const std::vector<RankPeak> peaks = peaksOfRanks(m_trace);
    if (peaks.empty())
        return {};
    TextTable table(screen,
                    {{"rank", "", TextTable::Align::Left}, {"peak memory"}, {"at"}, {"iteration"}});
    for (const RankPeak& peak : peaks)
        table.append({rankName(m_trace.ranks[peak.rank.index()]), byteText(peak.bytes),
                      peak.at ? timeText(*peak.at) : "–",
                      peak.iteration < 0 ? "–" : std::to_string(peak.iteration)});
    return "\n" + table.text();
}

std::string ImportReport::timesText(const Screen& screen) const
{
    constexpr std::size_t mostRows = 200;
    if (m_pipeline.times.empty() || m_pipeline.times.size() > mostRows)
        return {};
    const bool segments = m_pipeline.segments > 1;
    std::vector<TextTable::Column> columns = {{"pass", "", TextTable::Align::Left}, {"stage"}};
    if (segments)
        columns.push_back({"segment"});
    columns.insert(columns.end(), {{"median"}, {"quartiles", "", TextTable::Align::Left}, {"of"}});
    TextTable table(screen, columns);
    for (const MeasuredPass& pass : m_pipeline.times) {
        std::vector<std::string> row = {pass.paired ? "pair" : std::string(name(pass.kind)),
                                        std::to_string(pass.stage)};
        if (segments)
            row.push_back(std::to_string(pass.segment));
        row.insert(row.end(), {timeText(pass.time.median),
                               timeText(pass.time.low) + "–" + timeText(pass.time.high),
                               std::to_string(pass.time.count)});
        table.append(std::move(row));
    }
    return "\n" + table.text();
}

/// What each iteration took, beside its own order and times with nothing else in the way.
std::string ImportReport::replaysText(const Screen& screen) const
{
    constexpr std::size_t mostRows = 20;
    if (m_replays.size() < 2)
        return {};
    TextTable table(screen, {{"iteration"},
                             {"makespan"},
                             {"run again"},
                             {"too early"},
                             {"", "", TextTable::Align::Left}});
    for (std::size_t i = 0; i < std::min(m_replays.size(), mostRows); ++i) {
        const ReplayedIteration& one = m_replays[i];
        table.append({std::to_string(one.number), exactTime(one.measured),
                      one.replayed ? exactTime(*one.replayed) : "–",
                      one.replayed ? groupedNumber(one.violated) : "–",
                      !one.replayed    ? "passes are missing"
                      : one.warmUp     ? "warm-up"
                      : !one.sameOrder ? "in another order"
                                       : ""});
    }
    std::string out = "\n" + table.text();
    if (m_replays.size() > mostRows)
        out += "  and " + groupedNumber(static_cast<std::int64_t>(m_replays.size() - mostRows)) +
               " more\n";
    return out;
}

std::string ImportReport::messagesText(const Screen& screen) const
{
    if (m_messages.pairs.empty())
        return {};
    TextTable table(screen, {{"rank", "", TextTable::Align::Left},
                             {"messages"},
                             {"time"},
                             {"waiting"},
                             {"transfer"},
                             {"after"}});
    for (const RankMessages& one : m_messages.ranks)
        table.append({rankName(m_trace.ranks[one.rank.index()]), groupedNumber(one.count),
                      timeText(one.time.total()), timeText(one.time.waiting),
                      timeText(one.time.transfer), timeText(one.time.after)});
    return "\n" + table.text();
}

std::string ImportReport::displacedText(const Screen& screen) const
{
    if (!m_pipeline.schedule)
        return {};
    const std::vector<std::string> lines = displacedLines(m_pipeline.family, *m_pipeline.schedule);
    return listText("Entries that are elsewhere", lines, static_cast<std::int64_t>(lines.size()),
                    screen);
}

/// How the passes were found; what rules did comes first.
std::vector<std::string> ImportReport::notes() const
{
    std::vector<std::string> lines;
    if (m_rules != nullptr)
        lines = ruleNotes(m_trace, *m_rules);
    lines.insert(lines.end(), m_pipeline.notes.begin(), m_pipeline.notes.end());
    if (m_activity != nullptr)
        lines.insert(lines.end(), m_activity->notes.begin(), m_activity->notes.end());
    return lines;
}

/// What the passes and what the messages do not tell.
std::vector<std::string> ImportReport::unknown() const
{
    std::vector<std::string> lines = m_pipeline.unknown;
    lines.insert(lines.end(), m_messages.unknown.begin(), m_messages.unknown.end());
    if (m_activity != nullptr)
        lines.insert(lines.end(), m_activity->collectives.unknown.begin(),
                     m_activity->collectives.unknown.end());
    const std::vector<std::string> open = logUnknown(m_trace.log);
    lines.insert(lines.end(), open.begin(), open.end());
    if (m_trace.spans.empty() && m_trace.counters.empty() && !m_trace.log.any())
        lines.push_back("timeline: " +
                        (m_trace.events == 0
                             ? std::string("the file holds no event")
                             : "no event of the file tells what ran from when to when, and none is "
                               "a counter"));
    return lines;
}

std::string warningsText(const Trace& trace, const Screen& screen)
{
    return listText("Repairs", repairLines(trace), trace.repairs.count, screen) +
           listText("Warnings", trace.warnings, static_cast<std::int64_t>(trace.warnings.size()),
                    screen);
}

std::string ImportReport::text(const Screen& screen) const
{
    const std::vector<std::string> found = notes();
    const std::vector<std::string> open = unknown();
    const auto sized = [](const std::vector<std::string>& lines) {
        return static_cast<std::int64_t>(lines.size());
    };
    const bool job = m_job != nullptr && isWorthTelling(*m_job);
    const bool sums = m_trace.log.any(); // rows of sums are no activity
    return headText(screen) + logText(m_trace, screen) + m_lanes +
           (job ? jobText(*m_job, screen) : std::string()) +
           (m_activity == nullptr || sums ? std::string()
                                          : activityText(m_trace, *m_activity, screen)) +
           (m_gaps ? gapsText(m_trace, *m_gaps, screen) : std::string()) +
           (m_proposal == nullptr ? std::string()
                                  : proposalText(m_trace, *m_proposal, m_allProposed, screen)) +
           (m_pipeline.schedule ? std::string() : countersText(m_trace, screen)) +
           ranksText(screen) + memoryText(screen) + replaysText(screen) +
           (m_pipeline.schedule ? lossText(m_trace, m_pipeline, account(m_pipeline), screen)
                                : std::string()) +
           curveText(m_trace, m_pipeline, job, screen) + timesText(screen) + messagesText(screen) +
           displacedText(screen) + holesText(m_holes, screen) +
           listText("How it was found", found, sized(found), screen) +
           warningsText(m_trace, screen) + listText("Unknown", open, sized(open), screen);
}

std::string ImportReport::json() const
{
    JsonText text;
    text.beginObject();
    text.member("origin", std::string_view(m_trace.origin));
    linesJson(text, "files", m_trace.files);
    text.member("events", m_trace.events);
    text.member("events_left_out", m_trace.leftOut);
    text.member("spans", static_cast<std::int64_t>(m_trace.spans.size()));
    text.member("trace_ranks", static_cast<std::int64_t>(m_trace.ranks.size()));
    text.member("runs", m_runs);
    text.member("passes", m_pipeline.passes);
    text.member("iterations", static_cast<std::int64_t>(m_pipeline.iterations.size()));
    const RecoveredIteration* shown = m_pipeline.iteration();
    if (shown != nullptr) {
        text.member("iteration", static_cast<std::int64_t>(shown->number));
        text.member("devices", static_cast<std::int64_t>(m_pipeline.rankOfDevice.size()));
        text.member("stages", m_pipeline.stages);
        text.member("chunks", m_pipeline.chunks);
        text.member("micro_batches", m_pipeline.microBatches);
        text.member("segments", m_pipeline.segments);
        text.member("split_backward", m_pipeline.split);
        text.member("makespan_ms", msFromTicks(shown->makespan()));
    }
    logJson(text, m_trace);
    curveJson(text, m_trace, m_pipeline);
    text.member("dependencies", m_pipeline.dependencies);
    text.member("dependencies_violated", m_pipeline.violated);
    if (m_replayed) {
        text.member("replay_hop_ms", msFromTicks(m_hop));
        text.member("replay_ms", msFromTicks(*m_replayed));
    }
    if (!m_replays.empty())
        replaysJson(text, m_replays);
    if (m_stored)
        text.member("run", *m_stored);
    text.key("trust");
    text.beginObject(JsonText::Layout::OneLine);
    const auto counts = trustCounts(m_pipeline);
    for (int i = 0; i < trustCount; ++i)
        text.member(name(static_cast<Trust>(i)), counts[static_cast<std::size_t>(i)]);
    text.endObject();
    familyJson(text, m_pipeline.family, m_pipeline.schedule ? &*m_pipeline.schedule : nullptr);
    if (m_job != nullptr)
        jobJson(text, m_trace, *m_job);
    if (m_activity != nullptr)
        activityJson(text, m_trace, *m_activity);
    if (m_gaps)
        gapsJson(text, m_trace, *m_gaps);
    memoryJson(text, m_trace);
    if (m_proposal != nullptr)
        proposalJson(text, m_trace, *m_proposal);
    if (m_holes != nullptr && !m_holes->empty())
        holesJson(text, *m_holes);
    ranksJson(text, m_trace, m_pipeline);
    if (m_clocks != nullptr)
        clocksJson(text, *m_clocks, m_trace, m_pipeline);
    if (m_pipeline.schedule)
        lossJson(text, m_trace, m_pipeline, account(m_pipeline));
    timesJson(text, m_pipeline);
    messagesJson(text, m_trace, m_messages);
    repairsJson(text, m_trace.repairs);
    linesJson(text, "notes", notes());
    linesJson(text, "warnings", m_trace.warnings);
    linesJson(text, "unknown", unknown());
    text.endObject();
    return text.text();
}

} // namespace pw::app

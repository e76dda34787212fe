// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/family_report.h"
#include "app/file_options.h"
#include "app/histogram_report.h"
#include "app/kernel_report.h"
#include "app/plan_diff.h"
#include "app/stored_run.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "app/verdict_report.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/recognise.h"
#include "core/io/file_problem.h"
#include "core/io/json_text.h"
#include "core/io/pass_label.h"
#include "core/reading/file_content.h"
#include "core/trace/waits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>

namespace pw::app::commands {

namespace {

std::string signedTime(Ticks time)
{
    return (time > 0 ? "+" : time < 0 ? "−" : "") + timeText(std::abs(time));
}

std::string labelOf(const Pass& pass)
{
    return passLabel(pass) + (pass.segment > 0 ? "/" + std::to_string(pass.segment) : "");
}

/// The passes that end at the most different times.
std::string movedText(const TimelineMatch& match, int most, const Screen& screen)
{
    std::vector<MatchedPass> moved = match.matched;
    std::stable_sort(moved.begin(), moved.end(), [](const MatchedPass& a, const MatchedPass& b) {
        return std::abs(a.moved()) > std::abs(b.moved());
    });
    moved.erase(std::remove_if(moved.begin(), moved.end(),
                               [](const MatchedPass& pass) { return pass.moved() == 0; }),
                moved.end());
    if (moved.empty())
        return "No pass moved.\n";
    if (static_cast<int>(moved.size()) > most)
        moved.resize(static_cast<std::size_t>(most));
    TextTable table(screen, {{"pass", "", TextTable::Align::Left},
                             {"rank"},
                             {"start"},
                             {"end"},
                             {"end moved"},
                             {"longer by"}});
    for (const MatchedPass& pass : moved)
        table.append({labelOf(pass.pass), std::to_string(pass.rank), timeText(pass.startAfter),
                      timeText(pass.endAfter), signedTime(pass.moved()), signedTime(pass.grown())});
    return screen.bold("Passes that moved most") + "\n" + table.text();
}

/// A pass on the chain that decides the end of the later run.
struct ChainRow
{
    Pass pass;
    RankId rank{0};
    Ticks length = 0;
    Ticks grown = 0; ///< against the earlier run
    Ticks waited = 0;
    bool message = false; ///< waited for one
};

std::vector<ChainRow> chainOf(const StoredIteration& after, const RecordedArrivals& arrivals,
                              const TimelineMatch& match)
{
    std::map<Pass, const MatchedPass*> byPass;
    for (const MatchedPass& pass : match.matched)
        byPass[pass.pass] = &pass;
    std::vector<ChainRow> rows;
    for (const ChainLink& link : decidingChain(after.schedule, after.measured, arrivals)) {
        const auto at = static_cast<std::size_t>(link.entry);
        const Pass pass = after.schedule.entry(link.entry).pass;
        ChainRow row{pass,
                     rankOf(after.schedule.device(after.schedule.table().id(pass))),
                     after.measured.end[at] - after.measured.start[at],
                     0,
                     link.waited,
                     link.message};
        if (const auto found = byPass.find(pass); found != byPass.end())
            row.grown = found->second->grown();
        rows.push_back(row);
    }
    return rows;
}

/// What on the deciding chain of the later run took longer than before.
std::string chainText(std::vector<ChainRow> rows, int most, const Screen& screen)
{
    Ticks work = 0, waits = 0, grown = 0;
    for (const ChainRow& row : rows) {
        work += row.length;
        waits += row.waited;
        grown += row.grown;
    }
    std::string out = screen.bold("What decides the end") + "\n  a chain of " +
                      countText(rows.size(), "pass", "passes") + ": " + timeText(work) +
                      " of work (" + signedTime(grown) + " against before) and " + timeText(waits) +
                      " between them\n";
    std::stable_sort(rows.begin(), rows.end(), [](const ChainRow& a, const ChainRow& b) {
        return std::max(std::abs(a.grown), a.waited) > std::max(std::abs(b.grown), b.waited);
    });
    if (static_cast<int>(rows.size()) > most)
        rows.resize(static_cast<std::size_t>(most));
    TextTable table(screen, {{"pass", "", TextTable::Align::Left},
                             {"rank"},
                             {"takes"},
                             {"longer by"},
                             {"waited before"},
                             {"", "", TextTable::Align::Left}});
    for (const ChainRow& row : rows)
        table.append({labelOf(row.pass), std::to_string(row.rank), timeText(row.length),
                      signedTime(row.grown), timeText(row.waited),
                      row.message ? "for another device" : ""});
    return out + table.text();
}

/// Two iterations, or a plan and an iteration, with what was found between them.
struct Compared
{
    std::vector<StoredIteration> iterations; ///< of one run: its plan comes before it
    TimelineMatch match;
    std::vector<ChainRow> chain;
    std::vector<Recognition> orders;       ///< of the iterations
    std::vector<PassHistogram> histograms; ///< of all counted iterations; of a plan's, of the one
    std::optional<RunVerdict> verdict;     ///< of two runs

    bool plan() const { return iterations.size() == 1; }
    const StoredIteration& after() const { return iterations.back(); }
};

std::string nameOf(const StoredIteration& iteration)
{
    return "run " + std::to_string(iteration.details.run.number) + ", iteration " +
           std::to_string(iteration.iteration);
}

std::string textOf(const Compared& compared, int most, const Screen& screen)
{
    const TimelineMatch& match = compared.match;
    std::string out =
        screen.bold((compared.plan() ? "the plan" : nameOf(compared.iterations.front())) + " → " +
                    nameOf(compared.after())) +
        "\n  makespan " + timeText(match.makespanBefore) + " → " + timeText(match.makespanAfter) +
        " (" + signedTime(match.makespanAfter - match.makespanBefore) + "), " +
        countText(match.matched.size(), "pass", "passes") + " in both";
    const auto split = std::count_if(match.matched.begin(), match.matched.end(),
                                     [](const MatchedPass& pass) { return pass.split; });
    if (split > 0)
        out += ", " + std::to_string(split) + " of them a BW here and its B and W there";
    if (!match.onlyBefore.empty() || !match.onlyAfter.empty())
        out += ", " + std::to_string(match.onlyBefore.size()) + " only before, " +
               std::to_string(match.onlyAfter.size()) + " only after";
    const std::string before = describe(compared.orders.front());
    const std::string after = describe(compared.orders.back());
    out += "\n  order " + (before == after ? after : before + " → " + after) + "\n";
    const std::vector<std::string> displaced =
        displacedLines(compared.orders.back(), compared.after().schedule);
    for (std::size_t i = 0; i < displaced.size() && static_cast<int>(i) < most; ++i)
        out += wrapped(displaced[i], screen.width, 6, 4);
    if (static_cast<int>(displaced.size()) > most)
        out += "    and " + std::to_string(displaced.size() - static_cast<std::size_t>(most)) +
               " more\n";
    if (compared.verdict)
        out += "\n" + verdictText(*compared.verdict, screen);
    return out + "\n" + movedText(match, most, screen) + "\n" +
           chainText(compared.chain, most, screen) + histogramsText(compared.histograms, screen);
}

void passJson(JsonText& json, const Pass& pass, RankId rank)
{
    json.member("kind", name(pass.kind));
    json.member("route", static_cast<int>(pass.route));
    json.member("stage", pass.stage);
    json.member("micro_batch", pass.microBatch);
    json.member("segment", pass.segment);
    json.member("rank", rank);
}

void iterationJson(JsonText& json, const StoredIteration& iteration, const Recognition& order)
{
    json.beginObject();
    json.member("run", iteration.details.run.number);
    json.member("iteration", iteration.iteration);
    familyJson(json, order, &iteration.schedule);
    json.endObject();
}

std::string jsonOf(const Compared& compared)
{
    const TimelineMatch& match = compared.match;
    JsonText json;
    json.beginObject();
    json.key("before"); // null: the plan
    if (compared.plan())
        json.null();
    else
        iterationJson(json, compared.iterations.front(), compared.orders.front());
    json.key("after");
    iterationJson(json, compared.after(), compared.orders.back());
    json.member("makespan_before_ns", match.makespanBefore);
    json.member("makespan_after_ns", match.makespanAfter);
    json.member("matched", static_cast<std::int64_t>(match.matched.size()));
    json.member("only_before", static_cast<std::int64_t>(match.onlyBefore.size()));
    json.member("only_after", static_cast<std::int64_t>(match.onlyAfter.size()));
    json.key("passes");
    json.beginArray();
    for (const MatchedPass& pass : match.matched) {
        json.beginObject(JsonText::Layout::OneLine);
        passJson(json, pass.pass, pass.rank);
        json.member("start_ns", pass.startAfter);
        json.member("end_ns", pass.endAfter);
        json.member("end_moved_ns", pass.moved());
        json.member("longer_by_ns", pass.grown());
        json.endObject();
    }
    json.endArray();
    json.key("chain");
    json.beginArray();
    for (const ChainRow& row : compared.chain) {
        json.beginObject(JsonText::Layout::OneLine);
        passJson(json, row.pass, row.rank);
        json.member("takes_ns", row.length);
        json.member("longer_by_ns", row.grown);
        json.member("waited_ns", row.waited);
        json.member("for_message", row.message);
        json.endObject();
    }
    json.endArray();
    verdictJson(json, compared.verdict ? &*compared.verdict : nullptr);
    json.key("lengths");
    histogramsJson(json, compared.histograms);
    json.endObject();
    return json.text();
}

void addLengths(PassLengths& lengths, const std::vector<RecordedPass>& passes)
{
    for (const RecordedPass& one : passes)
        if (one.iteration >= 0)
            lengths[one.pass.kind].push_back(one.end - one.start);
}

/// What passes took in all iterations of two runs that count, or in the plan of one iteration and
/// in it. Halves of an overlapped pair have the pair's time.
Result<std::vector<PassHistogram>> histogramsOf(RunStore& store, const Compared& compared,
                                                const std::vector<RecordedPass>& before,
                                                const std::vector<RecordedPass>& after)
{
    PassLengths one, two;
    if (compared.plan()) {
        addLengths(one, before);
        addLengths(two, after);
        return passHistograms(one, two);
    }
    for (const auto& [iteration, lengths] : {std::pair(&compared.iterations.front(), &one),
                                             std::pair(&compared.iterations.back(), &two)}) {
        PW_TRY(const StoredPasses passes, store.passes({iteration->details.run.number}));
        addLengths(*lengths, passes.passes);
    }
    return passHistograms(one, two);
}

tl::expected<Compared, Failure> comparedOf(const Arguments& arguments)
{
    PW_TRY(RunStore store, storeToRead(arguments));
    Compared compared;
    for (const std::string& word : arguments.words()) {
        PW_TRY(const RunNumber number, runOfWord(store, word));
        PW_TRY(StoredIteration iteration, iterationOf(store, number, arguments));
        compared.orders.push_back(recognise(iteration.schedule, {iteration.costs}));
        compared.iterations.push_back(std::move(iteration));
    }
    const StoredIteration& after = compared.after();
    if (!compared.plan()) {
        PW_TRY(compared.verdict, verdictOf(store, compared.iterations.front().details.run.number,
                                           after.details.run.number));
    }
    PW_TRY(const std::vector<RecordedMessage> messages,
           store.messages({.run = after.details.run.number, .iteration = after.iteration}));
    const std::vector<RecordedPass> before = compared.plan()
                                                 ? recordsOf(after.schedule, after.predicted)
                                                 : compared.iterations.front().passes;
    std::vector<RecordedPass> ordered = after.passes;
    // A plan has no updates outside its order.
    if (compared.plan())
        ordered.erase(std::remove_if(ordered.begin(), ordered.end(),
                                     [](const RecordedPass& record) { return record.entry < 0; }),
                      ordered.end());
    compared.match = matchPasses(before, ordered);
    PW_TRY(std::vector<PassHistogram> histograms, histogramsOf(store, compared, before, ordered));
    compared.histograms = std::move(histograms);
    compared.chain =
        chainOf(after, RecordedArrivals(after.schedule, messages, after.base), compared.match);
    return compared;
}

/// Whether two files both hold schedules, and none a trace.
bool areSchedules(const std::vector<std::string>& words)
{
    return words.size() == 2 && std::all_of(words.begin(), words.end(), [](const auto& word) {
               if (fileContent(word) != FileContent::Schedule)
                   return false;
               const Result<ScheduleFile> file = pw::readScheduleFile(word);
               return file && file->unreadable.empty();
           });
}

bool areTraces(const std::vector<std::string>& words)
{
    return words.size() == 2 && std::all_of(words.begin(), words.end(), [](const auto& word) {
               return fileContent(word) == FileContent::Trace;
           });
}

/// Words that are no runs, with the command that has to do with them.
tl::expected<void, Failure> checkWordsOfDiff(const std::vector<std::string>& words)
{
    for (const std::string& word : words) {
        const bool number = word.find_first_not_of("0123456789") == std::string::npos;
        if (word == "last" || number)
            continue;
        if (const FileKind kind = fileKind(word); kind != FileKind::Missing)
            return usage(word + (kind == FileKind::Folder ? " is a folder" : " is a file") +
                         ", and no run; diff takes runs, or the file of a plan and then the files "
                         "or the folder of a trace, as in pipewright diff schedule.csv traces");
    }
    return {};
}

Outcome runDiff(const Arguments& arguments, Console& console)
{
    if (arguments.has("kernels"))
        return kernelDiff(arguments, console);
    if (areSchedules(arguments.words()))
        return usage("both files are schedules; pipewright compare " + arguments.words()[0] + " " +
                     arguments.words()[1] + " sets them side by side");
    if (areTraces(arguments.words()))
        return wrong("both are traces; diff " + arguments.words()[0] + " " + arguments.words()[1] +
                     " --kernels sets their kernels side by side; to compare their passes, keep "
                     "each with import and --store, and give diff the two runs");
    if (isPlanAndTrace(arguments))
        return planDiff(arguments, console);
    constexpr std::size_t mostRuns = 2;
    if (arguments.words().size() > mostRuns)
        return usage("diff takes a run, two runs, or the file of a plan and a trace; not " +
                     std::to_string(arguments.words().size()) + " words of which the first is " +
                     quotedWord(arguments.words().front()));
    PW_DO(checkWordsOfDiff(arguments.words()));
    PW_TRY(const Compared compared, comparedOf(arguments));
    console.out << (arguments.has("json")
                        ? jsonOf(compared)
                        : fitted(textOf(compared, arguments.whole("top", 10), console.screen),
                                 console.screen.width));
    return ExitCode::Good;
}

std::vector<Option> optionsOfDiff()
{
    std::vector<Option> all = {
        storeOption(),
        iterationOption(),
        {.name = "top",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "lines of each table (default 10)",
         .minimum = 1,
         .maximum = 100'000,
         .formerly = {{"most"}}},
        {.name = "kernels",
         .summary = "two traces kernel by kernel: what grew, is new or vanished, by what it did to "
                    "the span of its device"},
        {.name = "json", .summary = "for programs: one object, with every pass"},
        {.name = "fit",
         .kind = ValueKind::Text,
         .placeholder = "FILE",
         .summary = "of a plan and a trace: a costs file of what passes took, for whatif and "
                    "simulate"}};
    for (const std::vector<Option>& more : {traceOptions(), fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

Command diff()
{
    Command command;
    command.name = "diff";
    command.group = CommandGroup::Traces;
    command.summary = "two runs, or a run and its plan, pass by pass";
    command.words = "RUN [RUN] | PLAN TRACE… | --kernels TRACE TRACE";
    command.about =
        "Compares one iteration of two runs, the earlier one first; one run alone is compared "
        "with what was predicted for it. Passes are matched by kind, stage, micro-batch, segment "
        "and route, a BW with the B and W that do its work in the other order, and times count "
        "from the first start of each.\n"
        "Says first whether the later run is better: whether the two are comparable at all (model, "
        "micro-batches, batch, machine, profiler, as far as runs say it), how much steps vary by "
        "themselves, and which passes changed. Shows which passes moved most, and walks back from "
        "the last end of the later run: each "
        "pass of that chain waited for the one before it, so only a shorter chain ends the "
        "iteration sooner. The family that makes each order, or that it is like, is named, with "
        "the entries that are elsewhere in the later one. A histogram of each kind of pass shows "
        "what passes took in all iterations after warm-up.\n"
        "The file of a schedule and the files or the folder of a trace are a plan and its run: "
        "each pass with when it was planned, when it ran and what was lost before it, the passes "
        "that ran at another place, and where the time of every rank went. The plan is timed with "
        "the costs in its file, else with what its passes took in the run.\n"
        "With --kernels the two files are traces. Kernels are matched by rank, labelled pass and "
        "name; every moment of a device is shared out among what runs then, so that the effects "
        "of all kernels and of idle time sum to the change of the device's span.";
    command.examples = {"pipewright diff last", "pipewright diff 1 last --top 5",
                        "pipewright diff last --json",
                        "pipewright diff schedule.csv traces --fit costs.json",
                        "pipewright diff --kernels before.json after.json"};
    command.minimumWords = 1;
    command.wordKind = WordKind::File;
    command.maximumWords = 100'000;
    command.options = optionsOfDiff;
    command.run = runDiff;
    return command;
}

} // namespace pw::app::commands

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/stored_run.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/pass_label.h"
#include "core/trace/waits.h"

#include <algorithm>
#include <map>
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

/// What on the deciding chain of the later run took longer than before.
std::string chainText(const StoredIteration& after, const RecordedArrivals& arrivals,
                      const TimelineMatch& match, int most, const Screen& screen)
{
    std::map<Pass, const MatchedPass*> byPass;
    for (const MatchedPass& pass : match.matched)
        byPass[pass.pass] = &pass;
    struct Row
    {
        Pass pass;
        int rank = 0;
        Ticks length = 0;
        Ticks grown = 0;
        Ticks waited = 0;
        bool message = false;
    };
    std::vector<Row> rows;
    Ticks work = 0, waits = 0, grown = 0;
    for (const ChainLink& link : decidingChain(after.schedule, after.measured, arrivals)) {
        const auto at = static_cast<std::size_t>(link.entry);
        const Pass pass = after.schedule.entry(link.entry).pass;
        Row row{pass,
                after.schedule.device(after.schedule.table().id(pass)),
                after.measured.end[at] - after.measured.start[at],
                0,
                link.waited,
                link.message};
        if (const auto found = byPass.find(pass); found != byPass.end())
            row.grown = found->second->grown();
        work += row.length;
        waits += row.waited;
        grown += row.grown;
        rows.push_back(row);
    }
    std::string out = screen.bold("What decides the end") + "\n  a chain of " +
                      std::to_string(rows.size()) + " passes: " + timeText(work) + " of work (" +
                      signedTime(grown) + " against before) and " + timeText(waits) +
                      " between them\n";
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
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
    for (const Row& row : rows)
        table.append({labelOf(row.pass), std::to_string(row.rank), timeText(row.length),
                      signedTime(row.grown), timeText(row.waited),
                      row.message ? "for another device" : ""});
    return out + table.text();
}

Outcome run(const Arguments& arguments, Console& console)
{
    tl::expected<RunStore, Failure> store = storeToRead(arguments);
    if (!store)
        return tl::unexpected<Failure>(store.error());
    std::vector<StoredIteration> iterations;
    for (const std::string& word : arguments.words()) {
        const tl::expected<RunNumber, Failure> number = runOfWord(*store, word);
        if (!number)
            return tl::unexpected<Failure>(number.error());
        tl::expected<StoredIteration, Failure> iteration = iterationOf(*store, *number, arguments);
        if (!iteration)
            return tl::unexpected<Failure>(iteration.error());
        iterations.push_back(std::move(*iteration));
    }
    const StoredIteration& after = iterations.back();
    const Result<std::vector<RecordedMessage>> messages =
        store->messages({.run = after.details.run.number, .iteration = after.iteration});
    if (!messages)
        return wrong(messages.error());
    const bool plan = iterations.size() == 1;
    const std::vector<RecordedPass> before =
        plan ? recordsOf(after.schedule, after.predicted) : iterations.front().passes;
    std::vector<RecordedPass> ordered = after.passes;
    // A plan has no updates outside its order.
    if (plan)
        ordered.erase(std::remove_if(ordered.begin(), ordered.end(),
                                     [](const RecordedPass& record) { return record.entry < 0; }),
                      ordered.end());
    const TimelineMatch match = matchPasses(before, ordered);
    const auto named = [](const StoredIteration& iteration) {
        return "run " + std::to_string(iteration.details.run.number) + ", iteration " +
               std::to_string(iteration.iteration);
    };
    const Screen& screen = console.screen;
    console.out << screen.bold((plan ? "the plan" : named(iterations.front())) + " → " +
                               named(after))
                << "\n  makespan " << timeText(match.makespanBefore) << " → "
                << timeText(match.makespanAfter) << " ("
                << signedTime(match.makespanAfter - match.makespanBefore) << "), "
                << match.matched.size() << " passes in both";
    if (!match.onlyBefore.empty() || !match.onlyAfter.empty())
        console.out << ", " << match.onlyBefore.size() << " only before, " << match.onlyAfter.size()
                    << " only after";
    const int most = arguments.whole("most", 10);
    console.out << "\n\n"
                << movedText(match, most, screen) << "\n"
                << chainText(after, RecordedArrivals(after.schedule, *messages, after.base), match,
                             most, screen);
    return ExitCode::Good;
}

std::vector<Option> options()
{
    return {storeOption(),
            iterationOption(),
            {.name = "most",
             .kind = ValueKind::Whole,
             .placeholder = "N",
             .summary = "lines of each table (default 10)",
             .minimum = 1,
             .maximum = 100'000}};
}

} // namespace

Command diff()
{
    Command command;
    command.name = "diff";
    command.summary = "two runs, or a run and its plan, pass by pass";
    command.words = "RUN [RUN]";
    command.about =
        "Compares one iteration of two runs, the earlier one first; one run alone is compared with "
        "what was predicted for it. Passes are matched by kind, stage, micro-batch, segment and "
        "route, and times count from the first start of each.\n"
        "Shows which passes moved most, and walks back from the last end of the later run: each "
        "pass of that chain waited for the one before it, so only a shorter chain ends the "
        "iteration sooner.";
    command.examples = {"pipewright diff last", "pipewright diff 1 last --most 5"};
    command.minimumWords = 1;
    command.maximumWords = 2;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands

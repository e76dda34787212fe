// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/kept_answer.h"
#include "app/stored_run.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/store/repair.h"

#include <filesystem>
#include <ostream>

namespace pw::app::commands {

namespace {

std::string json(const std::vector<StoredRun>& runs, const std::vector<StoredAnswer>& kept,
                 const std::string& path)
{
    JsonText text;
    text.beginObject();
    text.member("store", std::string_view(path));
    text.key("runs");
    text.beginArray();
    for (const StoredRun& run : runs) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("run", run.number);
        text.member("title", std::string_view(run.title));
        text.member("notes", std::string_view(run.notes));
        text.member("origin", std::string_view(run.origin));
        text.member("family", std::string_view(run.family));
        text.member("started_ms", run.startedMs);
        text.member("ended_ms", run.endedMs);
        text.member("status", name(run.status));
        text.member("host", std::string_view(run.environment.host));
        text.member("backend", std::string_view(run.environment.backend));
        text.member("ranks", run.ranks);
        text.member("passes", run.passes);
        text.member("iterations", run.figures.iterations);
        const bool measured = run.figures.makespan > 0; // the table has a dash where nothing was
        const auto known = [&text](const char* field, bool is, double value) {
            text.key(field);
            is ? text.value(value) : text.null();
        };
        known("makespan_ms", measured, msFromTicks(run.figures.makespan));
        known("predicted_makespan_ms", run.figures.predictedMakespan > 0,
              msFromTicks(run.figures.predictedMakespan));
        for (const auto& [field, time] :
             {std::pair{"predicted_makespan_low_ms", run.figures.predictedLow},
              std::pair{"predicted_makespan_high_ms", run.figures.predictedHigh}})
            known(field, run.figures.predictedHigh > 0, msFromTicks(time));
        known("span_bubble_rate", measured, run.figures.spanBubble);
        text.member("peak_activation_bytes", run.figures.peakActivation);
        known("last_loss", run.figures.lastLoss > 0, run.figures.lastLoss);
        text.endObject();
    }
    text.endArray();
    text.key("kept");
    text.beginArray();
    for (const StoredAnswer& answer : kept) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("kept", std::string_view("a" + std::to_string(answer.number)));
        text.member("what", name(answer.kind));
        text.member("title", std::string_view(answer.title));
        text.member("notes", std::string_view(answer.notes));
        text.member("made_ms", answer.madeMs);
        text.member("question", std::string_view(answer.question));
        text.endObject();
    }
    text.endArray();
    text.endObject();
    return text.text();
}

std::string table(const std::vector<StoredRun>& runs, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"run"},
                             {"started (UTC)", "", Align::Left},
                             {"status", "", Align::Left},
                             {"family", "", Align::Left},
                             {"backend", "", Align::Left, 2, 30},
                             {"ranks", "", Align::Right, 2, 40},
                             {"makespan"},
                             {"span bubble", "", Align::Right, 2, 20},
                             {"last loss", "", Align::Right, 2, 10},
                             {"title", "", Align::Left, 2, 60}});
    for (const StoredRun& run : runs) {
        const bool measured = run.figures.makespan > 0;
        constexpr double percent = 100;
        table.append({std::to_string(run.number), momentText(run.startedMs),
                      std::string(name(run.status)), run.family.empty() ? "–" : run.family,
                      run.environment.backend, std::to_string(run.ranks),
                      measured ? timeText(run.figures.makespan) : "–",
                      measured ? plainNumber(percent * run.figures.spanBubble, 3) + " %" : "–",
                      run.figures.lastLoss > 0 ? plainNumber(run.figures.lastLoss) : "–",
                      run.title + (run.notes.empty() ? "" : " — " + run.notes)});
    }
    return table.text();
}

/// --rename, --note or --delete.
Outcome change(const Arguments& arguments, Console& console)
{
    if (arguments.words().size() != 1)
        return usage("--rename, --note and --delete take one run");
    PW_TRY(RunStore store, RunStore::open(storePath(arguments)));
    PW_TRY(const RunNumber run, runOfWord(store, arguments.words()[0]));
    Result<void> done;
    if (arguments.has("delete"))
        done = store.remove(run);
    if (done && arguments.has("rename"))
        done = store.rename(run, arguments.text("rename"));
    if (done && arguments.has("note"))
        done = store.annotate(run, arguments.text("note"));
    if (!done)
        return wrong(done.error());
    console.out << "run " << run << (arguments.has("delete") ? " deleted" : " changed") << "\n";
    return ExitCode::Good;
}

/// --check: 1 where something is damaged.
Outcome runsCheck(const Arguments& arguments, Console& console)
{
    const std::string path = storePath(arguments);
    PW_TRY(const StoreCheck found, checkStore(path));
    if (arguments.has("json")) {
        JsonText text;
        text.beginObject();
        text.member("store", std::string_view(path));
        text.member("sound", found.sound());
        text.member("runs", found.runs);
        text.key("problems");
        text.beginArray();
        for (const std::string& problem : found.problems)
            text.value(std::string_view(problem));
        text.endArray();
        text.endObject();
        console.out << text.text();
        return found.sound() ? ExitCode::Good : ExitCode::Wrong;
    }
    if (found.sound()) {
        console.out << path << ": " << countText(found.runs, "run") << ", no damage\n";
        return ExitCode::Good;
    }
    std::string message = path + " is damaged; `pipewright runs --repair` keeps what can be read:";
    for (const std::string& problem : found.problems)
        message += "\n  " + oneLine(problem);
    return wrong(message);
}

/// --repair
Outcome repair(const Arguments& arguments, Console& console)
{
    const std::string path = storePath(arguments);
    PW_TRY(const StoreRepair done, repairStore(path));
    console.out << countText(done.runs, "run") << " with " << countText(done.rows, "row")
                << " kept in a new " << path << "\n";
    if (done.refused > 0)
        console.out << countText(done.refused, "row holds", "rows hold")
                    << " what no run can; left out\n";
    for (const std::string& part : done.unreadable)
        console.out << "could be read in part only: " << part << "\n";
    console.out << "the store as it was is " << done.damaged << "\n";
    return ExitCode::Good;
}

Outcome runRuns(const Arguments& arguments, Console& console)
{
    if (arguments.has("check") || arguments.has("repair")) {
        for (const char* other : {"rename", "note", "delete"})
            if (arguments.has(other))
                return usage("--check and --repair are for the whole store; --" +
                             std::string(other) + " is for one run");
        if (arguments.has("check") && arguments.has("repair"))
            return usage("--check looks and --repair changes: one of them at a time");
        if (!arguments.words().empty())
            return usage("--check and --repair take no run");
        if (arguments.has("repair") && arguments.has("json"))
            return usage("--json goes with the list and with --check");
        return arguments.has("check") ? runsCheck(arguments, console) : repair(arguments, console);
    }
    const bool changes = arguments.has("rename") || arguments.has("note");
    if (changes && arguments.has("delete"))
        return usage("--delete leaves nothing to rename or note");
    if (arguments.has("json") && (changes || arguments.has("delete")))
        return usage("--json goes with the list alone");
    const std::string path = storePath(arguments);
    if (changes || arguments.has("delete")) {
        if (const auto& words = arguments.words(); words.size() == 1 && answerNumber(words[0]))
            return changeAnswer(*answerNumber(words[0]), arguments, console);
        return change(arguments, console);
    }
    std::vector<StoredAnswer> kept;
    std::vector<StoredRun> found;
    std::error_code ignored;
    // Before the first run there is no store, which is nothing wrong; a named one must be there.
    if (arguments.has("store") || std::filesystem::exists(path, ignored)) {
        PW_TRY(RunStore store, storeToRead(arguments));
        std::string search;
        for (const std::string& word : arguments.words())
            search += word + " ";
        PW_TRY(std::vector<StoredRun> runs, store.runs(search));
        found = std::move(runs);
        PW_TRY(AnswerStore answers, AnswerStore::openToRead(path));
        PW_TRY(kept, answers.answers(search));
    }
    if (arguments.has("json"))
        console.out << json(found, kept, path);
    else if (found.empty() && kept.empty())
        console.out << "No run in " << path
                    << (arguments.words().empty() ? ".\n" : " has these words.\n");
    else
        console.out << (found.empty() ? std::string() : table(found, console.screen))
                    << (found.empty() || kept.empty() ? "" : "\n")
                    << answersTable(kept, console.screen);
    return ExitCode::Good;
}

std::vector<Option> optionsOfRuns()
{
    return {storeOption(),
            {.name = "json", .summary = "for programs: one object"},
            {.name = "rename",
             .kind = ValueKind::Text,
             .placeholder = "TITLE",
             .summary = "give a run another title",
             .section = "Changes"},
            {.name = "note",
             .kind = ValueKind::Text,
             .placeholder = "TEXT|''",
             .summary = "replace the notes of a run, or remove them",
             .section = "Changes"},
            {.name = "delete", .summary = "remove a run for good", .section = "Changes"},
            {.name = "check",
             .summary = "read the whole store and list what is damaged",
             .section = "Store"},
            {.name = "repair",
             .summary = "make a new store of what can be read; the damaged one stays beside it",
             .section = "Store"}};
}

} // namespace

Command runs()
{
    Command command;
    command.name = "runs";
    command.group = CommandGroup::Run;
    command.summary = "the stored runs, newest first";
    command.words = "[WORD…|RUN|KEPT]";
    command.about =
        "Lists the runs of a store. Words select the runs that have each of them in title, notes, "
        "family, origin, host, backend or status. Plans and comparisons that were kept with "
        "--keep follow, by a1, a2 …; `show` opens them.\n"
        "With --rename, --note or --delete the only word is a run: its number, or last. A run is "
        "incomplete if its program ended before the run did; everything up to its last batch is "
        "there.";
    command.examples = {"pipewright runs", "pipewright runs 1f1b finished --json"};
    command.maximumWords = 16;
    command.options = optionsOfRuns;
    command.run = runRuns;
    return command;
}

} // namespace pw::app::commands

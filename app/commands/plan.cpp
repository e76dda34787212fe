// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/interrupt.h"
#include "app/kept_answer.h"
#include "app/plan_papers.h"
#include "app/plan_report.h"
#include "app/progress.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/project_file.h"
#include "core/plan/emit.h"
#include "core/plan/plan_json.h"
#include "core/plan/plan_words.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <ostream>
#include <sstream>
#include <thread>

namespace pw::app::commands {

namespace {

std::string headline(const PlanQuestion& question)
{
    return plan::headline(question.model, question.cluster, question.wish);
}

/// Hands the request to stop, which a signal makes, to the search.
class StopRelay
{
public:
    explicit StopRelay(const exec::Stop& stop)
        : m_thread([this, &stop] {
            while (!m_done.load()) {
                if (stop.requested())
                    m_flag = true;
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
        })
    {
    }
    ~StopRelay()
    {
        m_done = true;
        m_thread.join();
    }
    StopRelay(const StopRelay&) = delete;
    StopRelay& operator=(const StopRelay&) = delete;
    const std::atomic<bool>& flag() const { return m_flag; }

private:
    std::atomic<bool> m_flag{false};
    std::atomic<bool> m_done{false};
    std::thread m_thread;
};

Result<void> saveRow(const PlanQuestion& question, const plan::Evaluation& row,
                     const std::string& path)
{
    PW_TRY(const Project project,
           plan::projectOf(question.model, question.cluster, question.wish, row));
    return saveProject(project, path);
}

Outcome emitRow(const PlanQuestion& question, const plan::Evaluation& row,
                const Arguments& arguments, Console& console)
{
    PW_TRY(const std::string text,
           arguments.text("emit") == "torch"
               ? plan::torchTableOf(question.model, question.cluster, row.configuration)
               : plan::megatronFlags(question.model, row.configuration));
    if (const std::string path = arguments.text("output", "-"); path != "-") {
        PW_DO(writeFile(path, text));
        return ExitCode::Good;
    }
    console.out << text;
    return ExitCode::Good;
}

/// How far the rows of a search that was stopped are those of a whole one.
std::string stoppedText(const plan::PlanTable& table)
{
    const std::string early = "; stopped early, the best so far";
    if (table.proven == 0)
        return early + ", none proven to be first";
    const std::string first =
        table.proven == 1 ? std::string("row is") : std::to_string(table.proven) + " rows are";
    return early + ", the first " + first + " proven";
}

/// Which families were looked at, and why not the others.
std::string familiesText(const plan::PlanTable& table)
{
    const std::vector<std::string_view> planned = plan::plannedFamilies();
    if (table.families > planned.size())
        return "Of the usual families none fits: all were looked at.";
    std::string text = "Families looked at:";
    for (std::size_t i = 0; i < planned.size(); ++i)
        text += (i > 0 ? ", " : " ") + std::string(planned[i]);
    text += ". Only with --family, or where none of these fits:";
    const std::vector<Sentence> others = plan::leftOutByReason();
    for (const Sentence& one : others)
        text += (&one == &others.front() ? " " : "; ") + one.english();
    return text + ".";
}

void writeTables(const PlanQuestion& question, const plan::PlanTable& table,
                 const Arguments& arguments, Console& console, const std::atomic<bool>& stop)
{
    const std::string looked =
        table.candidates == 1
            ? "1 configuration, simulated"
            : groupedNumber(static_cast<std::int64_t>(table.candidates)) + " configurations of " +
                  countText(static_cast<std::int64_t>(table.families), "family", "families") +
                  ", " + groupedNumber(static_cast<std::int64_t>(table.evaluated)) +
                  " simulated, the others cannot be among the first";
    const std::string early = table.stopped ? stoppedText(table) : std::string();
    const int width = console.screen.width;
    console.out << fitted(headline(question), width) << "\n"
                << console.screen.paint(fitted(looked + early, width), Role::Secondary) << "\n"
                << console.screen.paint(
                       fitted(plan::timesText(question.cluster, question.model).english(), width),
                       Role::Secondary)
                << "\n\n"
                << planTables(question, table, console.screen);
    if (const std::string text = plan::runnerUpText(table); !text.empty())
        console.out << "\n" << wrapped(text, console.screen.width);
    if (arguments.has("why") || table.rows.size() == 1)
        console.out << "\n" << whyText(question, table.rows.front(), console.screen);
    if (question.wish.family.empty())
        console.out << "\n" << wrapped(familiesText(table), width);
    // What would help takes longer than the table did: nobody waits for that.
    console.out.flush();
    if (!table.stopped && table.candidates > 1)
        console.out << "\n" << fitted(planWhatIfs(question, table, stop), width);
}

/// Options that would be passed over in silence together.
std::optional<std::string> planConflict(const Arguments& arguments)
{
    const std::string planner = arguments.text("planner", "search");
    for (const char* option : {"save", "emit", "why", "top"}) {
        if (planner != "search" && arguments.has(option))
            return "--" + std::string(option) + " is for the rows of a search; --planner " +
                   planner + " has none";
    }
    if (arguments.has("unflushed") && !arguments.has("json"))
        return "--unflushed chooses rows for --json; the text has both tables";
    if (arguments.has("keep") && (arguments.has("emit") || planner != "search"))
        return "--keep keeps the rows of a search, without --emit";
    if (arguments.has("output") && !arguments.has("emit"))
        return "--output is the file for --emit, which is not given";
    if (arguments.has("json") && arguments.has("emit") && arguments.text("output", "-") == "-")
        return "--json and --emit would both go to the standard output; --output FILE takes what "
               "--emit writes";
    return std::nullopt;
}

/// Why there is no row to show.
Outcome withoutRows(const PlanQuestion& question, const plan::PlanTable& table, Console& console,
                    const std::atomic<bool>& stop)
{
    if (table.stopped)
        return wrong("stopped before anything that fits was found");
    if (table.nearest && table.candidates == 1) {
        console.out << fitted(headline(question), console.screen.width) << "\n\n"
                    << whyText(question, *table.nearest, console.screen);
    }
    return wrong(nothingFitsText(question, table, &stop));
}

Outcome runPlan(const Arguments& arguments, Console& console)
{
    PW_TRY(PlanQuestion question, planQuestion(arguments));
    if (const auto conflict = planConflict(arguments))
        return usage(*conflict);
    if (const std::string planner = arguments.text("planner", "search"); planner != "search")
        return paperPlan(question, planner, arguments.has("json"), console);
    if (arguments.text("emit") == "megatron")
        question.wish.families = plan::megatronFamilies();
    exec::Stop stop;
    const Interrupt interrupt(stop);
    const StopRelay relay(stop);
    const Result<plan::PlanTable> table = plan::search(
        question.model, question.cluster, question.wish, &relay.flag(),
        [&console](const plan::SearchProgress& progress) {
            showStatus(console.err,
                       std::to_string(progress.looked) + " of " +
                           std::to_string(progress.candidates) + " configurations" +
                           (progress.best > 0
                                ? ", best " + plainNumber(1000 * progress.best, 5) + " ms"
                                : std::string()));
        });
    showStatus(console.err, "");
    if (!table)
        return wrong(table.error());
    const bool json = arguments.has("json");
    const bool written = arguments.has("save") || arguments.has("emit");
    if (table->rows.empty() && (!json || written || table->stopped))
        return withoutRows(question, *table, console, relay.flag());
    if (arguments.has("save"))
        PW_DO(saveRow(question, table->rows.front(), arguments.text("save")));
    if (json)
        console.out << (arguments.has("unflushed")
                            ? plan::unflushedJson(question.model, question.cluster, *table)
                            : planJson(question, *table));
    if (arguments.has("emit"))
        return emitRow(question, table->rows.front(), arguments, console);
    if (!arguments.has("keep")) {
        if (!json)
            writeTables(question, *table, arguments, console, relay.flag());
        return ExitCode::Good;
    }
    std::ostringstream shown;
    Console kept{shown, console.err, console.screen};
    writeTables(question, *table, arguments, kept, relay.flag());
    console.out << (json ? std::string() : shown.str());
    PW_DO(keepAnswer(AnswerKind::Plan, headline(question), shown.str(), planJson(question, *table),
                     arguments, console));
    return ExitCode::Good;
}

std::vector<Option> optionsOfPlan()
{
    std::vector<Option> all = {
        {.name = "top",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "rows of the table (default 10)",
         .minimum = 1,
         .maximum = 1000},
        {.name = "why", .summary = "every term of the first row's time and memory"},
        {.name = "json", .summary = "the rows as JSON"},
        {.name = "unflushed",
         .summary = "with --json, in their place the families without a flush"},
        {.name = "save",
         .kind = ValueKind::Text,
         .placeholder = "FILE",
         .summary = "write the first row as a project"},
        {.name = "emit",
         .kind = ValueKind::Text,
         .placeholder = "ENGINE",
         .summary = "print the first row for an engine: torch (its order as CSV) or megatron (its "
                    "options; of families that it runs)",
         .choices = {"torch", "megatron"}},
        {.name = "output",
         .kind = ValueKind::Text,
         .placeholder = "FILE",
         .summary = "file for --emit (default: standard output)"},
        {.name = "planner",
         .kind = ValueKind::Text,
         .placeholder = "WHICH",
         .summary =
             "search (default), or a paper's: pipedream (stages with replicas) or 2bw (width "
             "and depth)",
         .choices = {"search", "pipedream", "2bw"}}};
    for (Option& option : planningOptions())
        all.push_back(std::move(option));
    for (Option& option : keepOptions())
        all.push_back(std::move(option));
    return all;
}

} // namespace

Command plan()
{
    Command command;
    command.name = "plan";
    command.group = CommandGroup::Plan;
    command.summary = "the best parallelism, split and schedule for a model on a cluster";
    command.about =
        "Looks through all degrees of parallelism, micro-batch sizes, families, chunks, "
        "recomputation policies and layer splits, simulates those that can be among the first, "
        "and ranks what fits the memory. The rows are the best of all, proven: what is left out "
        "takes "
        "longer than the last of them, by a bound that no layer split can go below. Every value "
        "that you give narrows the search; if you "
        "give all, that one configuration is evaluated. Ctrl-C gives the best so far, and says how "
        "many of them are proven.\n"
        "Times come from a cost model whose constants were fitted to measured iterations; `costs "
        "fit --measured` fits them to your own. The manual's page on plans has fields, formulas "
        "and "
        "accuracy.";
    command.examples = {
        "pipewright plan --model llama3-70b --hardware h100 --gpus 64 --global-batch 256",
        "pipewright plan --hidden 8192 --layers 48 --heads 64 --sequence 2048 --hardware a100 "
        "--gpus 512 --global-batch 1536 --tensor-parallel 4 --pipeline-parallel 4 "
        "--micro-batch-size 2 --recompute-policy full --family 1f1b --json"};
    command.options = optionsOfPlan;
    command.run = runPlan;
    return command;
}

} // namespace pw::app::commands

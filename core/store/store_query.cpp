// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/store_query.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/sqlite/sqlite.h"
#include "core/store/run_store.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace pw {

namespace {

constexpr int longestAnswerText = 1 << 20;
constexpr std::size_t mostAnswerBytes = std::size_t{64} << 20;

Result<std::unique_ptr<Database>> openForQueries(const std::string& store)
{
    // Brings an older store up to date, and says what is wrong with it.
    {
        PW_DO(RunStore::openToRead(store));
    }
    Result<std::unique_ptr<Database>> database = Database::open(store, Database::Mode::Read);
    if (!database)
        return database;
    for (const StoreView& view : storeViews()) {
        const std::string sql =
            "CREATE TEMP VIEW " + std::string(view.name) + " AS " + std::string(view.sql);
        PW_DO((*database)->run(sql.c_str(), "cannot be asked"));
    }
    (*database)->refuseViews(); // the file's own; those above are the program's
    (*database)->onlyQueries(longestAnswerText);
    return database;
}

/// Why a question has no answer: its own fault, that of the time it was given, or the file's.
Error whyUnanswered(const Database& database, const Error& error, const QueryLimits& limits)
{
    if (database.metItsEnd())
        return {ErrorCode::TooLarge,
                said("the question takes longer than %1 s, the limit; ask for less, or allow more "
                     "time",
                     plainNumber(std::chrono::duration<double>(limits.time).count()))};
    if (!database.statementIsWrong() || error.code != ErrorCode::Io)
        return error;
    return {ErrorCode::Syntax, "the question: " + error.message};
}

/// Interrupts a database from a time on, again and again until it goes: counting the rows of a
/// table, for one, is a single step to SQLite, which asks nobody whether to go on.
class QuestionClock
{
public:
    QuestionClock(Database& database, std::chrono::steady_clock::time_point end)
        : m_thread([this, &database, end] { watch(database, end); })
    {
    }
    ~QuestionClock()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_done = true;
        }
        m_changed.notify_one();
        m_thread.join();
    }
    QuestionClock(const QuestionClock&) = delete;
    QuestionClock& operator=(const QuestionClock&) = delete;

private:
    void watch(Database& database, std::chrono::steady_clock::time_point next)
    {
        constexpr std::chrono::milliseconds again{20};
        std::unique_lock lock(m_mutex);
        while (!m_changed.wait_until(lock, next, [this] { return m_done; })) {
            database.interrupt();
            next = std::chrono::steady_clock::now() + again;
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_done = false;
    std::thread m_thread; // last: it uses the others
};

/// Of runs and of the traces that were kept with them.
std::vector<StoreView> runViews()
{
    return {
        {"runs", "a run a row: title, family, status, where it ran, its makespan",
         "SELECT number AS run, title, notes, origin, family, status, ranks, host, backend, "
         "transport, datetime(started_ms / 1000, 'unixepoch') AS started, iterations, "
         "makespan / 1e6 AS makespan_ms, predicted_makespan / 1e6 AS predicted_makespan_ms, "
         "span_bubble, peak_activation AS peak_activation_bytes, last_loss FROM main.run"},
        {"passes", "a pass a row: kind, stage, micro-batch and when it ran",
         "SELECT run, iteration, rank, CASE kind WHEN 0 THEN 'F' WHEN 1 THEN 'B' WHEN 2 THEN 'W' "
         "WHEN 3 THEN 'BW' WHEN 4 THEN 'R' ELSE 'U' END AS kind, stage, micro_batch, segment, "
         "route, start / 1e6 AS start_ms, (start + duration) / 1e6 AS end_ms, "
         "duration / 1e6 AS duration_ms, entry, trust FROM main.pass"},
        {"transfers", "a message a row: from which rank to which, how large, when",
         "SELECT run, iteration, from_rank, to_rank, bytes, stage, micro_batch, "
         "posted / 1e6 AS posted_ms, started / 1e6 AS started_ms, ended / 1e6 AS ended_ms, "
         "(started - posted) / 1e6 AS waiting_ms, (ended - started) / 1e6 AS transfer_ms "
         "FROM main.message"},
        {"memory_use", "bytes in use on a rank from a moment on",
         "SELECT run, iteration, rank, time / 1e6 AS time_ms, weights, versions, gradients, "
         "optimizer, activations, held_for_weight, messages, workspace, weights + versions + "
         "gradients + optimizer + activations + held_for_weight + messages + workspace AS total "
         "FROM main.memory"},
        {"copies", "a copy of an activation to the host's memory or back a row",
         "SELECT run, iteration, rank, CASE back WHEN 1 THEN 'device' ELSE 'host' END AS target, "
         "bytes, stage, micro_batch, segment, start / 1e6 AS start_ms, "
         "(start + duration) / 1e6 AS end_ms, duration / 1e6 AS duration_ms FROM main.host_copy"},
        {"gpus", "what a GPU said of itself at the start or the end of a run a row",
         "SELECT run, rank, gpu, CASE at_end WHEN 1 THEN 'end' ELSE 'start' END AS moment, time / "
         "1e6 AS time_ms, mhz, memory_mhz, milliwatts / 1e3 AS watts, celsius, slowed, taken, "
         "reserved, books, contexts, workspaces, connections FROM main.gpu"},
        {"timeline", "a pass with its label",
         "SELECT run, iteration, rank, 'PP:' || stage || substr('FIWBRU', kind + 1, 1) || "
         "micro_batch AS label, CASE kind WHEN 0 THEN 'F' WHEN 1 THEN 'B' WHEN 2 THEN 'W' WHEN 3 "
         "THEN 'BW' WHEN 4 THEN 'R' ELSE 'U' END AS kind, stage, micro_batch, segment, route, "
         "start / 1e6 AS start_ms, (start + duration) / 1e6 AS end_ms, trust FROM main.pass"},
        {"iterations", "an iteration of a rank a row",
         "SELECT run, iteration, rank, first / 1e6 AS first_ms, last / 1e6 AS last_ms, "
         "(last - first) / 1e6 AS span_ms, passes FROM main.span"},
        {"losses", "the loss of a step", "SELECT run, step, loss FROM main.loss"},
        {"devices", "what a rank ran on",
         "SELECT run, rank, name, memory AS memory_bytes FROM main.device"},
        {"lanes", "a stream or a thread of an imported trace",
         "SELECT run, lane, rank, device, owner, name, slices, first / 1e6 AS first_ms, "
         "last / 1e6 AS last_ms FROM main.activity_lane"},
        {"kernels", "everything on the devices of an imported trace, a slice a row",
         "SELECT a.run, l.rank, l.owner AS device, l.name AS stream, n.text AS name, "
         "CASE a.kind WHEN 1 THEN 'compute' WHEN 2 THEN 'communication' ELSE 'memory' END AS kind, "
         "a.start / 1e6 AS start_ms, (a.start + a.duration) / 1e6 AS end_ms, "
         "a.duration / 1e6 AS duration_ms FROM main.activity a "
         "JOIN main.activity_lane l ON l.run = a.run AND l.lane = a.lane "
         "LEFT JOIN main.activity_name n ON n.run = a.run AND n.name = a.name "
         "WHERE a.level = 0 AND a.kind IN (1, 2, 3)"},
        {"slices", "every slice of an imported trace: kernels, operators, launches, annotations",
         "SELECT a.run, l.rank, l.owner, l.name AS lane, n.text AS name, "
         "CASE a.kind WHEN 1 THEN 'compute' WHEN 2 THEN 'communication' WHEN 3 THEN 'memory' "
         "WHEN 4 THEN 'operator' WHEN 5 THEN 'launch' WHEN 6 THEN 'wait' WHEN 7 THEN 'annotation' "
         "WHEN 8 THEN 'script' ELSE 'other' END AS kind, a.depth, a.start / 1e6 AS start_ms, "
         "(a.start + a.duration) / 1e6 AS end_ms, a.duration / 1e6 AS duration_ms "
         "FROM main.activity a "
         "JOIN main.activity_lane l ON l.run = a.run AND l.lane = a.lane "
         "LEFT JOIN main.activity_name n ON n.run = a.run AND n.name = a.name "
         "WHERE a.level = 0"},
        {"counters", "a value of a counter of an imported trace: memory in bytes, parts of 1",
         "SELECT c.run, c.rank, c.name, CASE c.kind WHEN 1 THEN 'memory' WHEN 2 THEN 'part' ELSE "
         "'other' END AS kind, v.time / 1e6 AS time_ms, v.value FROM main.counter c "
         "JOIN main.counter_value v ON v.run = c.run AND v.counter = c.counter"},
    };
}

/// Of jobs, as `job_rows.h` keeps them.
std::vector<StoreView> jobViews()
{
    return {
        {"jobs", "a job of several replicas or steps a row: its shape, its step and its efficiency",
         "SELECT run, replicas, stages, micro_batches, steps, ranks, family, step / 1e6 AS "
         "step_ms, replica_factor * stage_factor * order_factor * link_factor AS efficiency, "
         "replica_factor, stage_factor, order_factor, link_factor FROM main.job_summary"},
        {"workers", "a stage of a replica: what its passes take, and how that is to its replicas",
         "SELECT run, replica, stage, rank, forward / 1e6 AS forward_ms, backward / 1e6 AS "
         "backward_ms, (forward + backward) / 1e6 AS pass_ms, forward_ratio, backward_ratio, idle, "
         "memory AS memory_bytes FROM main.job_worker"},
        {"causes", "what makes a job slow, the costliest first",
         "SELECT run, seq, kind, replica, stage, rank, step, from_stage, to_stage, cost / 1e6 AS "
         "cost_ms, share, sentence FROM main.job_cause"},
        {"what_if", "what repairs of a job would gain, the largest gain first",
         "SELECT run, seq, what, replica, stage, rank, step, family, time / 1e6 AS step_ms, gain "
         "FROM main.job_repair"},
        {"steps", "a step of a job, all its replicas together",
         "SELECT run, step, number, time / 1e6 AS step_ms, around / 1e6 AS around_ms, slowest AS "
         "slowest_replica, warm_up, complete FROM main.job_time"},
        {"rank_files", "the trace file of a rank whose digest was merged",
         "SELECT run, rank, replica, path, host, content, bytes, read_by FROM main.rank_file"},
    };
}

} // namespace

const std::vector<StoreView>& storeViews()
{
    static const std::vector<StoreView> views = [] {
        std::vector<StoreView> all = runViews();
        for (const StoreView& view : jobViews())
            all.push_back(view);
        return all;
    }();
    return views;
}

const std::vector<ExampleQuery>& exampleQueries()
{
    static const std::vector<ExampleQuery> queries = {
        {"The last ten runs", "SELECT run, started, status, family, makespan_ms, title FROM runs "
                              "ORDER BY run DESC LIMIT 10"},
        {"How well predictions were, run by run",
         "SELECT run, family, predicted_makespan_ms, makespan_ms, "
         "round(100 * (makespan_ms / predicted_makespan_ms - 1), 2) AS off_percent "
         "FROM runs WHERE makespan_ms > 0 AND predicted_makespan_ms > 0 ORDER BY run DESC"},
        {"Time of each kind of pass by stage",
         "SELECT stage, kind, count(*) AS passes, round(avg(duration_ms), 4) AS mean_ms, "
         "round(max(duration_ms), 4) AS longest_ms FROM passes "
         "WHERE run = (SELECT max(run) FROM passes) AND iteration >= 0 "
         "GROUP BY stage, kind ORDER BY stage, kind"},
        {"The ten longest passes",
         "SELECT rank, kind, stage, micro_batch, iteration, start_ms, duration_ms FROM passes "
         "WHERE run = (SELECT max(run) FROM passes) AND iteration >= 0 "
         "ORDER BY duration_ms DESC LIMIT 10"},
        {"Idle share of every rank",
         // The two of a pair run at the same time, which counts once.
         "WITH laid AS (SELECT rank, iteration, start_ms, end_ms, max(end_ms) OVER (PARTITION BY "
         "rank, iteration ORDER BY start_ms, end_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 "
         "PRECEDING) AS before FROM passes WHERE run = (SELECT max(run) FROM passes) "
         "AND iteration >= 0), busy AS (SELECT rank, iteration, sum(max(0, end_ms - "
         "max(start_ms, coalesce(before, start_ms)))) AS ms, min(start_ms) AS first, "
         "max(end_ms) AS last FROM laid GROUP BY rank, iteration) "
         "SELECT rank, round(100 * (1 - sum(ms) / sum(last - first)), 2) AS idle_percent "
         "FROM busy GROUP BY rank ORDER BY rank"},
        {"Messages that waited longest",
         "SELECT from_rank, to_rank, stage, micro_batch, bytes, waiting_ms, transfer_ms "
         "FROM transfers WHERE run = (SELECT max(run) FROM transfers) "
         "ORDER BY waiting_ms DESC LIMIT 10"},
        {"Most memory of every rank",
         "SELECT rank, max(total) / 1048576.0 AS peak_mib, "
         "max(activations + held_for_weight) / 1048576.0 AS activations_mib FROM memory_use "
         "WHERE run = (SELECT max(run) FROM memory_use) GROUP BY rank ORDER BY rank"},
        {"Kernels that took most of an imported trace",
         "SELECT name, kind, count(*) AS count, round(sum(duration_ms), 4) AS total_ms, "
         "round(avg(duration_ms), 5) AS mean_ms FROM kernels "
         "WHERE run = (SELECT max(run) FROM lanes) GROUP BY name, kind "
         "ORDER BY total_ms DESC LIMIT 20"},
        {"Time of the devices by kind",
         "SELECT rank, kind, count(*) AS count, round(sum(duration_ms), 4) AS total_ms "
         "FROM kernels WHERE run = (SELECT max(run) FROM lanes) GROUP BY rank, kind "
         "ORDER BY rank, total_ms DESC"},
        {"Pauses between kernels of a stream",
         "WITH ordered AS (SELECT rank, stream, name, start_ms, "
         "lag(end_ms) OVER (PARTITION BY rank, stream ORDER BY start_ms) AS before FROM kernels "
         "WHERE run = (SELECT max(run) FROM lanes)) "
         "SELECT rank, stream, before AS from_ms, start_ms - before AS pause_ms, "
         "name AS then_runs FROM ordered WHERE before IS NOT NULL "
         "ORDER BY pause_ms DESC LIMIT 10"}};
    return queries;
}

Result<QueryAnswer> queryStore(const std::string& store, std::string_view sql,
                               const QueryLimits& limits)
{
    PW_TRY(const std::unique_ptr<Database> database, openForQueries(store));
    const auto ends = std::chrono::steady_clock::now() + limits.time;
    database->endBy(ends);
    const QuestionClock clock(*database, ends);
    Result<Statement> made = database->prepareOne(sql, "the question");
    if (!made)
        return fail(whyUnanswered(*database, made.error(), limits));
    Statement& statement = *made;
    QueryAnswer answer;
    for (int column = 0; column < statement.columns(); ++column)
        answer.columns.push_back(statement.columnName(column));
    std::size_t bytes = 0;
    for (;;) {
        const Result<bool> row = statement.next();
        if (!row)
            return fail(whyUnanswered(*database, row.error(), limits));
        if (!*row)
            return answer;
        if (answer.rows.size() >= limits.rows || bytes > mostAnswerBytes) {
            answer.cut = true;
            return answer;
        }
        std::vector<QueryCell> cells;
        for (int column = 0; column < statement.columns(); ++column) {
            QueryCell cell;
            cell.number = statement.isNumber(column);
            cell.null = statement.isNull(column);
            cell.text = cell.null ? std::string() : statement.text(column);
            bytes += cell.text.size() + sizeof(QueryCell);
            cells.push_back(std::move(cell));
        }
        answer.rows.push_back(std::move(cells));
    }
}

} // namespace pw

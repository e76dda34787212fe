// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/kept_job.h"

#include "core/base/try.h"
#include "core/job/job_sentences.h"
#include "core/sqlite/sqlite.h"
#include "core/store/job_rows.h"

#include <utility>

namespace pw {

namespace {

Result<void> removeJob(Database& database, RunNumber run)
{
    for (const char* sql :
         {"DELETE FROM job WHERE run = ?", "DELETE FROM job_step WHERE run = ?",
          "DELETE FROM job_summary WHERE run = ?", "DELETE FROM job_worker WHERE run = ?",
          "DELETE FROM job_cause WHERE run = ?", "DELETE FROM job_repair WHERE run = ?",
          "DELETE FROM job_time WHERE run = ?"}) {
        PW_TRY(Statement* const statement, database.kept(sql));
        statement->bindAll(run);
        PW_DO(statement->run());
    }
    return {};
}

Result<void> writeJob(Database& database, RunNumber run, const JobAnalysis& analysis,
                      const Trace& trace)
{
    PW_TRY(Statement* const whole,
           database.kept("INSERT INTO job (run, format, found) VALUES (?, ?, ?)"));
    const JobMedians medians = jobMedians(analysis.job);
    const std::string found = keptJobBytes(analysis, medians, trace);
    whole->bindAll(run, keptJobFormat, RowBytes{found});
    PW_DO(whole->run());
    PW_TRY(Statement* const each,
           database.kept("INSERT INTO job_step (run, step, passes) VALUES (?, ?, ?)"));
    for (std::size_t step = 0; step < analysis.job.steps.size(); ++step) {
        const std::string passes = keptStepBytes(analysis.job, step);
        each->bindAll(run, static_cast<std::int64_t>(step), RowBytes{passes});
        PW_DO(each->run());
    }
    return writeJobRows(database, run, analysis, medians, trace);
}

Result<std::unique_ptr<Database>> jobsToRead(const std::string& store)
{
    PW_DO(RunStore::openToRead(store));
    Result<std::unique_ptr<Database>> database = Database::open(store, Database::Mode::Read);
    // In a place that cannot be written, as `RunStore` does it.
    if (!database || !(*database)->number("SELECT count(*) FROM job"))
        database = Database::open(store, Database::Mode::ReadUnchanging);
    if (database)
        (*database)->refuseViews();
    return database;
}

} // namespace

RunStore::KeepMore keepingJob(const JobAnalysis* analysis, const Trace& trace)
{
    return [analysis, &trace](Database& database, RunNumber run) -> Result<void> {
        PW_DO(removeJob(database, run));
        return analysis != nullptr && isWorthTelling(*analysis)
                   ? writeJob(database, run, *analysis, trace)
                   : Result<void>();
    };
}

Result<void> keepJob(const std::string& store, RunNumber run, const JobAnalysis* analysis,
                     const Trace& trace)
{
    PW_TRY(RunStore opened, RunStore::open(store));
    PW_DO(opened.run(run));
    PW_TRY(const std::unique_ptr<Database> database, Database::open(store, Database::Mode::Write));
    database->refuseViews();
    PW_TRY(Transaction transaction, Transaction::begin(*database));
    PW_DO(keepingJob(analysis, trace)(*database, run));
    return transaction.commit();
}

Result<std::optional<KeptJob>> keptJob(const std::string& store, RunNumber run)
{
    PW_TRY(const std::unique_ptr<Database> database, jobsToRead(store));
    PW_TRY(Statement query,
           database->prepare("SELECT found FROM job WHERE run = ? AND format = ?"));
    query.bindAll(run, keptJobFormat);
    PW_TRY(const bool there, query.next());
    return there ? keptJobOf(query.bytes(0)) : std::nullopt;
}

Result<JobOfStep> keptStep(const std::string& store, RunNumber run, const Job& job,
                           std::size_t step)
{
    PW_TRY(const std::unique_ptr<Database> database, jobsToRead(store));
    PW_TRY(Statement query,
           database->prepare("SELECT passes FROM job_step WHERE run = ? AND step = ?"));
    query.bindAll(run, static_cast<std::int64_t>(step));
    PW_TRY(const bool there, query.next());
    std::optional<JobOfStep> made;
    if (there)
        made = keptStepOf(query.bytes(0), job, step);
    if (!made)
        return fail(ErrorCode::Io,
                    "%1 is damaged: the passes of step %2 of run %3 are not there, or not whole",
                    store, job.steps[step].number, run);
    return std::move(*made);
}

} // namespace pw

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/job_rows.h"

#include "core/base/try.h"
#include "core/sqlite/sqlite.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace pw {

namespace {

using Place = std::optional<std::int32_t>;

Place placeOrNone(std::int32_t number)
{
    return number < 0 ? Place() : Place(number);
}

/// Writes the rows of one job.
class JobRows
{
public:
    JobRows(Database& database, RunNumber run, const JobAnalysis& analysis, const Trace& trace)
        : m_database(database)
        , m_run(run)
        , m_analysis(analysis)
        , m_job(analysis.job)
        , m_trace(trace)
    {
    }

    Result<void> write(const JobMedians& medians)
    {
        PW_DO(summary());
        PW_DO(workers(medians));
        PW_DO(causes());
        PW_DO(repairs());
        return times();
    }

private:
    Place rankOf(const WorkerTimes& worker) const
    {
        return placeOrNone(m_trace.ranks[worker.rank.index()].number);
    }

    /// Of one replica a stage is a worker.
    std::int32_t replicaOf(std::int32_t replica, DeviceId device) const
    {
        return device.valid() && m_job.replicas.size() == 1 ? 0 : replica;
    }

    /// Of one worker; nothing where a cause or a repair is of several.
    Place rankOf(std::int32_t replica, DeviceId device) const
    {
        replica = replicaOf(replica, device);
        const auto found = std::find_if(m_analysis.workers.begin(), m_analysis.workers.end(),
                                        [&](const WorkerTimes& one) {
                                            return one.worker == Worker{replica, device};
                                        });
        return found == m_analysis.workers.end() ? Place() : rankOf(*found);
    }

    Result<void> summary()
    {
        PW_TRY(Statement* const row,
               m_database.kept("INSERT INTO job_summary (run, replicas, stages, micro_batches, "
                               "steps, ranks, family, step, replica_factor, stage_factor, "
                               "order_factor, link_factor) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"));
        const RecoveredPipeline& first = *m_job.replicas.front();
        const std::string family = first.family.matches.empty()
                                       ? std::string()
                                       : std::string(first.family.matches.front().family->id);
        const JobEfficiency& of = m_analysis.efficiency;
        row->bindAll(m_run, static_cast<std::int64_t>(m_job.replicas.size()), first.stages,
                     first.microBatches, static_cast<std::int64_t>(m_job.steps.size()), m_job.ranks,
                     family, m_analysis.stepTime, of.replicas, of.stages, of.order, of.links);
        return row->run();
    }

    Result<void> workers(const JobMedians& medians)
    {
        PW_TRY(Statement* const row,
               m_database.kept("INSERT INTO job_worker (run, replica, stage, rank, forward, "
                               "backward, forward_ratio, backward_ratio, idle, memory) VALUES "
                               "(?,?,?,?,?,?,?,?,?,?)"));
        const auto figure = [&medians](WorkerMeasure measure, std::size_t worker) {
            const auto& all = medians.workers[static_cast<std::size_t>(measure)];
            return worker < all.size() ? all[worker] : std::optional<double>();
        };
        for (std::size_t i = 0; i < m_analysis.workers.size(); ++i) {
            const WorkerTimes& one = m_analysis.workers[i];
            const std::optional<double> memory = figure(WorkerMeasure::Memory, i);
            row->bindAll(
                m_run, one.worker.replica, one.worker.device.value, rankOf(one), one.forward,
                one.backward, one.forwardRatio, one.backwardRatio, figure(WorkerMeasure::Idle, i),
                memory ? std::optional<std::int64_t>(std::llround(*memory)) : std::nullopt);
            PW_DO(row->run());
        }
        return {};
    }

    Result<void> causes()
    {
        PW_TRY(Statement* const row,
               m_database.kept("INSERT INTO job_cause (run, seq, kind, replica, stage, rank, step, "
                               "from_stage, to_stage, cost, share, sentence) VALUES "
                               "(?,?,?,?,?,?,?,?,?,?,?,?)"));
        std::int64_t number = 0;
        for (const FoundCause& one : m_analysis.causes) {
            row->bindAll(
                m_run, number++, std::string(name(one.cause)),
                placeOrNone(replicaOf(one.replica, one.device)), placeOrNone(one.device.value),
                rankOf(one.replica, one.device), placeOrNone(one.step), placeOrNone(one.from.value),
                placeOrNone(one.to.value), one.costTicks, one.share, one.sentence.english());
            PW_DO(row->run());
        }
        return {};
    }

    Result<void> repairs()
    {
        PW_TRY(Statement* const row,
               m_database.kept("INSERT INTO job_repair (run, seq, what, replica, stage, rank, "
                               "step, family, time, gain) VALUES (?,?,?,?,?,?,?,?,?,?)"));
        std::int64_t number = 0;
        for (const JobWhatIf& one : m_analysis.whatIfs) {
            row->bindAll(
                m_run, number++, std::string(name(one.what)),
                placeOrNone(replicaOf(one.replica, one.device)), placeOrNone(one.device.value),
                rankOf(one.replica, one.device), placeOrNone(one.step),
                one.family.empty() ? std::optional<std::string>() : std::optional(one.family),
                one.stepTicks, one.gain);
            PW_DO(row->run());
        }
        return {};
    }

    Result<void> times()
    {
        PW_TRY(Statement* const row,
               m_database.kept("INSERT INTO job_time (run, step, number, time, around, slowest, "
                               "warm_up, complete) VALUES (?,?,?,?,?,?,?,?)"));
        std::int64_t number = 0;
        for (const JobStep& step : m_job.steps) {
            const auto slowest = std::max_element(step.span.begin(), step.span.end());
            row->bindAll(m_run, number++, step.number, step.time, step.around,
                         slowest == step.span.end()
                             ? std::optional<std::int64_t>()
                             : std::optional<std::int64_t>(slowest - step.span.begin()),
                         std::int64_t{step.warmUp ? 1 : 0}, std::int64_t{step.complete ? 1 : 0});
            PW_DO(row->run());
        }
        return {};
    }

    Database& m_database;
    RunNumber m_run;
    const JobAnalysis& m_analysis;
    const Job& m_job;
    const Trace& m_trace;
};

} // namespace

Result<void> writeJobRows(Database& database, RunNumber run, const JobAnalysis& analysis,
                          const JobMedians& medians, const Trace& trace)
{
    return JobRows(database, run, analysis, trace).write(medians);
}

} // namespace pw

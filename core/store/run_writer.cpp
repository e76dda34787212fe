// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"
#include "core/base/try.h"
#include "core/sqlite/feed_insert.h"
#include "core/sqlite/sqlite.h"
#include "core/store/gpu_store.h"
#include "core/store/host_copy_store.h"
#include "core/store/run_store.h"
#include "core/store/run_writer_parts.h"
#include "core/store/stored_numbers.h"
#include "core/store/trace_figures.h"
#include "core/store/writer.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace pw {

std::size_t RunBatch::size() const
{
    return passes.size() + messages.size() + memory.size() + copies.size() + gpus.size() +
           losses.size() + logs.size() + faults.size();
}

void RunBatch::clear()
{
    passes.clear();
    trust.clear();
    messages.clear();
    memory.clear();
    copies.clear();
    gpus.clear();
    losses.clear();
    logs.clear();
    faults.clear();
}

struct RunWriter::Parts
{
    Parts(Database& d, RunNumber n)
        : database(d)
        , number(n)
    {
    }

    /// Inserts a row whose key ends with a number that tells it from rows of the same rank and
    /// time.
    /// @param seq   the guess; the number that was free is returned in it
    /// @param free  the first free number after all rows of that key
    template<typename Bind, typename Free>
    Result<void> insert(Statement& statement, std::int64_t& seq, const Bind& bind, const Free& free)
    {
        bind(seq);
        const Result<bool> done = statement.runUnlessConflict();
        if (!done)
            return fail(done.error());
        if (*done)
            return {};
        // Looked up, not tried: a stream of equal times would else be tried ever longer.
        PW_TRY(const std::int64_t next, free());
        seq = next;
        bind(seq);
        return statement.run();
    }

    Result<std::int64_t> firstFree(const char* sql, RankId rank, Ticks time)
    {
        PW_TRY(Statement* const query, database.kept(sql));
        query->bindAll(number, rank, time);
        PW_TRY(const bool row, query->next());
        const std::int64_t free = row ? query->whole(0) : 0;
        query->reset();
        return free;
    }

    /// A pass that is alone, with a free number.
    Result<void> keepPass(const RecordedPass& r, std::int64_t& seq, int trust)
    {
        PW_TRY(Statement* const one, database.kept(insertPass));
        const auto bind = [&](std::int64_t free) {
            one->bindAll(number, r.rank, r.start, free, r.end - r.start, r.iteration, r.entry,
                         static_cast<int>(r.pass.kind), r.pass.stage, r.pass.microBatch,
                         r.pass.segment, static_cast<int>(r.pass.route), trust);
        };
        return insert(*one, seq, bind, [&] { return firstFree(freePass, r.rank, r.start); });
    }

    Result<void> keepPasses(const RunBatch& batch, Growth& growth)
    {
        PW_ASSERT(batch.trust.empty() || batch.trust.size() == batch.passes.size());
        if (batch.passes.empty())
            return {};
        const std::vector<std::uint32_t> order = passOrder(batch.passes);
        std::vector<std::int64_t> seqs(order.size());
        for (std::size_t at = 0; at < order.size(); ++at) {
            const RecordedPass& r = batch.passes[order[at]];
            if (at > 0 && sameKey(batch.passes[order[at - 1]], r))
                seqs[at] = seqs[at - 1] + 1;
            growth.add(r);
        }
        if (!fedPasses) {
            PW_TRY(fedPasses, FeedInsert::open(database, "pass", "run", fedPassColumns));
        }
        for (std::size_t at = 0, end = 0; at < order.size(); at = end) {
            end = stretchEnd(batch.passes, order, at);
            PW_DO(keepStretch(batch, order, seqs, at, end));
        }
        return {};
    }

    /// Passes of a batch in the order of their table, with one statement where none of them has the
    /// key of a pass of an earlier batch.
    Result<void> keepStretch(const RunBatch& batch, const std::vector<std::uint32_t>& order,
                             std::vector<std::int64_t>& seqs, std::size_t begin, std::size_t end)
    {
        const auto passAt = [&](std::size_t at) -> const RecordedPass& {
            return batch.passes[order[at]];
        };
        const auto trustAt = [&](std::size_t at) {
            return batch.trust.empty() ? 0 : int{batch.trust[order[at]]};
        };
        feed.clear();
        for (std::size_t at = begin; at < end; ++at) {
            const RecordedPass& r = passAt(at);
            feed.add(r.rank, r.start, seqs[at], r.end - r.start, r.iteration, r.entry,
                     static_cast<int>(r.pass.kind), r.pass.stage, r.pass.microBatch, r.pass.segment,
                     static_cast<int>(r.pass.route), trustAt(at));
        }
        for (;;) {
            PW_TRY(const bool done, fedPasses->run(number, feed));
            if (done)
                return {};
            std::size_t at = begin + feed.at();
            do {
                // After what an earlier batch has of this key, as the one before in this batch is.
                if (at > 0 && sameKey(passAt(at - 1), passAt(at)))
                    seqs[at] = std::max(seqs[at], seqs[at - 1] + 1);
                PW_DO(keepPass(passAt(at), seqs[at], trustAt(at)));
                ++at;
            } while (at < end && sameKey(passAt(at - 1), passAt(at)));
            feed.goTo(at - begin);
        }
    }

    Result<void> keepMessages(const RunBatch& batch, Growth& growth)
    {
        PW_TRY(Statement* const statement, database.kept(insertMessage));
        const auto order = tableOrder(
            batch.messages, [](const RecordedMessage& r) { return std::tuple(r.from, r.posted); });
        const RecordedMessage* last = nullptr;
        std::int64_t seq = 0;
        for (const std::uint32_t i : order) {
            const RecordedMessage& r = batch.messages[i];
            seq = last != nullptr && last->from == r.from && last->posted == r.posted ? seq + 1 : 0;
            last = &r;
            const auto bind = [&](std::int64_t free) {
                (statement)->bindAll(
                    number, r.from, r.posted, free, r.started, r.ended, r.iteration, r.message,
                    r.to, r.bytes, static_cast<int>(r.producer.kind), r.producer.stage,
                    r.producer.microBatch, r.producer.segment, static_cast<int>(r.producer.route));
            };
            const auto free = [&] { return firstFree(freeMessage, r.from, r.posted); };
            PW_DO(insert(*statement, seq, bind, free));
            growth.add(r);
        }
        return {};
    }

    Result<void> keepMemory(const RunBatch& batch)
    {
        PW_TRY(Statement* const statement, database.kept(insertMemory));
        const auto order = tableOrder(
            batch.memory, [](const MemorySample& s) { return std::tuple(s.rank, s.time); });
        const MemorySample* last = nullptr;
        std::int64_t seq = 0;
        for (const std::uint32_t i : order) {
            const MemorySample& s = batch.memory[i];
            seq = last != nullptr && last->rank == s.rank && last->time == s.time ? seq + 1 : 0;
            last = &s;
            const auto bind = [&](std::int64_t free) {
                statement->bindAll(number, s.rank, s.time, free, s.iteration);
                int parameter = 5;
                for (const Bytes bytes : s.bytes)
                    statement->bind(++parameter, bytes);
            };
            const auto free = [&] { return firstFree(freeMemory, s.rank, s.time); };
            PW_DO(insert(*statement, seq, bind, free));
        }
        return {};
    }

    Result<void> keepRest(const RunBatch& batch)
    {
        for (const StepLoss& loss : batch.losses) {
            PW_DO(row("INSERT OR REPLACE INTO loss (run, step, loss) VALUES (?,?,?)", number,
                      loss.step, loss.loss));
        }
        for (const RunLog& log : batch.logs) {
            PW_DO(row("INSERT INTO log (run, seq, time, rank, level, text) VALUES (?1, (SELECT "
                      "coalesce(max(seq) + 1, 0) FROM log WHERE run = ?1), ?2, ?3, ?4, ?5)",
                      number, log.time, log.rank, static_cast<int>(log.level), log.text));
        }
        for (const RunFault& fault : batch.faults) {
            PW_DO(row("INSERT INTO fault (run, seq, rank, peer, pass, text) VALUES (?1, (SELECT "
                      "coalesce(max(seq) + 1, 0) FROM fault WHERE run = ?1), ?2, ?3, ?4, ?5)",
                      number, fault.rank, fault.peer, fault.pass, fault.text));
        }
        return {};
    }

    Result<void> keepGrowth(const Growth& growth)
    {
        for (const auto& [rank, lane] : growth.lanes) {
            PW_DO(row(growLane, number, rank, lane.passes, lane.longestPass, lane.longestMessage));
        }
        for (const auto& [place, span] : growth.spans) {
            PW_DO(row(growSpan, number, place.first, place.second, span.first, span.last,
                      span.passes, span.orderFirst, span.orderLast));
        }
        return {};
    }

    template<typename... Values>
    Result<void> row(const char* sql, const Values&... values)
    {
        PW_TRY(Statement* const statement, database.kept(sql));
        statement->bindAll(values...);
        return statement->run();
    }

    Result<void> keepEnvironment(const RunEnvironment& environment)
    {
        PW_DO(row("UPDATE run SET host = ?, backend = ?, transport = ?, driver = ?, build = ? "
                  "WHERE number = ?",
                  environment.host, environment.backend, environment.transport, environment.driver,
                  environment.build, number));
        for (std::size_t rank = 0; rank < environment.devices.size(); ++rank) {
            const RunDevice& device = environment.devices[rank];
            PW_DO(row("INSERT OR REPLACE INTO device (run, rank, name, memory) VALUES (?,?,?,?)",
                      number, static_cast<std::int64_t>(rank), device.name, device.memory));
        }
        return {};
    }

    Result<void> keepFigures(const TraceFigures& figures)
    {
        const AlignedClocks& clocks = figures.clocks;
        PW_DO(row("INSERT INTO alignment (run, outcome, text, messages, grain, impossible) "
                  "VALUES (?,?,?,?,?,?)",
                  number, name(clocks.outcome), clocks.text, clocks.messages, clocks.grain,
                  clocks.impossible));
        for (std::size_t rank = 0; rank < clocks.ranks.size(); ++rank) {
            const RankClock& clock = clocks.ranks[rank];
            if (const Result<void> done =
                    row("INSERT INTO clock (run, rank, first, last, at_first, at_first_low, "
                        "at_first_high, at_last, at_last_low, at_last_high, drift, drift_low, "
                        "drift_high) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                        number, static_cast<std::int64_t>(rank), clock.first, clock.last,
                        clock.atFirst.value, clock.atFirst.low, clock.atFirst.high,
                        clock.atLast.value, clock.atLast.low, clock.atLast.high, clock.drift,
                        clock.driftLow, clock.driftHigh);
                !done)
                return done;
        }
        for (const DeviceTransfers& one : figures.transfers) {
            PW_DO(row("INSERT INTO transfer (run, rank, count, waiting, transfer, after, "
                      "exposed, hidden) VALUES (?,?,?,?,?,?,?,?)",
                      number, one.of, one.count, one.time.waiting, one.time.transfer,
                      one.time.after, one.exposure.exposed, one.exposure.hidden));
        }
        return {};
    }

    /// All of it in one transaction.
    template<typename Work>
    Result<void> together(const Work& work)
    {
        PW_TRY(Transaction transaction, Transaction::begin(database));
        PW_DO(work());
        return transaction.commit();
    }

    Database& database;
    RunNumber number = 0;
    bool ended = false;
    RowFeed feed{12};                    ///< of passes
    std::optional<FeedInsert> fedPasses; ///< from the first ones on
};

RunWriter::RunWriter(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

RunWriter::RunWriter(RunWriter&&) noexcept = default;

RunWriter::~RunWriter()
{
    if (m_parts != nullptr && !m_parts->ended)
        (void)finish(RunStatus::Incomplete, {});
}

RunNumber RunWriter::number() const
{
    return m_parts->number;
}

Result<void> RunWriter::setEnvironment(const RunEnvironment& environment)
{
    return m_parts->together([&] { return m_parts->keepEnvironment(environment); });
}

Result<void> RunWriter::append(const RunBatch& batch)
{
    return m_parts->together([&]() -> Result<void> {
        Growth growth;
        PW_DO(m_parts->keepPasses(batch, growth));
        PW_DO(m_parts->keepMessages(batch, growth));
        PW_DO(m_parts->keepMemory(batch));
        PW_DO(keepCopies(m_parts->database, m_parts->number, batch.copies));
        PW_DO(keepGpuReadings(m_parts->database, m_parts->number, batch.gpus));
        PW_DO(m_parts->keepRest(batch));
        PW_DO(m_parts->keepGrowth(growth));
        return m_parts->row("UPDATE run SET touched_ms = ? WHERE number = ?", wallClockMs(),
                            m_parts->number);
    });
}

Result<void> RunWriter::keep(const TraceFigures& figures)
{
    return m_parts->together([&] { return m_parts->keepFigures(figures); });
}

Result<void> RunWriter::finish(RunStatus status, const RunFigures& figures, std::int64_t endedMs)
{
    PW_ASSERT(status != RunStatus::Running);
    const std::int64_t now = wallClockMs();
    const Result<void> done = m_parts->row(
        "UPDATE run SET status = ?, touched_ms = ?, ended_ms = ?, iterations = ?, makespan = ?, "
        "makespan_low = ?, makespan_high = ?, predicted_makespan = ?, predicted_low = ?, "
        "predicted_high = ?, span_bubble = ?, "
        "predicted_span_bubble = ?, peak_activation = ?, predicted_peak_activation = ?, "
        "first_loss = ?, last_loss = ? WHERE number = ?",
        name(status), now, endedMs == 0 ? now : endedMs, figures.iterations, figures.makespan,
        figures.makespanLow, figures.makespanHigh, figures.predictedMakespan, figures.predictedLow,
        figures.predictedHigh, figures.spanBubble, figures.predictedSpanBubble,
        figures.peakActivation, figures.predictedPeakActivation, figures.firstLoss,
        figures.lastLoss, m_parts->number);
    m_parts->ended = done.has_value();
    return done;
}

Result<RunNumber> RunStore::keep(const NewRun& run, const RunBatch& batch,
                                 const TraceFigures& found, const RunFigures& figures,
                                 const KeepMore& more)
{
    PW_TRY(Transaction whole, Transaction::begin(database()));
    // Its parts join the transaction; a writer that is left in between is rolled back with it.
    PW_TRY(RunWriter writer, begin(run));
    PW_DO(writer.append(batch));
    PW_DO(writer.keep(found));
    PW_DO(more ? more(database(), writer.number()) : Result<void>());
    PW_DO(writer.finish(run.status, figures, run.endedMs));
    PW_DO(whole.commit());
    return writer.number();
}

Result<RunWriter> RunStore::begin(const NewRun& run)
{
    const std::int64_t now = wallClockMs();
    auto parts = std::make_unique<RunWriter::Parts>(database(), 0);
    const Result<void> done = parts->together([&]() -> Result<void> {
        PW_DO(parts->row(
            "INSERT INTO run (title, origin, family, project, settings, writer, started_ms, "
            "touched_ms, ranks) VALUES (?,?,?,?,?,?,?,?,?)",
            run.title, run.origin, run.family, run.project, run.settings, thisWriter(),
            run.startedMs == 0 ? now : run.startedMs, now, run.ranks));
        parts->number = database().lastRow();
        return parts->keepEnvironment(run.environment);
    });
    if (!done)
        return fail(done.error());
    return RunWriter(std::move(parts));
}

} // namespace pw

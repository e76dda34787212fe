// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/pass_label.h"
#include "core/sqlite/sqlite.h"
#include "core/store/repair.h"
#include "core/store/run_store.h"
#include "core/store/schema.h"
#include "core/store/trace_figures.h"
#include "core/store/writer.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <random>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>

using namespace pw;

namespace {

test::FamilyRun runOf(const char* family, int devices = 4, int microBatches = 8)
{
    UniformCosts costs;
    costs.activation = 1 << 20;
    return test::runFamily(test::familyOf(family), test::sized(devices, microBatches), costs);
}

/// A window of passes by looking at every one of them.
std::vector<RecordedPass> slowWindow(const std::vector<RecordedPass>& all, const RecordQuery& query)
{
    std::vector<RecordedPass> found;
    for (const RecordedPass& record : all) {
        if (record.start < query.to && (record.end > query.from || record.start >= query.from) &&
            (!query.rank || *query.rank == record.rank) &&
            (!query.iteration || *query.iteration == record.iteration))
            found.push_back(record);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.rank, a.start) < std::tuple(b.rank, b.start);
    });
    return found;
}

/// What an import may have found: a clock that messages bound on one side only.
TraceFigures foundFigures()
{
    TraceFigures found;
    found.clocks.outcome = ClockOutcome::Shifted;
    found.clocks.text = "the clocks are shifted";
    found.clocks.messages = 40;
    found.clocks.grain = 1000;
    found.clocks.impossible = 7;
    found.clocks.ranks = {{0, 500, {}, {}, 0, {}, {}},
                          {-9, 480, {12, -3, {}}, {40, {}, 44}, 57.25, -1.5, {}}};
    found.transfers = {{DeviceId(1), 6, {10, 20, 3}, {12, 8}}};
    return found;
}

/// In the order of the store.
void sort(RunBatch& batch)
{
    batch.passes = slowWindow(batch.passes, {});
    std::stable_sort(batch.messages.begin(), batch.messages.end(),
                     [](const auto& a, const auto& b) {
                         return std::tuple(a.from, a.posted) < std::tuple(b.from, b.posted);
                     });
    std::stable_sort(batch.memory.begin(), batch.memory.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.rank, a.time) < std::tuple(b.rank, b.time);
    });
}

/// Of a GPU that says everything, and of one that says nothing but its memory.
std::vector<GpuReading> readings()
{
    GpuReading reading{RankId(1), 3, 2, false, -7, 1980, 2619, 512'345, 61};
    reading.slowdownsKnown = true;
    reading.slowdowns = bitOf(GpuSlowdown::PowerLimit) | bitOf(GpuSlowdown::Idle);
    GpuReading silent{RankId(0), 0, 1, true, 1LL << 40};
    silent.memory = {1LL << 40, 7, 6, -5, 4, 3};
    return {reading, silent};
}

} // namespace

class TestRunStore : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QString("store%1/runs.sqlite").arg(++m_count)).toStdString();
    }

    void everyRecordComesBack_data()
    {
        QTest::addColumn<QByteArray>("family");
        for (const char* family : {"1f1b", "zb-h1", "dualpipe", "seq1f1b", "pipedream"})
            QTest::newRow(family) << QByteArray(family);
    }
    void everyRecordComesBack()
    {
        QFETCH(QByteArray, family);
        const test::FamilyRun run = runOf(family.constData());
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 1, 3);
        const RunFigures figures = test::figuresOf(run.schedule, run.costs, batch);
        batch.faults.push_back({RankId(2), RankId(1), "PP:2F3", "rank 2 waited for rank 1"});
        batch.losses.push_back({99, std::nan("")});
        batch.messages.push_back(
            {0, -1, RankId(0), RankId(1), Pass{PassKind::U, 1, StageId(0), 2, 0}, 77, 5, 6, 7});
        // At one time too.
        for (const RankId rank : {RankId(0), RankId(0), RankId(3)})
            batch.copies.push_back({1, rank, Pass{PassKind::F, 1, StageId(2), 5, 1}, rank == 3,
                                    1LL << 40, batch.passes.back().start,
                                    batch.passes.back().start + 9});
        batch.gpus = readings();
        batch.trust.assign(batch.passes.size(), 0);
        const NewRun begun = test::newRun(run.schedule, run.costs, "a title", family.constData());
        RunNumber number = 0;
        {
            RunStore store = opened();
            RunWriter writer = *store.begin(begun);
            number = writer.number();
            QVERIFY(writer.append(batch));
            QVERIFY(writer.finish(RunStatus::Failed, figures));
        }
        RunStore store = *RunStore::openToRead(m_path);
        const RunDetails details = *store.run(number);
        QCOMPARE(details.run.title, std::string("a title"));
        QCOMPARE(details.run.family, family.toStdString());
        QCOMPARE(details.run.origin, std::string("executed"));
        QCOMPARE(details.project, begun.project);
        QCOMPARE(details.settings, begun.settings);
        QVERIFY(details.run.environment == begun.environment);
        QVERIFY(details.run.figures == figures);
        QCOMPARE(details.run.status, RunStatus::Failed);
        QCOMPARE(details.run.passes, static_cast<std::int64_t>(batch.passes.size()));
        QCOMPARE(details.run.ranks, 4);
        QVERIFY(details.run.endedMs >= details.run.startedMs);
        QVERIFY(details.faults == batch.faults);
        QVERIFY(details.gpus == batch.gpus);

        sort(batch);
        const RecordQuery all{number};
        const StoredPasses passes = *store.passes(all);
        QVERIFY(passes.passes == batch.passes);
        QCOMPARE(passes.trust, batch.trust);
        QVERIFY(*store.messages(all) == batch.messages);
        QVERIFY(*store.memory(all) == batch.memory);
        QVERIFY(*store.copies(all) == batch.copies);
        QVERIFY(store.copies({.run = number, .iteration = 7})->empty());
        QCOMPARE(store.copies({.run = number, .rank = RankId(3)})->size(), std::size_t{1});
        QVERIFY(*store.logs(number) == batch.logs);
        std::vector<StepLoss> losses = *store.losses(number);
        QCOMPARE(losses.size(), batch.losses.size());
        QVERIFY(std::isnan(losses.back().loss));
        losses.pop_back();
        batch.losses.pop_back();
        QCOMPARE(losses, batch.losses);

        const std::vector<IterationSpan> spans = *store.iterations(number);
        QCOMPARE(spans.size(), std::size_t{16});
        for (const IterationSpan& span : spans) {
            const auto inside = slowWindow(
                batch.passes, {.run = number, .iteration = span.iteration, .rank = span.rank});
            QCOMPARE(span.passes, static_cast<std::int64_t>(inside.size()));
            QCOMPARE(span.first, inside.front().start);
            QVERIFY(std::all_of(inside.begin(), inside.end(),
                                [&](const auto& record) { return record.end <= span.last; }));
        }
    }

    void windowsHoldWhatTouchesThem()
    {
        const unsigned seed = 11;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        const test::FamilyRun run = runOf("dualpipe");
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 1, 4);
        constexpr Ticks earliest = Ticks{1} << 62;
        // A pass without length, one that hardly ends, and one as long as time.
        batch.passes.push_back({0, RankId(1), EntryId::none(),
                                Pass{PassKind::U, 0, StageId(1), 0, 0}, 5'000'000, 5'000'000});
        batch.passes.push_back({0, RankId(2), EntryId::none(),
                                Pass{PassKind::U, 0, StageId(2), 0, 0}, 2'000'000, 90'000'000});
        batch.passes.push_back({0, RankId(3), EntryId::none(),
                                Pass{PassKind::U, 0, StageId(3), 0, 0}, -earliest, earliest - 1});
        RunStore store = opened();
        RunWriter writer =
            *store.begin(test::newRun(run.schedule, run.costs, "windows", "dualpipe"));
        QVERIFY(writer.append(batch));
        QVERIFY(writer.finish(RunStatus::Finished, {}));
        int found = 0;
        for (int round = 0; round < 300; ++round) {
            RecordQuery query{writer.number()};
            const auto time = [&] {
                return static_cast<Ticks>(random() % 120'000'000) - 5'000'000;
            };
            query.from = time();
            query.to = query.from + static_cast<Ticks>(random() % 9'000'000);
            if (round % 10 == 0)
                query.from = query.to = 5'000'000;
            if (round % 10 == 1)
                query.to = 1 + (query.from = 5'000'000);
            if (round % 3 == 0)
                query.rank = RankId(random() % 5);
            if (round % 4 == 0)
                query.iteration = static_cast<std::int32_t>(random() % 6) - 1;
            const StoredPasses got = *store.passes(query);
            QVERIFY(got.passes == slowWindow(batch.passes, query));
            found += static_cast<int>(got.passes.size());

            const auto messages = *store.messages(query);
            const auto asked = std::count_if(
                batch.messages.begin(), batch.messages.end(), [&](const RecordedMessage& m) {
                    return m.posted < query.to &&
                           (m.ended > query.from || m.posted >= query.from) &&
                           (!query.rank || *query.rank == m.from) &&
                           (!query.iteration || *query.iteration == m.iteration);
                });
            QCOMPARE(static_cast<std::ptrdiff_t>(messages.size()), asked);
        }
        QVERIFY(found > 1000);
    }

    void batchesMayOverlapInTime_data()
    {
        QTest::addColumn<std::size_t>("size");
        QTest::newRow("fewer passes than a statement takes") << std::size_t{7};
        QTest::newRow("as many as a statement takes") << std::size_t{32};
        QTest::newRow("many and a few") << std::size_t{75};
    }
    void batchesMayOverlapInTime()
    {
        QFETCH(std::size_t, size);
        // Ranks report late: the same times come in several batches, in any order.
        const test::FamilyRun run = runOf("zb-h1");
        RunBatch whole = test::recordedRun(run.schedule, run.costs, 0, 2);
        std::mt19937 random(3);
        std::shuffle(whole.passes.begin(), whole.passes.end(), random);
        RunStore store = opened();
        RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "late", "zb-h1"));
        for (std::size_t at = 0; at < whole.passes.size(); at += size) {
            RunBatch part;
            const std::size_t end = std::min(at + size, whole.passes.size());
            part.passes.assign(whole.passes.begin() + static_cast<std::ptrdiff_t>(at),
                               whole.passes.begin() + static_cast<std::ptrdiff_t>(end));
            // Twice: nothing is lost for having the same key.
            QVERIFY(writer.append(part));
            QVERIFY(writer.append(part));
        }
        QVERIFY(writer.finish(RunStatus::Finished, {}));
        const StoredPasses got = *store.passes({writer.number()});
        QCOMPARE(got.passes.size(), 2 * whole.passes.size());
        sort(whole);
        for (std::size_t i = 0; i < whole.passes.size(); ++i) {
            QVERIFY(got.passes[2 * i] == whole.passes[i]);
            QVERIFY(got.passes[2 * i + 1] == whole.passes[i]);
        }
    }

    void derivedTimesKeepHowSureTheyAre()
    {
        RunStore store = opened();
        NewRun imported;
        imported.origin = "torch-profiler";
        imported.ranks = 1;
        imported.startedMs = 1'600'000'000'000;
        RunWriter writer = *store.begin(imported);
        RunBatch batch;
        batch.passes = {{0, RankId(0), EntryId(1), Pass{PassKind::F, 0, StageId(0), 1, 0}, 10, 20},
                        {0, RankId(0), EntryId(0), Pass{PassKind::F, 0, StageId(0), 0, 0}, 0, 10}};
        batch.trust = {3, 1};
        QVERIFY(writer.append(batch));
        QVERIFY(writer.finish(RunStatus::Finished, {}));
        QCOMPARE(store.passes({1})->trust, (std::vector<std::uint8_t>{1, 3}));
        QCOMPARE(store.run(1)->run.origin, std::string("torch-profiler"));
        QCOMPARE(store.run(1)->run.startedMs, 1'600'000'000'000);
    }

    void whatAnImportFoundComesBack()
    {
        const TraceFigures found = foundFigures();
        RunStore store = opened();
        NewRun imported;
        imported.ranks = 2;
        {
            RunWriter writer = *store.begin(imported);
            QVERIFY(writer.keep(found));
            QVERIFY(!writer.keep(found)); // once
            QVERIFY(writer.finish(RunStatus::Finished, {}));
        }
        const TraceFigures back = *store.traceFigures(1);
        QCOMPARE(back.clocks.outcome, found.clocks.outcome);
        QCOMPARE(back.clocks.text, found.clocks.text);
        QCOMPARE(back.clocks.messages, found.clocks.messages);
        QCOMPARE(back.clocks.grain, found.clocks.grain);
        QCOMPARE(back.clocks.impossible, found.clocks.impossible);
        QVERIFY(back.clocks.ranks == found.clocks.ranks);
        QVERIFY(back.transfers == found.transfers);
        QVERIFY(store.begin(imported)->finish(RunStatus::Finished, {}));
        QVERIFY(store.traceFigures(2)->empty());
        QVERIFY(!store.traceFigures(3));
    }

    void runsAreListedNewestFirstAndFound()
    {
        RunStore store = opened();
        for (const char* title : {"first try", "with 100% more", "a third"}) {
            NewRun run;
            run.title = title;
            run.family = title[0] == 'a' ? "zb-v" : "1f1b";
            run.environment.host = "node_7";
            QVERIFY(store.begin(run)->finish(RunStatus::Finished, {}));
        }
        const auto numbers = [&](std::string_view search) {
            std::vector<RunNumber> found;
            const std::vector<StoredRun> runs = *store.runs(search);
            for (const StoredRun& run : runs)
                found.push_back(run.number);
            return found;
        };
        QCOMPARE(numbers(""), (std::vector<RunNumber>{3, 2, 1}));
        QCOMPARE(numbers("1F1B"), (std::vector<RunNumber>{2, 1}));
        QCOMPARE(numbers("node_7 third"), (std::vector<RunNumber>{3}));
        QCOMPARE(numbers("node%7"), std::vector<RunNumber>{});
        QCOMPARE(numbers("100%"), (std::vector<RunNumber>{2}));
        QVERIFY(store.annotate(1, "the learning rate was wrong"));
        QCOMPARE(numbers("learning"), (std::vector<RunNumber>{1}));
        QVERIFY(store.rename(3, "renamed"));
        QCOMPARE(store.run(3)->run.title, std::string("renamed"));
        QCOMPARE(store.run(1)->run.notes, std::string("the learning rate was wrong"));
        QCOMPARE(*store.lastRun(), 3);
    }

    void aRemovedRunLeavesNothing()
    {
        const test::FamilyRun run = runOf("1f1b");
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 2);
        RunStore store = opened();
        for (int i = 0; i < 2; ++i) {
            RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "r", "1f1b"));
            QVERIFY(writer.append(batch));
            QVERIFY(writer.keep(foundFigures()));
            QVERIFY(writer.finish(RunStatus::Finished, {}));
        }
        QVERIFY(store.remove(1));
        QVERIFY(!store.run(1));
        QCOMPARE(QString::fromStdString(store.run(1).error().message),
                 QString::fromStdString(m_path) + " has no run 1");
        for (const Result<void>& done :
             {store.remove(1), store.rename(1, "x"), store.annotate(1, "x")})
            QCOMPARE(done.error().code, ErrorCode::BadValue);
        QVERIFY(!store.losses(1));
        const auto database = *Database::open(m_path, Database::Mode::Read);
        for (const char* table : {"pass", "message", "memory", "lane", "span", "loss", "log",
                                  "device", "alignment", "clock", "transfer"}) {
            const std::string here = std::string("SELECT count(*) FROM ") + table;
            QCOMPARE(*database->number((here + " WHERE run = 1").c_str()), 0);
            QVERIFY(*database->number((here + " WHERE run = 2").c_str()) > 0);
        }
        // Its number is not used again.
        QVERIFY(store.remove(2));
        QCOMPARE(store.begin(NewRun{})->number(), 3);
    }

    /// Its room is given back to the disk, and what is left is whole.
    void aRemovedRunGivesItsRoomBack()
    {
        const test::FamilyRun run = runOf("1f1b");
        RunStore store = opened();
        for (const int iterations : {2, 400}) {
            RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "r", "1f1b"));
            QVERIFY(writer.append(test::recordedRun(run.schedule, run.costs, 0, iterations)));
            QVERIFY(writer.finish(RunStatus::Finished, {}));
        }
        const auto bytes = [this] {
            const QString path = QString::fromStdString(m_path);
            return QFileInfo(path).size() + QFileInfo(path + QStringLiteral("-wal")).size();
        };
        const qint64 before = bytes();
        QVERIFY(before > (qint64{1} << 20));
        QVERIFY(store.remove(2));
        QVERIFY2(bytes() < before / 4,
                 qPrintable(QStringLiteral("%1 of %2").arg(bytes()).arg(before)));
        QVERIFY(!store.passes({.run = 1})->passes.empty());
        QCOMPARE(store.begin(NewRun{})->number(), 3);
    }

    void aRunThatIsBeingWrittenIsRunning()
    {
        RunStore store = opened();
        {
            const RunWriter writer = *store.begin(NewRun{});
            RunStore reader = *RunStore::openToRead(m_path);
            QCOMPARE(reader.run(1)->run.status, RunStatus::Running);
            QCOMPARE(reader.run(1)->run.endedMs, 0);
        }
        // Its writer went without a word.
        QCOMPARE(store.run(1)->run.status, RunStatus::Incomplete);
    }

    void whatAKilledWriterKeptIsThere()
    {
        const test::FamilyRun run = runOf("zb-v");
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        constexpr int batches = 5;
        int says[2] = {};
        QCOMPARE(::pipe(says), 0);
        const pid_t child = ::fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            // Writes until it is killed, and says after each batch that it is kept.
            Result<RunStore> store = RunStore::open(m_path);
            Result<RunWriter> writer =
                store->begin(test::newRun(run.schedule, run.costs, "killed", "zb-v"));
            for (int i = 0;; ++i) {
                RunBatch part = batch;
                for (RecordedPass& record : part.passes)
                    record.iteration = i;
                if (!writer->append(part) || ::write(says[1], "x", 1) != 1)
                    ::_exit(1);
            }
        }
        ::close(says[1]);
        char heard = 0;
        for (int i = 0; i < batches; ++i)
            QCOMPARE(::read(says[0], &heard, 1), 1);
        {
            RunStore store = *RunStore::openToRead(m_path);
            QCOMPARE(store.run(1)->run.status, RunStatus::Running);
        }
        QCOMPARE(::kill(child, SIGKILL), 0);
        QCOMPARE(::waitpid(child, nullptr, 0), child);
        int said = batches;
        while (::read(says[0], &heard, 1) == 1)
            ++said;
        ::close(says[0]);

        RunStore store = *RunStore::openToRead(m_path);
        const RunDetails details = *store.run(1);
        QCOMPARE(details.run.status, RunStatus::Incomplete);
        QVERIFY(details.run.endedMs >= details.run.startedMs);
        const std::size_t kept = store.passes({1})->passes.size();
        QCOMPARE(kept % batch.passes.size(), std::size_t{0});
        // The one that was kept as the kill came may not have been said.
        const auto whole = static_cast<int>(kept / batch.passes.size());
        QVERIFY(whole == said || whole == said + 1);
        QCOMPARE(details.run.passes, static_cast<std::int64_t>(kept));
        // And the store goes on.
        RunStore again = opened();
        QCOMPARE(again.begin(NewRun{})->number(), 2);
        QVERIFY(again.remove(1));
    }

    void readersSeeWholeBatchesWhileARunIsWritten()
    {
        const test::FamilyRun run = runOf("1f1b");
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        RunStore store = opened();
        RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "live", "1f1b"));
        RunStore reader = *RunStore::openToRead(m_path);
        for (int i = 1; i <= 20; ++i) {
            QVERIFY(writer.append(batch));
            QCOMPARE(reader.passes({1})->passes.size(),
                     static_cast<std::size_t>(i) * batch.passes.size());
            QCOMPARE(reader.run(1)->run.passes,
                     static_cast<std::int64_t>(i) * static_cast<std::int64_t>(batch.passes.size()));
        }
    }

    void twoProgramsMayWriteRunsOfTheirOwn()
    {
        RunStore first = opened();
        RunStore second = opened();
        RunWriter a = *first.begin(NewRun{});
        RunWriter b = *second.begin(NewRun{});
        QVERIFY(a.number() != b.number());
        for (int i = 0; i < 10; ++i) {
            RunBatch batch;
            batch.passes.push_back({i, RankId(0), EntryId(0), Pass{}, i, i + 1});
            QVERIFY(a.append(batch));
            QVERIFY(b.append(batch));
        }
        QVERIFY(a.finish(RunStatus::Finished, {}));
        QVERIFY(b.finish(RunStatus::Stopped, {}));
        QCOMPARE(first.passes({b.number()})->passes.size(), std::size_t{10});
    }

    void aFullDiskKeepsEverythingUpToTheLastBatch()
    {
        const test::FamilyRun run = runOf("1f1b");
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 4);
        constexpr std::int64_t mostBytes = 900'000, page = 16'384; // an empty one has 600,000
        RunStore store = *RunStore::open(m_path, {.mostBytes = mostBytes});
        int kept = 0;
        Result<void> done;
        RunNumber number = 0;
        {
            RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "full", "1f1b"));
            number = writer.number();
            for (; kept < 1000; ++kept) {
                done = writer.append(batch);
                if (!done)
                    break;
            }
        }
        QVERIFY(!done);
        QCOMPARE(done.error().code, ErrorCode::Io);
        QCOMPARE(QString::fromStdString(done.error().message),
                 QString::fromStdString(m_path) +
                     " cannot be written: database or disk is full; make room on its disk, or name "
                     "another file");
        QVERIFY(kept > 1 && kept < 1000);
        QVERIFY(QFile(QString::fromStdString(m_path)).size() <= mostBytes + page);
        QCOMPARE(store.passes({number})->passes.size(),
                 static_cast<std::size_t>(kept) * batch.passes.size());
        QCOMPARE(store.run(number)->run.status, RunStatus::Incomplete);
    }

    void aLockedStoreSaysSo()
    {
        RunStore store = *RunStore::open(m_path, {.patience = 10});
        RunWriter writer = *store.begin(NewRun{});
        const auto other = *Database::open(m_path, Database::Mode::Write);
        RunBatch batch;
        batch.losses.push_back({0, 1});
        {
            const Result<Transaction> held = Transaction::begin(*other);
            QVERIFY(held);
            const Result<void> refused = writer.append(batch);
            QVERIFY(!refused);
            QVERIFY2(refused.error().message.english().find("another program holds the file") !=
                         std::string::npos,
                     refused.error().message.c_str());
            QVERIFY(!store.begin(NewRun{}));
            QVERIFY(store.run(1));
        }
        // Nothing of it was kept, and the same goes once more.
        QVERIFY(store.losses(1)->empty());
        QVERIFY(writer.append(batch));
        QCOMPARE(store.losses(1)->size(), std::size_t{1});
    }

    void aFileOfSomebodyElseIsLeftAlone_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("text") << QByteArray(2000, 'x') << QByteArray("file is not a database");
        QTest::newRow("SQLite of another program")
            << QByteArray() << QByteArray("belongs to another program");
    }
    void aFileOfSomebodyElseIsLeftAlone()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, reason);
        const QString path = m_folder.filePath(QString("foreign%1").arg(m_count));
        if (content.isEmpty()) {
            const auto foreign = *Database::open(path.toStdString(), Database::Mode::Create);
            QVERIFY(foreign->run("CREATE TABLE run (a); INSERT INTO run VALUES (1)", "x"));
        } else {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        for (const Result<RunStore>& opened :
             {RunStore::open(path.toStdString()), RunStore::openToRead(path.toStdString())}) {
            QVERIFY(!opened);
            QCOMPARE(opened.error().code, ErrorCode::Io);
            const QByteArray message = QByteArray::fromStdString(opened.error().message);
            QVERIFY2(message.startsWith(path.toUtf8()) && message.contains(reason) &&
                         message.contains("name another file"),
                     message.constData());
        }
        file.seek(0);
        QCOMPARE(file.readAll(), before);
    }

    void aStoreOfALaterProgramIsRefused()
    {
        {
            RunStore store = opened();
            QVERIFY(store.begin(NewRun{})->finish(RunStatus::Finished, {}));
            const auto database = *Database::open(m_path, Database::Mode::Write);
            QVERIFY(database->run(
                ("PRAGMA user_version = " + std::to_string(storeVersion + 1)).c_str(), "x"));
        }
        for (const Result<RunStore>& opened :
             {RunStore::open(m_path), RunStore::openToRead(m_path)}) {
            QVERIFY(!opened);
            QCOMPARE(opened.error().code, ErrorCode::Version);
            QCOMPARE(QString::fromStdString(opened.error().message),
                     QString::fromStdString(m_path) +
                         QString(" is a store of version %1, and this program knows versions up to "
                                 "%2; open it with a later Pipewright, or name another file")
                             .arg(storeVersion + 1)
                             .arg(storeVersion));
        }
    }

    void anOlderStoreIsBroughtUpToDate_data()
    {
        QTest::addColumn<int>("version");
        QTest::addColumn<bool>("toRead");
        for (int version = 1; version < storeVersion; ++version) {
            QTest::addRow("version %d to write", version) << version << false;
            QTest::addRow("version %d to read", version) << version << true;
        }
    }
    void anOlderStoreIsBroughtUpToDate()
    {
        QFETCH(int, version);
        QFETCH(bool, toRead);
        const std::string path = m_folder.filePath(QString("old%1").arg(m_count)).toStdString();
        {
            const auto database = *Database::open(path, Database::Mode::Create);
            QVERIFY(migrate(*database, version));
            QVERIFY(database->run(
                "INSERT INTO run (title, family, project, settings, writer, started_ms, "
                "touched_ms, ended_ms, status, ranks, iterations, makespan, last_loss) VALUES "
                "('old', '1f1b', 'p', '{}', '', 5, 6, 7, 'finished', 2, 3, 400, 1.5);"
                "INSERT INTO pass (run, rank, start, seq, duration, iteration, entry, kind, stage, "
                "micro_batch, segment, route) VALUES (1, 0, 10, 0, 5, 2, 3, 3, 1, 4, 0, 1);"
                "INSERT INTO lane VALUES (1, 0, 1, 5, 0);"
                "INSERT INTO span (run, iteration, rank, first, last, passes) "
                "VALUES (1, 2, 0, 10, 15, 1);"
                "INSERT INTO loss VALUES (1, 0, 2.5)",
                "x"));
        }
        RunStore store = toRead ? *RunStore::openToRead(path) : *RunStore::open(path);
        const StoredRun run = store.runs()->at(0);
        QCOMPARE(run.title, std::string("old"));
        QCOMPARE(run.notes, std::string());
        QCOMPARE(run.origin, std::string("executed"));
        QCOMPARE(run.status, RunStatus::Finished);
        QCOMPARE(run.figures.makespan, 400);
        QCOMPARE(run.figures.lastLoss, 1.5);
        const StoredPasses passes = *store.passes({1});
        QVERIFY(passes.passes ==
                (std::vector<RecordedPass>{
                    {2, RankId(0), EntryId(3), Pass{PassKind::BW, 1, StageId(1), 4, 0}, 10, 15}}));
        QCOMPARE(passes.trust, std::vector<std::uint8_t>{0});
        QCOMPARE(store.losses(1)->at(0).loss, 2.5);
        QVERIFY(store.traceFigures(1)->empty());
        const auto database = *Database::open(path, Database::Mode::Read);
        QCOMPARE(*schemaVersion(*database), storeVersion);
    }

    void theTimelineOfOtherProgramsHasOurLabels()
    {
        RunStore store = opened();
        RunWriter writer = *store.begin(NewRun{});
        RunBatch batch;
        for (const PassKind kind : allPassKinds)
            batch.passes.push_back({0, RankId(0), EntryId(0), Pass{kind, 0, StageId(3), 7, 0},
                                    static_cast<Ticks>(kind) * ticksPerMs, 9 * ticksPerMs});
        QVERIFY(writer.append(batch));
        const auto database = *Database::open(m_path, Database::Mode::Read);
        Statement rows =
            *database->prepare("SELECT label, kind, start_ms, end_ms FROM timeline ORDER BY 3");
        std::size_t at = 0;
        QVERIFY(rows.each([&](const Statement& row) {
            const Pass& pass = batch.passes[at].pass;
            QCOMPARE(row.text(0), passLabel(pass));
            QCOMPARE(row.text(1), std::string(name(pass.kind)));
            QCOMPARE(row.number(2), static_cast<double>(at++));
            QCOMPARE(row.number(3), 9.0);
        }));
        QCOMPARE(at, batch.passes.size());
    }

    void aPlaceThatCannotBeWrittenIsRefusedAndCanBeRead()
    {
        {
            RunStore store = opened();
            QVERIFY(store.begin(NewRun{})->finish(RunStatus::Finished, {}));
        }
        const QByteArray folder =
            QByteArray::fromStdString(m_path.substr(0, m_path.find_last_of('/')));
        // Where the tests run as root nobody else may write either.
        const bool root = ::geteuid() == 0;
        QCOMPARE(::chmod(m_folder.path().toUtf8().constData(), 0755), 0);
        QCOMPARE(::chmod(folder.constData(), 0555), 0);
        QCOMPARE(::chmod(m_path.c_str(), 0444), 0);
        constexpr uid_t nobody = 65534;
        if (root)
            QCOMPARE(::seteuid(nobody), 0);
        const Result<RunStore> toWrite = RunStore::open(m_path);
        const Result<RunStore> elsewhere =
            RunStore::open(folder.toStdString() + "/deeper/other.sqlite");
        Result<RunStore> toRead = RunStore::openToRead(m_path);
        const bool read = toRead && toRead->run(1);
        if (root)
            QCOMPARE(::seteuid(0), 0);
        QCOMPARE(::chmod(folder.constData(), 0755), 0);
        QVERIFY(!toWrite);
        QVERIFY2(toWrite.error().message.english().find(
                     "name a file in a place that you may write to") != std::string::npos,
                 toWrite.error().message.c_str());
        QVERIFY(!elsewhere);
        QVERIFY2(elsewhere.error().message.english().find("see that its folder is there") !=
                     std::string::npos,
                 elsewhere.error().message.c_str());
        QVERIFY2(read, toRead ? "" : toRead.error().message.c_str());
    }

    void aFolderOrADeviceIsNoStore_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("message");
        QTest::newRow("a folder") << QDir::tempPath() << QDir::tempPath() + " is a folder;";
        QTest::newRow("a device") << "/dev/null"
                                  << "/dev/null is a device and no file";
    }

    /// To read, to write and to repair; SQLite lays no file beside it.
    void aFolderOrADeviceIsNoStore()
    {
        QFETCH(QString, path);
        QFETCH(QString, message);
        const std::string name = path.toStdString();
        const auto said = [](const Error& error) {
            return QString::fromStdString(error.message.english());
        };
        QVERIFY(said(RunStore::open(name).error()).startsWith(message));
        QVERIFY(said(RunStore::openToRead(name).error()).startsWith(message));
        QVERIFY(said(repairStore(name).error()).startsWith(message));
        QVERIFY(!QFileInfo::exists(path + "-journal") && !QFileInfo::exists(path + "-wal"));
    }

    void aStoreThatIsNotThereIsNotRead()
    {
        const Result<RunStore> none = RunStore::openToRead(m_path);
        QVERIFY(!none);
        QCOMPARE(none.error().message, m_path + " is not there: no run has been kept in it");
        QVERIFY(!QFile::exists(QString::fromStdString(m_path)));
        RunStore empty = opened();
        QCOMPARE(empty.lastRun().error().message, m_path + " has no run");
    }

    void writersAreToldApart()
    {
        QVERIFY(writerLives(thisWriter(), 0));
        // The same number at another time is another process.
        const std::string self = thisWriter();
        const std::string number = self.substr(0, self.find(' '));
        const std::string place = self.substr(self.find(' ', number.size() + 1));
        QVERIFY(!writerLives(number + " 1" + place, 0));
        QVERIFY(!writerLives("", 1'000'000));
        QVERIFY(!writerLives("x y z", 1'000'000));
        // Of another machine the time since its last sign decides.
        QVERIFY(writerLives(number + " 1 other-boot pid:[1] other-host", 1000));
        QVERIFY(!writerLives(number + " 1 other-boot pid:[1] other-host", 1'000'000));
    }

private:
    RunStore opened()
    {
        Result<RunStore> store = RunStore::open(m_path);
        if (!store)
            qFatal("%s", store.error().message.c_str());
        return std::move(*store);
    }

    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

PW_TEST(TestRunStore)
#include "tst_run_store.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "core/sqlite/sqlite.h"
#include "executor/api/plan_settings.h"
#include "executor/api/store_sink.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::exec;

namespace {

RunPlan planOf(const char* family)
{
    UniformCosts costs;
    costs.activation = 1 << 20;
    const test::FamilyRun run = test::runFamily(test::familyOf(family), test::sized(4, 8), costs);
    const int stages = run.schedule.spec().stages();
    RunPlan plan =
        *makePlan(run.schedule, run.costs, GptModel{.layers = stages}, *evenSplit(stages, stages));
    plan.title = "kept";
    plan.family = family;
    return plan;
}

void play(const RunBatch& batch, RunSink& sink)
{
    sink.passes(batch.passes);
    sink.messages(batch.messages);
    sink.memory(batch.memory);
    for (const StepLoss& loss : batch.losses)
        sink.loss(loss);
    for (const RunLog& log : batch.logs)
        sink.log(log);
}

} // namespace

class TestStoreSink : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_path = m_folder.filePath(QString("s%1/runs.sqlite").arg(++m_count)).toStdString();
    }

    void aRunIsKeptAsItWas()
    {
        const RunPlan plan = planOf("zb-v");
        const RunBatch batch = test::recordedRun(plan.schedule, plan.costs, 1, 3);
        const RunFigures figures = test::figuresOf(plan.schedule, plan.costs, batch);
        const RunEnvironment environment{"h", "cpu", "in-process", "d", "b", {{"core 0", 5}}};
        RunNumber number = 0;
        {
            const auto sink = *StoreSink::open(m_path, plan);
            number = sink->number();
            sink->started(plan, environment);
            play(batch, *sink);
            sink->fault({RankId(1), RankId(2), "PP:1F0", "text"});
            sink->finished(RunStatus::Failed, figures);
            QVERIFY(sink->state());
        }
        RunStore store = *RunStore::openToRead(m_path);
        const RunDetails details = *store.run(number);
        QCOMPARE(details.run.title, plan.title);
        QCOMPARE(details.run.family, plan.family);
        QCOMPARE(details.settings, planSettings(plan));
        QVERIFY(details.run.environment == environment);
        QVERIFY(details.run.figures == figures);
        QCOMPARE(details.run.status, RunStatus::Failed);
        QCOMPARE(details.faults.size(), std::size_t{1});
        const Result<Project> project = readProject(details.project);
        QVERIFY(*scheduleOf(*project) == plan.schedule);
        QCOMPARE(store.passes({number})->passes.size(), batch.passes.size());
        QCOMPARE(store.messages({number})->size(), batch.messages.size());
        QCOMPARE(store.memory({number})->size(), batch.memory.size());
        QCOMPARE(store.losses(number)->size(), batch.losses.size());
        QCOMPARE(store.logs(number)->size(), batch.logs.size());
    }

    void whatHasComeIsKeptBeforeTheEnd()
    {
        const RunPlan plan = planOf("1f1b");
        const RunBatch batch = test::recordedRun(plan.schedule, plan.costs, 0, 1);
        const auto sink = *StoreSink::open(m_path, plan);
        sink->started(plan, {});
        play(batch, *sink);
        RunStore store = *RunStore::openToRead(m_path);
        QTRY_COMPARE(store.passes({sink->number()})->passes.size(), batch.passes.size());
        QCOMPARE(store.run(sink->number())->run.status, RunStatus::Running);
    }

    void aSinkThatGoesWithoutAnEndLeavesAnIncompleteRun()
    {
        const RunPlan plan = planOf("1f1b");
        const RunBatch batch = test::recordedRun(plan.schedule, plan.costs, 0, 1);
        {
            const auto sink = *StoreSink::open(m_path, plan);
            play(batch, *sink);
        }
        RunStore store = *RunStore::openToRead(m_path);
        QCOMPARE(store.run(1)->run.status, RunStatus::Incomplete);
        QCOMPARE(store.passes({1})->passes.size(), batch.passes.size());
    }

    void aStoreThatCannotBeWrittenIsKnownAtOnce()
    {
        QFile foreign(m_folder.filePath("file"));
        QVERIFY(foreign.open(QIODevice::WriteOnly));
        foreign.write("not a store of anything, and long enough to be looked at: 0123456789");
        foreign.close();
        for (const char* file : {"file", "file/runs.sqlite"}) {
            const auto sink =
                StoreSink::open(m_folder.filePath(file).toStdString(), planOf("1f1b"));
            QVERIFY(!sink);
            QCOMPARE(sink.error().code, ErrorCode::Io);
        }
    }

    void aStoreThatFailsMeanwhileDoesNotEndTheRun()
    {
        const RunPlan plan = planOf("1f1b");
        const RunBatch batch = test::recordedRun(plan.schedule, plan.costs, 0, 1);
        std::vector<std::string> told;
        const auto sink =
            *StoreSink::open(m_path, plan, [&](const std::string& text) { told.push_back(text); });
        sink->started(plan, {});
        play(batch, *sink);
        {
            RunStore store = *RunStore::openToRead(m_path);
            QTRY_COMPARE(store.passes({1})->passes.size(), batch.passes.size());
        }
        QVERIFY(told.empty());
        // A table that is gone fails as a full disk does: from some batch on.
        {
            const auto other = *Database::open(m_path, Database::Mode::Write);
            QVERIFY(other->run("ALTER TABLE memory RENAME TO elsewhere", "x"));
        }
        for (int i = 0; i < 3; ++i)
            play(batch, *sink);
        QTRY_VERIFY(!sink->state());
        play(batch, *sink);
        QCOMPARE(told.size(), std::size_t{1});
        QVERIFY2(told[0].rfind("the run goes on, but what happens from now on is not kept: ", 0) ==
                     0,
                 told[0].c_str());
        {
            const auto other = *Database::open(m_path, Database::Mode::Write);
            QVERIFY(other->run("ALTER TABLE elsewhere RENAME TO memory", "x"));
        }
        sink->finished(RunStatus::Finished, {});
        QCOMPARE(told.size(), std::size_t{1});
        RunStore store = *RunStore::openToRead(m_path);
        QCOMPARE(store.run(1)->run.status, RunStatus::Incomplete);
        // The first batch is whole, and nothing of the others is there.
        QCOMPARE(store.passes({1})->passes.size(), batch.passes.size());
        QCOMPARE(store.memory({1})->size(), batch.memory.size());
        const std::vector<RunLog> logs = *store.logs(1);
        QCOMPARE(logs.size(), batch.logs.size() + 1);
        const std::size_t lost =
            4 * (batch.passes.size() + batch.messages.size() + batch.memory.size() +
                 batch.losses.size() + batch.logs.size());
        QVERIFY2(logs.back().text.rfind(std::to_string(lost) + " records are missing at the end: ",
                                        0) == 0,
                 logs.back().text.c_str());
    }

private:
    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

PW_TEST(TestStoreSink)
#include "tst_store_sink.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What is kept of a run that is told by a program which need not tell the truth.

#include "app/wire_keeper.h"
#include "core/store/run_store.h"
#include "executor/api/wire_claims.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::app;

namespace {

exec::WireStarted begun(int ranks)
{
    exec::WireStarted started;
    started.title = std::string(100'000, 'x');
    started.ranks = ranks;
    started.environment.host = std::string(100'000, 'h');
    started.environment.devices.assign(50, {std::string(100'000, 'd'), 0});
    started.settings = "{\"family\":\"" + std::string(10'000, 'f') + "\"}";
    return started;
}

} // namespace

class TestWireKeeper : public QObject
{
    Q_OBJECT

private slots:
    void namesAndRanksAreWithinTheirLimits()
    {
        const Kept kept = keep([](WireKeeper& keeper) {
            keeper.started(begun(2));
            RecordedPass pass;
            pass.end = 5;
            RecordedPass other = pass;
            other.rank = RankId(2);
            keeper.passes(std::vector{pass, other});
            keeper.finished(RunStatus::Running, {});
            RunFigures figures;
            figures.makespan = -1;
            keeper.finished(RunStatus::Finished, figures);
            keeper.finished(RunStatus::Failed, {});
        });
        QVERIFY(kept.number > 0);
        QCOMPARE(kept.status, RunStatus::Finished);
        QCOMPARE(kept.figures.makespan, Ticks{0});
        Result<RunStore> store = RunStore::open(kept.path);
        QVERIFY(store);
        const Result<RunDetails> run = store->run(kept.number);
        QVERIFY(run);
        constexpr std::size_t mostBytes = 510;
        QVERIFY(run->run.title.size() < mostBytes);
        QVERIFY(run->run.family.size() < mostBytes);
        QCOMPARE(store->passes(RecordQuery{kept.number})->passes.size(), std::size_t{1});
    }

    void moreRanksThanARunHasAreNotKept()
    {
        const Kept kept =
            keep([](WireKeeper& keeper) { keeper.started(begun(exec::mostWireRanks + 1)); });
        QCOMPARE(kept.number, RunNumber{0});
        QVERIFY2(kept.trouble.find("65537 ranks") != std::string::npos, kept.trouble.c_str());
    }

private:
    struct Kept
    {
        std::string path;
        RunNumber number = 0;
        std::optional<RunStatus> status;
        RunFigures figures;
        std::string trouble;
    };

    template<typename Tell>
    Kept keep(const Tell& tell)
    {
        Kept kept;
        kept.path = m_folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
        WireKeeper keeper(kept.path, [&](const std::string& what) { kept.trouble += what; });
        tell(keeper);
        kept.number = keeper.number();
        kept.status = keeper.status();
        kept.figures = keeper.figures();
        keeper.close("over");
        return kept;
    }

    QTemporaryDir m_folder;
};

PW_TEST(TestWireKeeper)
#include "tst_wire_keeper.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "core/store/run_store.h"
#include "core/store/slice_store.h"
#include "tests/support/kineto_job.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_program.h"
#include "ui/run/connection_test.h"
#include "ui/run/executor_client.h"
#include "ui/window/fetched_rank.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace pw;
using namespace pw::ui;
using test::SshServer;

namespace {

constexpr int patience = 60'000;

std::string projectText()
{
    Project project;
    project.title = "over ssh";
    project.family = FamilyChoice{"1f1b", {}};
    project.family->options.devices = 2;
    project.family->options.microBatches = 4;
    project.draft.spec = specOf(**findFamily("1f1b"), project.family->options).value();
    project.costs = UniformCosts{};
    return *writeProject(project);
}

} // namespace

/// Connections and runs over a real OpenSSH server of this machine, with keys made for the test.
class TestSsh : public QObject
{
    Q_OBJECT

private:
    ConnectionReport asked(const QString& command)
    {
        ConnectionTest test;
        ConnectionReport report;
        bool ended = false;
        connect(&test, &ConnectionTest::ended, this, [&](const ConnectionReport& said) {
            report = said;
            ended = true;
        });
        test.start({QStringLiteral("loopback"), command}, patience);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(ended, patience); }();
        return report;
    }

    RunRequest request(int iterations)
    {
        RunRequest request;
        request.words = commandWords(m_server->command(PW_PROGRAM)).value();
        request.arguments = QStringLiteral("run - --attended --wire --no-store --backend emulated "
                                           "--warmup 0 --iterations %1")
                                .arg(iterations)
                                .split(' ');
        request.input = attendedInput(projectText());
        request.storePath = m_folder.path("runs.sqlite");
        return request;
    }

    PrivateFolder m_folder;
    std::unique_ptr<SshServer> m_server;

private slots:
    void init()
    {
        if (!SshServer::installed())
            QSKIP("openssh-server and openssh-client are not installed");
        m_server = std::make_unique<SshServer>();
        QVERIFY2(m_server->problem().isEmpty(), qPrintable(m_server->problem()));
    }
    void cleanup() { m_server.reset(); }

    void aConnectionShowsWhatIsThere()
    {
        const ConnectionReport report = asked(m_server->command(PW_PROGRAM));
        QVERIFY2(report.good(), qPrintable(report.text() + report.output));
        QVERIFY(report.findings.backend("cpu")->available);
        QVERIFY(report.findings.backend("emulated")->available);
    }

    void aStoppedServerIsSaidToBeStopped()
    {
        m_server->stop();
        const ConnectionReport report = asked(m_server->command(PW_PROGRAM));
        QCOMPARE(report.trouble.kind, TroubleKind::Refused);
        QVERIFY2(report.trouble.what.contains("127.0.0.1"), qPrintable(report.trouble.what));
    }

    void aRefusedKeyIsSaidToBeRefused()
    {
        const ConnectionReport report =
            asked(m_server->command(PW_PROGRAM, SshServer::Key::Refused));
        QCOMPARE(report.trouble.kind, TroubleKind::Key);
        QVERIFY2(report.trouble.advice.contains("ssh-copy-id"), qPrintable(report.text()));
    }

    void anUnknownServerIsNotTrusted()
    {
        const ConnectionReport report =
            asked(m_server->command(PW_PROGRAM, SshServer::Key::Known, SshServer::Host::Unknown));
        QCOMPARE(report.trouble.kind, TroubleKind::HostKey);
    }

    void aHostWithoutTheProgramIsSaidToLackIt()
    {
        const ConnectionReport report = asked(m_server->command("/nowhere/pipewright"));
        QCOMPARE(report.trouble.kind, TroubleKind::NoProgram);
    }

    void aRunComesOverAndIsKept()
    {
        ExecutorClient client;
        client.start(request(3));
        QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), patience);
        QVERIFY2(client.state() == RunState::Finished, qPrintable(client.trouble().what));
        auto store = RunStore::openToRead(m_folder.path("runs.sqlite").toStdString());
        QVERIFY(store);
        const StoredRun kept = store->run(client.stored())->run;
        QCOMPARE(kept.status, RunStatus::Finished);
        QCOMPARE(kept.title, std::string("over ssh"));
        QCOMPARE(kept.passes, std::int64_t{(2 * 4 + 1) * 2 * 3});
    }

    void aLinkThatDiesLosesNothingThatHadCome()
    {
        ExecutorClient client;
        client.start(request(100'000));
        QTRY_VERIFY_WITH_TIMEOUT(client.passes() > 100, patience);
        m_server->breakConnections();
        QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), patience);
        QCOMPARE(client.state(), RunState::Lost);
        QCOMPARE(client.trouble().kind, TroubleKind::Link);
        auto store = RunStore::openToRead(m_folder.path("runs.sqlite").toStdString());
        QVERIFY(store);
        const StoredRun kept = store->run(client.stored())->run;
        QCOMPARE(kept.status, RunStatus::Incomplete);
        QVERIFY(kept.passes > 100);
    }

    void aRunIsStoppedAtTheOtherEndToo()
    {
        ExecutorClient client;
        client.start(request(100'000));
        QTRY_VERIFY_WITH_TIMEOUT(client.passes() > 100, patience);
        client.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), patience);
        QCOMPARE(client.state(), RunState::Stopped);
        auto store = RunStore::openToRead(m_folder.path("runs.sqlite").toStdString());
        QVERIFY(store);
        // The executor itself has said so: it was not cut off.
        QCOMPARE(store->run(client.stored())->run.status, RunStatus::Stopped);
    }

    /// Slices of a rank come from the machine that has its trace; what keeps them away is said.
    void slicesOfARankAreFetched()
    {
        const QTemporaryDir traces;
        test::MadeJob job;
        job.stages = job.replicas = 2;
        job.microBatches = 4;
        job.steps = 3;
        const std::vector<std::string> files =
            test::writeKinetoJob(traces.path().toStdString(), job, 2).paths;
        const auto run = [&](const QStringList& words) {
            QProcess program;
            program.start(PW_PROGRAM, words);
            program.waitForFinished(patience);
            return QByteArray::number(program.exitCode()) + ' ' + program.readAllStandardOutput() +
                   program.readAllStandardError().simplified();
        };
        const QString store = m_folder.path("job.sqlite"), digests = m_folder.path("digests");
        QVERIFY(run({"reduce", traces.path(), "--output", digests}).startsWith('0'));
        QVERIFY(run({"merge", digests, "--store", store}).startsWith('0'));
        const auto shown = [&] {
            return run({"show", "last", "--store", store, "--rank", "1", "--iteration", "1",
                        "--via", m_server->command(PW_PROGRAM)});
        };
        const QByteArray lanes = shown();
        QVERIFY2(lanes.startsWith('0') && lanes.contains("rank 1, iteration 1"), lanes.constData());

        // The studio asks the same; the file is not where the store says it was on this machine.
        KeptRankFile file = rankFiles(store.toStdString(), 1, 1).value().front();
        FetchedRank fetch;
        QSignalSpy fetched(&fetch, &FetchedRank::fetched), failed(&fetch, &FetchedRank::failed);
        file.path = "/proc/self/root" + file.path; // the same there, and no path of the digest
        fetch.start(file, 1, QString());
        QTRY_COMPARE_WITH_TIMEOUT(fetched.size(), 1, patience);
        const auto activity = fetched.front().front().value<ShownActivityPtr>();
        QVERIFY(activity != nullptr && !activity->trace.spans.empty());

        QFile::remove(QString::fromStdString(files[1]));
        fetch.start(file, 1, m_server->command(PW_PROGRAM));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
        QVERIFY2(failed.back().front().toString().contains("moved or deleted"),
                 qPrintable(failed.back().front().toString()));
        fetch.start(file, 1, QString());
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, patience);
        QVERIFY(failed.back().front().toString().contains("is not on this computer"));
        m_server->stop();
        fetch.start(file, 1, m_server->command(PW_PROGRAM));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 3, patience);
        QVERIFY2(failed.back().front().toString().contains("127.0.0.1"),
                 qPrintable(failed.back().front().toString()));
        const QByteArray away = shown();
        QVERIFY2(away.contains("cannot be reached"), away.constData());
    }
};

PW_TEST(TestSsh)
#include "tst_ssh.moc"

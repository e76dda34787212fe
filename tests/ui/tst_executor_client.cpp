// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "core/store/run_store.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/run/executor_client.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr const char* helloLine = "{\\\"t\\\":\\\"hello\\\",\\\"protocol\\\":1,"
                                  "\\\"program\\\":\\\"0.1.0\\\",\\\"backend\\\":\\\"cpu\\\","
                                  "\\\"devices\\\":[]}";

QString saying(const char* line)
{
    return QStringLiteral("echo \"%1\"\n").arg(QLatin1String(line));
}

std::string projectText()
{
    Project project;
    project.title = "a test";
    project.family = FamilyChoice{"1f1b", {}};
    project.family->options.devices = 2;
    project.family->options.microBatches = 4;
    project.draft.spec = specOf(**findFamily("1f1b"), project.family->options).value();
    project.costs = UniformCosts{};
    return *writeProject(project);
}

} // namespace

class TestExecutorClient : public QObject
{
    Q_OBJECT

private:
    RunRequest request(const QString& program, int iterations = 3, const QString& more = {});
    /// Runs to the end and keeps the log.
    void run(ExecutorClient& client, const RunRequest& request);
    StoredRun last();

    PrivateFolder m_folder;
    std::vector<RunLine> m_log;

private slots:
    void init() { m_log.clear(); }

    void aRunArrivesAndIsKept();
    void textBetweenTheLinesIsCounted();
    void somethingElseIsNoExecutor_data();
    void somethingElseIsNoExecutor();
    void aFloodIsCountedAndCanBeStopped();
    void aLongCurveOfLossesIsThinned();
    void aSilentExecutorIsSaidToBeSilent();
    void anExecutorThatDoesNotListenIsEnded();
    void aRunIsStoppedOnRequest();
    void aRunWithoutItsWindowIsStopped();
    void aCrashIsToldWithItsSignalAndItsWords();
    void aRunThatIsCutOffIsKeptAndMarked();
    void aStopWhileItMeasuresIsNoFailure();
    void anOlderExecutorThatIsStoppedWhileItMeasuresHasNotFailed();
    void anotherProtocolIsRefusedWithAdvice();
    void aFaultIsToldAsTheExecutorSaysIt();
    void aProgramThatIsNowhereIsNotFound();
    void aStoreThatCannotBeWrittenDoesNotEndTheRun();
    void oneClientRunsOneAfterTheOther();
};

RunRequest TestExecutorClient::request(const QString& program, int iterations, const QString& more)
{
    RunRequest request;
    request.words = QStringList{program};
    request.arguments = QStringLiteral("run - --attended --wire --no-store --backend emulated "
                                       "--iterations %1 %2")
                            .arg(iterations)
                            .arg(more)
                            .split(' ', Qt::SkipEmptyParts);
    request.input = attendedInput(projectText());
    request.storePath = m_folder.path("runs.sqlite");
    return request;
}

void TestExecutorClient::run(ExecutorClient& client, const RunRequest& request)
{
    connect(&client, &ExecutorClient::logged, this, [this](const std::vector<RunLine>& lines) {
        m_log.insert(m_log.end(), lines.begin(), lines.end());
    });
    client.start(request);
    QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), 60'000);
}

StoredRun TestExecutorClient::last()
{
    auto store = RunStore::openToRead(m_folder.path("runs.sqlite").toStdString());
    return store->run(*store->lastRun())->run;
}

void TestExecutorClient::aRunArrivesAndIsKept()
{
    ExecutorClient client;
    QSignalSpy ended(&client, &ExecutorClient::ended);
    run(client, request(PW_PROGRAM));
    QCOMPARE(client.state(), RunState::Finished);
    QCOMPARE(ended.size(), 1);
    QCOMPARE(client.outline()->backend, "emulated");
    QCOMPARE(client.outline()->title, "a test");
    QCOMPARE(client.outline()->ranks, 2);
    QCOMPARE(client.iteration(), 2);
    // F and BW of four micro-batches and an update on two devices, with the warm-up.
    QCOMPARE(client.passes(), std::int64_t{(2 * 4 + 1) * 2 * (1 + 3)});
    QCOMPARE(client.brokenLines(), 0);
    QCOMPARE(client.figures()->iterations, 3);
    QVERIFY(client.lanes().complete);
    QCOMPARE(client.lanes().lanes->spanCount(), std::size_t{2 * 2 * 4});
    QCOMPARE(client.lanes().lanes->begin(), Ticks{0});
    const StoredRun kept = last();
    QCOMPARE(kept.number, client.stored());
    QCOMPARE(kept.status, RunStatus::Finished);
    QCOMPARE(kept.title, std::string("a test"));
    QCOMPARE(kept.family, std::string("1f1b"));
    QCOMPARE(kept.passes, client.passes());
    QCOMPARE(kept.figures, *client.figures());
}

void TestExecutorClient::textBetweenTheLinesIsCounted()
{
    ExecutorClient client;
    run(client, request(m_folder.script(
                    "greeting", QStringLiteral("echo welcome\nexec '%1' \"$@\"").arg(PW_PROGRAM))));
    QCOMPARE(client.state(), RunState::Finished);
    QCOMPARE(client.brokenLines(), 1);
    QVERIFY(std::any_of(m_log.begin(), m_log.end(), [](const RunLine& line) {
        return line.kind == RunLine::Kind::Output && line.text.contains("line 1");
    }));
}

void TestExecutorClient::somethingElseIsNoExecutor_data()
{
    QTest::addColumn<QString>("lines");
    QTest::newRow("garbage without end") << "exec yes nonsense";
    QTest::newRow("a word and an end") << "echo nonsense";
    QTest::newRow("no word at all") << "exit 0";
}

void TestExecutorClient::somethingElseIsNoExecutor()
{
    QFETCH(QString, lines);
    ExecutorClient client;
    run(client, request(m_folder.script("other", lines)));
    QCOMPARE(client.state(), RunState::Failed);
    QCOMPARE(client.trouble().kind, TroubleKind::Garbage);
    QCOMPARE(client.stored(), 0);
}

void TestExecutorClient::aFloodIsCountedAndCanBeStopped()
{
    ExecutorClient client({.news = 20, .grace = 50, .quiet = 60'000});
    std::size_t shown = 0;
    std::size_t most = 0;
    connect(&client, &ExecutorClient::logged, this, [&](const std::vector<RunLine>& lines) {
        shown += lines.size();
        most = std::max(most, lines.size());
    });
    client.start(request(m_folder.script("flood", saying(helloLine) + "exec yes nonsense")));
    QTRY_VERIFY_WITH_TIMEOUT(client.brokenLines() > 200'000, 60'000);
    client.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), 60'000);
    QCOMPARE(client.state(), RunState::Stopped);
    // A person is not given more than can be read.
    QVERIFY(shown < 200);
    QVERIFY(most <= 200);
}

void TestExecutorClient::aLongCurveOfLossesIsThinned()
{
    ExecutorClient client;
    // In parts, with a moment for each to be taken.
    constexpr int parts = 5, ofPart = 9'001;
    QString script = saying(helloLine);
    for (int part = 0; part < parts; ++part)
        script +=
            QStringLiteral("seq %1 %2 | sed 's/.*/{\"t\":\"loss\",\"step\":&,\"loss\":1.5}/'\n"
                           "sleep 0.5\n")
                .arg(part * ofPart)
                .arg((part + 1) * ofPart - 1);
    std::size_t most = 0;
    connect(&client, &ExecutorClient::lossesChanged, this,
            [&] { most = std::max(most, client.losses().size()); });
    client.start(request(m_folder.script("losses", script + "exec sleep 100")));
    QTRY_VERIFY_WITH_TIMEOUT(
        !client.losses().empty() && client.losses().back().step == parts * ofPart - 1, 60'000);
    QVERIFY2(most > ExecutorClient::mostLosses / 2 && most <= ExecutorClient::mostLosses,
             qPrintable(QString::number(most)));
    for (std::size_t i = 1; i < client.losses().size(); ++i)
        QVERIFY(client.losses()[i - 1].step < client.losses()[i].step);
    client.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), 60'000);
}

void TestExecutorClient::aSilentExecutorIsSaidToBeSilent()
{
    ExecutorClient client({.news = 20, .grace = 60'000, .quiet = 80});
    client.start(request(m_folder.script("silent", saying(helloLine) + "exec cat > /dev/null")));
    QTRY_VERIFY_WITH_TIMEOUT(client.silence() > 0, 60'000);
    client.waitOn();
    QCOMPARE(client.silence(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(client.silence() > 0, 60'000);
    client.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), 60'000);
    QCOMPARE(client.state(), RunState::Stopped);
    QCOMPARE(client.silence(), 0);
}

void TestExecutorClient::anExecutorThatDoesNotListenIsEnded()
{
    ExecutorClient client({.news = 20, .grace = 50, .quiet = 60'000});
    client.start(request(m_folder.script("deaf", "trap '' TERM INT\n" + saying(helloLine) +
                                                     "exec tail -f /dev/null")));
    QSignalSpy logged(&client, &ExecutorClient::logged);
    QTRY_VERIFY_WITH_TIMEOUT(!logged.isEmpty(), 60'000);
    client.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), 60'000);
    QCOMPARE(client.state(), RunState::Stopped);
}

void TestExecutorClient::aRunIsStoppedOnRequest()
{
    ExecutorClient client;
    client.start(request(PW_PROGRAM, 100'000));
    QTRY_VERIFY_WITH_TIMEOUT(client.passes() > 0, 60'000);
    client.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!underWay(client.state()), 60'000);
    QCOMPARE(client.state(), RunState::Stopped);
    // It ended by itself, with its figures.
    QVERIFY(client.figures());
    QCOMPARE(last().status, RunStatus::Stopped);
    QVERIFY(last().passes > 0);
}

void TestExecutorClient::aRunWithoutItsWindowIsStopped()
{
    {
        ExecutorClient client;
        client.start(request(PW_PROGRAM, 100'000));
        QTRY_VERIFY_WITH_TIMEOUT(client.passes() > 0, 60'000);
    }
    QCOMPARE(last().status, RunStatus::Stopped);
    QVERIFY(last().passes > 0);
}

void TestExecutorClient::aCrashIsToldWithItsSignalAndItsWords()
{
    ExecutorClient client;
    run(client,
        request(m_folder.script("crash", saying(helloLine) + "echo 'device 3 fell over' >&2\n"
                                                             "kill -SEGV $$")));
    QCOMPARE(client.state(), RunState::Failed);
    QCOMPARE(client.trouble().kind, TroubleKind::Crashed);
    QVERIFY(client.trouble().what.contains("signal 11"));
    QVERIFY(client.trouble().advice.contains("device 3 fell over"));
    QVERIFY(std::any_of(m_log.begin(), m_log.end(), [](const RunLine& line) {
        return line.text.contains("device 3 fell over");
    }));
}

void TestExecutorClient::aRunThatIsCutOffIsKeptAndMarked()
{
    ExecutorClient client;
    run(client, request(m_folder.script(
                            "cut", QStringLiteral("'%1' \"$@\" | head -c 20000").arg(PW_PROGRAM)),
                        100'000));
    QCOMPARE(client.state(), RunState::Lost);
    QVERIFY(client.stored() > 0);
    const StoredRun kept = last();
    QCOMPARE(kept.number, client.stored());
    QCOMPARE(kept.status, RunStatus::Incomplete);
    QVERIFY(kept.passes > 0);
}

void TestExecutorClient::aStopWhileItMeasuresIsNoFailure()
{
    ExecutorClient client;
    bool asked = false;
    connect(&client, &ExecutorClient::logged, &client, [&] {
        if (!std::exchange(asked, true))
            client.stop(); // at the hello
    });
    RunRequest wanted = request(PW_PROGRAM, 100'000);
    wanted.arguments = QStringLiteral("run - --attended --wire --no-store --backend cpu --size "
                                      "small --iterations 100000")
                           .split(' ');
    run(client, wanted);
    QVERIFY(asked);
    QCOMPARE(client.state(), RunState::Stopped);
    QVERIFY2(!client.trouble(), qPrintable(client.trouble().what));
    QVERIFY(std::none_of(m_log.begin(), m_log.end(),
                         [](const RunLine& line) { return line.kind == RunLine::Kind::Fault; }));
}

void TestExecutorClient::anOlderExecutorThatIsStoppedWhileItMeasuresHasNotFailed()
{
    ExecutorClient client;
    bool asked = false;
    connect(&client, &ExecutorClient::logged, &client, [&] {
        if (!std::exchange(asked, true))
            client.stop();
    });
    run(client, request(m_folder.script(
                    "older", saying(helloLine) +
                                 "tr -d x > /dev/null\n"
                                 "echo '{\"t\":\"error\",\"rank\":-1,\"peer\":-1,\"pass\":\"\","
                                 "\"text\":\"calibration: the run was stopped\"}'\n"
                                 "echo '{\"t\":\"finished\",\"status\":\"failed\",\"iterations\":0,"
                                 "\"makespan\":0,\"makespan_low\":0,\"makespan_high\":0,"
                                 "\"predicted_makespan\":0,\"span_bubble\":0,"
                                 "\"predicted_span_bubble\":0,\"peak_activation\":0,"
                                 "\"predicted_peak_activation\":0,\"first_loss\":0,"
                                 "\"last_loss\":0}'\nexit 1")));
    QCOMPARE(client.brokenLines(), 0);
    QCOMPARE(client.state(), RunState::Stopped);
}

void TestExecutorClient::anotherProtocolIsRefusedWithAdvice()
{
    ExecutorClient client;
    run(client, request(m_folder.script(
                    "later", "echo '{\"t\":\"hello\",\"protocol\":99,\"program\":\"9.9\","
                             "\"backend\":\"cpu\",\"devices\":[]}'\nexec cat > /dev/null")));
    QCOMPARE(client.state(), RunState::Failed);
    QCOMPARE(client.trouble().kind, TroubleKind::Version);
    QVERIFY(client.trouble().what.contains("99"));
    QVERIFY(client.trouble().what.contains("same version"));
}

void TestExecutorClient::aFaultIsToldAsTheExecutorSaysIt()
{
    ExecutorClient client;
    run(client, request(PW_PROGRAM, 3, "--inject throw:F1@1"));
    QCOMPARE(client.state(), RunState::Failed);
    QVERIFY2(client.trouble().what.contains("device 0") || client.trouble().what.contains("rank 0"),
             qPrintable(client.trouble().what));
    QCOMPARE(last().status, RunStatus::Failed);
}

void TestExecutorClient::aProgramThatIsNowhereIsNotFound()
{
    ExecutorClient client;
    run(client, request("/nowhere/pipewright"));
    QCOMPARE(client.state(), RunState::Failed);
    QCOMPARE(client.trouble().kind, TroubleKind::NotFound);
}

void TestExecutorClient::aStoreThatCannotBeWrittenDoesNotEndTheRun()
{
    RunRequest asked = request(PW_PROGRAM);
    asked.storePath = m_folder.script("file", "") + "/runs.sqlite";
    ExecutorClient client;
    run(client, asked);
    QCOMPARE(client.state(), RunState::Finished);
    QCOMPARE(client.stored(), 0);
    QVERIFY(std::any_of(m_log.begin(), m_log.end(), [](const RunLine& line) {
        return line.kind == RunLine::Kind::Warning && line.text.contains("not kept");
    }));
}

void TestExecutorClient::oneClientRunsOneAfterTheOther()
{
    ExecutorClient client;
    run(client, request(PW_PROGRAM, 1));
    const RunNumber first = client.stored();
    run(client, request("/nowhere/pipewright"));
    QCOMPARE(client.state(), RunState::Failed);
    QCOMPARE(client.passes(), std::int64_t{0});
    run(client, request(PW_PROGRAM, 2));
    QCOMPARE(client.state(), RunState::Finished);
    QVERIFY(!client.trouble());
    QCOMPARE(client.stored(), first + 1);
}

PW_TEST(TestExecutorClient)
#include "tst_executor_client.moc"

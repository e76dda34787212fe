// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/run/command_output.h"
#include "ui/run/connection.h"
#include "ui/run/connection_test.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <optional>

using namespace pw;
using namespace pw::ui;

class TestConnection : public QObject
{
    Q_OBJECT

private:
    ConnectionReport asked(const QString& command, int milliseconds = 60'000);

    PrivateFolder m_folder;

private slots:
    void init() { QSettings().clear(); }

    void wordsAreSplitAtBlanks_data();
    void wordsAreSplitAtBlanks();
    void sshNeverAsks();
    void connectionsAreKept();
    void whatCannotBeAConnectionIsRefused_data();
    void whatCannotBeAConnectionIsRefused();
    void everyTroubleHasItsOwnWords_data();
    void everyTroubleHasItsOwnWords();
    void thisComputerAnswers();
    void aGreetingBeforeTheAnswerIsLeftAside();
    void sshWithoutAServerIsRefused();
    void aProgramThatSaysNothingIsGivenUp();
    void anAnswerThatIsLookedAtLateIsAnAnswer();
    void aProgramThatFloodsIsNoExecutor();
    void somethingElseIsNoExecutor();
    void anotherProtocolIsToldByItsNumber();
    void aProgramThatIsNowhereIsNotFound();
};

ConnectionReport TestConnection::asked(const QString& command, int milliseconds)
{
    ConnectionTest test;
    ConnectionReport report;
    bool done = false;
    connect(&test, &ConnectionTest::ended, &test, [&](const ConnectionReport& one) {
        report = one;
        done = true;
    });
    test.start({QStringLiteral("there"), command}, milliseconds);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(done, 60'000); }();
    return report;
}

void TestConnection::wordsAreSplitAtBlanks_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("one word") << "pipewright" << QStringList{"pipewright"};
    QTest::newRow("a launcher") << " mpirun  -np 4 pipewright "
                                << QStringList{"mpirun", "-np", "4", "pipewright"};
    QTest::newRow("a path with a blank")
        << "\"/my programs/pipewright\"" << QStringList{"/my programs/pipewright"};
}

void TestConnection::wordsAreSplitAtBlanks()
{
    QFETCH(QString, command);
    QFETCH(QStringList, words);
    const auto split = commandWords(command);
    QVERIFY(split);
    QCOMPARE(*split, words);
}

void TestConnection::sshNeverAsks()
{
    const QStringList words = *commandWords("ssh -p 2222 node pipewright");
    QCOMPARE(words.front(), "ssh");
    QVERIFY(words.contains("BatchMode=yes"));
    QVERIFY(words.contains("ServerAliveInterval=5"));
    QCOMPARE(words.mid(words.size() - 4), (QStringList{"-p", "2222", "node", "pipewright"}));
    // What somebody has decided stays.
    const QStringList own = *commandWords("/usr/bin/ssh -o ConnectTimeout=99 node pipewright");
    QVERIFY(!own.contains("ConnectTimeout=10"));
    QVERIFY(own.contains("BatchMode=yes"));
}

void TestConnection::connectionsAreKept()
{
    const std::vector<Connection> others = {{"gpu-7", "ssh gpu-7 pipewright"},
                                            {"four ranks", "mpirun -np 4 pipewright"}};
    {
        Connections connections("/opt/with blank/pipewright");
        QCOMPARE(connections.all().size(), std::size_t{1});
        QCOMPARE(*commandWords(connections.current().command),
                 QStringList{"/opt/with blank/pipewright"});
        QVERIFY(connections.setOthers(others));
        connections.setCurrentIndex(2);
    }
    Connections again("pipewright");
    QCOMPARE(again.all().size(), std::size_t{3});
    QCOMPARE(again.all()[1], others[0]);
    QCOMPARE(again.current(), others[1]);
    // The one that runs go to is taken away: this computer.
    QVERIFY(again.setOthers({others[0]}));
    QCOMPARE(again.currentIndex(), 0);
    QCOMPARE(Connections("pipewright").all().size(), std::size_t{2});
}

void TestConnection::whatCannotBeAConnectionIsRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no name") << " "
                             << "pipewright"
                             << "has no name";
    QTest::newRow("a name that is taken") << "This computer"
                                          << "pipewright"
                                          << "two connections";
    QTest::newRow("no command") << "node"
                                << "  "
                                << "command line is empty";
    QTest::newRow("half a quotation") << "node"
                                      << "ssh \"node pipewright"
                                      << "no partner";
}

void TestConnection::whatCannotBeAConnectionIsRefused()
{
    QFETCH(QString, name);
    QFETCH(QString, command);
    QFETCH(QString, reason);
    Connections connections("pipewright");
    const Result<void> refused = connections.setOthers({{name, command}});
    QVERIFY(!refused);
    QVERIFY2(QString::fromStdString(refused.error().message).contains(reason),
             refused.error().message.c_str());
    QCOMPARE(connections.all().size(), std::size_t{1});
}

void TestConnection::everyTroubleHasItsOwnWords_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("errors");
    QTest::addColumn<TroubleKind>("kind");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* what, const char* command, int code, const char* errors,
                        TroubleKind kind, const char* words) {
        QTest::newRow(what) << command << code << errors << kind << words;
    };
    const char* ssh = "ssh -p 22 -l me gpu-7 pipewright";
    row("a good end", ssh, 0, "", TroubleKind::None, "");
    row("a stopped server", ssh, 255, "ssh: connect to host gpu-7 port 22: Connection refused\r\n",
        TroubleKind::Refused, "gpu-7 is there, but its ssh server does not run");
    row("a refused key", ssh, 255, "me@gpu-7: Permission denied (publickey,password).\r\n",
        TroubleKind::Key, "ssh-copy-id gpu-7");
    row("an unknown host", ssh, 255,
        "ssh: Could not resolve hostname gpu-7: Name or service not known\r\n",
        TroubleKind::UnknownHost, "no host gpu-7");
    row("an unknown host key", ssh, 255, "Host key verification failed.\r\n", TroubleKind::HostKey,
        "in a terminal");
    row("a host that is off", ssh, 255,
        "ssh: connect to host gpu-7 port 22: Connection timed out\r\n", TroubleKind::Link,
        "gpu-7 does not answer");
    row("a link that dies", ssh, 255, "Timeout, server gpu-7 not responding.\r\n",
        TroubleKind::Link, "gpu-7 does not answer");
    row("a link that breaks", ssh, 255, "Connection to gpu-7 closed by remote host.\r\n",
        TroubleKind::Link, "connection to gpu-7 broke");
    row("no program there", ssh, 127, "bash: line 1: pipewright: command not found\n",
        TroubleKind::NoProgram, "gpu-7 has no program pipewright");
    row("a crash there", ssh, 139, "", TroubleKind::Crashed, "segmentation fault");
    row("an older program", ssh, 2, "pipewright run: unknown option --attended\n",
        TroubleKind::Version, "same version");
    const char* shell = "sh -c script";
    row("code 2 of something else", shell, 2, "no licence left on node 4\n", TroubleKind::Failed,
        "exit code 2: no licence left on node 4");
    row("code 2 without a word", shell, 2, "", TroubleKind::Failed, "exit code 2 and said nothing");
    row("arguments that PyTorch's does not know", "python3 -m pipewright_torch", 2,
        "usage: pipewright_torch\nerror: unrecognized arguments: --attended\n",
        TroubleKind::Version, "same version");
    row("a trace of Python", "python3 run.py", 1,
        "Traceback (most recent call last):\n  File \"run.py\", line 1\nRuntimeError: no GPU\n",
        TroubleKind::Failed, "exit code 1: RuntimeError: no GPU");
    row("memory that runs out", shell, 1, "torch.OutOfMemoryError: CUDA out of memory\n",
        TroubleKind::Failed, "choose a smaller model");
    row("a queue whose time is over", shell, 137,
        "slurmstepd: error: *** JOB 42 CANCELLED DUE TO TIME LIMIT ***\n", TroubleKind::Crashed,
        "ended by signal 9 (kill). Its time in the queue was over");
    row("a kill for memory", "srun pipewright", 137,
        "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=42.0.\n", TroubleKind::Crashed,
        "Memory ran out there: choose a smaller model");
    row("words before the last", shell, 3, "no module cuda/12.4\nquitting\n", TroubleKind::Failed,
        "exit code 3: quitting\nBefore that: no module cuda/12.4");
    row("a library that is missing", ssh, 1, "libcuda.so.1: No such file or directory\n",
        TroubleKind::Failed, "exit code 1: libcuda.so.1");
    row("code 127 of something else", shell, 127, "the queue is closed\n", TroubleKind::Failed,
        "exit code 127: the queue is closed");
    row("code 127 in another language", "bash /opt/pipewright", 127,
        "bash: pipewright: Kommando nicht gefunden\n", TroubleKind::NoProgram, "Build it there");
    row("a code that is no signal", shell, 200, "node 3 is drained\n", TroubleKind::Failed,
        "exit code 200: node 3 is drained");
    row("a launcher's frame", "srun pipewright", 1,
        "----------\nthe job was cancelled\n----------\n", TroubleKind::Failed,
        "exit code 1: the job was cancelled");
    row("a launcher with too few slots", "mpirun -np 64 pipewright", 1,
        "There are not enough slots available in the system\n", TroubleKind::Failed,
        "not enough slots");
}

void TestConnection::everyTroubleHasItsOwnWords()
{
    QFETCH(QString, command);
    QFETCH(int, code);
    QFETCH(QString, errors);
    QFETCH(TroubleKind, kind);
    QFETCH(QString, words);
    ProcessEnd end;
    end.words = *commandWords(command);
    end.code = code;
    end.errors = errors;
    const Trouble trouble = troubleOf(end);
    QCOMPARE(trouble.kind, kind);
    const QString said = trouble.what + QLatin1Char('\n') + trouble.advice;
    QVERIFY2(said.contains(words), qPrintable(said));
    // In one line its parts do not run into each other.
    const QString line = inOneLine(trouble);
    QVERIFY(!line.contains(QLatin1Char('\n')));
    const QStringList parts = said.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (qsizetype i = 1; i < parts.size(); ++i) {
        const qsizetype at = line.indexOf(parts[i].trimmed(), parts[0].size());
        QVERIFY2(at > 1 && line[at - 1] == QLatin1Char(' ') && line[at - 2].isPunct(),
                 qPrintable(line));
    }
}

void TestConnection::thisComputerAnswers()
{
    const ConnectionReport report = asked(PW_PROGRAM);
    QVERIFY2(report.good(), qPrintable(report.text()));
    QVERIFY(report.findings.backend("emulated")->available);
    QVERIFY(report.findings.backend("cpu")->available);
    QVERIFY(!report.findings.backend("cpu")->devices.empty());
    const FoundBackend* cuda = report.findings.backend("cuda");
    QVERIFY(cuda != nullptr && (cuda->available || !cuda->missing.isEmpty()));
    QVERIFY(report.findings.backend("tpu") == nullptr);
    QVERIFY(report.text().contains("emulated"));
}

void TestConnection::aGreetingBeforeTheAnswerIsLeftAside()
{
    const QString greeting = m_folder.script(
        "greeting", QStringLiteral("echo 'Welcome [to] the cluster'; exec '%1' \"$@\"")
                        .arg(QStringLiteral(PW_PROGRAM)));
    QVERIFY(asked(greeting).good());
}

void TestConnection::sshWithoutAServerIsRefused()
{
    // What ssh itself says, without a network.
    const QString ssh = m_folder.script(
        "ssh", "echo 'ssh: connect to host gpu-7 port 22: Connection refused' >&2; exit 255");
    const ConnectionReport report = asked(ssh + " gpu-7 pipewright");
    QCOMPARE(report.trouble.kind, TroubleKind::Refused);
    QVERIFY(report.text().contains("gpu-7"));
}

void TestConnection::aProgramThatSaysNothingIsGivenUp()
{
    // It waits for the end of its input, which does not come.
    const ConnectionReport report = asked(m_folder.script("silent", "exec cat"), 100);
    QCOMPARE(report.trouble.kind, TroubleKind::TimedOut);
    // One that says something else instead of an answer is known by that.
    const ConnectionReport other = asked(
        m_folder.script("chatter", "echo 'node 7 says hello'; printf '\\001\\377'; exec cat"), 500);
    QCOMPARE(other.trouble.kind, TroubleKind::TimedOut);
    QVERIFY2(other.trouble.advice.contains("node 7 says hello"), qPrintable(other.trouble.advice));
    QVERIFY(other.output.contains("node 7 says hello"));
    QVERIFY(!other.output.contains(QChar(1)));
}

void TestConnection::anAnswerThatIsLookedAtLateIsAnAnswer()
{
    CommandOutput command;
    std::optional<ProcessEnd> end;
    QByteArray said;
    connect(&command, &CommandOutput::ended, this,
            [&](const ProcessEnd& one, const QByteArray& output) {
                end = one;
                said = output;
            });
    command.start({m_folder.script("prompt", "echo here")}, {}, {300});
    // The window is busy until long after both, the program's end and that of its time.
    QThread::msleep(1500);
    QTRY_VERIFY(end.has_value());
    QVERIFY(!end->timedOut);
    QVERIFY(!end->crashed);
    QCOMPARE(said, QByteArray("here\n"));
}

void TestConnection::aProgramThatFloodsIsNoExecutor()
{
    const ConnectionReport report = asked(m_folder.script("flood", "exec yes"));
    QCOMPARE(report.trouble.kind, TroubleKind::Garbage);
}

void TestConnection::somethingElseIsNoExecutor()
{
    for (const char* answer : {"hello", "[1, 2]", "[", "{}", ""}) {
        const ConnectionReport report =
            asked(m_folder.script("other", QStringLiteral("echo '%1'").arg(answer)));
        QCOMPARE(report.trouble.kind, TroubleKind::Garbage);
    }
}

void TestConnection::anotherProtocolIsToldByItsNumber()
{
    const ConnectionReport report = asked(m_folder.script(
        "later", "echo '[{\"name\":\"cpu\",\"program\":\"9.0.0\",\"wire_protocol\":7}]'"));
    QCOMPARE(report.trouble.kind, TroubleKind::Version);
    QVERIFY(report.trouble.what.contains("9.0.0"));
    QVERIFY(report.trouble.what.contains("7"));
}

void TestConnection::aProgramThatIsNowhereIsNotFound()
{
    const ConnectionReport report = asked("/nowhere/pipewright");
    QCOMPARE(report.trouble.kind, TroubleKind::NotFound);
    QVERIFY(report.trouble.what.contains("/nowhere/pipewright"));
}

PW_TEST(TestConnection)
#include "tst_connection.moc"

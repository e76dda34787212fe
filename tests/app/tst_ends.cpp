// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// How the program ends when it is told to, when memory is short, and when a path leads nowhere.

#include "tests/support/places.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

namespace {

QStringList split(const QString& line)
{
    return line.split(' ', Qt::SkipEmptyParts);
}

constexpr bool sanitized = PW_ADDRESS_SANITIZER || PW_THREAD_SANITIZER;

struct Ended
{
    bool bySignal = false;
    int code = -1;
    QByteArray err;
};

Ended ended(QProcess& process)
{
    constexpr int limit = 120'000;
    if (!process.waitForFinished(limit))
        return {};
    return {process.exitStatus() == QProcess::CrashExit, process.exitCode(),
            process.readAllStandardError()};
}

} // namespace

class TestEnds : public QObject
{
    Q_OBJECT

private:
    Ended ran(const QString& program, const QStringList& words)
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(program, words);
        return ended(process);
    }
    Ended ran(const QString& line) { return ran(PW_PROGRAM, split(line)); }

    QTemporaryDir m_folder;

private slots:
    /// A trace that takes seconds to read and to work on.
    void initTestCase()
    {
        QFile file(m_folder.filePath("large.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[");
        for (int i = 0; i < 400'000; ++i) {
            const int rank = i % 4, iteration = i / 400, pass = i / 4 % 50;
            file.write(QStringLiteral("%1{\"ph\":\"X\",\"name\":\"%2%3\",\"ts\":%4,\"dur\":5,"
                                      "\"pid\":%5,\"tid\":0,\"args\":{\"iteration\":%6}}")
                           .arg(i == 0 ? "" : ",\n", rank % 2 == 0 ? "F" : "BW")
                           .arg(pass)
                           .arg(i * 10)
                           .arg(rank)
                           .arg(iteration)
                           .toUtf8());
        }
        file.write("]");
    }

    void aSignalEndsAnImportAtOnce_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("signal");
        QTest::newRow("import, Ctrl-C") << "import" << SIGINT;
        QTest::newRow("whatif, Ctrl-C") << "whatif" << SIGINT;
        QTest::newRow("fit, terminate") << "costs fit" << SIGTERM;
        QTest::newRow("import, hang up") << "import" << SIGHUP;
    }
    /// In whatever it does: the signal comes later each time, until the work is done before.
    void aSignalEndsAnImportAtOnce()
    {
        QFETCH(QString, command);
        QFETCH(int, signal);
        int stopped = 0;
        // A signal adds no word of its own. It may also come after the last one, while memory is
        // given back.
        const QByteArray everything = ran(command + " large.json").err;
        for (int wait = 30;; wait += wait) {
            QProcess process;
            process.setWorkingDirectory(m_folder.path());
            process.start(PW_PROGRAM, split(command) << "large.json");
            QVERIFY(process.waitForStarted());
            if (process.waitForFinished(wait))
                break;
            QElapsedTimer timer;
            timer.start();
            QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
            const Ended end = ended(process);
            if (!end.bySignal)
                break; // it was done just then
            QVERIFY2(timer.elapsed() < 2'000, qPrintable(QString::number(timer.elapsed())));
            QCOMPARE(end.code, signal);
            QVERIFY2(end.err.isEmpty() || end.err == everything, end.err.constData());
            ++stopped;
        }
        QVERIFY(stopped > 0);
        QVERIFY(!QFile::exists(m_folder.filePath("costs.json")) || command == "costs fit");
    }

    /// Also while a run or a calibration still looks for its schedule.
    void aSignalEndsASearchAtOnce_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("signal");
        QTest::newRow("run, Ctrl-C") << "run --no-store --iterations 1" << SIGINT;
        QTest::newRow("run, terminate") << "run --no-store --iterations 1" << SIGTERM;
        QTest::newRow("calibrate, Ctrl-C") << "costs calibrate --iterations 1" << SIGINT;
    }
    void aSignalEndsASearchAtOnce()
    {
        QFETCH(QString, command);
        QFETCH(int, signal);
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(PW_PROGRAM,
                      split(command + " v-auto --backend emulated --devices 16 --micro-batches 256 "
                                      "--forward 9.7 --backward 13 --weight 5"));
        QVERIFY(process.waitForStarted());
        QVERIFY(!process.waitForFinished(300)); // it takes seconds
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
        const Ended end = ended(process);
        QVERIFY2(timer.elapsed() < 1'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY2(end.bySignal, end.err.constData());
        QCOMPARE(end.code, signal);
    }

    void aSignalEndsTheWaitForAPipe()
    {
        const QString pipe = m_folder.filePath("pipe");
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        QProcess process;
        process.start(PW_PROGRAM, {"import", pipe});
        QVERIFY(process.waitForStarted());
        QVERIFY(!process.waitForFinished(200));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(ended(process).bySignal);
    }

    void aPipeIsImported()
    {
        const Ended end = ran("bash", {"-c", QStringLiteral("%1 import <(cat large.json) && "
                                                            "cat large.json | %1 import /dev/stdin")
                                                 .arg(PW_PROGRAM)});
        QVERIFY2(end.code == 0, end.err.constData());
    }

    /// Under every limit it says so and ends as after any failure.
    void withoutMemoryItSaysSo_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("simulate") << "simulate 1f1b --devices 256 --micro-batches 4096";
        QTest::newRow("import") << "import large.json";
        QTest::newRow("run") << "run 1f1b --devices 4 --micro-batches 300 --iterations 2 --backend "
                                "emulated --forward 0 --backward 0 --weight 0 --no-store";
    }
    void withoutMemoryItSaysSo()
    {
        if (sanitized)
            QSKIP("a sanitizer takes terabytes of addresses");
        QFETCH(QString, command);
        int said = 0, enough = 0;
        // Below the first the loader itself finds no room for the libraries.
        // Just above, in small steps: there the first lines of the program find none.
        constexpr int coarse = 20'000, fine = 500;
        int step = fine, begun = 0;
        for (int kilobytes = 50'000; kilobytes < 400'000 && enough < 3; kilobytes += step) {
            const Ended end = ran("bash", {"-c", QStringLiteral("ulimit -v %1; exec %2 %3")
                                                     .arg(kilobytes)
                                                     .arg(PW_PROGRAM, command)});
            if (end.code == 127 || end.err.contains("error while loading"))
                continue;
            step = ++begun < 5 ? fine : coarse;
            QVERIFY2(!end.bySignal, qPrintable(QStringLiteral("%1 KiB").arg(kilobytes)));
            if (end.code == 0) {
                ++enough;
                continue;
            }
            QCOMPARE(end.code, 1);
            QVERIFY2(end.err.contains("memory") || end.err.contains("allocate") ||
                         end.err.contains("unavailable"),
                     end.err.constData());
            ++said;
        }
        QVERIFY(said > 0);
    }

    void aPathThatLeadsNowhereIsAnError_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("a name of 300 bytes") << QString(300, 'n');
        QTest::newRow("a path of 5000 bytes") << QString(5'000, 'n');
        QTest::newRow("a ring of links") << "ring";
        QTest::newRow("below a file") << "large.json/deeper";
        QTest::newRow("an unreadable folder") << "closed/file";
    }
    void aPathThatLeadsNowhereIsAnError()
    {
        QFETCH(QString, path);
        QFile::link("ring", m_folder.filePath("ring"));
        QDir(m_folder.path()).mkdir("closed");
        QCOMPARE(::chmod(qPrintable(m_folder.filePath("closed")), 0), 0);
        for (const char* command : {"whatif", "import", "costs fit", "simulate", "check", "compare",
                                    "block", "show", "diff", "run --no-store", "costs calibrate"}) {
            QStringList words = split(command);
            words.append(path);
            if (words[0] == "diff")
                words.append(path);
            const Ended end = ran(PW_PROGRAM, words);
            QVERIFY2(!end.bySignal, command);
            QVERIFY2(end.code == 1 || end.code == 2, command);
            QVERIFY2(end.err.startsWith("pipewright"), end.err.constData());
        }
        ::chmod(qPrintable(m_folder.filePath("closed")), 0700);
    }

    void aTimeThatWouldBecomeNoneIsRefused()
    {
        for (const char* line : {"simulate 1f1b --forward 1e-300", "simulate 1f1b --weight 1e-400",
                                 "simulate 1f1b --comm 4e-7", "import large.json --comm 1e-9"}) {
            const Ended end = ran(line);
            QVERIFY2(end.code == 2, line);
        }
        QVERIFY(ran("simulate 1f1b --forward 1e-300").err.contains("half a nanosecond"));
        QCOMPARE(ran("simulate 1f1b --forward 1e-6").code, 0);
        QCOMPARE(ran("simulate 1f1b --comm 0").code, 0);
    }

    void aLossThatIsNoNumberIsSaid()
    {
        const QString line = "run 1f1b --devices 2 --size tiny --iterations 8 --backend cpu "
                             "--no-store --optimizer sgd --learning-rate 1000";
        const Ended end = ran(line);
        QCOMPARE(end.code, 1);
        QVERIFY2(end.err.contains("the run diverges: the loss of step"), end.err.constData());
        QProcess wired;
        wired.start(PW_PROGRAM, split(line + " --wire"));
        QCOMPARE(ended(wired).code, 1);
        QVERIFY(wired.readAllStandardOutput().contains("\"text\":\"the run diverges: the loss"));
    }
};

PW_TEST(TestEnds)
#include "tst_ends.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <sys/stat.h>

namespace {

struct HardEnd
{
    bool bySignal = true;
    int code = -1;
    QByteArray out;
    QByteArray err;
};

} // namespace

/// The program itself where files end early, memory is short, what lies in a folder is no file, and
/// what is to be written is somebody else's already.
class TestHardPlaces : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void aFileThatMayNotGrowIsSaid_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("file");
        QTest::newRow("a new file") << "convert zb-v out.txt --devices 8 --micro-batches 256"
                                    << "out.txt";
        QTest::newRow("a store") << "run 1f1b --backend emulated --iterations 1 --store s.sqlite"
                                 << "s.sqlite";
        QTest::newRow("a folder") << "emit torch zb-v --to folder"
                                  << "folder";
    }
    void aFileThatMayNotGrowIsSaid()
    {
        QFETCH(QString, command);
        QFETCH(QString, file);
        put("out.txt", "old");
        const HardEnd end = limited("ulimit -f 4", command);
        QVERIFY(!end.bySignal);
        QCOMPARE(end.code, 1);
        QVERIFY2(end.err.contains(file.toUtf8()) && end.err.contains("too large"),
                 end.err.constData());
        QCOMPARE(taken("out.txt"), QByteArray("old"));
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                 QStringList{"out.txt"});
    }

    void aRankWithoutMemorySaysSo()
    {
        if (PW_ADDRESS_SANITIZER || PW_THREAD_SANITIZER)
            QSKIP("a sanitizer takes terabytes of addresses");
        for (int kilobytes = 120'000; kilobytes <= 360'000; kilobytes += 10'000) {
            const HardEnd end = limited(
                QStringLiteral("ulimit -v %1").arg(kilobytes),
                "run 1f1b --devices 4 --backend cpu --size tiny --iterations 1 --as-planned "
                "--no-store");
            QVERIFY2(!end.bySignal, qPrintable(QString::number(kilobytes) + end.err));
            QVERIFY2(end.code == 0 || end.err.contains("memory") || end.err.contains("loading"),
                     end.err.constData());
        }
    }

    void aPipeAmongFilesKeepsNobodyWaiting_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("code");
        QTest::newRow("families at home") << "data/pipewright/families/x.family"
                                          << "--version" << 0;
        QTest::newRow("families named") << "own/x.family"
                                        << "simulate 1f1b --families own" << 2;
        QTest::newRow("results") << "results/a.json"
                                 << "lesson results results" << 1;
        QTest::newRow("traces") << "traces/rank0.json"
                                << "import traces" << 1;
    }
    void aPipeAmongFilesKeepsNobodyWaiting()
    {
        QFETCH(QString, name);
        QFETCH(QString, command);
        QFETCH(int, code);
        const QString path = m_folder->filePath(name);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QCOMPARE(::mkfifo(path.toLocal8Bit().constData(), 0600), 0);
        const HardEnd end = limited("true", command);
        QVERIFY(!end.bySignal);
        QVERIFY2(end.code == code, end.err.constData());
    }

    void whatAPersonHasPutThereStays()
    {
        QVERIFY(QDir().mkpath(m_folder->filePath("d")));
        put("d/README.md", "mine");
        const HardEnd end = limited("true", "emit torch zb-v --to d");
        QCOMPARE(end.code, 1);
        QVERIFY2(end.err.contains("d/README.md"), end.err.constData());
        QCOMPARE(QDir(m_folder->filePath("d"))
                     .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{"README.md"});
        QCOMPARE(taken("d/README.md"), QByteArray("mine"));
        // Its own files it writes anew, unless somebody has changed one.
        QCOMPARE(limited("true", "emit torch zb-v --to e").code, 0);
        QCOMPARE(limited("true", "emit torch 1f1b --to e").code, 0);
        put("e/run.sh", "changed");
        const QByteArray before = taken("e/schedule.csv");
        QCOMPARE(limited("true", "emit torch gpipe --to e").code, 1);
        QCOMPARE(taken("e/run.sh"), QByteArray("changed"));
        QCOMPARE(taken("e/schedule.csv"), before);
    }

    void aRelativeHomeIsNone()
    {
        const HardEnd end = limited("export XDG_DATA_HOME=rel HOME=$PWD/home",
                                    "run 1f1b --backend emulated --iterations 1");
        QVERIFY2(end.code == 0, end.err.constData());
        QVERIFY(!QFile::exists(m_folder->filePath("rel")));
        QVERIFY(QFile::exists(m_folder->filePath("home/.local/share/pipewright/runs.sqlite")));
    }

    void aFolderThatSlurmMisreadsIsNotShown()
    {
        const HardEnd end = limited("true", "submit --folder 'a%b' --show -- run 1f1b");
        QCOMPARE(end.code, 2);
        QVERIFY(end.out.isEmpty());
    }

    void whatIsNoNumberIsADash()
    {
        const HardEnd end = limited(
            "true", "noise gpipe --forward 0 --backward 0 --weight 0 --samples 10 --sensitivity");
        QVERIFY2(end.code == 0, end.err.constData());
        QVERIFY2(!end.out.contains("nan"), end.out.constData());
    }

private:
    /// What a shell that has set a limit makes of a command of the program, in an empty folder.
    HardEnd limited(const QString& limit, const QString& command)
    {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        QProcessEnvironment around = QProcessEnvironment::systemEnvironment();
        around.insert("XDG_DATA_HOME", m_folder->filePath("data"));
        process.setProcessEnvironment(around);
        process.start("bash", {"-c", limit + "; exec " PW_PROGRAM " " + command});
        if (!process.waitForFinished(300'000))
            process.kill();
        process.waitForFinished();
        return {process.exitStatus() != QProcess::NormalExit, process.exitCode(),
                process.readAllStandardOutput(), process.readAllStandardError()};
    }

    void put(const QString& name, const QByteArray& content)
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(content);
    }
    QByteArray taken(const QString& name)
    {
        QFile file(m_folder->filePath(name));
        return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

PW_TEST(TestHardPlaces)
#include "tst_hard_places.moc"

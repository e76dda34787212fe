// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/files.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/keep/recovery.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <sys/resource.h>

using namespace pw;
using namespace pw::ui;

// The program is its own victim: started with a folder it writes copies there until it is killed.

namespace {

/// A project that tells which version it is and is long enough to be cut in the middle.
Project version(int number)
{
    Project project = projectOf("1f1b", FamilyOptions{}, UniformCosts{});
    project.title = std::to_string(number);
    project.notes.assign(200'000, static_cast<char>('a' + number % 26));
    return project;
}

int work(const QString& folder, int versions)
{
    Recovery recovery(folder);
    const int document = recovery.add();
    for (int number = 1; number <= versions; ++number) {
        recovery.keep(document, version(number), QStringLiteral("/home/somebody/plan.json"));
        recovery.finish();
        QCoreApplication::processEvents();
        std::printf("%d\n", number);
        std::fflush(stdout);
    }
    return QCoreApplication::exec();
}

/// A studio in a process of its own.
class Victim
{
public:
    Victim(const QString& folder, int versions)
    {
        m_process.start(QCoreApplication::applicationFilePath(),
                        {QStringLiteral("tst_recovery"), QStringLiteral("--victim"), folder,
                         QString::number(versions)});
    }
    ~Victim() { die(); }

    /// Waits until a version is written. @return  the last one that is known to be
    int waitFor(int number)
    {
        while (m_last < number && (m_process.canReadLine() || m_process.waitForReadyRead(30'000)))
            while (m_process.canReadLine())
                m_last = m_process.readLine().trimmed().toInt();
        return m_last;
    }
    void die()
    {
        m_process.kill();
        m_process.waitForFinished(30'000);
    }

private:
    QProcess m_process;
    int m_last = 0;
};

} // namespace

class TestRecovery : public QObject
{
    Q_OBJECT

private slots:
    void aCrashLeavesTheLastCopy()
    {
        const QTemporaryDir folder;
        Victim victim(folder.path(), 3);
        QCOMPARE(victim.waitFor(3), 3);
        victim.die();
        Recovery recovery(folder.path());
        QSignalSpy changed(&recovery, &Recovery::foundChanged);
        recovery.look();
        QCOMPARE(changed.size(), 1);
        QCOMPARE(recovery.found().size(), std::size_t{1});
        const Recovery::Found found = recovery.found().front();
        QCOMPARE(found.path, QStringLiteral("/home/somebody/plan.json"));
        QVERIFY(found.when.isValid());
        const int document = recovery.add();
        const Result<Project> project = recovery.recover(found.file, document);
        QVERIFY(project.has_value());
        QVERIFY(*project == version(3));
        // It is this studio's now: not on offer, but still there if this one crashes too.
        QVERIFY(recovery.found().empty());
        QVERIFY(!QFile::exists(found.file));
        QCOMPARE(copiesIn(folder.path()).size(), 1);
        recovery.forget(document);
        recovery.finish();
        QCOMPARE(copiesIn(folder.path()).size(), 0);
    }

    void aCopyIsWholeWheneverTheStudioIsKilled()
    {
        const std::uint32_t seed = test::randomSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 8; ++round) {
            const QTemporaryDir folder;
            Victim victim(folder.path(), 100'000);
            const int known = victim.waitFor(1 + static_cast<int>(random.bounded(20U)));
            victim.die();
            QVERIFY(known > 0);
            Recovery recovery(folder.path());
            recovery.look();
            QCOMPARE(recovery.found().size(), std::size_t{1});
            const Result<Project> project =
                recovery.recover(recovery.found().front().file, recovery.add());
            QVERIFY2(project.has_value(), project ? "" : project.error().message.c_str());
            const int number = std::stoi(project->title);
            QVERIFY(number >= known);
            QVERIFY(*project == version(number));
        }
    }

    void whatAnotherStudioHasOpenIsNotOffered()
    {
        const QTemporaryDir folder;
        Victim other(folder.path(), 1);
        QCOMPARE(other.waitFor(1), 1);
        Recovery recovery(folder.path());
        recovery.look();
        QVERIFY(recovery.found().empty());
        QCOMPARE(copiesIn(folder.path()).size(), 1);
        // Nor does a clean end of this one take anything of the other's away.
        recovery.keep(recovery.add(), version(1), {});
        recovery.end();
        QCOMPARE(copiesIn(folder.path()).size(), 1);
        other.die();
        recovery.look();
        QCOMPARE(recovery.found().size(), std::size_t{1});
        // What one studio offers no second one does.
        Recovery second(folder.path());
        second.look();
        QVERIFY(second.found().empty());
    }

    void aCleanEndLeavesNothing()
    {
        const QTemporaryDir folder;
        Recovery recovery(folder.path());
        for (int i = 0; i < 3; ++i)
            recovery.keep(recovery.add(), version(i), {});
        recovery.finish();
        QCOMPARE(copiesIn(folder.path()).size(), 3);
        recovery.end();
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void whatIsDiscardedIsGone()
    {
        const QTemporaryDir folder;
        Victim victim(folder.path(), 1);
        QCOMPARE(victim.waitFor(1), 1);
        victim.die();
        Recovery recovery(folder.path());
        recovery.look();
        recovery.discard(recovery.found().front().file);
        QVERIFY(recovery.found().empty());
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void aDamagedCopyStaysAndSaysWhy()
    {
        const QTemporaryDir folder;
        Victim victim(folder.path(), 1);
        QCOMPARE(victim.waitFor(1), 1);
        victim.die();
        Recovery recovery(folder.path());
        recovery.look();
        const QString file = recovery.found().front().file;
        QVERIFY(QFile::resize(file, 100));
        const Result<Project> project = recovery.recover(file, recovery.add());
        QVERIFY(!project);
        QVERIFY(QFile::exists(file));
        QCOMPARE(recovery.found().size(), std::size_t{1});
    }

    void aFolderThatCannotBeMadeIsToldAndHarmsNothing()
    {
        const QTemporaryDir folder;
        QFile inTheWay(folder.filePath(QStringLiteral("recovery")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        inTheWay.close();
        Recovery recovery(inTheWay.fileName());
        QSignalSpy failed(&recovery, &Recovery::failed);
        recovery.look();
        QVERIFY(recovery.keep(recovery.add(), version(1), {}));
        QCOMPARE(failed.size(), 1);
        QVERIFY(failed.front().front().toString().contains(inTheWay.fileName()));
        // Once the folder can be made, copies are kept.
        QVERIFY(inTheWay.remove());
        QVERIFY(recovery.keep(recovery.add(), version(1), {}));
        recovery.finish();
        QCOMPARE(copiesIn(inTheWay.fileName()).size(), 1);
        QCOMPARE(failed.size(), 1);
        recovery.end();
    }

    void aFullDiskKeepsTheCopyThatIsThere()
    {
        const QTemporaryDir folder;
        Recovery recovery(folder.path());
        QSignalSpy failed(&recovery, &Recovery::failed);
        QSignalSpy written(&recovery, &Recovery::written);
        const int document = recovery.add();
        recovery.keep(document, version(1), {});
        QVERIFY(written.wait(test::longest));
        QVERIFY(failed.isEmpty());
        const QString copy = copiesIn(folder.path()).constFirst();
        // No file may grow beyond a few kilobytes, as on a disk that is nearly full.
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        sys::failPastLargestFile(); // as the studio does
        rlimit full = before;
        full.rlim_cur = 4096;
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &full), 0);
        recovery.keep(document, version(2), {});
        recovery.finish();
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(written.wait(test::longest));
        QCOMPARE(failed.size(), 1);
        const Result<Project> kept = loadProject(copy.toStdString());
        QVERIFY(kept.has_value());
        QVERIFY(*kept == version(1));
        recovery.end();
    }

private:
    static QStringList copiesIn(const QString& root)
    {
        QStringList copies;
        const QFileInfoList folders = QDir(root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
        for (const QFileInfo& folder : folders) {
            const QFileInfoList files = QDir(folder.absoluteFilePath())
                                            .entryInfoList({QStringLiteral("*.pipewright.json")});
            for (const QFileInfo& file : files)
                copies.append(file.absoluteFilePath());
        }
        return copies;
    }
};

static int runRecovery(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 4 && arguments[1] == QLatin1String("--victim"))
        return work(arguments[2], arguments[3].toInt());
    TestRecovery test;
    return QTest::qExec(&test, argc, argv);
}

PW_TEST_RUN(TestRecovery, runRecovery)
#include "tst_recovery.moc"

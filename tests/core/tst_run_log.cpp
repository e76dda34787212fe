// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_recorder.h"
#include "core/store/run_store.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;

class TestRunLog : public QObject
{
    Q_OBJECT

private slots:
    /// A log without end fills no disk, and says where it ends.
    void aLogHasAMostThatIsKept()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("runs.sqlite");
        NewRun run;
        run.title = "talks much";
        run.ranks = 1;
        auto recorder = RunRecorder::open(path.toStdString(), run, {});
        QVERIFY(recorder);
        // "é" so that a cut inside a character would show.
        const std::string line = "x" + QString(40'000, QChar(u'é')).toStdString();
        for (int i = 0; i < 2'000; ++i)
            (*recorder)->add(RunLog{i, 0, LogLevel::Info, line});
        (*recorder)->finish(RunStatus::Finished, {});
        recorder->reset();
        QVERIFY2(QFileInfo(path).size() < 48 << 20,
                 qPrintable(QString::number(QFileInfo(path).size())));
        auto store = RunStore::openToRead(path.toStdString());
        QVERIFY(store);
        const auto logs = store->logs(1);
        QVERIFY(logs);
        QCOMPARE(logs->back().text, std::string("the log has reached 32 MiB, the most that is kept "
                                                "of a run; what follows is left out"));
        QCOMPARE(logs->back().level, LogLevel::Warning);
        const std::string& kept = logs->front().text;
        QVERIFY(kept.size() < 65'540);
        QVERIFY(QString::fromStdString(kept).endsWith(QChar(u'…')));
        QVERIFY(!QString::fromStdString(kept).contains(QChar(0xFFFD)));
    }
};

PW_TEST(TestRunLog)
#include "tst_run_log.moc"

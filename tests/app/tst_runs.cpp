// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/stored_run.h"
#include "tests/support/family_runs.h"
#include "tests/support/ran_here.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::app;
using pw::test::ran;
using pw::test::Said;

namespace {

} // namespace

class TestRuns : public QObject
{
    Q_OBJECT

private slots:
    /// Run 1 as planned; run 2 with one slow pass; run 3 cut off.
    void init()
    {
        m_path = m_folder.filePath(QString("%1.sqlite").arg(++m_count));
        qputenv("PIPEWRIGHT_STORE", m_path.toUtf8());
        UniformCosts costs;
        costs.activation = 1 << 20;
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), costs);
        RunStore store = *RunStore::open(m_path.toStdString());
        for (int number = 1; number <= 3; ++number) {
            const Pass slow{PassKind::BW, 0, StageId(2), 5, 0};
            const auto length = [&](std::int32_t, const OrderEntry& entry, Ticks usual) {
                return usual + (number == 2 && entry.pass == slow ? 500'000 : 0);
            };
            const std::string title = "run number " + std::to_string(number);
            RunWriter writer =
                *store.begin(test::newRun(run.schedule, run.costs, title.c_str(), "1f1b"));
            const RunBatch batch = test::recordedRun(run.schedule, run.costs, 1, 3, length);
            QVERIFY(writer.append(batch));
            if (number < 3)
                QVERIFY(writer.finish(RunStatus::Finished,
                                      test::figuresOf(run.schedule, run.costs, batch)));
        }
    }

    void runsAreListed()
    {
        const Said all = ran({"runs"});
        QCOMPARE(all.code, ExitCode::Good);
        QVERIFY(all.out.indexOf("run number 3") < all.out.indexOf("run number 1"));
        QVERIFY(all.out.contains("incomplete"));
        const Said found = ran({"runs", "number", "finished", "--json"});
        const QJsonArray runs = QJsonDocument::fromJson(found.out).object()["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0].toObject()["run"].toInt(), 2);
        QCOMPARE(runs[0].toObject()["makespan_ms"].toDouble(), 33.5);
        QCOMPARE(runs[0].toObject()["predicted_makespan_ms"].toDouble(), 33.0);
        // What the table has no figure for.
        const Said cut = ran({"runs", "incomplete", "--json"});
        const QJsonObject third =
            QJsonDocument::fromJson(cut.out).object()["runs"].toArray()[0].toObject();
        QCOMPARE(third["run"].toInt(), 3);
        for (const char* figure : {"makespan_ms", "span_bubble_rate", "last_loss"})
            QVERIFY2(third[figure].isNull(), figure);
    }

    void aStoreThatIsNotThereHasNoRuns()
    {
        qputenv("PIPEWRIGHT_STORE", m_folder.filePath("none.sqlite").toUtf8());
        const Said said = ran({"runs"});
        QCOMPARE(said.code, ExitCode::Good);
        QVERIFY(said.out.startsWith("No run in "));
        const Said named = ran({"runs", "--store", m_folder.filePath("none").toStdString()});
        QCOMPARE(named.code, ExitCode::Wrong);
        QVERIFY(named.err.contains("is not there"));
        QCOMPARE(ran({"show", "last"}).code, ExitCode::Wrong);
    }

    void runsAreChanged()
    {
        QCOMPARE(ran({"runs", "2", "--rename", "slow", "--note", "why?"}).out,
                 QByteArray("run 2 changed\n"));
        QVERIFY(ran({"runs", "slow"}).out.contains("slow — why?"));
        QCOMPARE(ran({"runs", "2", "--note", ""}).code, ExitCode::Good);
        QVERIFY(!ran({"runs", "slow"}).out.contains("why?"));
        QCOMPARE(ran({"runs", "2", "--rename", ""}).code, ExitCode::Usage);
        QCOMPARE(ran({"runs", "last", "--delete"}).out, QByteArray("run 3 deleted\n"));
        QCOMPARE(ran({"show", "3"}).code, ExitCode::Wrong);
        QCOMPARE(ran({"runs", "--delete"}).code, ExitCode::Usage);
    }

    void aRunIsShown()
    {
        const Said said = ran({"show", "2"});
        QCOMPARE(said.code, ExitCode::Good);
        for (const char* part :
             {"run 2: run number 2", "a-host", "emulated", "33.5 ms", "predicted", "median of 3",
              "loss 4", "over 4 steps", "iteration ", "device 3", "span bubble"})
            QVERIFY2(said.out.contains(part), part);
        QVERIFY(ran({"show", "3", "--no-gantt"}).out.contains("incomplete"));
        QCOMPARE(ran({"show", "1", "--iteration", "-1"}).code, ExitCode::Good);
        for (const char* format : {"chrome-json", "table", "html"}) {
            const Said none = ran({"convert", "1", "--iteration", "9", "--to", format});
            QCOMPARE(none.code, ExitCode::Wrong);
            QVERIFY2(none.err.contains("run 1 has no iteration 9"), none.err.constData());
        }
        const Said none = ran({"show", "1", "--iteration", "9"});
        QVERIFY(none.err.contains("run 1 has no iteration 9"));
        QVERIFY2(none.out.isEmpty(), none.out.constData());
        QCOMPARE(ran({"show", "first"}).code, ExitCode::Usage);
        QVERIFY(ran({"show", "44"}).err.contains("has no run 44"));
    }

    /// What --example 5 and 3 say is what the simulation has: the two of a pair are one stretch of
    /// work, and iterations that only warm up do not count.
    void theQuestionsThatShipCountAsTheFiguresDo()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("dualpipe"), test::sized(4, 8), UniformCosts{});
        RunStore store = *RunStore::open(m_path.toStdString());
        RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "pairs", "dualpipe"));
        QVERIFY(writer.append(test::recordedRun(run.schedule, run.costs, 1, 3)));
        const auto rows = [](const char* example) {
            const Said said = ran({"query", "--example", example, "--json"});
            return QJsonDocument::fromJson(said.out).object()["rows"].toArray();
        };
        const QJsonArray idle = rows("5");
        const QJsonArray devices =
            QJsonDocument::fromJson(ran({"simulate", "dualpipe", "--json"}).out)
                .object()["per_device"]
                .toArray();
        QCOMPARE(idle.size(), devices.size());
        for (qsizetype i = 0; i < devices.size(); ++i) {
            const double span =
                devices[i]["last_end_ms"].toDouble() - devices[i]["first_start_ms"].toDouble();
            const double rate = 100 * devices[i]["span_bubble_ms"].toDouble() / span;
            QVERIFY2(std::abs(idle[i].toArray()[1].toDouble() - rate) < 0.01,
                     qPrintable(QString("device %1").arg(i)));
        }
        // Eight micro-batches on every stage in each of three iterations.
        int forwards = 0;
        const QJsonArray kinds = rows("3");
        for (const QJsonValue& row : kinds) {
            if (row.toArray()[0].toInt() == 0 && row.toArray()[1].toString() == "F")
                forwards += row.toArray()[2].toInt();
        }
        QCOMPARE(forwards, 3 * 8);
    }

    void theDifferenceNamesThePassThatMovedTheEnd()
    {
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"diff", "1", "2"}, std::vector<std::string>{"diff", "2"}}) {
            const Said said = ran(words);
            QCOMPARE(said.code, ExitCode::Good);
            QVERIFY2(said.out.contains("33 ms → 33.5 ms (+0.5 ms)"), said.out.constData());
            const QByteArray chain = said.out.mid(said.out.indexOf("What decides the end"));
            QVERIFY2(chain.contains("(+0.5 ms against before)"), chain.constData());
            // The pass that grew stands first.
            const QList<QByteArray> lines = chain.split('\n');
            QVERIFY2(lines.at(3).contains("PP:2B5"), chain.constData());
        }
        QVERIFY(ran({"diff", "1"}).out.contains("No pass moved."));
    }

    void aRunIsExported()
    {
        const QString file = m_folder.filePath("run.trace.json");
        QCOMPARE(ran({"convert", "1", file.toStdString()}).code, ExitCode::Good);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(!QJsonDocument::fromJson(written.readAll())
                     .object()["traceEvents"]
                     .toArray()
                     .isEmpty());
        const Said csv = ran({"convert", "1", "--to", "table", "--iteration", "0"});
        QCOMPARE(csv.out.count('\n'), 1 + 4 * 8 * 2);
        // The name says it too.
        QFile table(m_folder.filePath("run.csv"));
        QCOMPARE(ran({"convert", "1", "--iteration", "0", table.fileName().toStdString()}).code,
                 ExitCode::Good);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll(), csv.out);
        QCOMPARE(ran({"convert", "1", "--iteration", "0", "--to", "chrome-json",
                      table.fileName().toStdString()})
                     .code,
                 ExitCode::Good);
        table.close();
        QVERIFY(table.open(QIODevice::ReadOnly));
        QVERIFY(table.readAll().startsWith('{'));
    }

private:
    QTemporaryDir m_folder;
    QString m_path;
    int m_count = 0;
};

PW_TEST(TestRuns)
#include "tst_runs.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Activations in the host's memory, from the terminal: said, reported, kept in files, refused.
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct OffloadEnded
{
    int code = -1;
    QByteArray out;
    QByteArray err;
};

OffloadEnded offloadRan(const QString& line, const QString& folder)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(PW_PROGRAM, line.split(QLatin1Char(' ')));
    constexpr int limit = 120'000;
    if (!process.waitForFinished(limit) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QJsonObject offloadSimulated(const QString& words, const QString& folder)
{
    const OffloadEnded ended = offloadRan(QStringLiteral("simulate --json ") + words, folder);
    if (ended.code != 0)
        qWarning("%s", ended.err.constData());
    return QJsonDocument::fromJson(ended.out).object();
}

double offloadNumber(const QJsonObject& object, const char* name)
{
    return object.value(QLatin1String(name)).toDouble();
}

} // namespace

class TestOffloadCommand : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void whatIsHiddenCostsNoTime()
    {
        const QString line = QStringLiteral("gis --devices 8 --activation 5e7 --host-link 55");
        const QJsonObject before =
            offloadSimulated(QStringLiteral("gis --devices 8 --activation 5e7"), m_folder.path());
        QVERIFY(!before.contains(QLatin1String("offload")));
        const QJsonObject after =
            offloadSimulated(line + QStringLiteral(" --offload hidden"), m_folder.path());
        QCOMPARE(offloadNumber(after, "makespan_ms"), offloadNumber(before, "makespan_ms"));
        QVERIFY(offloadNumber(after, "peak_activation_mb") <
                offloadNumber(before, "peak_activation_mb"));
    }

    void asMuchGoesAsTheLimitNeeds()
    {
        const QJsonObject kept = offloadSimulated(
            QStringLiteral("1f1b --devices 8 --activation 1e7 --memory-limit 5 --offload fitting"),
            m_folder.path());
        QVERIFY(offloadNumber(kept, "peak_activation_mb") <= 5);
        QCOMPARE(kept.value(QLatin1String("offload"))
                     .toObject()
                     .value(QLatin1String("cells"))
                     .toString(),
                 QStringLiteral("0,1,2"));
    }

    void copiesOfNoSizeSayWhichSizeIsMissing()
    {
        const auto said = [this](const QString& words) {
            return offloadRan(QStringLiteral("simulate gpipe --no-gantt --offload all ") + words,
                              m_folder.path())
                .out;
        };
        QVERIFY(said(QStringLiteral("--devices 2")).contains("activations have no size"));
        const QByteArray recomputed =
            said(QStringLiteral("--recompute --activation 5e7 --stash 0"));
        QVERIFY(recomputed.contains("what recomputation keeps has no size"));
        QVERIFY(recomputed.contains("--stash"));
        QVERIFY(!said(QStringLiteral("--recompute --activation 5e7 --stash 0.1"))
                     .contains("has no size"));
    }

    void everyCopyIsListed()
    {
        const QJsonObject all = offloadSimulated(
            QStringLiteral(
                "1f1b --micro-batches 8 --activation 54.4e6 --offload 0:2-4,3/0 --passes"),
            m_folder.path());
        const QJsonObject offload = all.value(QLatin1String("offload")).toObject();
        QCOMPARE(offload.value(QLatin1String("cells")).toString(), QStringLiteral("0:2-4,3"));
        const QJsonArray copies = offload.value(QLatin1String("copies")).toArray();
        QCOMPARE(copies.size(), 11);
        const QJsonObject first = copies.first().toObject();
        QCOMPARE(offloadNumber(first, "out_end_ms") - offloadNumber(first, "out_start_ms"), 1.0);
        QCOMPARE(offloadNumber(first, "bytes"), 54.4e6);
    }

    void aFileKeepsThem()
    {
        const QString folder = m_folder.path();
        QCOMPARE(
            offloadRan(QStringLiteral("convert 1f1b a.pipewright.json --offload 0 --host-link 25 "
                                      "--activation 1e8"),
                       folder)
                .code,
            0);
        const QJsonObject asked = offloadSimulated(
            QStringLiteral("1f1b --offload 0 --host-link 25 --activation 1e8"), folder);
        const QJsonObject kept = offloadSimulated(QStringLiteral("a.pipewright.json"), folder);
        QCOMPARE(offloadNumber(kept, "makespan_ms"), offloadNumber(asked, "makespan_ms"));
        QCOMPARE(kept.value(QLatin1String("offload")), asked.value(QLatin1String("offload")));
        // Other times on the command line leave them.
        const QJsonObject slower = offloadSimulated(
            QStringLiteral("a.pipewright.json --forward 3 --activation 1e8"), folder);
        QVERIFY(slower.contains(QLatin1String("offload")));
        const OffloadEnded shown = offloadRan(QStringLiteral("simulate a.pipewright.json"), folder);
        QVERIFY(shown.out.contains("Activations in the host's memory"));
        QVERIFY(shown.out.contains("over 25 GB/s"));
    }

    void aRunCopiesAndTheStoreKeepsIt()
    {
        const QString folder = m_folder.path();
        const OffloadEnded ran = offloadRan(
            QStringLiteral(
                "run 1f1b --devices 2 --size tiny --backend cpu --iterations 1 --warmup 0 "
                "--offload all --store runs.sqlite"),
            folder);
        QVERIFY2(ran.code == 0, ran.err.constData());
        QVERIFY2(ran.out.contains("exactly"), ran.out.constData());
        const OffloadEnded asked = offloadRan(
            QStringLiteral("query --store runs.sqlite --csv SELECT\u00a0target,count(*)\u00a0"
                           "FROM\u00a0copies\u00a0GROUP\u00a0BY\u00a0target")
                .replace(QChar(0xa0), QLatin1Char('\t')),
            folder);
        QVERIFY2(asked.code == 0, asked.err.constData());
        const QString told = QString::fromUtf8(asked.out).simplified();
        QVERIFY2(told.contains(QStringLiteral("device,8")) &&
                     told.contains(QStringLiteral("host,8")),
                 qPrintable(told));
        QVERIFY(
            offloadRan(QStringLiteral("export last --store runs.sqlite --output a.json"), folder)
                .code == 0);
        QFile trace(folder + QStringLiteral("/a.json"));
        QVERIFY(trace.open(QIODevice::ReadOnly));
        const QByteArray spans = trace.readAll();
        QVERIFY(spans.contains("\"D2H PP:0F0\"") && spans.contains("\"H2D PP:0F0\""));
        QVERIFY(spans.contains("to host") && spans.contains("from host"));
    }

    void hiddenIsChosenByTheRunsOwnBytes()
    {
        // Without bytes every copy would be hidden; at this rate none is.
        const OffloadEnded ran = offloadRan(
            QStringLiteral(
                "run 1f1b --devices 2 --size tiny --backend cpu --iterations 1 --warmup 0 "
                "--offload hidden --host-link 0.001 --no-store --wire"),
            m_folder.path());
        QVERIFY2(ran.code == 0, ran.err.constData());
        QVERIFY(ran.out.contains("\"t\":\"memory\""));
        QVERIFY(!ran.out.contains("\"t\":\"copy\""));
    }

    void whatCannotBeIsRefused_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("why");
        QTest::newRow("a stage too far") << "simulate 1f1b --offload 9"
                                         << "--offload: there is no stage 9; the last is 3";
        QTest::newRow("no cells") << "simulate 1f1b --offload x"
                                  << "--offload: 'x' is none of";
        QTest::newRow("a link for nothing") << "simulate 1f1b --host-link 3"
                                            << "--host-link needs --offload";
        QTest::newRow("a run of segments")
            << "run seq1f1b --devices 2 --backend emulated --offload 0:1/0"
            << "the segments behind it read its keys and values";
        QTest::newRow("a forward that is taken back")
            << "run 1f1b --devices 2 --offload 0 --clip-norm 1 --post-validation --iterations 1"
            << "activations in the host's memory and forwards that may be taken back";
        QTest::newRow("another order")
            << "optimise 1f1b --offload all --time-limit 0.1 --save x.csv"
            << "all activations are marked to go to the host";
        QTest::newRow("PyTorch's CSV") << "convert 1f1b x.csv --offload 0"
                                       << "8 activations, the first of micro-batch 0 on stage 0";
        QTest::newRow("the text notation") << "convert 1f1b x.txt --offload 0"
                                           << "the text notation has no copies";
        QTest::newRow("an engine") << "emit torch 1f1b --to folder --offload 0"
                                   << "marked to go to the host";
        QTest::newRow("noise") << "noise 1f1b --offload 0"
                               << "noise knows no copies";
        QTest::newRow("messages") << "communication 1f1b --offload 0"
                                  << "played without copies to the host";
    }

    void whatCannotBeIsRefused()
    {
        QFETCH(QString, line);
        QFETCH(QString, why);
        const OffloadEnded ended = offloadRan(line, m_folder.path());
        QVERIFY(ended.code != 0);
        const QString said = QString::fromUtf8(ended.err).simplified();
        QVERIFY2(said.contains(why), qPrintable(said));
    }
};

PW_TEST(TestOffloadCommand)
#include "tst_offload_command.moc"

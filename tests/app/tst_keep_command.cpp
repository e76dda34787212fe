// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

using pw::app::ExitCode;
using pw::test::ran;
using pw::test::Said;

namespace {

QJsonArray rowsOf(const Said& said)
{
    return QJsonDocument::fromJson(said.out).array();
}

} // namespace

class TstKeepCommand : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aComparisonIsKeptListedAndShownAgain();
    void aPlanIsKeptWithItsRows();
    void rowsAreSorted_data();
    void rowsAreSorted();
    void aBlockHasTimesAndBytes();
    void aBlockWithoutCostsHasNone();

private:
    QTemporaryDir m_folder;
};

void TstKeepCommand::initTestCase()
{
    QVERIFY(m_folder.isValid());
    qputenv("COLUMNS", "100");
    qputenv("PIPEWRIGHT_STORE", m_folder.filePath("runs.sqlite").toUtf8());
}

void TstKeepCommand::aComparisonIsKeptListedAndShownAgain()
{
    const Said plain = ran({"compare", "gpipe", "1f1b", "--devices", "8"});
    QCOMPARE(plain.code, ExitCode::Good);
    const Said kept = ran({"compare", "gpipe", "1f1b", "--devices", "8", "--keep"});
    QCOMPARE(kept.code, ExitCode::Good);
    QCOMPARE(kept.out, plain.out);
    QVERIFY2(kept.err.startsWith("kept as a1 in "), kept.err.constData());
    const Said list = ran({"runs"});
    QVERIFY2(list.out.contains("a1") && list.out.contains("comparison") &&
                 list.out.contains("gpipe, 1f1b: 8 devices, 16 micro-batches"),
             list.out.constData());
    const Said shown = ran({"show", "a1"});
    QCOMPARE(shown.code, ExitCode::Good);
    QVERIFY2(shown.out.contains("pipewright compare gpipe 1f1b --devices=8\n"),
             shown.out.constData());
    QVERIFY2(shown.out.endsWith(plain.out), shown.out.constData());
    // For programs the same, and what each row is made from again.
    QJsonArray rows = rowsOf(ran({"show", "a1", "--json"}));
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QJsonObject row = rows[i].toObject();
        const QByteArray project = row.take("project").toString().toUtf8();
        const QJsonObject family = QJsonDocument::fromJson(project).object()["family"].toObject();
        QCOMPARE(family["id"], row["family"]);
        QCOMPARE(family["devices"].toInt(), 8);
        rows[i] = row;
    }
    QCOMPARE(rows, rowsOf(ran({"compare", "gpipe", "1f1b", "--devices", "8", "--json"})));
    QCOMPARE(ran({"runs", "a1", "--rename", "eight", "--note", "small"}).code, ExitCode::Good);
    const QJsonObject listed = QJsonDocument::fromJson(ran({"runs", "--json"}).out)
                                   .object()["kept"]
                                   .toArray()[0]
                                   .toObject();
    QCOMPARE(listed["title"].toString(), QString("eight"));
    QCOMPARE(listed["notes"].toString(), QString("small"));
    QCOMPARE(listed["question"].toString(), QString("pipewright compare gpipe 1f1b --devices=8"));
    QCOMPARE(ran({"runs", "a1", "--delete"}).code, ExitCode::Good);
    QCOMPARE(ran({"show", "a1"}).code, ExitCode::Wrong);
    QVERIFY(ran({"runs"}).out.startsWith("No run in "));
}

void TstKeepCommand::aPlanIsKeptWithItsRows()
{
    const std::vector<std::string> line = {
        "plan", "--model", "gpt-22b", "--gpus", "8", "--global-batch", "8",    "--tp",
        "4",    "--pp",    "2",       "--mbs",  "1", "--family",       "1f1b", "--recompute-policy",
        "full", "--keep"};
    const Said kept = ran(line);
    QVERIFY2(kept.code == ExitCode::Good, kept.err.constData());
    QVERIFY2(kept.err.contains("kept as a2 in "), kept.err.constData());
    const Said shown = ran({"show", "a2"});
    QVERIFY2(shown.out.endsWith(kept.out), shown.out.constData());
    QVERIFY(shown.out.contains("--tensor-parallel=4"));
    QVERIFY(QJsonDocument::fromJson(ran({"show", "a2", "--json"}).out).isArray());
    QCOMPARE(ran({"show", "last", "--json"}).code, ExitCode::Usage);
}

void TstKeepCommand::rowsAreSorted_data()
{
    QTest::addColumn<QString>("column");
    QTest::addColumn<QString>("field");
    QTest::newRow("makespan") << "makespan"
                              << "makespan_ms";
    QTest::newRow("span") << "span"
                          << "span_bubble_ms";
    QTest::newRow("wall, in another spelling") << "Wall"
                                               << "wall_bubble_ms";
    QTest::newRow("peak") << "peak"
                          << "peak_activation_mb";
    QTest::newRow("memory") << "memory"
                            << "peak_activation_bytes";
    QTest::newRow("family") << "family"
                            << "family";
}

void TstKeepCommand::rowsAreSorted()
{
    QFETCH(QString, column);
    QFETCH(QString, field);
    const Said said = ran({"compare", "all", "--devices", "3", "--micro-batches", "5",
                           "--activation", "1GiB", "--sort", column.toStdString(), "--json"});
    QCOMPARE(said.code, ExitCode::Good);
    const QJsonArray rows = rowsOf(said);
    QVERIFY(rows.size() > 10);
    int refused = 0;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const QJsonObject row = rows[i].toObject();
        refused += row.contains("refusal") ? 1 : 0;
        if (i == 0)
            continue;
        const QJsonObject before = rows[i - 1].toObject();
        QVERIFY(!before.contains("refusal") || row.contains("refusal"));
        if (row.contains("refusal"))
            continue;
        QVERIFY2(row.contains(field), qPrintable(field));
        if (field == "family")
            QVERIFY(before[field].toString() < row[field].toString());
        else
            QVERIFY(before[field].toDouble() <= row[field].toDouble());
    }
    QVERIFY(refused > 0); // dualpipe has no three devices
}

/// 1F1B with F of 2 ms and BW of 2 ms: the last device works 4 ms on a micro-batch and holds it as
/// long; the first holds p of them.
void TstKeepCommand::aBlockHasTimesAndBytes()
{
    const Said said = ran({"block", "1f1b", "--devices", "4", "--micro-batches", "16", "--forward",
                           "2ms", "--activation", "1GiB", "--json"});
    QVERIFY2(said.code == ExitCode::Good, said.err.constData());
    const QJsonObject block = QJsonDocument::fromJson(said.out).object();
    constexpr double gib = 1024.0 * 1024 * 1024;
    QCOMPARE(block["interval_ms"].toDouble(), 4.0);
    QCOMPARE(block["makespan_ms"].toDouble(), 4.0 * (16 + 3));
    const QJsonArray devices = block["per_device"].toArray();
    QCOMPARE(devices.size(), 4);
    for (int d = 0; d < 4; ++d) {
        QCOMPARE(devices[d].toObject()["busy_ms"].toDouble(), 64.0);
        QCOMPARE(devices[d].toObject()["real_peak_bytes"].toDouble(), (4 - d) * gib);
    }
    const QJsonArray cells = block["lifespans"].toArray();
    QCOMPARE(cells.size(), 4);
    QCOMPARE(cells[3].toObject()["length_ms"].toDouble(), 4.0);
    QCOMPARE(cells[0].toObject()["bytes"].toDouble(), gib);
    const Said text = ran({"block", "1f1b", "--model", "gpt-22b"});
    QVERIFY2(text.out.contains("A repetition every ") && text.out.contains(" GiB"),
             text.out.constData());
}

void TstKeepCommand::aBlockWithoutCostsHasNone()
{
    const QJsonObject block =
        QJsonDocument::fromJson(ran({"block", "v-half", "--kept-for-weight", "0.5", "--json"}).out)
            .object();
    QVERIFY(!block.contains("interval_ms"));
    QVERIFY(!block["per_device"].toArray()[0].toObject().contains("real_peak_bytes"));
}

PW_TEST(TstKeepCommand)
#include "tst_keep_command.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

// What one GPU has really done, cut into four devices: two runs' traces and the calibrations that
// were measured before them, as samples/ has them. What is simulated from the one is what the other
// took.
class TestGpuSamples : public QObject
{
    Q_OBJECT

private slots:
    void aRunTookWhatItsCalibrationSays_data();
    void aRunTookWhatItsCalibrationSays();

private:
    static QJsonObject said(const QStringList& arguments)
    {
        QProcess program;
        program.start(PW_PROGRAM, arguments);
        if (!program.waitForFinished(60'000) || program.exitCode() != 0)
            qFatal("%s", program.readAllStandardError().constData());
        return QJsonDocument::fromJson(program.readAllStandardOutput()).object();
    }
    static QString sample(const char* name)
    {
        return QString(PW_SOURCE_DIR) + "/samples/h200/" + name;
    }
};

void TestGpuSamples::aRunTookWhatItsCalibrationSays_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("costs");
    QTest::newRow("1F1B") << "1f1b" << sample("1f1b.trace.json.gz") << sample("1f1b.costs.json");
    QTest::newRow("ZB-V") << "zb-v" << sample("zb-v.trace.json.gz") << sample("zb-v.costs.json");
}

void TestGpuSamples::aRunTookWhatItsCalibrationSays()
{
    QFETCH(QString, family);
    QFETCH(QString, trace);
    QFETCH(QString, costs);
    const QJsonObject measured = said({"import", trace, "--json"});
    QCOMPARE(measured["dependencies_violated"].toInt(-1), 0);
    const QJsonObject found = measured["families"].toArray().first().toObject();
    QCOMPARE(found["family"].toString(), family);
    QCOMPARE(found["out_of_order"].toInt(-1), 0);
    const QJsonObject simulated = said({"simulate", family, "--devices", "4", "--micro-batches",
                                        "12", "--costs", costs, "--json"});
    const double took = measured["makespan_ms"].toDouble(); // with the step of the optimizer
    const double predicted = simulated["makespan_ms"].toDouble();
    QVERIFY2(predicted > 0 && std::abs(took / predicted - 1) < 0.05,
             qPrintable(QString("%1 ms, predicted %2 ms").arg(took).arg(predicted)));
}

PW_TEST(TestGpuSamples)
#include "tst_gpu_samples.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/verify_cases.h"
#include "core/model/routes.h"
#include "executor/calibrate/calibration.h"
#include "executor/verify/verification.h"
#include "tests/support/family_runs.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

#include <tuple>

using namespace pw;
using namespace pw::app;
using namespace pw::exec;

class TstVerify : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyHasRunsAndBrokenOnesAreNoticed();
    void aSharedOptimizerNeedsNoNumberOfReplicas();
    void everyReplicaThatCanBeIsVerified();
    void everyShapeIsMade_data();
    void everyShapeIsMade();
    void canonicalOrdersCannotStall_data();
    void canonicalOrdersCannotStall();
    void passesAreMeasuredBesideOthers_data();
    void passesAreMeasuredBesideOthers();
    void latencyAndBandwidthAreFitted_data();
    void latencyAndBandwidthAreFitted();
};

void TstVerify::everyFamilyHasRunsAndBrokenOnesAreNoticed()
{
    QProcess process;
    process.start(PW_PROGRAM,
                  {"verify", "--devices", "2", "--micro-batches", "3", "--plain", "--json"});
    QVERIFY(process.waitForFinished(120'000));
    const QJsonObject all = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(all["good"].toBool());
    const QJsonArray families = all["families"].toArray();
    QCOMPARE(families.size(), static_cast<qsizetype>(allFamilies().size()));
    for (qsizetype i = 0; i < families.size(); ++i) {
        const QJsonArray cases = families.at(i)["cases"].toArray();
        const QString id = families.at(i)["family"].toString();
        QVERIFY2(!cases.isEmpty(), qPrintable(id));
        int runs = 0;
        for (qsizetype j = 0; j < cases.size(); ++j) {
            const QJsonValue one = cases.at(j);
            if (one["refusal"].isUndefined()) {
                QVERIFY(one["updates"].toInt() >= 3 * 2);
                ++runs;
            } else {
                QVERIFY(!one["refusal"].toString().isEmpty());
            }
        }
        QCOMPARE(families.at(i)["runs"].toInt(), runs);
        // Only a family that does not take the shape at all has no run.
        const bool takesIt =
            specOf(test::familyOf(id.toStdString()), test::sized(2, 3)).has_value();
        QVERIFY2(runs > 0 || !takesIt, qPrintable(id));
    }
    const QJsonArray controls = all["controls"].toArray();
    QVERIFY(controls.size() >= 5);
    for (qsizetype i = 0; i < controls.size(); ++i)
        QVERIFY2(controls.at(i)["noticed"].toBool(),
                 qPrintable(controls.at(i)["broken"].toString()));
}

/// `--zero-1` alone is 2 replicas, and replicas of stages beside them.
void TstVerify::aSharedOptimizerNeedsNoNumberOfReplicas()
{
    const auto ran = [](const QStringList& more) {
        QProcess process;
        process.start(PW_PROGRAM, QStringList{"verify", "seq1f1b", "pipedream", "--devices", "2",
                                              "--micro-batches", "2"} +
                                      more);
        const bool ended = process.waitForFinished(120'000);
        return std::tuple(ended ? process.exitCode() : -1, process.readAllStandardOutput(),
                          process.readAllStandardError());
    };
    const auto [code, json, err] = ran({"--zero-1", "--json"});
    QVERIFY2(code == 0, err.constData());
    const QJsonArray families = QJsonDocument::fromJson(json).object()["families"].toArray();
    QCOMPARE(families.size(), 2);
    for (qsizetype i = 0; i < 2; ++i) {
        int whole = 0;
        int ofStages = 0;
        const QJsonArray cases = families.at(i)["cases"].toArray();
        for (qsizetype j = 0; j < cases.size(); ++j) {
            if (cases.at(j)["refusal"].isUndefined())
                ++(cases.at(j)["variant"].toString().contains("replicas of stages") ? ofStages
                                                                                    : whole);
        }
        QVERIFY(ofStages >= 3);
        // PipeDream's pipelines would drift apart.
        QCOMPARE(whole > 0, families.at(i)["family"].toString() == "seq1f1b");
    }
    const auto [saidCode, said, noError] = ran({"--zero-1", "--plain"});
    QCOMPARE(saidCode, 0);
    QVERIFY(said.contains("--zero-1 without --replicas: 2 replicas"));
    const auto [plainCode, plain, none] = ran({"--zero-1", "--plain", "--replicas", "2"});
    QCOMPARE(plainCode, 0);
    QVERIFY(!plain.contains("without --replicas"));
    const auto [oneCode, nothing, why] = ran({"--zero-1", "--replicas", "1"});
    QCOMPARE(oneCode, 2);
    QVERIFY(why.contains("--replicas 2 or more"));
}

/// Also where the broken runs, one of which has two directions, cannot have as many.
void TstVerify::everyReplicaThatCanBeIsVerified()
{
    QProcess process;
    process.start(PW_PROGRAM, {"verify", "1f1b", "--devices", "1", "--micro-batches", "1",
                               "--plain", "--replicas", QString::number(maxRoutes)});
    QVERIFY(process.waitForFinished(120'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardOutput().constData());
}

void TstVerify::everyShapeIsMade_data()
{
    QTest::addColumn<QString>("id");
    for (const Family& family : allFamilies())
        QTest::newRow(std::string(family.id).c_str())
            << QString::fromStdString(std::string(family.id));
}

void TstVerify::everyShapeIsMade()
{
    QFETCH(QString, id);
    const Family& family = test::familyOf(id.toStdString());
    bool recompute = false;
    bool segments = false;
    for (const VerifyCase& one : casesOf(family, VerifyGrid{})) {
        const auto plan = planOf(one, VerifyGrid{});
        if (!plan) {
            QVERIFY(!specOf(family, one.options)); // refused by the family, and by nothing else
            continue;
        }
        QVERIFY(totalSteps(*plan) >= 3);
        recompute = recompute || plan->schedule.anyRecompute();
        segments = segments || plan->schedule.spec().segments() > 1;
    }
    QVERIFY(recompute);
    QVERIFY(segments);
}

void TstVerify::canonicalOrdersCannotStall_data()
{
    everyShapeIsMade_data();
}

void TstVerify::canonicalOrdersCannotStall()
{
    QFETCH(QString, id);
    const Family& family = test::familyOf(id.toStdString());
    for (const int devices : {2, 4}) {
        for (const int steps : {1, 3}) {
            FamilyOptions options = test::sized(devices, 2 * devices);
            options.steps = steps;
            const auto spec = specOf(family, options);
            if (!spec)
                continue;
            for (const BackwardForm form :
                 {BackwardForm::Fused, BackwardForm::Split, BackwardForm::Recomputed}) {
                const auto order = canonicalSchedule(*spec, form, devices);
                QVERIFY2(order, order ? "" : order.error().message.c_str());
                const auto times = simulate(*order, expand(UniformCosts{}, order->spec()));
                QVERIFY2(times, times ? "" : times.error().message.c_str());
            }
        }
    }
}

void TstVerify::passesAreMeasuredBesideOthers_data()
{
    everyShapeIsMade_data();
}

void TstVerify::passesAreMeasuredBesideOthers()
{
    QFETCH(QString, id);
    const Family& family = test::familyOf(id.toStdString());
    for (const int devices : {2, 4}) {
        const auto spec = specOf(family, test::sized(devices, 2 * devices));
        if (!spec)
            continue;
        for (const BackwardForm form :
             {BackwardForm::Fused, BackwardForm::Split, BackwardForm::Recomputed}) {
            const auto order = canonicalSchedule(*spec, form, 2 * devices);
            QVERIFY2(order, order ? "" : order.error().message.c_str());
            const auto times = simulate(*order, expand(UniformCosts{}, order->spec()));
            QVERIFY2(times, times ? "" : times.error().message.c_str());
            Ticks busy = 0;
            for (const DeviceResult& device : times->devices)
                busy += device.busy;
            QVERIFY2(2 * busy >= devices * times->makespan,
                     qPrintable(QString("%1 busy in %2 on %3 devices")
                                    .arg(busy)
                                    .arg(times->makespan)
                                    .arg(devices)));
        }
    }
}

void TstVerify::latencyAndBandwidthAreFitted_data()
{
    QTest::addColumn<qint64>("latency");
    QTest::addColumn<double>("bandwidth"); // bytes a second; 0: none
    QTest::newRow("both") << qint64{5000} << 1e9;
    QTest::newRow("latency alone") << qint64{7000} << 0.0;
}

void TstVerify::latencyAndBandwidthAreFitted()
{
    QFETCH(qint64, latency);
    QFETCH(double, bandwidth);
    std::vector<MeasuredMessage> messages;
    for (const Bytes bytes : {Bytes{4096}, Bytes{65536}, Bytes{1 << 20}}) {
        const double travel = bandwidth > 0 ? 1e9 * static_cast<double>(bytes) / bandwidth : 0;
        const Ticks time = latency + static_cast<Ticks>(travel);
        messages.push_back({bytes, spreadOf({time, time, time})});
    }
    const Link link = fitLink(messages);
    QCOMPARE(link.latency, latency);
    QVERIFY(std::abs(link.bytesPerSecond - bandwidth) <= 1e-6 * bandwidth);
    QCOMPARE(fitLink({}).latency, Ticks{0});
}

PW_TEST(TstVerify)
#include "tst_verify.moc"

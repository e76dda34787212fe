// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/backends/backends.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QtTest>

#include <algorithm>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr double tolerance = 1e-5;

QString problemOf(Backend& backend, const RunPlan& plan, const ReferenceRun& truth)
{
    const Result<Comparison> found = compareWithReference(backend, plan, truth, Stop());
    if (!found)
        return QString::fromStdString(found.error().message);
    return found->error() <= tolerance ? QString()
                                       : QString("%1 at %2")
                                             .arg(found->error())
                                             .arg(QString::fromStdString(found->parameter.where));
}

/// What a run says of clipping, and every parameter of the last updates, bit by bit.
struct Outcome
{
    std::string note;
    std::vector<std::vector<float>> parameters;
};

Outcome outcomeOf(Backend& backend, const RunPlan& plan)
{
    Outcome outcome;
    std::mutex guard;
    std::map<std::tuple<int, int, int>, std::vector<float>> seen;
    backend.setSnapshotListener([&](StageSnapshot snapshot) {
        const std::lock_guard lock(guard);
        seen[{snapshot.update, snapshot.stage.stage, snapshot.stage.route}] =
            std::move(snapshot.parameters);
    });
    RecordingSink sink;
    const Result<RunFigures> ran = backend.run(plan, sink, Stop());
    backend.setSnapshotListener({});
    for (const RunLog& log : sink.record().logs) {
        if (log.text.find("norm of all gradients") != std::string::npos)
            outcome.note = log.text;
    }
    for (auto& [key, values] : seen)
        outcome.parameters.push_back(std::move(values));
    return outcome;
}

} // namespace

/// Clipping by the norm of all gradients, and updates that do not wait for it.
class TestClipping : public QObject
{
    Q_OBJECT

private slots:
    void clippedRunsAreThoseOfOneDevice_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("steps");
        QTest::addColumn<int>("replicas");
        for (const Family& family : allFamilies()) {
            const std::string id(family.id);
            const Result<PipelineSpec> spec = specOf(family, test::sized(2, 4));
            if (!spec || spec->updateRule != UpdateRule::Flush)
                continue;
            QTest::addRow("%s", id.c_str()) << QString::fromStdString(id) << 1 << 1;
            QTest::addRow("%s, 3 steps", id.c_str()) << QString::fromStdString(id) << 3 << 1;
        }
        QTest::newRow("two replicas") << "1f1b" << 2 << 2;
        QTest::newRow("three replicas of two routes") << "chimera" << 1 << 3;
    }

    void clippedRunsAreThoseOfOneDevice()
    {
        QFETCH(QString, id);
        QFETCH(int, steps);
        QFETCH(int, replicas);
        FamilyOptions options = test::sized(2, 4);
        options.steps = steps;
        options.updates = steps > 1;
        const Result<Schedule> one = test::scheduleOf(test::familyOf(id.toStdString()), options);
        QVERIFY2(one, one ? "" : one.error().message.c_str());
        RunPlan plan = *test::trainedPlan(*withReplicas(*one, replicas), steps > 1 ? 2 : 5);
        const Result<void> can = checkClipping(plan);
        QVERIFY2(can, can ? "" : can.error().message.c_str());
        // So that some steps are clipped and some are not.
        std::vector<double> norms = test::gradientNorms(test::truthOf(plan));
        std::sort(norms.begin(), norms.end());
        plan.optimizer.clipNorm = (norms[norms.size() / 2 - 1] + norms[norms.size() / 2]) / 2;
        const ReferenceRun truth = test::truthOf(plan);
        const std::vector<double> clipped = test::gradientNorms(truth);
        QVERIFY(*std::max_element(clipped.begin(), clipped.end()) > plan.optimizer.clipNorm);
        QVERIFY(*std::min_element(clipped.begin(), clipped.end()) < plan.optimizer.clipNorm);

        const std::unique_ptr<Backend> cpu = *openBackend("cpu", plan.schedule.devices());
        QCOMPARE(problemOf(*cpu, plan, truth), QString());
        const Outcome waited = outcomeOf(*cpu, plan);
        plan.postValidation = true;
        QCOMPARE(problemOf(*cpu, plan, truth), QString());
        const Outcome validated = outcomeOf(*cpu, plan);
        QVERIFY(waited.parameters == validated.parameters);
        QVERIFY2(validated.note.find("took") != std::string::npos, validated.note.c_str());
        QVERIFY2(waited.note.find("took") == std::string::npos, waited.note.c_str());
        if (replicas > 1) {
            QVERIFY(shardOptimizer(plan));
            QCOMPARE(problemOf(*cpu, plan, truth), QString());
        }
    }

    void processesAgreeOnTheNorm()
    {
        FamilyOptions options = test::sized(3, 6);
        options.steps = 3;
        options.updates = true;
        for (const char* id : {"1f1b", "zb-h2"}) {
            RunPlan plan = *test::trainedPlan(*test::scheduleOf(test::familyOf(id), options), 2);
            const std::vector<double> norms = test::gradientNorms(test::truthOf(plan));
            plan.optimizer.clipNorm = norms[norms.size() / 2];
            const ReferenceRun truth = test::truthOf(plan);
            test::RoomBackend mpi;
            for (const bool after : {false, true}) {
                plan.postValidation = after;
                QCOMPARE(problemOf(mpi, plan, truth), QString());
            }
        }
    }

    void updatesAreTakenBackWhereTheNormIsAbove()
    {
        RunPlan plan =
            *test::trainedPlan(*test::scheduleOf(test::familyOf("1f1b"), test::sized(4, 8)), 4);
        plan.postValidation = true;
        // Above every rank's own part and below all parts together: only the sum says it.
        const ReferenceRun truth = test::truthOf(plan);
        double own = 0;
        for (const StageSnapshot& snapshot : truth.snapshots) {
            double squares = 0;
            for (const float value : snapshot.gradients)
                squares += static_cast<double>(value) * static_cast<double>(value);
            if (snapshot.update == 0)
                own = std::max(own, std::sqrt(squares));
        }
        const double all = test::gradientNorms(truth).front();
        QVERIFY(own < all);
        plan.optimizer.clipNorm = (own + all) / 2;
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", 4);
        const Outcome outcome = outcomeOf(*cpu, plan);
        QVERIFY2(outcome.note.find("took 0 ") == std::string::npos, outcome.note.c_str());
        QCOMPARE(problemOf(*cpu, plan, test::truthOf(plan)), QString());
    }

    void asynchronousFamiliesAreRefused()
    {
        FamilyOptions options = test::sized(2, 4);
        options.steps = 3;
        const RunPlan plan =
            *test::trainedPlan(*test::scheduleOf(test::familyOf("pipedream-2bw"), options), 1);
        const Result<void> can = checkClipping(plan);
        QVERIFY(!can);
        QVERIFY(can.error().message.find("1f1b") != std::string::npos);
    }
};

PW_TEST(TestClipping)
#include "tst_clipping.moc"

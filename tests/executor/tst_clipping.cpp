// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/backends/backends.h"
#include "tests/support/late_norm.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace pw;
using namespace pw::exec;

namespace {

QString problemOfParameters(Backend& backend, const RunPlan& plan, const ReferenceRun& truth)
{
    const Result<Comparison> found = compareWithReference(backend, plan, truth, Stop());
    if (!found)
        return QString::fromStdString(found.error().message);
    return found->error() <= test::gradientTolerance
               ? QString()
               : QString("%1 at %2")
                     .arg(found->error())
                     .arg(QString::fromStdString(found->parameter.where));
}

/// The number that a pattern finds in a text; −1: none.
int numberIn(const std::string& text, const char* pattern)
{
    const auto found =
        QRegularExpression(QString::fromLatin1(pattern)).match(QString::fromStdString(text));
    return found.hasMatch() ? found.captured(1).toInt() : -1;
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
        QCOMPARE(problemOfParameters(*cpu, plan, truth), QString());
        const Outcome waited = outcomeOf(*cpu, plan);
        plan.postValidation = true;
        QCOMPARE(problemOfParameters(*cpu, plan, truth), QString());
        const Outcome validated = outcomeOf(*cpu, plan);
        QVERIFY(waited.parameters == validated.parameters);
        QVERIFY2(validated.note.find("took") != std::string::npos, validated.note.c_str());
        QVERIFY2(waited.note.find("took") == std::string::npos, waited.note.c_str());
        if (replicas > 1) {
            QVERIFY(shardOptimizer(plan));
            QCOMPARE(problemOfParameters(*cpu, plan, truth), QString());
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
                QCOMPARE(problemOfParameters(mpi, plan, truth), QString());
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
        QCOMPARE(problemOfParameters(*cpu, plan, test::truthOf(plan)), QString());
    }

    void forwardsRunAheadOfTheNorm_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("replicas");
        QTest::addColumn<bool>("processes");
        QTest::addColumn<bool>("above");
        for (const char* id : {"1f1b", "zb-h2", "zb-v", "interleaved-1f1b", "seq1f1b", "gpipe"})
            for (const bool processes : {false, true})
                for (const bool above : {true, false})
                    QTest::addRow("%s, %s, %s", id, processes ? "mpi" : "cpu",
                                  above ? "above" : "below")
                        << id << 1 << processes << above;
        // Their copies hand on weights that are not sure yet.
        for (const char* id : {"1f1b", "zb-v"})
            for (const int replicas : {2, 3})
                for (const bool processes : {false, true})
                    for (const bool above : {true, false})
                        QTest::addRow("%s, sharded over %d, %s, %s", id, replicas,
                                      processes ? "mpi" : "cpu", above ? "above" : "below")
                            << id << replicas << processes << above;
    }

    /// The last rank tells its part of the norm late; the others begin the next step without it.
    void forwardsRunAheadOfTheNorm()
    {
        QFETCH(QString, id);
        QFETCH(int, replicas);
        QFETCH(bool, processes);
        QFETCH(bool, above);
        FamilyOptions options = replicas > 1 ? test::sized(2, 4) : test::sized(3, 6);
        options.steps = 3;
        options.updates = true;
        const Result<Schedule> schedule =
            test::scheduleOf(test::familyOf(id.toStdString()), options);
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        RunPlan plan = *test::trainedPlan(*withReplicas(*schedule, replicas), 2);
        plan.postValidation = true;
        if (replicas > 1)
            QVERIFY(shardOptimizer(plan));
        // Every rank's own part is below, so that all of them go on; the sum of all may be above.
        const ReferenceRun free = test::truthOf(plan);
        const std::vector<double> norms = test::gradientNorms(free);
        plan.optimizer.clipNorm = above ? test::betweenOwnAndAll(plan, free)
                                        : 2 * *std::max_element(norms.begin(), norms.end());
        QVERIFY(plan.optimizer.clipNorm > 0);
        const ReferenceRun truth = test::truthOf(plan);
        const int late = plan.schedule.devices() - 1;
        std::unique_ptr<Backend> backend;
        if (processes) {
            backend = std::make_unique<test::RoomBackend>();
        } else {
            backend = std::make_unique<test::LateBackend>(late);
        }
        QCOMPARE(problemOfParameters(*backend, plan, truth), QString());
        const Outcome ahead = outcomeOf(*backend, plan);
        plan.postValidation = false;
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", plan.schedule.devices());
        QVERIFY(outcomeOf(*cpu, plan).parameters == ahead.parameters);
        const auto begun = numberIn(ahead.note, "began (\\d+) forwards");
        const auto done = numberIn(ahead.note, "did (\\d+) of them again");
        const auto back = numberIn(ahead.note, "took (\\d+) updates back");
        // Between processes nobody is held back, so it may be that all told in time.
        QVERIFY2(begun > 0 || processes, ahead.note.c_str());
        QVERIFY2(above == (back > 0), ahead.note.c_str());
        // With more replicas the norm of a later step may be below a limit that the first is above.
        const bool everyStep = replicas == 1 && !processes;
        QVERIFY2(done <= begun, ahead.note.c_str());
        QVERIFY2(above ? !everyStep || done == begun : done == 0, ahead.note.c_str());
        QVERIFY2(!above || processes || done > 0, ahead.note.c_str());
    }

    void theRecordsCountForwardsOnce()
    {
        FamilyOptions options = test::sized(3, 6);
        options.steps = 3;
        options.updates = true;
        RunPlan plan = *test::trainedPlan(*test::scheduleOf(test::familyOf("zb-h2"), options), 2);
        plan.postValidation = true;
        plan.optimizer.clipNorm = test::betweenOwnAndAll(plan, test::truthOf(plan));
        test::LateBackend backend(2);
        RecordingSink sink;
        const Result<RunFigures> ran = backend.run(plan, sink, Stop());
        QVERIFY2(ran, ran ? "" : ran.error().message.c_str());
        QCOMPARE(ran->iterations, 2);
        std::map<std::pair<int, int>, int> count; // by iteration and entry
        std::map<std::pair<int, int>, int> messages;
        int inVain = 0;
        for (const RecordedPass& pass : sink.record().passes) {
            if (pass.entry >= 0)
                ++count[{pass.iteration, pass.entry}];
            else
                ++inVain;
        }
        for (const RecordedMessage& message : sink.record().messages)
            ++messages[{message.iteration, message.message}];
        QVERIFY(inVain > 0);
        QCOMPARE(count.size(), static_cast<std::size_t>(2 * plan.schedule.entryCount()));
        QCOMPARE(messages.size(), 2 * plan.program.messages.size());
        const auto once = [](const auto& one) { return one.second == 1; };
        QVERIFY(std::all_of(count.begin(), count.end(), once));
        QVERIFY(std::all_of(messages.begin(), messages.end(), once));
    }

    void asynchronousFamiliesAreRefused()
    {
        FamilyOptions options = test::sized(2, 4);
        options.steps = 3;
        const RunPlan plan =
            *test::trainedPlan(*test::scheduleOf(test::familyOf("pipedream-2bw"), options), 1);
        const Result<void> can = checkClipping(plan);
        QVERIFY(!can);
        QVERIFY(can.error().message.english().find("1f1b") != std::string::npos);
    }
};

PW_TEST(TestClipping)
#include "tst_clipping.moc"

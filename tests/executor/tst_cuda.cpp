// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/stage_replicas.h"
#include "executor/api/recording_sink.h"
#include "executor/backends/backends.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/model/training.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

using namespace pw;
using namespace pw::exec;

// The CUDA backend as the program sees it: a module that is loaded. PW_CUDA_MODULE is where it has
// been built; it is not defined where it has not.
namespace {

#ifdef PW_CUDA_MODULE
constexpr const char* modulePath = PW_CUDA_MODULE;
#else
constexpr const char* modulePath = "";
#endif

/// Architectures of the machine code ("80-real") and the PTX ("75-virtual") in a file: the entries
/// of nvcc's "fat binaries" in it.
std::set<std::string> architecturesIn(const QByteArray& file)
{
    constexpr std::uint32_t magic = 0xBA55ED50;
    constexpr qsizetype archAt = 28;
    constexpr std::uint16_t ptx = 1;
    constexpr std::uint16_t machineCode = 2;
    const auto number = [&file](auto& value, qsizetype at) {
        if (at + static_cast<qsizetype>(sizeof(value)) > file.size())
            return false;
        std::memcpy(&value, file.constData() + at, sizeof(value));
        return true;
    };
    std::set<std::string> found;
    const QByteArray mark(reinterpret_cast<const char*>(&magic), sizeof(magic));
    for (qsizetype at = file.indexOf(mark); at >= 0; at = file.indexOf(mark, at + 4)) {
        std::uint16_t header = 0;
        std::uint64_t size = 0;
        if (!number(header, at + 6) || !number(size, at + 8))
            break;
        qsizetype entry = at + header;
        const qsizetype end = entry + static_cast<qsizetype>(size);
        while (entry < end && end <= file.size()) {
            std::uint16_t kind = 0;
            std::uint32_t head = 0;
            std::uint64_t body = 0;
            std::uint32_t architecture = 0;
            if (!number(kind, entry) || !number(head, entry + 4) || !number(body, entry + 8) ||
                !number(architecture, entry + archAt) || head == 0)
                break;
            if (kind == machineCode || kind == ptx)
                found.insert(std::to_string(architecture) +
                             (kind == machineCode ? "-real" : "-virtual"));
            entry += static_cast<qsizetype>(head + body);
        }
    }
    return found;
}

/// A run of a family on so many devices: a small model of odd sizes, two steps.
RunPlan planFor(const Family& family, int devices)
{
    const FamilyOptions options = test::sized(devices, 2 * devices);
    Schedule schedule = test::runFamily(family, options, UniformCosts{}).schedule;
    const PipelineSpec spec = schedule.spec();
    GptModel model;
    model.layers = spec.stages();
    model.hidden = 12;
    model.heads = 3;
    model.ffn = 10;
    model.sequence = 7 * spec.segments();
    model.vocabulary = 11;
    model.samples = 2;
    const LayerSplit split = *evenSplit(model.layers, spec.stages());
    Costs costs = expand(UniformCosts{}, spec);
    const Optimizer optimizer = comparableOptimizer();
    if (const Result<void> set = setBytes(costs, spec, model, split, optimizer); !set)
        qFatal("%s", set.error().message.c_str());
    Result<RunPlan> plan = makePlan(std::move(schedule), costs, model, split);
    if (!plan)
        qFatal("%s", plan.error().message.c_str());
    plan->optimizer = optimizer;
    plan->iterations = 2;
    return *std::move(plan);
}

/// Largest difference against the largest number.
double distance(const std::vector<float>& found, const std::vector<float>& wanted)
{
    double largest = 1e-30;
    double off = found.size() == wanted.size() ? 0 : 1e30;
    for (std::size_t i = 0; i < std::min(found.size(), wanted.size()); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(wanted[i])));
        off =
            std::max(off, std::abs(static_cast<double>(found[i]) - static_cast<double>(wanted[i])));
    }
    return off / largest;
}

} // namespace

class TestCuda : public QObject
{
    Q_OBJECT

private slots:
    void theModuleLoadsAndSaysWhatIsThere();
    void theModuleHoldsKernelsOfEveryArchitecture();
    void everyFamilyTrainsAsTheReference_data();
    void everyFamilyTrainsAsTheReference();
    void copiesOfAStageTrainAsTheReference_data();
    void copiesOfAStageTrainAsTheReference();
    void passesAndMessagesOfADeviceKeepTheirOrder();
    void aSecondRunHasWhatTheFirstHasOpened();
};

void TestCuda::theModuleLoadsAndSaysWhatIsThere()
{
    if (*modulePath == '\0')
        QSKIP("built without CUDA");
    const std::vector<BackendInfo> infos = backendInfos();
    const auto cuda = std::find_if(infos.begin(), infos.end(),
                                   [](const BackendInfo& info) { return info.name == "cuda"; });
    QVERIFY(cuda != infos.end());
    // Loaded: what it says comes from the libraries, not from the loader.
    QVERIFY2(cuda->summary.rfind("CUDA: ", 0) == 0, cuda->missing.c_str());
    QVERIFY(cuda->summary.find("runtime ") != std::string::npos);
    if (cuda->available) {
        QVERIFY(!cuda->devices.empty());
        return;
    }
    QVERIFY(cuda->devices.empty());
    const bool says = cuda->missing.find("driver") != std::string::npos ||
                      cuda->missing.find("cudaGetDeviceCount") != std::string::npos;
    QVERIFY2(says, cuda->missing.c_str());
    const auto opened = openBackend("cuda", 1);
    QVERIFY(!opened);
    QVERIFY(opened.error().message.english().find(cuda->missing) != std::string::npos);
}

void TestCuda::theModuleHoldsKernelsOfEveryArchitecture()
{
    if (*modulePath == '\0')
        QSKIP("built without CUDA");
    // Where this has been carried to, beside the program: for the architecture that is there alone.
    const QString carried = qEnvironmentVariable("PW_MODULE_PATH");
    const bool built = carried.isEmpty();
    QFile file(built ? QString::fromLocal8Bit(modulePath)
                     : carried + QStringLiteral("/pipewright-cuda.so"));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const std::set<std::string> found = architecturesIn(file.readAll());
#ifdef PW_CUDA_ARCHITECTURES
    const QStringList wanted = QString(PW_CUDA_ARCHITECTURES).split(' ', Qt::SkipEmptyParts);
    for (const QString& architecture : built ? wanted : QStringList()) {
        const QString suffix = architecture.contains('-') ? QString() : QString("-real");
        QVERIFY2(found.count((architecture + suffix).toStdString()) == 1, qPrintable(architecture));
    }
#endif
    QVERIFY(!found.empty());
}

void TestCuda::everyFamilyTrainsAsTheReference_data()
{
    if (const auto backend = openBackend("cuda", 4); !backend)
        QSKIP(backend.error().message.c_str());
    QTest::addColumn<QString>("id");
    for (const Family& family : allFamilies()) {
        if (specOf(family, test::sized(4, 8)))
            QTest::newRow(std::string(family.id).c_str())
                << QString::fromUtf8(family.id.data(), static_cast<int>(family.id.size()));
    }
}

void TestCuda::everyFamilyTrainsAsTheReference()
{
    const auto backend = openBackend("cuda", 4);
    if (!backend)
        QSKIP(backend.error().message.c_str());
    QFETCH(QString, id);
    const RunPlan plan = planFor(test::familyOf(id.toStdString()), 4);
    const RunClock clock;
    const std::unique_ptr<Ops> cpu = makeCpuOps(clock);
    const Result<ReferenceRun> reference = trainReference(plan, *cpu);
    QVERIFY(reference);
    std::mutex mutex;
    std::vector<StageSnapshot> seen;
    (*backend)->setSnapshotListener([&](StageSnapshot snapshot) {
        const std::lock_guard lock(mutex);
        seen.push_back(std::move(snapshot));
    });
    RecordingSink sink;
    const Stop stop;
    const Result<RunFigures> figures = (*backend)->run(plan, sink, stop);
    QVERIFY2(figures, figures ? "" : figures.error().message.c_str());
    constexpr double tolerance = 1e-5;
    std::map<std::pair<int, int>, const StageSnapshot*> wanted;
    for (const StageSnapshot& one : reference->snapshots)
        wanted[{one.update, one.stage.stage}] = &one;
    QVERIFY(seen.size() >= wanted.size());
    for (const StageSnapshot& one : seen) {
        const auto truth = wanted.find({one.update, one.stage.stage});
        QVERIFY(truth != wanted.end());
        const double gradients = distance(one.gradients, truth->second->gradients);
        QVERIFY2(gradients <= tolerance, qPrintable(QString("stage %1, update %2: %3")
                                                        .arg(one.stage.stage)
                                                        .arg(one.update)
                                                        .arg(gradients)));
    }
}

void TestCuda::copiesOfAStageTrainAsTheReference_data()
{
    if (const auto backend = openBackend("cuda", 8); !backend)
        QSKIP(backend.error().message.c_str());
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QList<int>>("ofStages");
    QTest::addColumn<bool>("sharded");
    for (const char* id : {"1f1b", "chimera", "pipedream-2bw"}) {
        for (const int replicas : {2, 3, 4}) {
            for (const bool sharded : {false, true})
                QTest::addRow("%d of %s%s", replicas, id, sharded ? ", sharded" : "")
                    << id << replicas << QList<int>() << sharded;
        }
    }
    for (const bool sharded : {false, true}) {
        for (const QList<int>& stages : {QList<int>{2, 1}, QList<int>{1, 3}})
            QTest::addRow("replicas of stages %d,%d%s", stages[0], stages[1],
                          sharded ? ", sharded" : "")
                << "pipedream" << 1 << stages << sharded;
    }
}

void TestCuda::copiesOfAStageTrainAsTheReference()
{
    QFETCH(QString, id);
    QFETCH(int, replicas);
    QFETCH(QList<int>, ofStages);
    QFETCH(bool, sharded);
    const Family& family = test::familyOf(id.toStdString());
    FamilyOptions options = test::trainedOptions(family, 2);
    options.microBatches = 6;
    const std::vector<int> stages(ofStages.begin(), ofStages.end());
    const Result<Schedule> made = stages.empty()
                                      ? withReplicas(*test::scheduleOf(family, options), replicas)
                                      : withStageReplicas(*specOf(family, options), stages);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    RunPlan plan = *test::trainedPlan(*made);
    if (sharded)
        QVERIFY(shardOptimizer(plan));
    QVERIFY(checkBackend(plan, "cuda"));
    const auto backend = openBackend("cuda", plan.schedule.devices());
    if (!backend)
        QSKIP(backend.error().message.c_str());
    const Result<Comparison> found =
        compareWithReference(**backend, plan, test::truthOf(plan), Stop());
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    constexpr double tolerance = 1e-5;
    QVERIFY2(found->error() <= tolerance, found->parameter.where.c_str());
    QVERIFY(found->updates > 0);
}

void TestCuda::passesAndMessagesOfADeviceKeepTheirOrder()
{
    const auto backend = openBackend("cuda", 4);
    if (!backend)
        QSKIP(backend.error().message.c_str());
    const RunPlan plan = planFor(test::familyOf("1f1b"), 4);
    RecordingSink sink;
    const Stop stop;
    QVERIFY((*backend)->run(plan, sink, stop));
    // A device does one thing at a time, and a pass starts after the message that it uses.
    std::map<std::pair<int, int>, Ticks> ended;
    std::map<std::pair<int, Pass>, RecordedPass> passes;
    for (const RecordedPass& pass : sink.record().passes) {
        Ticks& before = ended.try_emplace({pass.iteration, pass.rank}, pass.start).first->second;
        QVERIFY(pass.start >= before && pass.end >= pass.start);
        before = pass.end;
        passes[{pass.iteration, pass.pass}] = pass;
    }
    QVERIFY(!sink.record().messages.empty());
    for (const RecordedMessage& message : sink.record().messages) {
        if (message.message < 0)
            continue;
        const Message& what = plan.program.messages[static_cast<std::size_t>(message.message)];
        const RecordedPass& from = passes.at({message.iteration, what.producer});
        const RecordedPass& to = passes.at({message.iteration, what.consumer});
        QVERIFY(from.end <= message.started + 1000); // events count in halves of a microsecond
        QVERIFY(message.started <= message.ended);
        QVERIFY(message.ended <= to.start + 1000);
        QVERIFY(message.bytes > 0);
    }
}

void TestCuda::aSecondRunHasWhatTheFirstHasOpened()
{
    const auto backend = openBackend("cuda", 4);
    if (!backend)
        QSKIP(backend.error().message.c_str());
    const Stop stop;
    const auto run = [&](std::string_view id) {
        RecordingSink sink;
        const RunPlan plan = planFor(test::familyOf(std::string(id)), 4);
        const Result<RunFigures> figures = (*backend)->run(plan, sink, stop);
        if (!figures)
            qFatal("%s", figures.error().message.c_str());
        // What the driver was asked for until the end, in MiB by rank.
        std::vector<double> taken;
        for (const RunLog& log : sink.record().logs) {
            static const QRegularExpression took("took ([0-9.]+) MiB");
            const auto found = took.match(QString::fromStdString(log.text));
            if (!found.hasMatch())
                continue;
            const std::size_t rank = log.rank.index();
            taken.resize(std::max(taken.size(), rank + 1));
            taken[rank] = found.captured(1).toDouble();
        }
        return std::pair(taken, sink.record().losses);
    };
    const auto first = run("1f1b");
    QCOMPARE(first.first.size(), std::size_t{4});
    const auto again = run("1f1b");
    QCOMPARE(again.first.size(), std::size_t{4});
    // No slab more. A result that another device still reads is not waited for: where the host was
    // further ahead, there is a block more of these few kilobytes.
    for (std::size_t rank = 0; rank < 4; ++rank)
        QVERIFY2(
            std::abs(again.first[rank] - first.first[rank]) < 2,
            qPrintable(QString("%1 MiB, then %2").arg(first.first[rank]).arg(again.first[rank])));
    QCOMPARE(again.second.size(), first.second.size());
    for (std::size_t i = 0; i < first.second.size(); ++i)
        QCOMPARE(again.second[i].loss, first.second[i].loss);
    // Another order of the same shape, and one of other numbers of ranks.
    const auto other = run("zb-h1");
    QVERIFY(std::abs(other.second[0].loss - first.second[0].loss) < 1e-5);
    const RunPlan two = planFor(test::familyOf("1f1b"), 2);
    RecordingSink sink;
    QVERIFY((*backend)->run(two, sink, stop));
    QVERIFY(run("1f1b").second[1].loss == first.second[1].loss);
}

PW_TEST(TestCuda)
#include "tst_cuda.moc"

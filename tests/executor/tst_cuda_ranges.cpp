// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/pass_ranges.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace pw;
using namespace pw::exec;

// A worker with ranges is asked in the place of the one within: what it does not hand on falls to
// what a worker need not be able to do.
namespace {

/// Writes down what it is asked for, and cannot do any of it.
class Listener final : public Worker
{
public:
    explicit Listener(std::vector<std::string>& heard)
        : m_heard(heard)
    {
    }

    Result<void> begin() override { return told("begin"); }
    Result<void> beginIteration(int) override { return told("beginIteration"); }
    Result<void> deliver(const Pass&, Packet) override { return told("deliver"); }
    Result<Computed> compute(const OrderEntry&) override { return told("compute"); }
    Result<Packet> take(const Pass&) override { return told("take"); }
    Result<void> move(const HostMove&, InstructionKind) override { return told("move"); }
    std::vector<Copied> takeCopies() override
    {
        m_heard.emplace_back("takeCopies");
        return {};
    }
    Result<Packet> gradients(HostedStage, int) override { return told("gradients"); }
    Result<void> addGradients(HostedStage, int, Packet) override { return told("addGradients"); }
    Result<Packet> shard(HostedStage, int, ReductionKind, int) override { return told("shard"); }
    Result<void> takeShard(HostedStage, int, ReductionKind, int, Packet) override
    {
        return told("takeShard");
    }
    Result<double> gradientSquares(int) override { return told("gradientSquares"); }
    Result<void> scaleGradients(int, double) override { return told("scaleGradients"); }
    Result<void> keepForRollback(int) override { return told("keepForRollback"); }
    Result<void> rollBack(int, double) override { return told("rollBack"); }
    Result<void> forget(const OrderEntry&) override { return told("forget"); }
    void settled(int) override { m_heard.emplace_back("settled"); }
    Result<void> end() override { return told("end"); }
    std::vector<MicroBatchLoss> takeLosses() override
    {
        m_heard.emplace_back("takeLosses");
        return {};
    }
    std::optional<Ticks> time(Mark) override
    {
        m_heard.emplace_back("time");
        return std::nullopt;
    }
    Result<void> health() override { return told("health"); }

private:
    tl::unexpected<Error> told(const char* what)
    {
        m_heard.emplace_back(what);
        return fail(ErrorCode::Fault, "heard");
    }

    std::vector<std::string>& m_heard;
};

} // namespace

class TestCudaRanges : public QObject
{
    Q_OBJECT

private slots:
    void everyCallReachesTheWorkerWithin_data();
    void everyCallReachesTheWorkerWithin();
};

using Call = std::function<bool(Worker&)>; ///< whether the answer is the listener's
Q_DECLARE_METATYPE(Call)

void TestCudaRanges::everyCallReachesTheWorkerWithin_data()
{
    QTest::addColumn<Call>("call");
    const auto row = [](const char* name, Call call) { QTest::newRow(name) << std::move(call); };
    const auto heard = [](const auto& answer) {
        return !answer && answer.error().message == "heard";
    };
    const HostedStage stage{0, StageId(0)};
    row("begin", [=](Worker& one) { return heard(one.begin()); });
    row("deliver", [=](Worker& one) { return heard(one.deliver({}, {})); });
    row("compute", [=](Worker& one) { return heard(one.compute({})); });
    row("take", [=](Worker& one) { return heard(one.take({})); });
    row("move", [=](Worker& one) { return heard(one.move({}, InstructionKind::Stow)); });
    row("takeCopies", [](Worker& one) { return one.takeCopies().empty(); });
    row("gradients", [=](Worker& one) { return heard(one.gradients(stage, 0)); });
    row("addGradients", [=](Worker& one) { return heard(one.addGradients(stage, 0, {})); });
    row("shard", [=](Worker& one) { return heard(one.shard(stage, 0, ReductionKind::Sum, 0)); });
    row("takeShard",
        [=](Worker& one) { return heard(one.takeShard(stage, 0, ReductionKind::Sum, 0, {})); });
    row("gradientSquares", [=](Worker& one) { return heard(one.gradientSquares(0)); });
    row("scaleGradients", [=](Worker& one) { return heard(one.scaleGradients(0, 0.5)); });
    row("keepForRollback", [=](Worker& one) { return heard(one.keepForRollback(0)); });
    row("rollBack", [=](Worker& one) { return heard(one.rollBack(0, 0.5)); });
    row("forget", [=](Worker& one) { return heard(one.forget({})); });
    row("settled", [](Worker& one) {
        one.settled(0);
        return true;
    });
    row("end", [=](Worker& one) { return heard(one.end()); });
    row("takeLosses", [](Worker& one) { return one.takeLosses().empty(); });
    row("time", [](Worker& one) { return !one.time({}); });
    row("health", [=](Worker& one) { return heard(one.health()); });
}

void TestCudaRanges::everyCallReachesTheWorkerWithin()
{
    QFETCH(Call, call);
    std::vector<std::string> heard;
    // None of these calls has to do with the device.
    const RunClock clock;
    const std::unique_ptr<Worker> worker =
        cuda::withRanges(std::make_unique<Listener>(heard), RankId(0), nullptr, 0, clock);
    QVERIFY(call(*worker));
    QCOMPARE(heard, std::vector<std::string>{QTest::currentDataTag()});
}

PW_TEST(TestCudaRanges)
#include "tst_cuda_ranges.moc"

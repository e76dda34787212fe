// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/trace/propose.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

/// Events of a host that launches, and of the device that runs it one after another. Microseconds.
class LaunchedText
{
public:
    static constexpr int mainThread = 100, backwardThread = 101;

    void range(const char* category, const std::string& name, int thread, double start, double end,
               const std::string& arguments = {})
    {
        m_text += std::string(R"({"ph":"X","cat":")") + category + R"(","name":")" + name +
                  R"(","pid":1,"tid":)" + std::to_string(thread) + R"(,"ts":)" +
                  std::to_string(start) + R"(,"dur":)" + std::to_string(end - start) +
                  R"(,"args":{)" + arguments + "}},\n";
    }
    /// A launch at the present time of the host, which takes 2 µs.
    void kernel(const std::string& name, double length, int thread = mainThread)
    {
        ++m_number;
        const std::string correlation = R"("correlation":)" + std::to_string(m_number);
        range("cuda_runtime", "cudaLaunchKernel", thread, m_now, m_now + 1, correlation);
        const double start = std::max(m_device, m_now + 5);
        m_text += R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":7,"ts":)" +
                  std::to_string(start) + R"(,"dur":)" + std::to_string(length) + R"(,"args":{)" +
                  correlation + "}},\n";
        m_device = start + length + 1;
        m_now += 2;
    }
    /// A range around what `inside` launches.
    template<typename Inside>
    void around(const char* category, const std::string& name, int thread,
                const std::string& arguments, const Inside& inside)
    {
        const double start = m_now++;
        inside();
        range(category, name, thread, start, ++m_now, arguments);
    }
    void wait() { m_now = std::max(m_now, m_device) + 10; }

    PassProposal proposal() const
    {
        const Result<Trace> read = importTraceText(
            "{\"traceEvents\":[\n" + m_text + R"({"ph":"i","ts":1}]})", "rank0.json");
        if (!read)
            qFatal("%s", read.error().message.c_str());
        return propose(*read);
    }

private:
    std::string m_text;
    int m_number = 0;
    double m_now = 1000;
    double m_device = 0;
};

/// How autograd runs the backward.
struct BackwardForm
{
    bool numbers = true;  ///< sequence numbers lead to the forwards
    bool split = false;   ///< once for the inputs, and once for the weights
    int weightsEvery = 1; ///< of so many layers one has kernels of weights, as many as all together
};

/// Steps of a plain loop: one forward and one backward of layers that are alike.
PassProposal trained(const BackwardForm& form)
{
    constexpr int layers = 6, steps = 3;
    LaunchedText text;
    int number = 0;
    const auto sequence = [&form](int of) {
        return form.numbers ? R"("Sequence number":)" + std::to_string(of) : std::string();
    };
    for (int step = 0; step < steps; ++step) {
        const int first = number;
        for (int layer = 0; layer < layers; ++layer)
            for (const char* name : {"conv", "norm", "act"})
                text.around("cpu_op", std::string("aten::") + name, LaunchedText::mainThread,
                            sequence(number++) + (form.numbers ? R"(,"Fwd thread id":0)" : ""),
                            [&] { text.kernel(std::string(name) + "_k", 50); });
        const auto walk = [&](bool inputs, bool weights) {
            for (int of = number - 1; of >= first; --of) {
                const int part = (of - first) % 3, layer = (of - first) / 3;
                if (!inputs && part > 0)
                    continue;
                const char* kinds[] = {"Conv", "Norm", "Act"};
                text.around(
                    "cpu_op",
                    std::string("autograd::engine::evaluate_function: ") + kinds[part] +
                        "Backward0",
                    LaunchedText::backwardThread,
                    sequence(of) + (form.numbers ? R"(,"Fwd thread id":1)" : ""), [&] {
                        if (inputs)
                            text.kernel(std::string(part == 0 ? "conv_dgrad" : "x_bw") + "_k", 70,
                                        LaunchedText::backwardThread);
                        for (int i = 0; weights && part == 0 && layer % form.weightsEvery == 0 &&
                                        i < form.weightsEvery;
                             ++i)
                            text.kernel("conv_wgrad_k", 60, LaunchedText::backwardThread);
                    });
            }
        };
        walk(true, !form.split);
        if (form.split)
            walk(false, true);
        text.around("user_annotation", "Optimizer.step#SGD.step", LaunchedText::mainThread, {},
                    [&] { text.kernel("multi_tensor_apply_kernel", 40); });
        text.wait();
    }
    return text.proposal();
}

std::string kindsOf(const PassProposal& proposal)
{
    std::string kinds;
    for (const ProposedPass& one : proposal.passes)
        if (one.inside < 0)
            kinds += (kinds.empty() ? "" : " ") +
                     (one.overlapped ? std::string("pair") : std::string(name(one.kind)));
    return kinds;
}

} // namespace

/// What launched a kernel says more than what the kernel is called.
class TestProposeRanges : public QObject
{
    Q_OBJECT

private slots:
    void oneBackwardOfAutogradIsOnePass_data()
    {
        QTest::addColumn<bool>("numbers");
        QTest::addColumn<int>("weightsEvery");
        for (const int every : {1, 2, 3})
            for (const bool numbers : {true, false})
                QTest::addRow("kernels of weights in one of %d layers, %s", every,
                              numbers ? "numbered" : "not numbered")
                    << numbers << every;
    }

    void oneBackwardOfAutogradIsOnePass()
    {
        QFETCH(const bool, numbers);
        QFETCH(const int, weightsEvery);
        QCOMPARE(QString::fromStdString(kindsOf(trained({numbers, false, weightsEvery}))),
                 numbers ? QString("F BW U F BW U F BW U")
                         : QString("BW U BW U BW U")); // nothing says what the F are
    }

    void aBackwardThatRunsTwiceIsTwoPasses()
    {
        QCOMPARE(QString::fromStdString(kindsOf(trained({true, true, 1}))),
                 QString("F B W U F B W U F B W U"));
    }

    /// As DualPipe's published profile names them, the parts of F between those of the backward.
    void rangesThatNameTheirKindArePasses()
    {
        LaunchedText text;
        const auto part = [&text](const char* name, const char* kernel, int count, double length) {
            text.around("user_annotation", name, LaunchedText::mainThread, {}, [&] {
                for (int i = 0; i < count; ++i)
                    text.kernel(kernel, length);
            });
        };
        for (int layer = 0; layer < 4; ++layer) {
            part("mlp(B)", "grouped_gemm", 4, 300);
            part("mlp(W)", "grouped_gemm", 2, 300);
            part("attn(F)", "gemm", 4, 250);
            part("mlp(F)", "grouped_gemm", 4, 300);
            part("attn(B)", "gemm", 4, 400);
            part("attn(W)", "gemm", 2, 200);
        }
        const PassProposal proposal = text.proposal();
        QCOMPARE(QString::fromStdString(kindsOf(proposal)), QString("pair"));
        std::int64_t weights = 0;
        for (const ProposedPass& one : proposal.passes)
            if (one.inside >= 0)
                weights += one.kind == PassKind::W ? one.items : 0;
        QCOMPARE(weights, std::int64_t{16});
        QVERIFY(proposal.passes.front().confidence > 0.8);
    }

    void rangesOfOnePassAfterAnotherAreThosePasses()
    {
        LaunchedText text;
        const auto part = [&text](const char* name) {
            text.around("user_annotation", name, LaunchedText::mainThread, {},
                        [&] { text.kernel("gemm", 100); });
        };
        for (int layer = 0; layer < 3; ++layer)
            for (const char* name : {"attn(F)", "mlp(F)"})
                part(name);
        for (int layer = 0; layer < 3; ++layer)
            for (const char* name : {"mlp(B)", "mlp(W)", "attn(B)", "attn(W)"})
                part(name);
        QCOMPARE(QString::fromStdString(kindsOf(text.proposal())), QString("F BW"));
    }

    void weightsBehindAllInputsStandApart()
    {
        LaunchedText text;
        for (const char* name : {"attn(F)", "mlp(F)", "mlp(B)", "attn(B)", "mlp(W)", "attn(W)"})
            text.around("user_annotation", name, LaunchedText::mainThread, {}, [&] {
                for (int i = 0; i < 4; ++i)
                    text.kernel("gemm", 100);
            });
        QCOMPARE(QString::fromStdString(kindsOf(text.proposal())), QString("F B W"));
    }
};

PW_TEST(TestProposeRanges)

#include "tst_propose_ranges.moc"

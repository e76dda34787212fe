// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/trace/propose.h"
#include "core/trace/recover.h"
#include "core/trace/rules_file.h"
#include "tests/support/data_files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace pw;

namespace {

/// Kineto events that are written one after another on streams.
class KernelText
{
public:
    /// A kernel that begins when the stream is free. Microseconds.
    void add(const std::string& name, int length, int stream = 7)
    {
        int& now = m_now[stream];
        m_text += R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":)" +
                  std::to_string(stream) + R"(,"ts":)" + std::to_string(now) + R"(,"dur":)" +
                  std::to_string(length) + R"(,"args":{"stream":)" + std::to_string(stream) +
                  "}},\n";
        now += length + 1;
    }
    void wait(int length)
    {
        int latest = 0;
        for (const auto& [stream, now] : m_now)
            latest = std::max(latest, now);
        for (auto& [stream, now] : m_now)
            now = latest + length;
    }
    int now(int stream = 7) { return m_now[stream]; }
    void meet(int stream, int time) { m_now[stream] = std::max(m_now[stream], time); }

    Trace trace() const
    {
        const Result<Trace> read = importTraceText(
            "{\"traceEvents\":[\n" + m_text + R"({"ph":"i","ts":1}]})", "rank0.json");
        if (!read)
            qFatal("%s", read.error().message.c_str());
        return *read;
    }

private:
    std::string m_text;
    std::map<int, int> m_now{{7, 1000}};
};

void forwardLayer(KernelText& text)
{
    text.add("layer_norm_forward", 4);
    text.add("ampere_gemm_128x64_tn", 30);
    text.add("flash_fwd_kernel", 25);
    text.add("ampere_gemm_64x64_tn", 12);
    text.add("gelu_kernel", 5);
}

void backwardLayer(KernelText& text)
{
    text.add("gelu_backward_kernel", 6);
    text.add("ampere_gemm_64x64_nn", 14);
    text.add("flash_bwd_dq_dk_dv_kernel", 60);
    text.add("ampere_gemm_128x64_nt", 31);
    text.add("layer_norm_backward", 8);
}

/// 1F1B of one stage: sends and receives are kernels between the passes.
Trace pipelineStage(int microBatches, int layers)
{
    KernelText text;
    for (int i = 0; i < microBatches + 1; ++i) {
        if (i < microBatches) {
            text.add("ncclDevKernel_SendRecv", 3);
            for (int layer = 0; layer < layers; ++layer)
                forwardLayer(text);
        }
        if (i > 0) {
            text.add("ncclDevKernel_SendRecv", 3);
            for (int layer = 0; layer < layers; ++layer)
                backwardLayer(text);
        }
    }
    text.add("multi_tensor_apply_kernel_adam", 40);
    return text.trace();
}

/// One chunk's F laid over another one's backward, as DualPipe does it: parts alternate on one
/// stream, and exchanges between experts run on another one under the parts of the other kind.
Trace overlappedChunks(int layers)
{
    KernelText text;
    for (int layer = 0; layer < layers; ++layer) {
        // MLP backward while the forward's tokens are dispatched.
        const auto exchange = [&text](const char* name, int length) {
            text.meet(22, text.now());
            text.add(name, length, 22);
        };
        text.add("rmsnorm_fwd_kernel", 5);
        text.add("gemm_a", 20);
        text.add("mla_flash_fwd_kernel", 40);
        text.add("gemm_b", 20);
        exchange("deep_ep::dispatch", 60);
        text.add("swiglu_backward_kernel", 9);
        text.add("moe_bwd_permute", 9);
        text.add("fp8_dgrad_gemm", 30);
        text.add("fp8_dgrad_gemm_2", 20);
        text.add("fp8_wgrad_gemm", 25);
        text.add("fp8_wgrad_gemm_2", 25);
        text.add("fp8_wgrad_gemm_3", 25);
        text.add("fp8_wgrad_gemm", 25);
        exchange("deep_ep::combine", 55);
        text.add("swiglu_forward_kernel", 8);
        text.add("moe_fwd_permute", 8);
        text.add("grouped_gemm_c", 45);
        exchange("deep_ep::combine", 60);
        text.add("mla_flash_bwd_kernel", 70);
        text.add("rmsnorm_bwd_kernel", 9);
        text.add("gemm_d_dgrad", 20);
    }
    return text.trace();
}

std::vector<ProposedPass> outer(const PassProposal& proposal)
{
    std::vector<ProposedPass> passes;
    std::copy_if(proposal.passes.begin(), proposal.passes.end(), std::back_inserter(passes),
                 [](const ProposedPass& one) { return one.inside < 0; });
    return passes;
}

std::string kinds(const std::vector<ProposedPass>& passes)
{
    std::string text;
    for (const ProposedPass& one : passes)
        text += (text.empty() ? "" : " ") +
                (one.overlapped ? std::string("F+BW") : std::string(name(one.kind))) +
                (one.microBatch >= 0 ? std::to_string(one.microBatch) : "");
    return text;
}

bool saysUnknown(const PassProposal& proposal, const std::string& what)
{
    return std::any_of(proposal.unknown.begin(), proposal.unknown.end(),
                       [&what](const std::string& one) { return one.rfind(what, 0) == 0; });
}

} // namespace

/// Passes that nobody labelled are proposed, with what speaks for them, and never more than that.
class TestPropose : public QObject
{
    Q_OBJECT

private slots:
    void whatNamesSay_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("hint");
        const auto row = [](const char* name, ProposeHintOf hint) {
            QTest::newRow(name) << QString(name) << static_cast<int>(hint);
        };
        row("flash_fwd_kernel", ProposeHintOf::F);
        row("void at::native::vectorized_elementwise_kernel<4, GeluBackwardCUDAKernelImpl>",
            ProposeHintOf::Backward);
        row("cudnn::cnn::wgrad2d_grouped_direct_kernel", ProposeHintOf::W);
        row("cutlass_tensorop_dgrad_optimized", ProposeHintOf::B);
        row("void multi_tensor_apply_kernel<FusedAdamMathFunctor>", ProposeHintOf::U);
        row("ampere_sgemm_128x64_tn", ProposeHintOf::None);
        row("void copy<std::forward<int>>", ProposeHintOf::None);
    }

    void whatNamesSay()
    {
        QFETCH(const QString, name);
        QFETCH(const int, hint);
        // By a pass of several such kernels, since the word alone is inner business.
        KernelText text;
        for (int i = 0; i < 5; ++i)
            text.add(name.toStdString(), 10 + i);
        const PassProposal proposal = propose(text.trace());
        if (hint == static_cast<int>(ProposeHintOf::None)) {
            QVERIFY(proposal.empty());
            return;
        }
        QCOMPARE(proposal.passes.size(), std::size_t{1});
        constexpr std::array<PassKind, 5> kindOf = {PassKind::F, PassKind::BW, PassKind::B,
                                                    PassKind::W, PassKind::U};
        const PassKind wanted = kindOf[static_cast<std::size_t>(hint) - 1];
        const PassKind found = proposal.passes.front().kind;
        // Where no W stands apart, a backward is whole.
        QVERIFY(found == wanted || (wanted == PassKind::B && found == PassKind::BW));
    }

    void aStageOfAPipeline()
    {
        const PassProposal proposal = propose(pipelineStage(4, 6));
        QCOMPARE(kinds(outer(proposal)), std::string("F0 F1 BW0 F2 BW1 F3 BW2 BW3 U0"));
        for (const ProposedPass& one : proposal.passes) {
            QCOMPARE(one.stage, -1);
            QVERIFY(one.confidence > 0.5 && one.confidence <= 1);
            QVERIFY(!one.evidence.empty());
        }
        QVERIFY(saysUnknown(proposal, "stages"));
        QVERIFY(proposal.covered > 0.95);
    }

    void layersAreEvidence()
    {
        const PassProposal proposal = propose(pipelineStage(3, 8));
        QVERIFY(std::any_of(proposal.passes.front().evidence.begin(),
                            proposal.passes.front().evidence.end(), [](const std::string& line) {
                                return line.find("comes about 8 times") != std::string::npos;
                            }));
    }

    /// What stands beside evidence is told by that, and no surer than that.
    void noExampleSpeaksWhereNoneIsGiven()
    {
        for (const Trace& trace : {pipelineStage(4, 6), overlappedChunks(4)})
            for (const ProposedPass& one : propose(trace).passes) {
                QVERIFY(one.confidence < 1);
                for (const std::string& line : one.evidence)
                    QVERIFY2(line.find("example") == std::string::npos, line.c_str());
            }
    }

    void oneChunkOverAnother()
    {
        const PassProposal proposal = propose(overlappedChunks(4));
        const std::vector<ProposedPass> passes = outer(proposal);
        QCOMPARE(kinds(passes), std::string("F+BW0"));
        QVERIFY(passes.front().confidence > 0.5);
        std::map<PassKind, int> parts;
        for (const ProposedPass& one : proposal.passes)
            if (one.inside == 0)
                ++parts[one.kind];
        QCOMPARE(parts[PassKind::F], 8);
        QVERIFY(parts[PassKind::B] + parts[PassKind::BW] >= 4);
        QCOMPARE(parts[PassKind::W], 4);
        QVERIFY(saysUnknown(proposal, "stages"));
    }

    void nothingIsInvented()
    {
        KernelText text;
        for (int i = 0; i < 50; ++i)
            text.add(i % 2 == 0 ? "elementwise_kernel" : "ampere_gemm", 10);
        QVERIFY(propose(text.trace()).empty());
    }

    void labelledRanksAreLeftAlone()
    {
        Trace trace = pipelineStage(2, 4);
        const PassProposal proposal = propose(trace);
        QVERIFY(acceptProposal(trace, proposal, 0) > 0);
        QVERIFY(propose(trace).empty());
    }

    void acceptedPassesAreAPipeline()
    {
        Trace trace = pipelineStage(4, 6);
        QCOMPARE(acceptProposal(trace, propose(trace), 0.2), std::int64_t{8});
        const RecoveredPipeline pipeline = recover(trace);
        QCOMPARE(pipeline.microBatches, 4);
        QVERIFY2(pipeline.schedule, whyNoOrder(pipeline).c_str());
        QCOMPARE(trustCounts(pipeline)[static_cast<std::size_t>(Trust::Guessed)], std::int64_t{8});
        Trace other = pipelineStage(4, 6);
        QCOMPARE(acceptProposal(other, propose(other), 1), std::int64_t{0});
    }

    void theRestFollowsAnExample()
    {
        // Names that say nothing: only the example does.
        std::mt19937 random(5);
        KernelText text;
        std::vector<std::pair<int, int>> forwards;
        for (int i = 0; i < 6; ++i) {
            const int from = text.now();
            for (int k = 0; k < 40; ++k)
                text.add("f" + std::to_string((k * 7) % 11), 10);
            if (i == 3)
                text.add("rare", 3); // one kernel more
            forwards.emplace_back(from, text.now());
            const auto others = 20 + static_cast<int>(random() % 10);
            for (int k = 0; k < others; ++k)
                text.add("g" + std::to_string(random() % 7), 12);
        }
        const Trace trace = text.trace();
        QVERIFY(propose(trace).empty());
        const auto ms = [&](int time) {
            return QString::number((time - forwards.front().first) / 1e3, 'f', 6).toStdString();
        };
        const Result<ExamplePlace> place =
            ExamplePlace::parse("F0=0:" + ms(forwards[1].first) + ".." + ms(forwards[1].second));
        QVERIFY(place);
        const Result<PassExample> example = exampleAt(trace, *place);
        QVERIFY2(example, example ? "" : example.error().message.c_str());
        QCOMPARE(example->names.size(), std::size_t{40});
        ProposeOptions options;
        options.examples = {*example};
        const PassProposal proposal = propose(trace, options);
        QCOMPARE(QString::fromStdString(kinds(outer(proposal))), QString("F0 F1 F2 F3 F4 F5"));
        for (const ProposedPass& one : proposal.passes)
            QCOMPARE(one.stage, 0);
        QVERIFY(!saysUnknown(proposal, "stages"));
    }

    void wrongExamplesSayWhy_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "F0", "F0=0", "F0=0:1", "X0=0:1..2", "F=0:1..2", "F0=x:1..2",
                                 "F0=0:2..1", "F0=0:a..b", "F-1=0:1..2", "F0=0:1..nan"})
            QTest::newRow(text) << QString(text);
    }

    void wrongExamplesSayWhy()
    {
        QFETCH(const QString, text);
        const Result<ExamplePlace> place = ExamplePlace::parse(text.toStdString());
        QVERIFY(!place);
        QCOMPARE(place.error().code, ErrorCode::Syntax);
    }

    void examplesAreKeptWithTheRules()
    {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString() + "/rules/trace-rules.json";
        const std::vector<PassExample> examples = {{PassKind::BW, StageId(2), {"a", "b", "ü"}}};
        QVERIFY(keepNameRules(path, {*NameRule::parse("{kind}_mb{micro-batch}")}));
        QVERIFY(keepPassExamples(path, examples));
        QCOMPARE(*keptPassExamples(path), examples);
        QCOMPARE(loadNameRules(path)->size(), std::size_t{1});
        // Rules that are kept later leave them.
        QVERIFY(keepNameRules(path, {}));
        QCOMPARE(*keptPassExamples(path), examples);
        QVERIFY(!readPassExamples(R"({"pipewright_rules":1,"rules":[],"examples":[{"kind":"Q",
            "stage":0,"names":["a","b"]}]})"));
        QVERIFY(!readPassExamples(R"({"pipewright_rules":1,"rules":[],"examples":[{"kind":"F",
            "stage":0,"names":["a"]}]})"));
    }

    void matchesAreLikeThePattern()
    {
        std::mt19937 random(3);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::int32_t> pattern, sequence;
            const auto length = 10 + random() % 30;
            for (std::size_t i = 0; i < length; ++i)
                pattern.push_back(static_cast<std::int32_t>(random() % 50));
            std::vector<std::size_t> places;
            for (int k = 0; k < 5; ++k) {
                for (std::size_t i = random() % 20; i > 0; --i)
                    sequence.push_back(100 + static_cast<std::int32_t>(random() % 9));
                places.push_back(sequence.size());
                sequence.insert(sequence.end(), pattern.begin(), pattern.end());
            }
            const std::vector<ExampleMatch> matches = matchesOf(pattern, sequence);
            QCOMPARE(matches.size(), places.size());
            for (std::size_t k = 0; k < places.size(); ++k) {
                QCOMPARE(matches[k].first, places[k]);
                QCOMPARE(matches[k].behind, places[k] + pattern.size());
                QCOMPARE(matches[k].edits, std::size_t{0});
            }
        }
    }

    void realStepsAreFoundAgain()
    {
        const std::string file = test::largeTraceFolder() + "/kineto-nccl.json.gz";
        if (!QFile::exists(QString::fromStdString(file)))
            QSKIP("no folder of larger real traces; PW_DATA names it");
        const Result<Trace> trace = importTrace({file});
        QVERIFY(trace);
        // Its annotations say where each kernel was launched; the proposal does not look at them.
        const std::map<std::string, PassKind> words = {{"## forward ##", PassKind::F},
                                                       {"## backward ##", PassKind::BW},
                                                       {"## optimizer ##", PassKind::U}};
        struct Stretch
        {
            Ticks start, end;
            PassKind kind;
        };
        std::vector<Stretch> truth;
        for (const TraceSpan& span : trace->spans)
            if (const auto word = words.find(std::string(trace->nameOf(span)));
                word != words.end() && span.trust == Trust::Host)
                truth.push_back({span.start, span.end, word->second});
        const PassProposal proposal = propose(*trace);
        Ticks right = 0, wrong = 0;
        for (const TraceSpan& span : trace->spans) {
            if (span.activity != ActivityKind::Compute || span.queued < 0)
                continue;
            const Ticks launched = span.start - span.queued;
            for (const Stretch& one : truth) {
                if (launched < one.start || launched > one.end)
                    continue;
                const bool same = std::any_of(
                    proposal.passes.begin(), proposal.passes.end(), [&](const ProposedPass& pass) {
                        return pass.start <= span.start && pass.end >= span.end &&
                               (pass.kind == one.kind ||
                                (one.kind == PassKind::BW && isBackward(pass.kind)));
                    });
                (same ? right : wrong) += span.end - span.start;
            }
        }
        QVERIFY(right + wrong > 0);
        QVERIFY2(right > 19 * wrong, qPrintable(QString::number(right) + " right, " +
                                                QString::number(wrong) + " wrong"));
    }

private:
    /// The order of the hints, whose names stay inside.
    enum class ProposeHintOf
    {
        None,
        F,
        Backward,
        B,
        W,
        U
    };
};

PW_TEST(TestPropose)

#include "tst_propose.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/message_passes.h"
#include "core/reading/pass_words.h"
#include "core/trace/pipeline_places.h"
#include "core/trace/recover.h"
#include "tests/support/family_runs.h"
#include "tests/support/kernel_job.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <utility>

using namespace pw;
using test::KernelJob;
using test::KernelWork;

namespace {

using Names = std::vector<std::string>;

/// 1F1B and GPipe by name.
std::function<std::vector<KernelWork>(int)> orderOf(bool forwardsFirst, int microBatches)
{
    if (!forwardsFirst)
        return {};
    return [microBatches](int) { return test::forwardsFirst(microBatches); };
}

QString firstDifference(const std::vector<test::KernelJobPass>& found,
                        const std::vector<test::KernelJobPass>& wanted, const Trace& trace)
{
    const std::string why = trace.warnings.empty() ? std::string() : trace.warnings.back();
    if (found.size() != wanted.size())
        return QStringLiteral("%1 passes, not %2; %3")
            .arg(found.size())
            .arg(wanted.size())
            .arg(QString::fromStdString(why));
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(found[i] == wanted[i]))
            return QStringLiteral("pass %1 of rank %2, step %3: %4 %5, %6 to %7")
                .arg(i)
                .arg(found[i].rank)
                .arg(found[i].step)
                .arg(found[i].forward ? "F" : "B")
                .arg(found[i].microBatch)
                .arg(found[i].start)
                .arg(found[i].end);
    return {};
}

/// The order of a family on the ranks of a job, by rank.
std::function<std::vector<KernelWork>(int)> familyOrder(const char* id, const KernelJob& job,
                                                        int group)
{
    FamilyOptions options = test::sized(job.stages, job.microBatches);
    options.parameters.emplace_back("chunks", job.chunks);
    if (group > 0)
        options.parameters.emplace_back("group", group);
    const Result<Schedule> made = buildUniform(test::familyOf(id), options, {});
    if (!made)
        qFatal("%s", made.error().message.c_str());
    return [schedule = *made](int stage) {
        std::vector<KernelWork> order;
        const DeviceId device(stage);
        for (const EntryId entry : Ids<EntryId>(schedule.begin(device), schedule.end(device))) {
            const Pass pass = schedule.entry(entry).pass;
            order.push_back(
                {pass.kind == PassKind::F, pass.microBatch, pass.stage.value / schedule.devices()});
        }
        return order;
    };
}

/// Finds the passes of a job and compares them with those that it ran.
void comesOut(const KernelJob& job)
{
    test::KernelJobTrace made = test::kernelJobTrace(job);
    findMessagePasses(made.trace);
    const QString difference =
        firstDifference(test::labelledPasses(made.trace), made.passes, made.trace);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
    QVERIFY(made.trace.warnings.empty());
    QVERIFY(!made.trace.notes.empty());
}

/// @return  why none was found
QString refused(const KernelJob& job)
{
    test::KernelJobTrace made = test::kernelJobTrace(job);
    findMessagePasses(made.trace);
    if (!test::labelledPasses(made.trace).empty())
        return QStringLiteral("passes were found");
    return made.trace.warnings.size() == 1
               ? QString::fromStdString(made.trace.warnings.front())
               : QStringLiteral("%1 warnings").arg(made.trace.warnings.size());
}

} // namespace

/// Passes of jobs whose traces have no label and no operator: kernels, messages and steps.
class TestMessagePasses : public QObject
{
    Q_OBJECT

private slots:
    void anyShapeComesOut_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<bool>("forwardsFirst");
        QTest::addColumn<bool>("launched");
        for (const bool forwardsFirst : {false, true})
            for (const bool launched : {false, true})
                for (const auto& [stages, microBatches] :
                     {std::pair{2, 2}, std::pair{2, 5}, std::pair{3, 1}, std::pair{3, 7},
                      std::pair{4, 8}, std::pair{5, 3}, std::pair{8, 16}})
                    QTest::addRow("%s %d stages, %d micro-batches, %s",
                                  forwardsFirst ? "GPipe" : "1F1B", stages, microBatches,
                                  launched ? "launches" : "no launches")
                        << stages << microBatches << forwardsFirst << launched;
    }

    void anyShapeComesOut()
    {
        QFETCH(int, stages);
        QFETCH(int, microBatches);
        QFETCH(bool, forwardsFirst);
        QFETCH(bool, launched);
        KernelJob job;
        job.stages = stages;
        job.microBatches = microBatches;
        job.order = orderOf(forwardsFirst, microBatches);
        job.launched = launched;
        comesOut(job);
    }

    void theOrderIsNamed_data()
    {
        QTest::addColumn<bool>("forwardsFirst");
        QTest::addColumn<QString>("family");
        QTest::newRow("1F1B") << false << "1f1b";
        QTest::newRow("all forwards first") << true << "gpipe";
    }

    void theOrderIsNamed()
    {
        QFETCH(bool, forwardsFirst);
        QFETCH(QString, family);
        KernelJob job;
        job.replicas = 2;
        job.order = orderOf(forwardsFirst, job.microBatches);
        test::KernelJobTrace made = test::kernelJobTrace(job);
        findMessagePasses(made.trace);
        const std::vector<RecoveredPipeline> found = recoverReplicas(made.trace);
        QCOMPARE(found.size(), std::size_t{2});
        for (const RecoveredPipeline& one : found) {
            QVERIFY2(one.schedule.has_value(), whyNoOrder(one).c_str());
            QVERIFY(one.family.exact());
            QCOMPARE(QString::fromStdString(std::string(one.family.matches.front().family->id)),
                     family);
            QCOMPARE(one.violated, std::int64_t{0});
            QCOMPARE(trustCounts(one)[static_cast<std::size_t>(Trust::Counted)], one.passes);
            QVERIFY(one.notes.front().find("inferred") != std::string::npos);
        }
    }

    void ranksThatShareTensorsSumWithinPasses()
    {
        for (const bool forwardsFirst : {false, true}) {
            KernelJob job;
            job.tensorRanks = 2;
            job.replicas = 2;
            job.order = orderOf(forwardsFirst, job.microBatches);
            comesOut(job);
        }
    }

    void aReceiveThatIsPostedEarlyPartsNothing()
    {
        for (const bool forwardsFirst : {false, true}) {
            KernelJob job;
            job.early = true;
            job.order = orderOf(forwardsFirst, job.microBatches);
            comesOut(job);
        }
    }

    void messagesThatMayGoBothWaysPartPasses()
    {
        KernelJob job;
        job.endsTold = false;
        comesOut(job);
    }

    void theGroupIsKnownByItsMessages()
    {
        KernelJob job;
        job.replicas = 2;
        job.pipelineTold = false;
        comesOut(job);
    }

    void whatPreparesAndUpdatesIsInNoPass()
    {
        KernelJob job;
        job.before = {"fill", "fill"};
        job.behind = {"multi_tensor_apply_kernel", "multi_tensor_apply_kernel", "fill"};
        comesOut(job);
        job.order = orderOf(true, job.microBatches);
        comesOut(job);
    }

    /// The first backward of a step writes gradients, the others add to them.
    void aPassMayDifferFromOthersOfItsKind()
    {
        KernelJob job;
        job.kernels = [](int, KernelWork pass) -> Names {
            if (pass.forward)
                return {"gemm_tn", "softmax", "gelu"};
            if (pass.microBatch == 0)
                return {"gemm_nt", "softmax_grad", "gemm_nn"};
            return {"gemm_nt", "softmax_grad", "gemm_nn", "add"};
        };
        comesOut(job);
    }

    /// As hooks copy gradients into buckets while the last backward runs.
    void theLastBackwardMayPrepareTheSumOfGradients()
    {
        KernelJob job;
        job.replicas = 2;
        job.behind = {"multi_tensor_apply_kernel"};
        const int last = job.microBatches - 1;
        job.kernels = [last](int, KernelWork pass) -> Names {
            if (pass.forward)
                return {"gemm_tn", "softmax", "gelu"};
            if (pass.microBatch == last)
                return {"gemm_nt", "softmax_grad", "bucket_copy", "gemm_nn", "add"};
            return {"gemm_nt", "softmax_grad", "gemm_nn", "add"};
        };
        comesOut(job);
    }

    void kernelsOfTheLossAreTheLastStages()
    {
        for (const int stages : {2, 4}) {
            KernelJob job;
            job.stages = stages;
            job.kernels = [stages](int stage, KernelWork pass) -> Names {
                if (stage < stages - 1)
                    return pass.forward ? Names{"gemm_tn", "gelu"} : Names{"gemm_nt", "gemm_nn"};
                return pass.forward ? Names{"gemm_tn", "gelu", "nll_loss_forward_kernel"}
                                    : Names{"nll_loss_backward_kernel", "gemm_nt", "gemm_nn"};
            };
            comesOut(job);
        }
    }

    /// Where the activations are computed again the names of forwards are in backwards, too.
    void forwardsAreComputedAgainInBackwards()
    {
        KernelJob job;
        job.kernels = [](int, KernelWork pass) -> Names {
            return pass.forward ? Names{"gemm_tn", "gelu"}
                                : Names{"gemm_tn", "gelu", "gelu_grad", "gemm_nt"};
        };
        comesOut(job);
    }

    void whereNamesAreAlikeTheOrderOfTheEndsTells()
    {
        for (const bool forwardsFirst : {false, true}) {
            KernelJob job;
            job.kernels = [](int, KernelWork) -> Names { return {"gemm"}; };
            job.order = orderOf(forwardsFirst, job.microBatches);
            comesOut(job);
        }
    }

    void wherePeersAreToldNamesDoNotMatter()
    {
        KernelJob job;
        job.replicas = 2;
        job.peersTold = true;
        job.kernels = [](int, KernelWork) -> Names { return {"gemm", "gelu"}; };
        for (const bool places : {false, true}) {
            job.peersArePlaces = places;
            comesOut(job);
        }
    }

    void chunksFollowFromWhereRanksSend_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<int>("group");
        QTest::addColumn<int>("kernels"); // 0: other names in backwards
        for (const int stages : {3, 4, 6})
            for (const int chunks : {2, 3})
                for (const int kernels : {0, 1})
                    for (const int rounds : {1, 2, 3})
                        QTest::addRow("interleaved, %d ranks, %d chunks, %d rounds, %s", stages,
                                      chunks, rounds, kernels > 0 ? "alike" : "named")
                            << "interleaved-1f1b" << stages << chunks << rounds * stages << 0
                            << kernels;
        QTest::addRow("groups of 6") << "interleaved-1f1b" << 3 << 2 << 12 << 6 << 0;
        QTest::addRow("breadth first") << "breadth-first" << 4 << 2 << 8 << 0 << 0;
        QTest::addRow("breadth first, alike") << "breadth-first" << 4 << 3 << 5 << 0 << 1;
    }

    void chunksFollowFromWhereRanksSend()
    {
        QFETCH(QString, family);
        QFETCH(int, stages);
        QFETCH(int, chunks);
        QFETCH(int, microBatches);
        QFETCH(int, group);
        QFETCH(int, kernels);
        KernelJob job;
        job.stages = stages;
        job.chunks = chunks;
        job.microBatches = microBatches;
        job.replicas = 2;
        job.peersTold = true;
        const QByteArray id = family.toUtf8();
        job.order = familyOrder(id.constData(), job, group);
        if (kernels > 0)
            job.kernels = [](int, KernelWork pass) -> Names {
                return pass.forward ? Names{"gemm"} : Names{"gemm", "gemm"};
            };
        for (const bool places : {false, true}) {
            job.peersArePlaces = places;
            job.before = places ? Names{"fill"} : Names();
            job.behind = places ? Names{"multi_tensor_apply_kernel"} : Names();
            comesOut(job);
        }
        test::KernelJobTrace made = test::kernelJobTrace(job);
        findMessagePasses(made.trace);
        for (const RecoveredPipeline& one : recoverReplicas(made.trace)) {
            QVERIFY2(one.schedule.has_value(), whyNoOrder(one).c_str());
            QCOMPARE(one.schedule->spec().stages(), stages * chunks);
            QVERIFY(one.family.exact());
            const auto& matches = one.family.matches;
            QVERIFY(std::any_of(matches.begin(), matches.end(), [&](const FamilyMatch& match) {
                return match.family->id == family.toStdString();
            }));
        }
    }

    /// With three ranks and micro-batches two orders send alike: what lies between two sends of the
    /// last rank tells which it is.
    void ordersThatSendAlikeHaveOtherKernelsBetweenSends()
    {
        for (const char* id : {"interleaved-1f1b", "breadth-first"})
            for (const int kernels : {0, 1, 2}) {
                KernelJob job;
                job.stages = job.microBatches = 3;
                job.chunks = 2;
                job.peersTold = true;
                if (kernels > 0)
                    job.kernels = [kernels](int, KernelWork pass) {
                        return Names(static_cast<std::size_t>(pass.forward ? 1 : kernels), "gemm");
                    };
                job.order = familyOrder(id, job, 0);
                comesOut(job);
            }
    }

    /// Two passes of one rank that changed places are no order that is known.
    void chunksInNoKnownOrderAreRefused()
    {
        KernelJob job;
        job.chunks = 2;
        job.microBatches = 8;
        job.peersTold = true;
        const auto order = familyOrder("interleaved-1f1b", job, 0);
        comesOut([&] {
            KernelJob known = job;
            known.order = order;
            return known;
        }());
        job.order = order;
        job.kernels = [](int stage, KernelWork pass) -> Names {
            if (stage < 3 || pass.chunk == 0)
                return pass.forward ? Names{"a", "b"} : Names{"c", "d"};
            return pass.forward ? Names{"e", "f"} : Names{"g", "h"};
        };
        QVERIFY2(refused(job).contains("rank 3, step 1: nothing tells where 2 passes"),
                 qPrintable(refused(job)));
        job.kernels = {};
        job.order = [order](int stage) {
            std::vector<KernelWork> works = order(stage);
            if (stage == 0) // the first backward comes a forward sooner
                std::swap(works[10], works[11]);
            return works;
        };
        QVERIFY2(refused(job).contains("as no order does that is known"), qPrintable(refused(job)));
    }

    void severalChunksAreRefused()
    {
        for (const int stages : {2, 3, 4})
            for (const int chunks : {2, 3})
                for (const bool alike : {false, true}) {
                    KernelJob job;
                    job.stages = stages;
                    job.microBatches = 4;
                    job.chunks = chunks;
                    if (alike)
                        job.kernels = [](int, KernelWork) -> Names { return {"gemm"}; };
                    job.order = [chunks](int) {
                        std::vector<KernelWork> order;
                        for (int pass = 0; pass < 4 * chunks; ++pass)
                            order.push_back({true, pass % 4, pass / 4});
                        for (int pass = 0; pass < 4 * chunks; ++pass)
                            order.push_back({false, pass % 4, chunks - 1 - pass / 4});
                        return order;
                    };
                    QVERIFY2(refused(job).contains("no pass is labelled"),
                             qPrintable(refused(job)));
                    job.peersTold = stages == 2; // both are the same neighbour
                    QVERIFY2(refused(job).contains("no pass is labelled"),
                             qPrintable(refused(job)));
                }
    }

    void withoutStepsNothingIsFound()
    {
        KernelJob job;
        job.stepsTold = false;
        QVERIFY2(refused(job).contains("ProfilerStep#1"), qPrintable(refused(job)));
    }

    void withoutRanksOfGroupsNothingIsFound()
    {
        KernelJob job;
        job.groupsListed = false;
        test::KernelJobTrace made = test::kernelJobTrace(job);
        findMessagePasses(made.trace);
        QVERIFY(test::labelledPasses(made.trace).empty());
    }

    void kernelsThatFitNoPassAreRefused()
    {
        KernelJob job;
        job.kernels = [](int, KernelWork pass) -> Names {
            return {"k" + std::to_string(pass.microBatch) + (pass.forward ? "f" : "b")};
        };
        QVERIFY(refused(job).contains("no pass is labelled"));
    }

    /// In the zero-bubble orders what fills the gaps belongs to other passes.
    void gradientsOfWeightsThatRunApartAreRefused()
    {
        KernelJob job;
        job.kernels = [](int, KernelWork pass) -> Names {
            if (!pass.forward)
                return {"dgrad", "softmax_grad", "gemm_nn"};
            if (pass.microBatch < 3)
                return {"gemm_tn", "softmax", "gelu"};
            return {"wgrad", "reduce", "add", "gemm_tn", "softmax", "gelu"};
        };
        for (const int stages : {2, 4}) {
            job.stages = stages;
            QVERIFY2(refused(job).contains("no pass is labelled"), qPrintable(refused(job)));
        }
    }

    /// Nothing of other stages is known, and no word of autograd.
    void aLastStageThatNothingTellsIsRefused()
    {
        KernelJob job;
        job.kernels = [](int stage, KernelWork pass) -> Names {
            if (stage < 3)
                return pass.forward ? Names{"a", "b"} : Names{"c", "d"};
            return pass.forward ? Names{"e", "f"} : Names{"g", "h"};
        };
        QVERIFY2(refused(job).contains("rank 3, step 1"), qPrintable(refused(job)));
    }

    void aStepThatLacksAPassIsLeftOut()
    {
        KernelJob job;
        job.steps = 4;
        test::KernelJobTrace made = test::kernelJobTrace(job);
        // The recording of a rank begins within the first step.
        std::vector<KernelWork> gone;
        for (TraceSpan& span : made.trace.spans)
            if (span.rank.index() == 1 && span.trust == Trust::Device &&
                span.start < made.passes.front().end + 3'000'000)
                span.activity = ActivityKind::Memory;
        findMessagePasses(made.trace);
        const std::vector<test::KernelJobPass> found = test::labelledPasses(made.trace);
        QCOMPARE(found.size(), made.passes.size() / 4 * 3);
        QVERIFY(std::all_of(found.begin(), found.end(),
                            [](const test::KernelJobPass& one) { return one.step > 1; }));
        QVERIFY(made.trace.notes.back().find("1 of 4 steps") != std::string::npos);
    }

    void aLabelledTraceIsLeftAsItIs()
    {
        test::KernelJobTrace made = test::kernelJobTrace({});
        SpanLabel label;
        label.role = SpanRole::Pass;
        label.microBatch = 0;
        made.trace.labels.push_back(label);
        made.trace.spans.back().label = static_cast<std::int32_t>(made.trace.labels.size()) - 1;
        const std::size_t before = made.trace.spans.size();
        findMessagePasses(made.trace);
        QCOMPARE(made.trace.spans.size(), before);
        QVERIFY(made.trace.notes.empty());
    }

    void placesFollowTheListOfTheGroup()
    {
        Trace trace;
        trace.groups.push_back({"a", "mesh_pp", "4, 0, 2", 3, false});
        trace.groups.push_back({"b", "mesh_pp", "5, 1, 3", 3, false});
        trace.groups.push_back({"c", "mesh_dp", "0, 1", 2, false});
        const PipelinePlaces places(trace);
        QCOMPARE(*places.of(4), (PipelinePlace{0, 0, 3}));
        QCOMPARE(*places.of(2), (PipelinePlace{0, 2, 3}));
        QCOMPARE(*places.of(1), (PipelinePlace{1, 1, 3}));
        QVERIFY(places.of(6) == nullptr);
        // A rank of two pipelines is of none that is known.
        trace.groups.push_back({"d", "mesh_pp", "0, 1, 6", 3, false});
        QVERIFY(!PipelinePlaces(trace).any());
    }

    void wordsAreCut()
    {
        const PassWord ab = {1, 2}, abc = {1, 2, 3};
        QCOMPARE(*cutByWords({1, 2, 1, 2, 3}, {ab, abc}, 0, false), (WordCuts{2, 5}));
        QVERIFY(!cutByWords({1, 2, 3, 3}, {ab, abc}, 0, false));
        QCOMPARE(*cutByWords({1, 2, 3, 3}, {ab, abc}, 1, true), (WordCuts{3}));
        QCOMPARE(*cutByRepeats({1, 1, 1, 1, 1}, 2), (WordCuts{2, 4}));
        QCOMPARE(*cutByRepeats({1, 2, 1, 2, 9}, 2), (WordCuts{2, 4}));
        QVERIFY(!cutByRepeats({1, 2, 3, 4}, 2));
        QCOMPARE(spreadIn({1, 9, 2, 3}, abc), std::size_t{4});
        QCOMPARE(spreadIn({1, 9, 9, 2, 3}, abc), std::size_t{0});
        QCOMPARE(likeness({1, 2, 3}, {3, 2, 1}), 1.0);
        QCOMPARE(likeness({1, 1}, {1, 2}), 0.5);
    }
};

PW_TEST(TestMessagePasses)

#include "tst_message_passes.moc"

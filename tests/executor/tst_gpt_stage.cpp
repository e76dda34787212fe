// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_ops.h"
#include "executor/model/gpt_stage.h"
#include "executor/model/micro_batch_text.h"
#include "executor/model/presets.h"
#include "tests/support/family_runs.h"
#include "tests/support/plain_gpt.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <deque>

using namespace pw;
using namespace pw::exec;

namespace {

GptModel smallModel()
{
    GptModel model;
    model.layers = 2;
    model.hidden = 8;
    model.heads = 2;
    model.ffn = 12;
    model.sequence = 7;
    model.vocabulary = 9;
    model.samples = 2;
    return model;
}

RunPlan planOf(const GptModel& model)
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf("gpipe"), test::sized(1, 1), UniformCosts{});
    return *makePlan(run.schedule, run.costs, model, *evenSplit(model.layers, 1));
}

/// The whole model as one stage, one micro-batch through it.
class OneStage
{
public:
    OneStage(const RunPlan& plan, const std::vector<int>& segmentTokens, bool recomputed)
        : m_plan(plan)
        , m_ops(makeCpuOps(m_clock))
        , m_stage(*m_ops, plan.model, plan.split[0])
        , m_weights(*m_ops, plan, StageId(0))
        , m_scratch(*m_ops)
        , m_loss(*m_ops, sizeof(float), MemoryUse::Workspace)
    {
        m_weights.beginIteration({1});
        m_ops->zero(m_loss.data(), m_loss.bytes());
        for (std::size_t q = 0; q < segmentTokens.size(); ++q) {
            m_layouts.emplace_back(plan.model, plan.split[0], segmentTokens, static_cast<int>(q));
            m_cells.emplace_back(*m_ops, m_layouts[q], recomputed);
            m_cells[q].takeForForward();
        }
    }

    int segments() const { return static_cast<int>(m_cells.size()); }
    Cell& cell(int segment) { return m_cells[static_cast<std::size_t>(segment)]; }

    void forward(int segment, bool again = false)
    {
        if (again)
            cell(segment).takeRest();
        const CellLayout& layout = cell(segment).layout();
        const TextRows text = textRows(m_plan, 0, layout.firstToken(), layout.segmentTokens());
        const Bytes bytes = layout.rows() * static_cast<Bytes>(sizeof(std::int32_t));
        m_ops->upload(cell(segment).data(CellLayout::tokens), text.tokens.data(), bytes);
        void* targets = m_scratch.bytes(bytes);
        m_ops->upload(targets, text.targets.data(), bytes);
        void* loss = again ? m_scratch.bytes(sizeof(float)) : m_loss.data();
        const Target target{{static_cast<const std::int32_t*>(targets), layout.rows()},
                            1.0F / static_cast<float>(m_plan.model.tokens()),
                            static_cast<float*>(loss)};
        m_stage.forward(cell(segment), earlier(segment), m_weights.read(0), out(segment), &target,
                        m_scratch);
        m_scratch.clear();
    }

    void backward(int segment, bool fused)
    {
        const GradientView sums = m_weights.gradients(0);
        m_stage.backward(cell(segment), earlier(segment), m_weights.read(0), out(segment),
                         fused ? &sums : nullptr, m_scratch);
        m_scratch.clear();
        cell(segment).holdForWeight();
    }

    void weight(int segment)
    {
        m_stage.weight(cell(segment), m_weights.read(0), m_weights.gradients(0), m_scratch);
        m_scratch.clear();
    }

    double loss()
    {
        float sum = 0;
        m_ops->download(&sum, m_loss.data(), m_loss.bytes());
        return static_cast<double>(sum) / m_plan.model.tokens();
    }

    std::vector<float> gradients() { return m_weights.downloadGradients(0); }
    const std::vector<ParameterInfo>& parameters() const { return m_weights.parameters(); }
    Bytes activation() const
    {
        const MemoryNow now = m_ops->memory();
        return now[static_cast<std::size_t>(MemoryUse::Activations)] +
               now[static_cast<std::size_t>(MemoryUse::HeldForWeight)];
    }
    Bytes planned(Bytes (CellLayout::*part)() const) const
    {
        Bytes bytes = 0;
        for (const CellLayout& layout : m_layouts)
            bytes += (layout.*part)();
        return bytes;
    }

private:
    std::vector<Cell*> earlier(int segment)
    {
        std::vector<Cell*> cells;
        for (int q = 0; q < segment; ++q)
            cells.push_back(&cell(q));
        return cells;
    }
    Matrix out(int segment)
    {
        return m_scratch.matrix(cell(segment).layout().rows(), m_plan.model.hidden);
    }

    RunClock m_clock;
    const RunPlan& m_plan;
    std::unique_ptr<Ops> m_ops;
    GptStage m_stage;
    WeightVersions m_weights;
    Scratch m_scratch;
    Buffer m_loss;
    std::deque<CellLayout> m_layouts;
    std::deque<Cell> m_cells;
};

} // namespace

class TestGptStage : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const TextRows text = textRows(m_plan, 0, 0, m_model.sequence);
        test::PlainGpt plain(m_model, m_plan.seed);
        m_plainLoss = plain.loss(text.tokens, text.targets);
        for (const ParameterInfo& info : parametersOf(m_model, m_plan.split, 0))
            m_plainGradients.push_back(plain.gradient(info.name, text.tokens, text.targets));
    }

    void gradientsAreTheSlopesOfTheLoss_data()
    {
        QTest::addColumn<QList<int>>("segments");
        QTest::addColumn<bool>("fused");
        QTest::addColumn<bool>("recomputed");
        const std::pair<const char*, QList<int>> cuts[] = {
            {"whole", {7}}, {"two segments", {3, 4}}, {"three segments", {1, 4, 2}}};
        for (const auto& [name, tokens] : cuts) {
            for (const bool fused : {true, false}) {
                for (const bool recomputed : {false, true})
                    QTest::addRow("%s, %s%s", name, fused ? "BW" : "B and W",
                                  recomputed ? ", recomputed" : "")
                        << tokens << fused << recomputed;
            }
        }
    }
    void gradientsAreTheSlopesOfTheLoss()
    {
        QFETCH(QList<int>, segments);
        QFETCH(bool, fused);
        QFETCH(bool, recomputed);
        OneStage stage(m_plan, {segments.begin(), segments.end()}, recomputed);
        for (int q = 0; q < stage.segments(); ++q)
            stage.forward(q);
        QVERIFY(std::abs(stage.loss() - m_plainLoss) < 1e-5);
        for (int q = stage.segments() - 1; q >= 0; --q) {
            if (recomputed)
                stage.forward(q, true);
            stage.backward(q, fused);
        }
        if (!fused) {
            for (int q = 0; q < stage.segments(); ++q)
                stage.weight(q);
        }
        const std::vector<float> gradients = stage.gradients();
        for (std::size_t i = 0; i < stage.parameters().size(); ++i) {
            const ParameterInfo& info = stage.parameters()[i];
            double difference = 0, size = 0;
            for (std::size_t k = 0; k < m_plainGradients[i].size(); ++k) {
                const double plain = m_plainGradients[i][k];
                const double got = gradients[static_cast<std::size_t>(info.offset) + k];
                difference += (got - plain) * (got - plain);
                size += plain * plain;
            }
            QVERIFY2(size > 0 && std::sqrt(difference / size) < 1e-5,
                     qPrintable(QString("%1: %2 of %3")
                                    .arg(info.name.c_str())
                                    .arg(std::sqrt(difference))
                                    .arg(std::sqrt(size))));
        }
    }

    void aCellKeepsWhatItsLayoutSays()
    {
        for (const std::vector<int>& segments : {std::vector<int>{7}, std::vector<int>{1, 4, 2}}) {
            OneStage kept(m_plan, segments, false);
            OneStage stashed(m_plan, segments, true);
            QCOMPARE(kept.activation(), kept.planned(&CellLayout::activation));
            QCOMPARE(stashed.activation(), stashed.planned(&CellLayout::stash));
            QVERIFY(stashed.activation() < kept.activation());
            for (int q = 0; q < kept.segments(); ++q) {
                kept.forward(q);
                stashed.forward(q);
            }
            QCOMPARE(kept.activation(), kept.planned(&CellLayout::activation));
            QCOMPARE(stashed.activation(), stashed.planned(&CellLayout::stash));
            for (int q = kept.segments() - 1; q >= 0; --q)
                kept.backward(q, false);
            QCOMPARE(kept.activation(), kept.planned(&CellLayout::heldForWeight));
        }
    }

    void aStageOfAnySplitHasItsPartOfTheParameters()
    {
        const LayerSplit whole = *evenSplit(3, 1);
        GptModel model = smallModel();
        model.layers = 3;
        std::vector<ParameterInfo> all = parametersOf(model, whole, 0);
        for (const std::vector<int>& layers :
             {std::vector<int>{2, 1}, std::vector<int>{0, 3, 0}, std::vector<int>{1, 0, 2}}) {
            const LayerSplit split = *givenSplit(layers);
            std::size_t next = 0;
            for (int stage = 0; stage < static_cast<int>(split.size()); ++stage) {
                std::int64_t offset = 0;
                for (const ParameterInfo& info : parametersOf(model, split, stage)) {
                    QVERIFY(next < all.size());
                    QCOMPARE(info.name, all[next].name);
                    QCOMPARE(info.size(), all[next].size());
                    QCOMPARE(info.offset, offset);
                    offset += info.size();
                    ++next;
                }
            }
            QCOMPARE(next, all.size());
        }
    }

    void firstWeightsFollowFromTheNameAlone()
    {
        const ParameterInfo info = parametersOf(m_model, m_plan.split, 0)[3];
        QVERIFY(info.matrix);
        std::vector<float> whole(static_cast<std::size_t>(info.size()));
        fillFirstWeights(m_model, info, 5, 0, whole);
        std::vector<float> end(10);
        ParameterInfo moved = info;
        moved.offset = 1'000;
        fillFirstWeights(m_model, moved, 5, info.size() - 10, end);
        QVERIFY(std::equal(end.begin(), end.end(), whole.end() - 10));
        std::vector<float> other(whole.size());
        fillFirstWeights(m_model, info, 6, 0, other);
        QVERIFY(whole != other);
        double square = 0;
        for (const float value : whole)
            square += static_cast<double>(value) * value;
        const double deviation = std::sqrt(square / static_cast<double>(whole.size()));
        const double wanted = 1 / std::sqrt(static_cast<double>(info.rows));
        QVERIFY(std::abs(deviation - wanted) < 0.2 * wanted);
    }

    void bytesOfAnEmptyStageAreThoseOfItsInput()
    {
        const LayerSplit split = *givenSplit({1, 0, 1});
        const CellLayout layout(m_model, split[1], {m_model.sequence}, 0);
        QCOMPARE(layout.activation(), layout.inputBytes());
        QVERIFY(parametersOf(m_model, split, 1).empty());
    }

    void whatIsAddedKnowsToWhat()
    {
        const std::vector<ParameterInfo> all = parametersOf(m_model, m_plan.split, 0);
        for (const ParameterInfo& one : all) {
            const std::string name = one.name;
            const bool added = name.ends_with(" bias") || name.ends_with("shift");
            QCOMPARE(one.addedTo >= 0, added);
            if (!added)
                continue;
            const ParameterInfo& to = all[static_cast<std::size_t>(one.addedTo)];
            const std::string layer = name.substr(0, name.find(':'));
            QVERIFY2(to.name.rfind(layer, 0) == 0, name.c_str());
            QVERIFY2(one.addedAt + one.columns == to.columns, name.c_str());
            QCOMPARE(to.rows > 1, name.ends_with(" bias"));
            if (!name.ends_with("values bias"))
                QVERIFY2(name.rfind(to.name, 0) == 0 || to.name.ends_with("scale"), name.c_str());
        }
    }

    void wideModelsLearnInSmallerSteps()
    {
        GptModel model = m_model;
        model.hidden = 64;
        QCOMPARE(usualLearningRate(model), 3e-3);
        model.hidden = 5120; // that of Brown et al. 2020 is 1e-4
        QVERIFY(std::abs(usualLearningRate(model) / 1e-4 - 1) < 0.1);
    }

    void modelsAreFoundByName()
    {
        for (const NamedGptModel& each : namedGptModels()) {
            const Result<GptModel> found = findGptModel(each.name);
            QVERIFY(found && *found == each.model);
            QVERIFY(check(*found));
        }
        QCOMPARE(findGptModel("smal").error().message,
                 std::string("no model is called smal; is small meant?"));
        QCOMPARE(
            findGptModel("x").error().message,
            std::string(
                "no model is called x; there are tiny, small, medium, 24gb, 40gb, 80gb, h200"));
    }

private:
    GptModel m_model = smallModel();
    RunPlan m_plan = planOf(m_model);
    double m_plainLoss = 0;
    std::vector<std::vector<double>> m_plainGradients;
};

PW_TEST(TestGptStage)
#include "tst_gpt_stage.moc"

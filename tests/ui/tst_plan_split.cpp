// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Layers of a plan's row, dragged from stage to stage.
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/document/background.h"
#include "ui/plan/plan_page.h"
#include "ui/plan/split_bars.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QThreadPool>

#include <numeric>

using namespace pw;
using namespace pw::ui;

namespace {

std::vector<int> layersOf(const SplitBars& bars)
{
    std::vector<int> layers;
    for (const SplitStage& stage : bars.stages())
        layers.push_back(stage.layers);
    return layers;
}

/// Drags the boundary behind a stage by so many layers.
void drag(SplitBars& bars, int stage, double layers)
{
    const std::vector<int> all = layersOf(bars);
    const double layer = (bars.width() - 8.0) / std::accumulate(all.begin(), all.end(), 0);
    const QPointF from = bars.boundary(stage);
    const QPoint start = from.toPoint();
    const QPoint end = (from + QPointF(layers * layer, 0)).toPoint();
    QTest::mousePress(&bars, Qt::LeftButton, {}, start);
    QMouseEvent move(QEvent::MouseMove, QPointF(end), bars.mapToGlobal(QPointF(end)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&bars, &move);
    QTest::mouseRelease(&bars, Qt::LeftButton, {}, end);
}

bool planFour(PlanPage& page)
{
    page.findChild<QComboBox*>(QStringLiteral("model"))
        ->setCurrentText(QStringLiteral("llama3-8b"));
    page.findChild<QComboBox*>(QStringLiteral("family"))->setCurrentText(QStringLiteral("1f1b"));
    const std::pair<const char*, int> counts[] = {
        {"gpus", 8}, {"global-batch", 32}, {"pipeline-parallel", 4}, {"micro-batch-size", 1}};
    for (const auto& [name, value] : counts)
        page.findChild<QSpinBox*>(QLatin1String(name))->setValue(value);
    page.resize(1100, 800);
    page.show();
    page.plan();
    return QTest::qWaitFor([&] { return !page.busy(); }, test::longest) && !page.rows().empty();
}

} // namespace

class TestPlanSplit : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

private slots:
    void cleanup() { workers().waitForDone(); }

    void draggedLayersChangeTimesAndMemory()
    {
        PlanPage page;
        QVERIFY(planFour(page));
        SplitBars& bars = page.bars();
        QVERIFY(bars.isVisible());
        const plan::Evaluation row = page.rows().front();
        QCOMPARE(layersOf(bars), row.configuration.split);
        const std::vector<SplitStage> before = bars.stages();
        drag(bars, 0, -2);
        std::vector<int> wanted = row.configuration.split;
        wanted[0] -= 2;
        wanted[1] += 2;
        QCOMPARE(layersOf(bars), wanted);
        QVERIFY(bars.stages()[0].milliseconds < before[0].milliseconds);
        QVERIFY(bars.stages()[1].milliseconds > before[1].milliseconds);
        QVERIFY(bars.stages()[0].gibibytes < before[0].gibibytes);
        QVERIFY(bars.stages()[1].gibibytes > before[1].gibibytes);
        QVERIFY(page.shaped() != nullptr);
        QVERIFY(page.shaped()->seconds() > row.seconds());
        const auto* words = page.findChild<QLabel*>(QStringLiteral("split-words"));
        QVERIFY2(words->text().contains(QStringLiteral("slower than the row")),
                 qPrintable(words->text()));
        // The same as an evaluation of that split.
        const auto asked = page.fields().asked();
        plan::Configuration changed = row.configuration;
        changed.split = wanted;
        const auto own = plan::evaluate(asked->model, asked->cluster, changed);
        QVERIFY(own);
        QCOMPARE(*page.shaped(), *own);
        // Dragged back it is the row again.
        drag(bars, 0, 2);
        QCOMPARE(layersOf(bars), row.configuration.split);
        QCOMPARE(*page.shaped(), row);
        QVERIFY(!words->text().contains(QStringLiteral("than the row")));
    }

    void wordsBelowAreWholeWhateverTheWidth_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("lines");
        QTest::newRow("beside each other") << 4 << 900 << 2;
        QTest::newRow("below each other") << 8 << 700 << 3;
        QTest::newRow("layers alone") << 16 << 370 << 1;
    }
    void wordsBelowAreWholeWhateverTheWidth()
    {
        QFETCH(int, stages);
        QFETCH(int, width);
        QFETCH(int, lines);
        SplitBars bars;
        bars.resize(width, 120);
        std::vector<SplitStage> all(static_cast<std::size_t>(stages));
        for (SplitStage& stage : all) {
            stage.layers = 5;
            stage.milliseconds = 123.4;
            stage.gibibytes = 45.6;
        }
        bars.setStages(all);
        const std::vector<QStringList> words = bars.words();
        QCOMPARE(words.size(), all.size());
        for (const QStringList& below : words) {
            QCOMPARE(static_cast<int>(below.size()), lines);
            for (const QString& line : below)
                QVERIFY2(bars.fontMetrics().horizontalAdvance(line) <= width / stages,
                         qPrintable(line));
        }
    }

    void activationsGoToTheHostWhereAskedFor()
    {
        PlanPage page;
        auto* choice = page.findChild<QComboBox*>(QStringLiteral("offload"));
        QVERIFY(choice != nullptr);
        QVERIFY(page.fields().asked()->wish.offload == plan::OffloadPolicy::None);
        choice->setCurrentIndex(1);
        QVERIFY(page.fields().asked()->wish.offload == plan::OffloadPolicy::Activations);
        QVERIFY(planFour(page));
        for (const plan::Evaluation& row : page.rows())
            QVERIFY(row.configuration.offload == plan::OffloadPolicy::Activations);
        drag(page.bars(), 0, -1);
        QVERIFY(page.shaped()->configuration.offload == plan::OffloadPolicy::Activations);
        choice->setCurrentIndex(3);
        QVERIFY(!page.fields().asked()->wish.offload);
        QTRY_VERIFY(page.bars().height() >= page.bars().minimumSizeHint().height());
        QTRY_VERIFY(
            page.rect().contains(page.bars().mapTo(&page, page.bars().rect().bottomRight())));
    }

    void everyStageKeepsALayer()
    {
        PlanPage page;
        QVERIFY(planFour(page));
        SplitBars& bars = page.bars();
        const int both = layersOf(bars)[0] + layersOf(bars)[1];
        drag(bars, 0, 100);
        QCOMPARE(layersOf(bars)[0], both - 1);
        QCOMPARE(layersOf(bars)[1], 1);
        drag(bars, 0, -100);
        QCOMPARE(layersOf(bars)[0], 1);
    }

    void keysMoveLayersToo()
    {
        PlanPage page;
        QVERIFY(planFour(page));
        SplitBars& bars = page.bars();
        const std::vector<int> before = layersOf(bars);
        QCOMPARE(bars.current(), -1);
        QTest::keyClick(&bars, Qt::Key_Right);
        QTest::keyClick(&bars, Qt::Key_Right);
        QCOMPARE(bars.current(), 1);
        QTest::keyClick(&bars, Qt::Key_Left, Qt::ControlModifier);
        std::vector<int> wanted = before;
        --wanted[1];
        ++wanted[2];
        QCOMPARE(layersOf(bars), wanted);
        QTest::keyClick(&bars, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(layersOf(bars), before);
        QCOMPARE(*page.shaped(), page.rows().front());
    }

    void theResultOpensAsASchedule()
    {
        PlanPage page;
        QVERIFY(planFour(page));
        Project opened;
        int count = 0;
        connect(&page, &PlanPage::openAsked, &page, [&](const Project& project) {
            opened = project;
            ++count;
        });
        auto* button = page.findChild<QPushButton*>(QStringLiteral("open-shaped"));
        button->click();
        const Costs plain = std::get<Costs>(opened.costs);
        drag(page.bars(), 0, -2);
        button->click();
        QCOMPARE(count, 2);
        const Costs moved = std::get<Costs>(opened.costs);
        QVERIFY(moved.forward[0] < plain.forward[0]);
        QVERIFY(moved.forward[1] > plain.forward[1]);
        // Another row begins anew.
        if (page.rows().size() > 1) {
            page.table().setCurrentCell(1, 0);
            QCOMPARE(*page.shaped(), page.rows()[1]);
        }
    }
};

PW_WINDOW_TEST(TestPlanSplit)
#include "tst_plan_split.moc"

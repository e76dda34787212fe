// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Plan on several kinds of accelerators: the field, what it refuses, and what is shown.
#include "core/plan/plan_words.h"
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/document/background.h"
#include "ui/plan/plan_page.h"
#include "ui/plan/split_bars.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QImage>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QThreadPool>

using namespace pw;
using namespace pw::ui;

namespace {

void setHardware(PlanPage& page, const QString& kinds)
{
    page.findChild<QComboBox*>(QStringLiteral("hardware"))->setCurrentText(kinds);
}

QSpinBox& gpus(PlanPage& page)
{
    return *page.findChild<QSpinBox*>(QStringLiteral("gpus"));
}

/// A search of a second: four ranks of one family, two of each kind.
void askKinds(PlanPage& page)
{
    page.findChild<QComboBox*>(QStringLiteral("model"))
        ->setCurrentText(QStringLiteral("llama3-8b"));
    page.findChild<QComboBox*>(QStringLiteral("family"))->setCurrentText(QStringLiteral("1f1b"));
    const std::pair<const char*, int> counts[] = {{"global-batch", 32},
                                                  {"tensor-parallel", 4},
                                                  {"pipeline-parallel", 4},
                                                  {"micro-batch-size", 1}};
    for (const auto& [name, value] : counts)
        page.findChild<QSpinBox*>(QLatin1String(name))->setValue(value);
    setHardware(page, QStringLiteral("h100:8, a100:8"));
    page.resize(1100, 800);
    page.show();
}

bool waitPlanned(PlanPage& page)
{
    return QTest::qWaitFor([&] { return !page.busy(); }, test::longest);
}

} // namespace

class TestPlanKindsPage : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

private slots:
    void cleanup() { workers().waitForDone(); }

    void kindsSayHowManyGpusThereAre()
    {
        PlanPage page;
        QVERIFY(gpus(page).isEnabled());
        setHardware(page, QStringLiteral("h100:32,a100:16"));
        QVERIFY(!gpus(page).isEnabled());
        QCOMPARE(gpus(page).value(), 48);
        const Result<PlanAsked> asked = page.fields().asked();
        QVERIFY(asked);
        QCOMPARE(asked->cluster.devices, 48);
        QCOMPARE(asked->cluster.groups.size(), std::size_t{2});
        QCOMPARE(asked->cluster.groups[1].devices, 16);
        setHardware(page, QStringLiteral("h200:24"));
        QCOMPARE(gpus(page).value(), 24);
        QVERIFY(page.fields().asked()->cluster.groups.empty());
        setHardware(page, QStringLiteral("h200"));
        QVERIFY(gpus(page).isEnabled());
        gpus(page).setValue(40);
        QCOMPARE(page.fields().asked()->cluster.devices, 40);
    }

    void fieldsAreForAllKinds()
    {
        PlanPage page;
        setHardware(page, QStringLiteral("h100:8,a100:8"));
        page.findChild<QDoubleSpinBox*>(QStringLiteral("memory"))->setValue(64);
        page.findChild<QSpinBox*>(QStringLiteral("per-node"))->setValue(4);
        page.findChild<QDoubleSpinBox*>(QStringLiteral("network"))->setValue(50);
        const Result<PlanAsked> asked = page.fields().asked();
        QVERIFY(asked);
        for (const plan::Cluster& kind : asked->cluster.groups) {
            QCOMPARE(kind.device.memory, 64 * plan::gibibyte);
            QCOMPARE(kind.device.devicesPerNode, 4);
            QCOMPARE(kind.device.nodeBandwidth, 50e9);
            QCOMPARE(kind.constants, plan::constantsFor(kind.device.name, false));
        }
    }

    void whatCannotBeIsRefused_data()
    {
        QTest::addColumn<QString>("kinds");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown") << QStringLiteral("h100:8,abacus:8") << QStringLiteral("abacus");
        QTest::newRow("no number")
            << QStringLiteral("h100:8,a100") << QStringLiteral("a100:8 would be eight");
        QTest::newRow("none") << QStringLiteral("h100:0") << QStringLiteral("1 to 1048576");
        QTest::newRow("many") << QStringLiteral("h100:1048576,a100:1")
                              << QStringLiteral("more than 1048576");
        QTest::newRow("empty") << QString() << QStringLiteral("h100");
        QTest::newRow("comma") << QStringLiteral("h100:8,") << QStringLiteral("h100");
    }

    void whatCannotBeIsRefused()
    {
        QFETCH(QString, kinds);
        QFETCH(QString, says);
        PlanPage page;
        setHardware(page, kinds);
        page.plan();
        QVERIFY(!page.busy());
        const QString refusal = page.fields().refusal();
        QVERIFY2(refusal.startsWith(QStringLiteral("Accelerator: ")), qPrintable(refusal));
        QVERIFY2(refusal.contains(says), qPrintable(refusal));
    }

    /// A rank that would stand on two kinds is refused by the search, with what would do.
    void aRankOfTwoKindsIsRefused()
    {
        PlanPage page;
        askKinds(page);
        setHardware(page, QStringLiteral("h100:12,a100:4"));
        page.findChild<QSpinBox*>(QStringLiteral("tensor-parallel"))->setValue(8);
        page.findChild<QSpinBox*>(QStringLiteral("pipeline-parallel"))->setValue(2);
        page.plan();
        QVERIFY(waitPlanned(page));
        QVERIFY2(page.fields().refusal().contains(QStringLiteral("8 or 16")),
                 qPrintable(page.fields().refusal()));
    }

    void rowsStagesAndDetailsNameTheKinds()
    {
        PlanPage page;
        askKinds(page);
        page.plan();
        QVERIFY(waitPlanned(page));
        QVERIFY2(!page.rows().empty(), qPrintable(page.fields().refusal()));
        QVERIFY2(page.title().contains(QStringLiteral("8 h100 and 8 a100")),
                 qPrintable(page.title()));
        // The same as a search without a window.
        const Result<PlanAsked> asked = page.fields().asked();
        const auto own = plan::search(asked->model, asked->cluster, asked->wish);
        QVERIFY(own);
        QCOMPARE(page.rows().front(), own->rows.front());
        const auto& split = page.rows().front().configuration.split;
        QVERIFY(split[1] > split[2]);
        const QString layers = page.table().item(0, page.table().columnCount() - 1)->text();
        QVERIFY2(layers.startsWith(QStringLiteral("h100 ")), qPrintable(layers));
        QVERIFY2(layers.contains(QStringLiteral(", a100 ")), qPrintable(layers));
        const std::vector<SplitStage>& stages = page.bars().stages();
        QCOMPARE(stages.size(), std::size_t{4});
        QCOMPARE(stages[1].kind, QStringLiteral("h100"));
        QCOMPARE(stages[2].kind, QStringLiteral("a100"));
        QCOMPARE(stages[1].shade, 0);
        QCOMPARE(stages[2].shade, 1);
        bool named = false;
        const PageDetails details = page.details();
        for (const DetailsPart& part : details.parts)
            named = named || part.heading == QStringLiteral("Kinds of accelerators");
        QVERIFY(named);
    }

    void kindsHaveShades()
    {
        SplitBars bars;
        bars.resize(400, 120);
        const auto colourOf = [&bars](int shade) {
            SplitStage one;
            one.layers = 4;
            one.milliseconds = 1;
            one.shade = shade;
            bars.setStages({one});
            QImage image(bars.size(), QImage::Format_RGB32);
            image.fill(Qt::white);
            bars.render(&image);
            return image.pixelColor(200, 40);
        };
        QVERIFY(colourOf(0) != colourOf(1));
        QVERIFY(colourOf(1) != colourOf(2));
    }

    /// Fields train as the command line does where nothing is said.
    void trainingIsAsUsual()
    {
        PlanPage page;
        plan::Wish usual;
        plan::setUsualTraining(usual, *findModel("llama3-70b"));
        QVERIFY(usual.fusedAccumulation);
        const plan::Wish wish = page.fields().asked()->wish;
        QCOMPARE(wish.fusedAccumulation, usual.fusedAccumulation);
        QCOMPARE(wish.overlapTensor, usual.overlapTensor);
        QCOMPARE(wish.zero, usual.zero);
    }
};

PW_WINDOW_TEST(TestPlanKindsPage)
#include "tst_plan_kinds_page.moc"

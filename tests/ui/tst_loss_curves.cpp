// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/charts/loss_curves.h"
#include "ui/compare/losses_view.h"
#include "ui/presentation.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/main_window.h"

#include <QImage>
#include <QProcess>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::ui;

namespace {

/// A row of a run that has learnt from one loss to another in three steps.
ComparedRow learntRow(const QString& title, const QString& training, double from, double to)
{
    ComparedRow row;
    row.title = title;
    auto lengths = std::make_shared<RunLengths>();
    lengths->training = training;
    for (const int step : {0, 1, 2})
        lengths->losses.push_back({step, from + (to - from) * step / 2});
    row.lengths = lengths;
    return row;
}

} // namespace

/// Losses of runs that are compared.
class TestLossCurves : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_loss_curves"); }
    void seedsAreOneCurveWithABand();
    void whatIsNotATrainingHasNoCurve();
    void aLongTrainingIsThinnedOut();
    void aBandIsPainted();
    void keptRunsAreComparedByTheirSettings();

private:
    QTemporaryDir m_home;
};

void TestLossCurves::seedsAreOneCurveWithABand()
{
    LossesView view;
    view.show({learntRow(QStringLiteral("a, seed 1"), QStringLiteral("a"), 4, 2),
               learntRow(QStringLiteral("b, seed 1"), QStringLiteral("b"), 4, 3),
               learntRow(QStringLiteral("a, seed 2"), QStringLiteral("a"), 4, 1)});
    const std::vector<LossCurve>& curves = view.chart().curves();
    QCOMPARE(curves.size(), std::size_t{2});
    QCOMPARE(curves[0].title, QStringLiteral("a, seed 1 and 1 more"));
    QCOMPARE(curves[0].points.size(), std::size_t{3});
    const LossCurve::Point& last = curves[0].points.back();
    QCOMPARE(last.step, 3);
    QCOMPARE(last.loss, 1.5);
    QCOMPARE(last.lowest, 1.0);
    QCOMPARE(last.highest, 2.0);
    QCOMPARE(curves[1].title, QStringLiteral("b, seed 1"));
    QCOMPARE(curves[1].points.back().lowest, curves[1].points.back().highest);
}

void TestLossCurves::whatIsNotATrainingHasNoCurve()
{
    LossesView view;
    ComparedRow plan;
    plan.title = QStringLiteral("plan");
    ComparedRow emulated;
    emulated.lengths = std::make_shared<RunLengths>();
    view.show({plan, emulated});
    QVERIFY(view.chart().curves().empty());
}

void TestLossCurves::aLongTrainingIsThinnedOut()
{
    ComparedRow row;
    auto lengths = std::make_shared<RunLengths>();
    constexpr int steps = 1'000'000;
    for (int step = 0; step < steps; ++step)
        lengths->losses.push_back({step, 1.0 / (step + 1)});
    row.lengths = lengths;
    LossesView view;
    view.show({row});
    const std::vector<LossCurve::Point>& points = view.chart().curves().front().points;
    QVERIFY(points.size() > 10'000 && points.size() <= 20'000);
    QCOMPARE(points.front().loss, 1.0);
}

/// Between the lowest and the highest, in the curve's colour on the chart's ground.
void TestLossCurves::aBandIsPainted()
{
    LossCurves chart;
    chart.resize(600, 300);
    LossCurve curve{QStringLiteral("a"), {}};
    for (const int step : {1, 2, 3})
        curve.points.push_back({step, 2, 1, 3});
    const auto plain = [&chart] {
        chart.show();
        if (!QTest::qWaitForWindowExposed(&chart))
            return 0;
        QTest::qWait(50);
        const QImage image = chart.grab().toImage();
        int ground = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                ground += image.pixelColor(x, y) == color(Role::Lane) ? 1 : 0;
        return ground;
    };
    const int empty = plain();
    chart.setCurves({curve});
    const int painted = plain();
    QVERIFY2(painted < empty * 3 / 4, qPrintable(QStringLiteral("%1 %2").arg(empty).arg(painted)));
}

/// Two that differ by their seed, and one by its optimizer.
void TestLossCurves::keptRunsAreComparedByTheirSettings()
{
    const QString store = m_home.filePath(QStringLiteral("runs.sqlite"));
    const QList<QStringList> kinds = {{QStringLiteral("--seed=1")},
                                      {QStringLiteral("--seed=2")},
                                      {QStringLiteral("--optimizer=muon")}};
    for (const QStringList& kind : kinds) {
        QProcess run;
        run.start(QStringLiteral(PW_PROGRAM),
                  QStringList{QStringLiteral("run"), QStringLiteral("1f1b"),
                              QStringLiteral("--devices=2"), QStringLiteral("--size=tiny"),
                              QStringLiteral("--iterations=4"), QStringLiteral("--warmup=0"),
                              QStringLiteral("--backend=cpu"), QStringLiteral("--store"), store} +
                      kind);
        QVERIFY(run.waitForFinished(test::longest));
        QVERIFY2(run.exitCode() == 0, run.readAllStandardError().constData());
    }
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    auto* panel = window.findChild<RunsPanel*>();
    QTRY_COMPARE(panel->table()->model()->rowCount(), 3);
    panel->table()->selectAll();
    panel->compareSelected();
    const auto* view = window.page()->findChild<LossesView*>();
    QVERIFY(view != nullptr);
    const auto points = [view] {
        std::size_t all = 0;
        for (const LossCurve& curve : view->chart().curves())
            all += curve.points.size();
        return all;
    };
    QTRY_COMPARE(points(), std::size_t{8});
    QTRY_VERIFY(std::any_of(
        view->chart().curves().begin(), view->chart().curves().end(),
        [](const LossCurve& curve) { return curve.title.endsWith(QLatin1String("and 1 more")); }));
    window.close();
}

PW_WINDOW_TEST(TestLossCurves)
#include "tst_loss_curves.moc"

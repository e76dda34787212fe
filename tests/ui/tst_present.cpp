// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/commands.h"
#include "ui/window/schedule_page.h"
#include "ui/window/stage_card.h"
#include "ui/workspace/chart_stack.h"
#include "ui/workspace/timeline_workspace.h"

#include <QAction>
#include <QImage>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// Columns of a widget's picture in which a colour is, from the left; −1: none.
std::pair<int, int> columnsOf(QWidget& widget, const QColor& wanted, int from)
{
    const QImage image = widget.grab().toImage();
    std::pair<int, int> columns{-1, -1};
    for (int x = from; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            if (image.pixelColor(x, y) == wanted) {
                columns.first = columns.first < 0 ? x : columns.first;
                columns.second = x;
                break;
            }
    return columns;
}

} // namespace

/// What a room is shown.
class TestPresent : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_present"); }

    void init()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 720);
        m_window->show();
        m_window->openFamily(QStringLiteral("1f1b"));
        m_window->commands().refresh();
    }

    void cleanup() { test::closeQuietly(*m_window); }

    void curvesGrowWithThePlay()
    {
        ChartStack& charts = page().charts();
        QVERIFY(charts.shown(Chart::Memory));
        QVERIFY(!charts.memory().grown());
        present();
        QCOMPARE(charts.memory().grown(), std::optional<double>(0));
        const auto makespan = static_cast<double>(page().document().result().makespan);
        for (const double part : {0.25, 0.5, 0.75}) {
            page().playback()->setTime(part * makespan);
            QCOMPARE(charts.memory().grown(), std::optional<double>(part * makespan));
        }
        present(); // leaves
        QVERIFY(!charts.memory().grown());
    }

    void theChainComesWithTheCursor()
    {
        TimelineWorkspace& workspace = *page().workspace();
        QVERIFY(!workspace.criticalShown());
        present();
        const auto* card = page().findChild<StageCard*>();
        QVERIFY(card != nullptr);
        TimelineView& timeline = page().timeline();
        const std::vector<SpanRef> chain = timeline.overlay().critical;
        QVERIFY(chain.size() > 4);
        const QString all = QString::number(chain.size());
        QVERIFY2(card->words().contains(QStringLiteral("1 of %1 so far").arg(all)),
                 qPrintable(card->words()));
        const Ticks makespan = page().document().result().makespan;
        page().playback()->setTime(static_cast<double>(makespan) / 2);
        const std::int64_t half = begunUntil(*timeline.lanes(), chain, makespan / 2);
        QVERIFY(half > 1 && half < static_cast<std::int64_t>(chain.size()));
        QVERIFY(card->words().contains(QStringLiteral("%1 of %2 so far").arg(half).arg(all)));
        // The line is not drawn beyond the cursor.
        const auto red = columnsOf(*timeline.viewport(), color(Role::Refusal), TimeAxis::margin);
        QVERIFY(red.first > 0);
        const double cursor =
            TimeAxis::of(page().range(), timeline).x(static_cast<double>(makespan) / 2);
        QVERIFY2(red.second <= cursor + 2, qPrintable(QString::number(red.second)));
        page().playback()->setTime(static_cast<double>(makespan));
        QVERIFY(card->words().contains(QStringLiteral("%1 of %1 so far").arg(all)));
        present();
        QVERIFY(!workspace.criticalShown());
        QVERIFY(timeline.overlay().critical.empty());
    }

    void aChainThatWasShownIsShownAfterwards()
    {
        page().workspace()->setCriticalShown(true);
        present();
        present();
        QVERIFY(page().workspace()->criticalShown());
    }

    void nothingThatIsSaidIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("a projector") << QSize(1280, 720);
        QTest::newRow("a screen") << QSize(1920, 1080);
    }

    void nothingThatIsSaidIsCut()
    {
        QFETCH(QSize, size);
        present();
        m_window->showNormal();
        m_window->resize(size);
        for (int step = 0; step < 12; ++step) {
            page().playback()->step(1);
            QTest::qWait(0);
            const auto labels = page().findChild<StageCard*>()->findChildren<QLabel*>();
            for (const QLabel* label : labels) {
                if (!label->isVisible())
                    continue;
                const QString what = QStringLiteral("%1: %2×%3")
                                         .arg(label->text())
                                         .arg(label->width())
                                         .arg(label->height());
                if (label->wordWrap())
                    QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                             qPrintable(what));
                else
                    QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(what));
            }
        }
    }

private:
    SchedulePage& page() { return *m_window->schedulePage(); }

    void present()
    {
        m_window->commands().refresh();
        m_window->commands().action(QStringLiteral("view.present"))->trigger();
        QTest::qWait(0);
    }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

PW_WINDOW_TEST(TestPresent)
#include "tst_present.moc"

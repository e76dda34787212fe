// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/alternatives/alternatives_page.h"
#include "ui/alternatives/what_if_part.h"
#include "ui/charts/bubble_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/presentation.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/commands.h"
#include "ui/window/laser_pointer.h"
#include "ui/window/note_view.h"
#include "ui/window/schedule_page.h"
#include "ui/window/stage_card.h"
#include "ui/window/stage_curtain.h"
#include "ui/workspace/chart_stack.h"
#include "ui/workspace/timeline_workspace.h"

#include <QAction>
#include <QCursor>
#include <QFontMetricsF>
#include <QImage>
#include <QLabel>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

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

/// Rows of a part of a widget in which text is, from the first to the last.
int inkHeight(QWidget& widget, const QRect& part)
{
    const QImage image = widget.grab().toImage();
    int first = -1, last = -1;
    for (int y = part.top(); y <= std::min(part.bottom(), image.height() - 1); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            if (image.pixelColor(x, y).lightness() < 110) {
                first = first < 0 ? y : first;
                last = y;
                break;
            }
    return first < 0 ? 0 : last - first + 1;
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
        QVERIFY(charts.shown(memoryChart));
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

    /// Idle time only grows, and arrives at what the bars say of the whole.
    void bubblesGrowWithThePlay()
    {
        BubbleChart& chart = page().charts().bubble();
        const std::vector<BubbleRow> whole = chart.rows();
        QVERIFY(whole.size() >= 4);
        present();
        const Ticks makespan = page().document().result().makespan;
        const double axis = chart.axis().width();
        std::vector<BubbleRow> before = chart.shown();
        for (const BubbleRow& row : before)
            QCOMPARE(row.wall, 0.0);
        for (int part = 1; part <= 8; ++part) {
            page().playback()->setTime(static_cast<double>(makespan * part / 8));
            const std::vector<BubbleRow> now = chart.shown();
            QCOMPARE(now.size(), whole.size());
            Ticks idle = 0;
            for (std::size_t i = 0; i < now.size(); ++i) {
                QVERIFY(now[i].wall >= before[i].wall && now[i].wall <= whole[i].wall + 1e-9);
                QVERIFY(now[i].span >= before[i].span && now[i].span <= whole[i].span + 1e-9);
                idle += std::llround(now[i].wall * static_cast<double>(makespan));
            }
            const Ticks told = idleUntil(*page().timeline().lanes(), makespan * part / 8);
            QVERIFY2(std::abs(idle - told) <= static_cast<Ticks>(now.size()),
                     qPrintable(QStringLiteral("%1 of %2").arg(idle).arg(told)));
            QCOMPARE(chart.axis().width(), axis);
            before = now;
        }
        for (std::size_t i = 0; i < whole.size(); ++i) {
            QCOMPARE(before[i].wall, whole[i].wall);
            QCOMPARE(before[i].span, whole[i].span);
        }
        page().playback()->setTime(0);
        present(); // leaves
        QCOMPARE(chart.shown().front().wall, whole.front().wall);
    }

    void theWindowIsAfterwardsAsItWas_data()
    {
        QTest::addColumn<int>("before");
        QTest::newRow("normal") << int(Qt::WindowNoState);
        QTest::newRow("maximized") << int(Qt::WindowMaximized);
        QTest::newRow("full") << int(Qt::WindowFullScreen);
    }
    void theWindowIsAfterwardsAsItWas()
    {
        QFETCH(const int, before);
        m_window->setWindowState(Qt::WindowStates(before));
        QTest::qWait(0);
        present();
        QVERIFY(m_window->isFullScreen());
        present();
        QCOMPARE(int(m_window->windowState()), before);
    }

    /// Letters take about the same part of every screen.
    void lettersGrowWithTheScreen()
    {
        const QFont font = page().font();
        const auto part = [&font](int height) {
            return QFontMetricsF(stageFont(font, height)).height() / height;
        };
        const double usual = part(900);
        for (const int height : {1080, 1440, 2160})
            QVERIFY2(std::abs(part(height) / usual - 1) < 0.1,
                     qPrintable(QStringLiteral("%1: %2").arg(height).arg(part(height))));
        QFont large = font;
        large.setPointSizeF(3 * font.pointSizeF());
        QCOMPARE(stageFont(large, 1080).pointSizeF(), 1.5 * large.pointSizeF());
        present();
        QVERIFY(page().font().pointSizeF() >= 1.49 * font.pointSizeF());
        present();
        QCOMPARE(page().font().pointSizeF(), font.pointSizeF());
    }

    /// Titles, axes and charts, too: what is painted has no font that would grow by itself.
    void everythingPaintedGrowsWithTheScreen()
    {
        QCOMPARE(stageScale(720), 1.0);
        QVERIFY(std::abs(stageScale(2160) - 2.7) < 0.05);
        m_window->resize(1920, 1080);
        const auto heights = [this] {
            ChartStack& charts = page().charts();
            return QList<int>{inkHeight(*page().timeline().viewport(), {0, 0, 90, 24}),
                              inkHeight(charts.memory(), {0, 0, 90, 20}),
                              inkHeight(charts.bubble(), {0, 0, 90, 20}),
                              page().findChild<TimeRuler*>()->sizeHint().height()};
        };
        const QList<int> usual = heights();
        present();
        const QFont font = page().font();
        TimeAxis::setLetterScale(2);
        QFont other = font;
        other.setPointSizeF(font.pointSizeF() + 1);
        page().setFont(other); // as when the stage is set up
        ChartStack& charts = page().charts();
        const QList<int> large{inkHeight(*page().timeline().viewport(), {0, 0, 180, 40}),
                               inkHeight(charts.memory(), {0, 0, 180, 34}),
                               inkHeight(charts.bubble(), {0, 0, 180, 34}),
                               page().findChild<TimeRuler*>()->sizeHint().height()};
        for (qsizetype i = 0; i < usual.size(); ++i)
            QVERIFY2(usual[i] >= 6 && large[i] >= 1.7 * usual[i],
                     qPrintable(QStringLiteral("%1: %2, %3").arg(i).arg(usual[i]).arg(large[i])));
        present(); // leaves
        QCOMPARE(TimeAxis::letterScale(), 1.0);
        QCOMPARE(heights(), usual);
    }

    /// A pass that begins at the cursor has its colour; what comes later has not.
    void whatBeginsLightsUp()
    {
        present();
        page().playback()->step(1);
        TimelineView& timeline = page().timeline();
        const std::vector<SpanRef> lit = timeline.overlay().lit;
        QVERIFY(!lit.empty());
        const SpanRef now = lit.front();
        const SpanRef later{now.lane, now.index + 1};
        const QImage image = timeline.viewport()->grab().toImage();
        const QColor own = color(Role::Forward);
        const auto far = [&](SpanRef span) {
            const QPointF at =
                QPointF(timeline.rectangleOf(span).left() + 4,
                        timeline.rectangleOf(span).center().y()); // before its letters
            const QColor seen = image.pixelColor(at.toPoint());
            return std::abs(seen.red() - own.red()) + std::abs(seen.green() - own.green()) +
                   std::abs(seen.blue() - own.blue());
        };
        QCOMPARE(timeline.lanes()->pass(later).kind, PassKind::F);
        QVERIFY2(2 * far(now) < far(later),
                 qPrintable(QStringLiteral("%1 and %2").arg(far(now)).arg(far(later))));
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
        const auto red = columnsOf(*timeline.viewport(), color(Role::Refusal), TimeAxis::margin());
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

    /// Notes are cards: some come with the play, all by a key.
    void notesAreCards()
    {
        note(QStringLiteral("# Fill\nAll begin.\n\nA <b>second</b> card.\n\n@4 A third one.\n\n"
                            "@12 ms The last one."));
        present();
        const auto* view = page().findChild<NoteView*>();
        QVERIFY(view != nullptr && view->isVisible());
        QCOMPARE(view->words(), QStringLiteral("Fill\nAll begin."));
        const int high = view->height();
        QTest::keyClick(&page(), Qt::Key_N);
        QCOMPARE(view->words(), QStringLiteral("A <b>second</b> card."));
        for (int step = 0; step < 3; ++step) {
            QTest::keyClick(&page(), Qt::Key_Right);
            QCOMPARE(view->words(), QStringLiteral("A <b>second</b> card."));
        }
        QTest::keyClick(&page(), Qt::Key_Right);
        QCOMPARE(view->words(), QStringLiteral("A third one."));
        QVERIFY(page().findChild<StageCard*>()->words().contains(QStringLiteral("step 4 of ")));
        // A card that names a time takes the play with it.
        QTest::keyClick(&page(), Qt::Key_N);
        QCOMPARE(view->words(), QStringLiteral("The last one."));
        QCOMPARE(page().playback()->time(), std::optional<double>(12e6));
        QTest::keyClick(&page(), Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(view->words(), QStringLiteral("A third one."));
        QTest::keyClick(&page(), Qt::Key_Home);
        QCOMPARE(view->words(), QStringLiteral("Fill\nAll begin."));
        QCOMPARE(view->height(), high); // nothing jumps
        QTest::keyClick(&page(), Qt::Key_C);
        QVERIFY(!view->isVisible());
        QTest::keyClick(&page(), Qt::Key_N); // brings them back, the same one
        QVERIFY(view->isVisible());
        QCOMPARE(view->words(), QStringLiteral("Fill\nAll begin."));
        present();
        QVERIFY(page().findChild<NoteView*>() == nullptr);
    }

    void withoutNotesThereAreNoCards()
    {
        present();
        QVERIFY(page().findChild<NoteView*>() == nullptr);
        QVERIFY(!page()
                     .findChild<QLabel*>(QStringLiteral("stage-keys"))
                     ->text()
                     .contains(QStringLiteral("N card")));
    }

    /// Cards as long as they may be, on a projector and where a screen is enlarged twice.
    void cardsAreNeverCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("a projector") << QSize(1280, 720);
        QTest::newRow("a screen at 200 %") << QSize(960, 540);
        QTest::newRow("a screen") << QSize(1920, 1080);
    }

    void cardsAreNeverCut()
    {
        QFETCH(QSize, size);
        const QString heading = QStringLiteral("# What every device waits for when a batch ends\n");
        note(heading +
             QStringLiteral("Device 0 waits for the last gradient of them all. ").repeated(25));
        present();
        m_window->showNormal();
        m_window->resize(size);
        QTest::qWait(20);
        const auto* view = page().findChild<NoteView*>();
        for (int card = 0; card < 4; ++card) {
            const auto labels = view->findChildren<QLabel*>();
            for (const QLabel* label : labels) {
                if (!label->isVisible())
                    continue;
                QVERIFY2(!label->wordWrap() ||
                             label->height() >= label->heightForWidth(label->width()),
                         qPrintable(label->text()));
                QVERIFY(view->rect().contains(label->geometry()));
            }
            QVERIFY(view->fontMetrics().height() > 0 && view->height() < size.height() / 2);
            // The lanes are all there beside it.
            const TimelineView& timeline = page().timeline();
            QTRY_COMPARE(timeline.verticalScrollBar()->maximum(), 0);
            const auto* said = page().findChild<StageCard*>();
            QVERIFY(page().rect().contains(QRect(said->mapTo(&page(), QPoint()), said->size())));
            QTest::keyClick(&page(), Qt::Key_N);
            QTest::qWait(0);
        }
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

    void aLaserPointsAtThings()
    {
        const auto laser = [this] { return page().findChild<LaserPointer*>(); };
        present();
        QVERIFY(laser() == nullptr);
        QTest::keyClick(&page(), Qt::Key_L);
        QVERIFY(laser() != nullptr);
        QVERIFY(laser()->isVisible());
        QCOMPARE(laser()->size(), page().size());
        for (const QPoint& at : {QPoint(300, 200), QPoint(420, 260)}) {
            QCursor::setPos(page().mapToGlobal(at));
            QTRY_COMPARE(laser()->dot(), at);
        }
        // It is drawn, and takes no click from what lies below.
        QTest::qWait(50);
        QVERIFY(page().grab().toImage().pixelColor(420, 260).red() > 180);
        QVERIFY(page().childAt(420, 260) != laser());
        QTest::keyClick(&page(), Qt::Key_L);
        QVERIFY(laser() == nullptr);
        QTest::keyClick(&page(), Qt::Key_L);
        QTest::keyClick(&page(), Qt::Key_Escape);
        QVERIFY(laser() == nullptr);
        QVERIFY(QApplication::overrideCursor() == nullptr);
    }

    /// A room sees two timelines, not what asked for them nor their tables.
    void aComparisonHasTheRoomForItself()
    {
        m_window->commands().action(QStringLiteral("schedule.what-if"))->trigger();
        auto* asked = qobject_cast<AlternativesPage*>(m_window->page());
        QVERIFY(asked != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(asked->whatIf().prediction() != nullptr, test::longest);
        const std::vector<QWidget*> beside = asked->beside();
        QVERIFY(beside.size() >= 3);
        const int low = asked->timelines().front()->height();
        present();
        for (const QWidget* widget : beside)
            QVERIFY(!widget->isVisible());
        QTRY_VERIFY(asked->timelines().front()->height() > low);
        present(); // leaves
        QVERIFY(beside.front()->isVisible());
    }

private:
    SchedulePage& page() { return *m_window->schedulePage(); }

    void note(const QString& notes)
    {
        Edit edit;
        edit.changes.emplace_back(SetNotes{notes.toStdString()});
        QVERIFY(page().document().edit(edit, QStringLiteral("x")));
    }

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

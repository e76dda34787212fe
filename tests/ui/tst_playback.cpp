// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/playback.h"

#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include <set>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr auto ms = static_cast<double>(ticksPerMs);

struct Fixture
{
    test::FamilyRun run;
    QWidget window;
    ViewRange range;
    TimelineView* view = new TimelineView(range, &window);
    Playback* playback = new Playback(*view, range, &window);

    explicit Fixture(const char* family = "1f1b")
        : run(test::runFamily(test::familyOf(family), test::sized(4, 8), UniformCosts{}))
    {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(view);
        layout->addWidget(playback);
        window.resize(1200, 400);
        window.show();
        view->setLanes(lanesOf(std::make_shared<const Schedule>(run.schedule), run.result));
    }
};

} // namespace

class TestPlayback : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void stepsGoThroughEveryEventAndBack()
    {
        Fixture f;
        std::set<Ticks> events(f.run.result.start.begin(), f.run.result.start.end());
        events.insert(f.run.result.end.begin(), f.run.result.end.end());
        f.playback->step(1);
        for (const Ticks event : events) {
            QCOMPARE(f.playback->time(), std::optional(static_cast<double>(event)));
            f.playback->step(1);
        }
        QCOMPARE(*f.playback->time(), static_cast<double>(*events.rbegin()));
        for (auto event = events.rbegin(); event != events.rend(); ++event) {
            QCOMPARE(*f.playback->time(), static_cast<double>(*event));
            f.playback->step(-1);
        }
        QCOMPARE(*f.playback->time(), 0.0);
    }

    void theLineSaysWhoStartsAndWhoWaits()
    {
        Fixture f;
        f.playback->setNarration(
            {[](const Pass& pass) { return QStringLiteral("F%1").arg(pass.microBatch); },
             [](int lane, Ticks) {
                 return lane == 3 ? QStringLiteral("waits for F0") : QString();
             }});
        f.playback->setTime(1 * ms);
        QCOMPARE(f.playback->sentence(),
                 QStringLiteral("Device 0 starts F1, device 1 starts F0; device 3 waits for F0"));
        const QString told = f.playback->sentence();
        // Between events the last one is told.
        f.playback->setTime(1.5 * ms);
        QCOMPARE(f.playback->sentence(), told);
    }

    /// The time stands in one place of the bar.
    void theTimeIsShownOnce()
    {
        Fixture f;
        for (const double time : {0.0, 1.0, 1.5}) {
            f.playback->setTime(time * ms);
            int times = 0;
            const QList<QLabel*> labels = f.playback->findChildren<QLabel*>();
            for (const QLabel* label : labels)
                times += label->text().contains(durationText(time * ms)) ? 1 : 0;
            QCOMPARE(times, 1);
        }
    }

    void manyStartsAreCounted()
    {
        Fixture f;
        f.playback->setTime(3 * ms);
        QVERIFY2(f.playback->sentence().contains(QStringLiteral("and 2 more start")),
                 qPrintable(f.playback->sentence()));
    }

    void playingGoesToTheEndAndStopsThere()
    {
        Fixture f;
        QSignalSpy playing(f.playback, &Playback::playingChanged);
        f.playback->toggle();
        QVERIFY(f.playback->playing());
        f.playback->advance(0.5);
        // Two passes a second, of a pass that takes 1.5 ms in the mean on busy and idle time.
        const double first = *f.playback->time();
        QVERIFY(first > 0);
        f.playback->setSpeed(4);
        f.playback->advance(0.5);
        QCOMPARE(*f.playback->time() - first, 4 * first);
        QCOMPARE(f.view->overlay().cursor, f.playback->time());
        f.playback->advance(1e6);
        QCOMPARE(*f.playback->time(), static_cast<double>(f.view->lanes()->end()));
        QVERIFY(!f.playback->playing());
        QCOMPARE(playing.count(), 2);
        // Again from the beginning.
        f.playback->toggle();
        QCOMPARE(*f.playback->time(), 0.0);
        f.playback->toggle();
        QVERIFY(!f.playback->playing());
    }

    void theCursorStaysInSight()
    {
        Fixture f;
        f.range.show(0, 5 * ms);
        for (int i = 0; i < 40; ++i) {
            f.playback->step(1);
            QVERIFY(*f.playback->time() >= f.range.begin());
            QVERIFY(*f.playback->time() <= f.range.end());
        }
    }

    void buttonsStepAndClosingTakesTheCursorAway()
    {
        Fixture f;
        f.playback->step(1);
        QVERIFY(f.playback->isVisible());
        const QList<QToolButton*> buttons = f.playback->findChildren<QToolButton*>();
        for (QToolButton* button : buttons) {
            QVERIFY(!button->accessibleName().isEmpty());
            if (button->accessibleName().contains(QStringLiteral("next event")))
                QTest::mouseClick(button, Qt::LeftButton);
        }
        QCOMPARE(*f.playback->time(), 1 * ms);
        f.playback->close();
        QVERIFY(!f.playback->isVisible());
        QVERIFY(!f.view->overlay().cursor.has_value());
        QVERIFY(f.playback->sentence().isEmpty());
    }

    void otherLanesKeepTheCursorInside()
    {
        Fixture f;
        f.playback->setTime(30 * ms);
        const test::FamilyRun other =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 2), UniformCosts{});
        f.view->setLanes(lanesOf(std::make_shared<const Schedule>(other.schedule), other.result));
        QCOMPARE(*f.playback->time(), static_cast<double>(f.view->lanes()->end()));
    }
};

PW_WINDOW_TEST(TestPlayback)
#include "tst_playback.moc"

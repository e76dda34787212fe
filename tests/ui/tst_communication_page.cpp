// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// A schedule's sends and receives on lanes, moved by hand.
#include "core/edit/compose.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/communication/communication_page.h"
#include "ui/document/background.h"
#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>

using namespace pw;
using namespace pw::ui;
using communication::ActionPlace;

namespace {

Project twoByTwo(const char* family = "1f1b", int devices = 2, int microBatches = 2)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    UniformCosts costs;
    costs.hop = ticksPerMs / 10;
    return projectOf(family, options, costs);
}

CommunicationPage& openPage(MainWindow& window, const Project& project)
{
    window.resize(1280, 800);
    window.show();
    window.openProject(project);
    window.commands().action(QStringLiteral("schedule.communication"))->trigger();
    auto* page = qobject_cast<CommunicationPage*>(window.page());
    if (page == nullptr)
        qFatal("no page of communication");
    return *page;
}

const Schedule& scheduleOf(const MainWindow& window)
{
    // Behind the page is the schedule that it was opened from.
    return *window.findChild<SchedulePage*>()->document().schedule();
}

ActionPlace placeOf(const MainWindow& window, const CommunicationPage& page, int rank,
                    const char* name)
{
    const auto& row = page.listing().ranks[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (communication::actionText(row[i], page.listing(), scheduleOf(window)) == name)
            return {RankId(rank), static_cast<std::int32_t>(i)};
    }
    qFatal("rank %d has no %s", rank, name);
}

QString sentence(const CommunicationPage& page)
{
    return page.findChild<QLabel*>(QStringLiteral("communication-sentence"))->text();
}

template<typename Field>
Field& communicationField(CommunicationPage& page, const char* name)
{
    return *page.findChild<Field*>(QString::fromLatin1(name));
}

} // namespace

class TestCommunicationPage : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void cleanup() { workers().waitForDone(); }

    void itNeedsASchedule()
    {
        MainWindow window;
        window.show();
        QVERIFY(!window.commands().action(QStringLiteral("schedule.communication"))->isEnabled());
        openPage(window, twoByTwo());
    }

    void fourDevicesNeedNoScrollingInASmallWindow_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"1f1b", "zb-h1", "zb-v"})
            QTest::newRow(family) << QString::fromLatin1(family);
    }
    void fourDevicesNeedNoScrollingInASmallWindow()
    {
        QFETCH(QString, family);
        MainWindow window;
        const std::string id = family.toStdString();
        CommunicationPage& page = openPage(window, twoByTwo(id.c_str(), 4, 8));
        window.resize(1280, 720);
        auto* view = page.findChild<TimelineView*>();
        QTRY_VERIFY2(view->verticalScrollBar()->maximum() == 0,
                     qPrintable(QString::number(view->verticalScrollBar()->maximum())));
        QVERIFY(view->laneHeight() >= 12); // letters are read
    }

    /// Passes, sends and receives of every device, and a span for every action that takes time.
    void everyDeviceOpensIntoLanes()
    {
        MainWindow window;
        CommunicationPage& page = openPage(window, twoByTwo("zb-v", 4, 8));
        QVERIFY(page.played().whole);
        const auto& lanes = page.timeline().lanes()->lanes();
        int devices = 0, sends = 0, receives = 0;
        for (const Lane& lane : lanes) {
            devices += lane.title.startsWith(QStringLiteral("device")) ? 1 : 0;
            sends += lane.title == QStringLiteral("sends") ? 1 : 0;
            receives += lane.title == QStringLiteral("receives") ? 1 : 0;
            for (std::size_t i = 1; i < lane.size(); ++i)
                QVERIFY(lane.start[i] >= lane.end[i - 1]);
        }
        QCOMPARE(devices, 4);
        QCOMPARE(sends, 4);
        QCOMPARE(receives, 4);
        for (int rank = 0; rank < 4; ++rank) {
            const auto& row = page.listing().ranks[static_cast<std::size_t>(rank)];
            for (std::size_t i = 0; i < row.size(); ++i) {
                const ActionPlace place{RankId(rank), static_cast<std::int32_t>(i)};
                const SpanRef span = page.shown().spanOf(place);
                QVERIFY(span.valid());
                QVERIFY(page.shown().placeOf(span) == place);
            }
        }
    }

    /// The golden case: a receive behind the send of a gradient closes the ring; a communicator for
    /// each direction opens it.
    void movingAReceiveShowsTheRingAndUndoOpensIt()
    {
        MainWindow window;
        CommunicationPage& page = openPage(window, twoByTwo());
        QVERIFY(page.played().whole);
        const QString before = sentence(page);
        const ActionPlace receive = placeOf(window, page, 1, "1RECV_F1");
        const ActionPlace send = placeOf(window, page, 1, "1SEND_B0");
        QCOMPARE(page.moveAction(receive, send.action), QString());
        QVERIFY(!page.played().whole);
        QCOMPARE(page.played().ring.size(), std::size_t(4));
        QVERIFY2(sentence(page).contains(QStringLiteral("1SEND_B0")), qPrintable(sentence(page)));
        QCOMPARE(page.timeline().overlay().wrong.size(), std::size_t(4));
        QCOMPARE(page.timeline().overlay().broken.size(), std::size_t(4));
        communicationField<QComboBox>(page, "communicators").setCurrentIndex(1);
        QVERIFY(page.played().whole);
        communicationField<QComboBox>(page, "communicators").setCurrentIndex(0);
        QVERIFY(!page.played().whole);
        window.commands().action(QStringLiteral("edit.undo"))->trigger();
        QVERIFY(page.played().whole);
        QCOMPARE(sentence(page), before);
        page.undoStack()->redo();
        QVERIFY(!page.played().whole);
    }

    void aPlaceThatCannotBeIsRefusedInWords()
    {
        MainWindow window;
        CommunicationPage& page = openPage(window, twoByTwo());
        const ActionPlace send = placeOf(window, page, 0, "0SEND_F1");
        QCOMPARE(page.moveAction(send, 0), QStringLiteral("0SEND_F1 stays behind 0F1"));
        QVERIFY(page.undoStack()->isClean());
    }

    /// With the mouse: the receive is dragged to the right, behind the backward's send.
    void aReceiveIsDraggedAndTheEndMoves()
    {
        MainWindow window;
        CommunicationPage& page = openPage(window, twoByTwo());
        TimelineView& view = page.timeline();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const ActionPlace receive = placeOf(window, page, 1, "1RECV_F1");
        const SpanRef span = page.shown().spanOf(receive);
        view.reveal(span);
        const QPointF from = view.rectangleOf(span).center();
        const Ticks posted =
            page.played().times[1][static_cast<std::size_t>(receive.action)].posted;
        const ActionPlace backward = placeOf(window, page, 1, "1B0");
        const Ticks behind =
            page.played().times[1][static_cast<std::size_t>(backward.action)].end + ticksPerMs / 4;
        const double pixels = static_cast<double>(behind - posted) / view.scale().ticksPerPixel;
        const QPoint press = from.toPoint();
        const QPoint drop = (from + QPointF(pixels, 0)).toPoint();
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, press);
        for (int step = 1; step <= 5; ++step)
            QTest::mouseMove(view.viewport(), press + (drop - press) * step / 5);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, drop);
        QCOMPARE(page.undoStack()->count(), 1);
        QVERIFY(placeOf(window, page, 1, "1RECV_F1").action >
                placeOf(window, page, 1, "1B0").action);
        QVERIFY(!page.played().whole);
        page.undoStack()->undo();
        QVERIFY(page.played().whole);
    }

    /// While something is dragged the lanes stay where they are, whatever a ring piles up.
    void aTrialKeepsTheLanes()
    {
        MainWindow window;
        CommunicationPage& page = openPage(window, twoByTwo("zb-v", 3, 6));
        const auto schedule = window.findChild<SchedulePage*>()->document().schedule();
        const ListingLanes shown = lanesOf(schedule, page.listing(), page.played());
        communication::Lowering lowering;
        lowering.receives = communication::ReceivePlace::AtUse;
        const auto other = communication::listingOf(*schedule, lowering);
        QVERIFY(other);
        const Costs costs = window.findChild<SchedulePage*>()->document().costs();
        const communication::Played held = communication::play(*other, *schedule, costs, {});
        QVERIFY(!held.whole);
        const ListingLanes trial = lanesOf(schedule, *other, held, {}, &shown);
        QCOMPARE(trial.lanes->lanes().size(), shown.lanes->lanes().size());
        QCOMPARE(trial.rankOfLane, shown.rankOfLane);
        for (const Lane& lane : trial.lanes->lanes()) {
            for (std::size_t i = 1; i < lane.size(); ++i)
                QVERIFY(lane.start[i] >= lane.end[i - 1]);
        }
        // What is held is hatched to the end.
        for (const communication::HeldAction& one : held.ring) {
            const SpanRef span = trial.spanOf(one.place);
            if (span.valid()) {
                const Lane& lane = trial.lanes->lanes()[static_cast<std::size_t>(span.lane)];
                QVERIFY(lane.look[static_cast<std::size_t>(span.index)].guessed);
            }
        }
    }

    void theKeysMoveTheSelectedAction()
    {
        MainWindow window;
        CommunicationPage& page = openPage(window, twoByTwo("gpipe", 2, 4));
        auto& later = communicationField<QToolButton>(page, "move-later");
        QVERIFY(!later.isEnabled());
        const ActionPlace send = placeOf(window, page, 0, "0SEND_F0");
        page.timeline().select(page.shown().spanOf(send));
        QVERIFY(later.isEnabled());
        const Ticks end = page.played().end;
        later.click();
        QCOMPARE(placeOf(window, page, 0, "0SEND_F0").action, send.action + 1);
        QVERIFY(page.played().end > end);
        // The same action is still what is selected.
        QVERIFY(page.shown().placeOf(page.timeline().current()) ==
                placeOf(window, page, 0, "0SEND_F0"));
        communicationField<QToolButton>(page, "move-earlier").click();
        QCOMPARE(page.played().end, end);
    }

    void fieldsPlaceAndPlayAnew()
    {
        MainWindow window;
        CommunicationPage& page = openPage(window, twoByTwo("interleaved-1f1b", 4, 8));
        const Ticks one = page.played().end;
        communicationField<QComboBox>(page, "communicators").setCurrentIndex(2);
        QVERIFY(page.played().end < one);
        communicationField<QComboBox>(page, "receives").setCurrentIndex(1);
        QVERIFY(page.played().whole);
        communicationField<QDoubleSpinBox>(page, "hop").setValue(0);
        QVERIFY(sentence(page).contains(QStringLiteral("No communication is exposed")));
        communicationField<QCheckBox>(page, "sharded").setChecked(true);
        const auto& lanes = page.timeline().lanes()->lanes();
        QVERIFY(std::any_of(lanes.begin(), lanes.end(), [](const Lane& lane) {
            return lane.title == QStringLiteral("gathers");
        }));
    }

    /// What a communicating file says stays, until it is placed anew.
    void aFilesOwnSendsAndReceivesAreTaken()
    {
        const QString path = m_folder.path(QStringLiteral("deferred.csv"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\r\n"
                   "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\r\n");
        file.close();
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(window.open(path));
        window.commands().action(QStringLiteral("schedule.communication"))->trigger();
        auto* page = qobject_cast<CommunicationPage*>(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(!page->played().whole);
        communicationField<QComboBox>(*page, "receives").setCurrentIndex(0);
        QVERIFY(page->played().whole);
    }

    /// The parts of a model's layers: two lanes more a device, within its passes.
    void pairsOpenIntoTheirParts()
    {
        MainWindow window;
        CommunicationPage& page = openPage(window, twoByTwo("dualpipe", 4, 12));
        const Ticks plain = page.played().end;
        auto& experts = communicationField<QComboBox>(page, "experts");
        experts.setCurrentText(QStringLiteral("mixtral-8x7b"));
        QCOMPARE(experts.currentText(), QStringLiteral("mixtral-8x7b"));
        QVERIFY(page.played().end != plain);
        int parts = 0, exchanges = 0;
        const auto& lanes = page.timeline().lanes()->lanes();
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            if (lanes[i].title == QStringLiteral("parts"))
                ++parts;
            if (lanes[i].title != QStringLiteral("all-to-all"))
                continue;
            ++exchanges;
            QVERIFY(lanes[i].size() > 0);
            const SpanRef span{static_cast<std::int32_t>(i), 0};
            QVERIFY(page.shown().partOf(span) != nullptr);
            const ActionPlace place = page.shown().placeOf(span);
            const auto& time = page.played().times[static_cast<std::size_t>(place.rank)]
                                                  [static_cast<std::size_t>(place.action)];
            QVERIFY(lanes[i].start[0] >= time.start && lanes[i].end[0] <= time.end);
        }
        QCOMPARE(parts, 4);
        QCOMPARE(exchanges, 4);
    }
};

PW_WINDOW_TEST(TestCommunicationPage)
#include "tst_communication_page.moc"

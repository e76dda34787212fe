// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::ui;

namespace {

Project projectFrom(const char* words)
{
    Project project;
    project.draft = *readScheduleText(words);
    project.costs = UniformCosts{};
    return project;
}

/// Pixels in a picture that are about a colour.
int pixelsLike(const QImage& picture, const QRect& area, const QColor& wanted)
{
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) {
            if (!picture.rect().contains(x, y))
                continue;
            const QColor one = picture.pixelColor(x, y);
            const int off = std::abs(one.red() - wanted.red()) +
                            std::abs(one.green() - wanted.green()) +
                            std::abs(one.blue() - wanted.blue());
            count += off < 12 ? 1 : 0;
        }
    return count;
}

int redIn(TimelineView& view, SpanRef span)
{
    return pixelsLike(view.viewport()->grab().toImage(),
                      view.rectangleOf(span).toAlignedRect().adjusted(-1, -1, 1, 1),
                      color(Role::Refusal));
}

} // namespace

/// What free edit breaks is seen where it is.
class TestFreeEdit : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void cleanup() { applyGround(*qApp, Ground::Light); }

    void aBackwardBeforeItsForwardIsRedInItsLane_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void aBackwardBeforeItsForwardIsRedInItsLane()
    {
        QFETCH(const bool, dark);
        applyGround(*qApp, dark ? Ground::Dark : Ground::Light);
        SchedulePage page;
        page.document().reset(projectFrom("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n"));
        page.document().setFreeEdit(true);
        page.resize(1000, 700);
        page.show();
        TimelineView& view = page.timeline();
        QCOMPARE(redIn(view, {1, 0}), 0);
        QVERIFY(
            page.document().edit({{MoveEntries{DeviceId(1), {{1, 0}}}}}, QStringLiteral("Move")));
        // The BW stands first now, and its F behind it.
        const std::vector<SpanRef>& wrong = view.overlay().wrong;
        QVERIFY(std::find(wrong.begin(), wrong.end(), (SpanRef{1, 0})) != wrong.end());
        QVERIFY2(redIn(view, {1, 0}) > 60, qPrintable(QString::number(redIn(view, {1, 0}))));
        const auto& broken = view.overlay().broken;
        const auto arrow = std::find_if(broken.begin(), broken.end(), [](const Arrow& one) {
            return one.from == SpanRef{1, 1} && one.to == SpanRef{1, 0};
        });
        QVERIFY(arrow != broken.end());
        // What is right stays as it is.
        QVERIFY(std::find(wrong.begin(), wrong.end(), (SpanRef{0, 0})) == wrong.end());
        page.document().undoStack().undo();
        QVERIFY(view.overlay().wrong.empty() && view.overlay().broken.empty());
        QCOMPARE(redIn(view, {1, 0}), 0);
    }

    void theRingOfADeadlockIsDrawn()
    {
        SchedulePage page;
        // Device 0 waits for BW1 of device 1, which waits there behind F0.
        page.document().reset(projectFrom("d0: F1 BW1 F0 BW0\nd1: F0 BW0 F1 BW1\n"));
        page.resize(1000, 700);
        page.show();
        const DraftTimes& times = page.document().times();
        QVERIFY(!times.ring.empty());
        const Overlay& overlay = page.timeline().overlay();
        QCOMPARE(overlay.broken.size(), times.ring.size());
        for (const std::int32_t entry : times.blocked) {
            const int device = times.deviceOf(EntryId(entry));
            const SpanRef span{device, entry - times.begin[static_cast<std::size_t>(device)]};
            QVERIFY(std::find(overlay.wrong.begin(), overlay.wrong.end(), span) !=
                    overlay.wrong.end());
            QVERIFY(redIn(page.timeline(), span) > 20);
        }
        // The arrows lead around: each begins on the device that the one before it waits for.
        for (const Arrow& arrow : overlay.broken)
            QVERIFY(arrow.from.lane != arrow.to.lane);
    }

    void theSentenceOfAProblemLeavesTheFiguresAlone()
    {
        MainWindow window;
        window.resize(1000, 700);
        window.show();
        SchedulePage& page =
            window.openProject(projectFrom("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n"));
        page.document().setFreeEdit(true);
        QVERIFY(
            page.document().edit({{MoveEntries{DeviceId(1), {{1, 0}}}}}, QStringLiteral("Move")));
        auto* figures = window.findChild<QLabel*>(QStringLiteral("figures"));
        auto* told = window.findChild<QLabel*>(QStringLiteral("told"));
        const QString numbers = figures->text();
        window.commands().action(QStringLiteral("schedule.next-problem"))->trigger();
        QVERIFY(!told->text().isEmpty());
        window.tell(told->text() + QStringLiteral(", and so on").repeated(20));
        QApplication::processEvents();
        const auto boxOf = [&window](const QWidget* label) {
            return QRect(label->mapTo(&window, QPoint()), label->size());
        };
        QCOMPARE(figures->text(), numbers);
        QVERIFY(!boxOf(figures).intersects(boxOf(told)));
        QVERIFY(window.rect().contains(boxOf(told)));
        QVERIFY(window.rect().contains(boxOf(figures)));
        QCOMPARE(window.width(), 1000);
        // All of the numbers where the window has room for them.
        window.resize(1500, 700);
        QApplication::processEvents();
        QVERIFY(figures->width() >= figures->fontMetrics().horizontalAdvance(numbers));
        QVERIFY(!boxOf(figures).intersects(boxOf(told)));
    }
};

PW_WINDOW_TEST(TestFreeEdit)
#include "tst_free_edit.moc"

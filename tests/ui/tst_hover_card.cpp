// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "tests/support/stored_runs.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/hover_card.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// The card of the only timeline of a page; it is a child of the window while it is shown.
HoverCard* cardOf(QWidget& page)
{
    return page.window()->findChild<HoverCard*>();
}

void hover(TimelineView& view, QPointF point)
{
    QTest::mouseMove(view.viewport(), point.toPoint());
}

SpanRef find(const Lanes& lanes, int lane, const Pass& pass)
{
    const auto& all = lanes.lanes()[static_cast<std::size_t>(lane)];
    for (std::size_t i = 0; i < all.size(); ++i)
        if (lanes.pass({lane, static_cast<std::int64_t>(i)}) == pass)
            return {lane, static_cast<std::int64_t>(i)};
    return {};
}

} // namespace

class TestHoverCard : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void idleTimeSaysItsReasonAndWhatItWaitsForLightsUp()
    {
        SchedulePage page;
        page.document().reset(projectOf("1f1b", {}, UniformCosts{}));
        page.resize(1000, 700);
        page.show();
        TimelineView& view = page.timeline();
        // Device 3 waits at its beginning for F of micro-batch 0 on stage 2.
        const QRectF first = view.rectangleOf({3, 0});
        hover(view, QPointF(first.left() - 5, first.center().y()));
        HoverCard* card = cardOf(page);
        QVERIFY(card != nullptr && !card->isVisible()); // it comes when the pointer rests
        QVERIFY(view.overlay().lit.empty());
        QTRY_VERIFY(card->isVisible());
        QVERIFY2(card->words().startsWith(QStringLiteral("Device 3 idles for 3 ms\nWaits for F of "
                                                         "micro-batch 0 on stage 2")),
                 qPrintable(card->words()));
        const SpanRef cause = find(*view.lanes(), 2, {PassKind::F, 0, StageId(2), 0, 0});
        QCOMPARE(view.overlay().lit, std::vector<SpanRef>{cause});
        QCOMPARE(view.overlay().litArrows.size(), std::size_t{1});
        QCOMPARE(view.overlay().litArrows.front().to, (SpanRef{3, 0}));
        // What is lit is not hidden by the card.
        const QRect box(view.viewport()->mapTo(page.window(), QPoint()), view.viewport()->size());
        const QRect lit = view.rectangleOf(cause).toRect().translated(box.topLeft());
        QVERIFY(!card->geometry().intersects(lit));
        QVERIFY(page.rect().contains(card->geometry()));
        // Gone with the pointer, and nothing stays lit.
        hover(view, QPointF(5, 5));
        QVERIFY(!card->isVisible());
        QVERIFY(view.overlay().lit.empty() && view.overlay().litArrows.empty());
    }

    void aPassSaysWhatItWaitsFor()
    {
        SchedulePage page;
        page.document().reset(projectOf("zb-h1", {}, UniformCosts{}));
        page.resize(1000, 700);
        page.show();
        TimelineView& view = page.timeline();
        const SpanRef span = find(*view.lanes(), 1, {PassKind::B, 0, StageId(1), 0, 0});
        const SpanRef above = find(*view.lanes(), 2, {PassKind::B, 0, StageId(2), 0, 0});
        hover(view, view.rectangleOf(span).center());
        HoverCard* card = cardOf(page);
        QTRY_VERIFY(card->isVisible());
        const QString words = card->words();
        QVERIFY2(words.startsWith(QStringLiteral("B of micro-batch 0 on stage 1\n")),
                 qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("waits for B of micro-batch 0 on stage 2 of device "
                                               "2, which ends at")),
                 qPrintable(words));
        const std::vector<SpanRef>& lit = view.overlay().lit;
        QVERIFY(std::find(lit.begin(), lit.end(), above) != lit.end());
        // The next pass is told at once, without another rest.
        hover(view, view.rectangleOf(above).center());
        QVERIFY(card->isVisible());
        QVERIFY(card->words().startsWith(QStringLiteral("B of micro-batch 0 on stage 2")));
        // A gesture sends it away.
        QTest::mousePress(view.viewport(), Qt::LeftButton, {},
                          view.rectangleOf(above).center().toPoint());
        QVERIFY(!card->isVisible());
        QTest::mouseRelease(view.viewport(), Qt::LeftButton);
    }

    void anUnfinishedOrderSaysItToo()
    {
        SchedulePage page;
        Project project;
        project.draft = *readScheduleText("d0: F0 F1 BW0\nd1: F0 BW0\n");
        project.costs = UniformCosts{};
        page.document().reset(project);
        page.resize(1000, 700);
        page.show();
        TimelineView& view = page.timeline();
        const QRectF first = view.rectangleOf({1, 0});
        hover(view, QPointF(first.left() - 5, first.center().y()));
        HoverCard* card = cardOf(page);
        QTRY_VERIFY(card->isVisible());
        QCOMPARE(card->words(), QStringLiteral("Device 1 idles for 1 ms\nF of micro-batch 0 on "
                                               "stage 1 waits for F of micro-batch 0 on stage 0 of "
                                               "device 0."));
        QCOMPARE(view.overlay().lit, (std::vector<SpanRef>{{0, 0}}));
    }

    void aRunSaysWhatWasMeasured()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("runs.sqlite"));
        test::storeRun(path, test::plannedRun("1f1b"), "1F1B", "1f1b");
        RunHistory history(path);
        RunPage page(history, 1);
        page.resize(1000, 700);
        page.show();
        QVERIFY(QTest::qWaitFor([&page] { return page.records() != nullptr; }, 20'000));
        TimelineView& view = page.timeline();
        const QRectF first = view.rectangleOf({1, 0});
        hover(view, QPointF(first.left() - 4, first.center().y()));
        HoverCard* card = cardOf(page);
        QTRY_VERIFY(card->isVisible());
        QVERIFY2(card->words().startsWith(QStringLiteral("Device 1 idles for 1.1 ms\nwaits for F")),
                 qPrintable(card->words()));
        QCOMPARE(view.overlay().lit, (std::vector<SpanRef>{{0, 0}}));
        hover(view, first.center());
        QVERIFY2(card->words().contains(QStringLiteral("took 1 ms, planned 1 ms")),
                 qPrintable(card->words()));
    }
};

PW_WINDOW_TEST(TestHoverCard)
#include "tst_hover_card.moc"

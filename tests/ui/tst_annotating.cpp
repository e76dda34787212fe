// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/export/play_film.h"
#include "ui/presentation.h"
#include "ui/timeline/annotation_controller.h"
#include "ui/timeline/playback.h"
#include "ui/window/commands.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// Points of a colour in a picture.
int pointsOf(const QImage& image, const QColor& wanted, const QRect& where)
{
    int count = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x)
            count += image.valid(x, y) && image.pixelColor(x, y) == wanted ? 1 : 0;
    return count;
}

} // namespace

/// What a person draws over the lanes.
class TestAnnotating : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_annotating"); }

    void init()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 720);
        m_window->show();
        m_window->openFamily(QStringLiteral("1f1b"));
        m_window->commands().refresh();
        QTest::qWait(0);
    }

    void cleanup()
    {
        test::closeQuietly(*m_window);
        m_window.reset();
    }

    void aTextIsWrittenOnAPassAndMovesWithIt()
    {
        QVERIFY(!page().modified());
        const SpanRef span{1, 4};
        const Pass pass = view().lanes()->pass(span);
        command("annotate.text");
        click(middleOf(span));
        QVERIFY(field() != nullptr);
        type(QStringLiteral("here it waits"));
        QCOMPARE(all().size(), std::size_t{1});
        QCOMPARE(all().front().text, std::string("here it waits"));
        QVERIFY(all().front().from.pass == std::optional(pass));
        QVERIFY(page().modified());
        QVERIFY(field() == nullptr);
        const double before = placed().from.time;
        // Forwards that take longer: it is still in the middle of its pass.
        Project slower = page().document().project();
        UniformCosts costs;
        costs.forward *= 2;
        slower.costs = costs;
        QVERIFY(page().document().change(slower, QStringLiteral("slower")));
        const QRectF box = view().rectangleOf(spanOf(pass));
        QVERIFY(placed().from.time != before);
        QVERIFY(std::abs(view().scale().x(placed().from.time) - box.center().x()) < 3);
        page().undoStack()->undo();
        QCOMPARE(placed().from.time, before);
        page().undoStack()->undo();
        QVERIFY(all().empty());
        QVERIFY(view().overlay().annotations.empty());
        QVERIFY(!page().modified());
        page().undoStack()->redo();
        QCOMPARE(all().size(), std::size_t{1});
    }

    void aTextWithoutWordsIsNone()
    {
        command("annotate.text");
        click(middleOf({0, 1}));
        type({});
        QVERIFY(all().empty());
        command("annotate.text");
        click(middleOf({0, 1}));
        QTest::keyClicks(field(), QStringLiteral("half"));
        QTest::keyClick(field(), Qt::Key_Escape);
        QVERIFY(all().empty());
        QVERIFY(!page().modified());
        QVERIFY(view().overlay().annotations.empty());
    }

    void escapeLeaves()
    {
        command("annotate.region");
        QVERIFY(controller().drawing() == std::optional(AnnotationKind::Region));
        QTest::keyClick(&view(), Qt::Key_Escape);
        QVERIFY(!controller().drawing());
        // Also while it is being drawn.
        command("annotate.region");
        press(middleOf({0, 0}));
        move(middleOf({2, 3}));
        QCOMPARE(view().overlay().annotations.size(), std::size_t{1});
        QTest::keyClick(&view(), Qt::Key_Escape);
        release(middleOf({2, 3}));
        QVERIFY(view().overlay().annotations.empty());
        QVERIFY(all().empty());
        QVERIFY(field() == nullptr);
    }

    void whatIsDragged_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("kind");
        QTest::newRow("arrow") << "annotate.arrow" << int(AnnotationKind::Arrow);
        QTest::newRow("bracket") << "annotate.bracket" << int(AnnotationKind::Bracket);
        QTest::newRow("region") << "annotate.region" << int(AnnotationKind::Region);
    }

    void whatIsDragged()
    {
        QFETCH(QString, command);
        QFETCH(int, kind);
        const SpanRef first{0, 1}, last{kind == int(AnnotationKind::Bracket) ? 0 : 2, 6};
        this->command(command.toLatin1().constData());
        drag(middleOf(first) - QPoint(0, 4), middleOf(last));
        type(QStringLiteral("words"));
        QCOMPARE(all().size(), std::size_t{1});
        const Annotation& one = all().front();
        QCOMPARE(int(one.kind), kind);
        QVERIFY(one.from.pass == std::optional(view().lanes()->pass(first)));
        QVERIFY(one.to.pass == std::optional(view().lanes()->pass(last)));
        if (kind != int(AnnotationKind::Arrow)) {
            QCOMPARE(one.from.across, 0.0); // passes as a whole
            QCOMPARE(one.to.across, 1.0);
        }
        QVERIFY(!controller().drawing());
        QCOMPARE(controller().editor().selected(), 0);
        // An end by its handle, and the whole, each a step of its own.
        const SpanRef other{last.lane, 8};
        const QPoint end = pointOf(placed().to);
        drag(end, kind == int(AnnotationKind::Bracket) ? QPoint(middleOf(other).x(), end.y())
                                                       : middleOf(other));
        QVERIFY(all().front().to.pass == std::optional(view().lanes()->pass(other)));
        QCOMPARE(page().undoStack()->count(), 2);
        const PlacedAnnotation before = placed();
        const QPoint label = labelOf().center().toPoint();
        drag(label, label + QPoint(150, 0));
        QVERIFY(placed().from.time > before.from.time);
        QCOMPARE(page().undoStack()->count(), 3);
        page().undoStack()->undo();
        QCOMPARE(placed().from.time, before.from.time);
    }

    void aClickTakesThePassOrTheIdleStretch()
    {
        command("annotate.bracket");
        click(middleOf({1, 2}));
        type({});
        QVERIFY(all().front().from.pass == all().front().to.pass);
        QVERIFY(all().front().from.pass == std::optional(view().lanes()->pass({1, 2})));
        // The first device to start has the last one idle until its first forward comes.
        command("annotate.region");
        const QRectF first = view().rectangleOf({3, 0});
        click(QPoint(int(first.left()) - 20, int(first.center().y())));
        type({});
        const Annotation& idle = all().back();
        QCOMPARE(idle.from.time, Ticks{0});
        QVERIFY(!idle.from.pass);
        QVERIFY(idle.to.pass == std::optional(view().lanes()->pass({3, 0})));
        QCOMPARE(idle.to.across, 0.0);
    }

    void keysDrawAndChangeAndRemove()
    {
        view().select({1, 2});
        view().select({2, 5}, true);
        command("annotate.region");
        view().setSelection({{1, 2}, {2, 5}});
        QTest::keyClick(&view(), Qt::Key_Return);
        type(QStringLiteral("both"));
        QCOMPARE(all().size(), std::size_t{1});
        QCOMPARE(all().front().from.device, 1);
        QCOMPARE(all().front().to.device, 2);
        // With an annotation selected the keys are for it.
        QVERIFY(!view().current().valid());
        const double before = placed().from.time;
        QTest::keyClick(&view(), Qt::Key_Right);
        QTest::keyClick(&view(), Qt::Key_Right);
        QVERIFY(placed().from.time > before);
        QCOMPARE(page().undoStack()->count(), 2);
        QTest::keyClick(&view(), Qt::Key_Down);
        QCOMPARE(placed().to.device, 3);
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(field() != nullptr);
        type(QStringLiteral("other words"));
        QCOMPARE(all().front().text, std::string("other words"));
        command("annotate.violet");
        QCOMPARE(all().front().tint, AnnotationTint::Violet);
        const std::size_t passes = view().lanes()->spanCount();
        QTest::keyClick(&view(), Qt::Key_Delete);
        QVERIFY(all().empty());
        QCOMPARE(view().lanes()->spanCount(), passes);
        page().undoStack()->undo();
        QCOMPARE(all().front().text, std::string("other words"));
        // By the list, without a mouse.
        command("annotate.next");
        QCOMPARE(controller().editor().selected(), 0);
        QTest::keyClick(&view(), Qt::Key_Escape);
        QCOMPARE(controller().editor().selected(), -1);
        QVERIFY(!m_window->commands().action(QStringLiteral("annotate.remove"))->isEnabled());
    }

    void aDoubleClickChangesTheWords()
    {
        write(QStringLiteral("first"), {2, 4});
        QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, labelOf().center().toPoint());
        QVERIFY(field() != nullptr);
        QCOMPARE(field()->text(), QStringLiteral("first"));
        QTest::keyClicks(field(), QStringLiteral("second"));
        view().setFocus(); // what is typed stays where the pointer goes elsewhere
        QTRY_COMPARE(all().front().text, std::string("second"));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, labelOf().center().toPoint());
        QCOMPARE(controller().editor().selected(), 0);
        view().select({0, 0}); // a pass is selected instead
        QCOMPARE(controller().editor().selected(), -1);
    }

    void passesBelowARegionAreStillClicked()
    {
        command("annotate.region");
        drag(middleOf({0, 0}), middleOf({3, 7}));
        type({});
        controller().editor().select(-1);
        const SpanRef inside{1, 3};
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, middleOf(inside));
        QVERIFY(view().current() == inside);
    }

    void itIsDrawnOnBothGrounds_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void itIsDrawnOnBothGrounds()
    {
        QFETCH(bool, dark);
        applyGround(*qApp, dark ? Ground::Dark : Ground::Light);
        command("annotate.region");
        drag(middleOf({1, 1}), middleOf({2, 5}));
        type(QStringLiteral("words to read"));
        command("annotate.orange");
        controller().editor().select(-1);
        const QImage image = view().viewport()->grab().toImage();
        const QRect label = labelOf().toRect();
        QVERIFY(label.width() > 40);
        QVERIFY(pointsOf(image, color(Role::Text), label) > 8);
        // Where the frame runs straight, its colour is pure.
        QVERIFY(pointsOf(image, color(Role::Later), image.rect()) > 40);
        applyGround(*qApp, Ground::Light);
    }

    /// It stays at its time wherever the view goes.
    void itScrollsAndZooms()
    {
        write(QStringLiteral("x"), {1, 5});
        for (const int key : {Qt::Key_W, Qt::Key_D, Qt::Key_W}) {
            controller().editor().select(-1);
            QTest::keyClick(&view(), Qt::Key(key));
            const double x = view().scale().x(placed().from.time);
            QVERIFY(std::abs(labelOf().center().x() - x) < 1);
        }
    }

    void itStaysWithTheFile()
    {
        write(QStringLiteral("kept"), {1, 1});
        const QString path = m_home.filePath(QStringLiteral("annotated.pipewright.json"));
        QVERIFY(page().document().save(path));
        QVERIFY(!page().modified());
        const auto read = loadProject(path.toStdString());
        QVERIFY(read);
        QVERIFY(read->annotations == all());
        page().document().reset(Project{page().document().project()}, path);
        QCOMPARE(view().overlay().annotations.size(), std::size_t{1});
        QCOMPARE(controller().editor().selected(), -1);
    }

    void figuresAndFilmsShowIt()
    {
        write(QStringLiteral("look"), {1, 3});
        FigureContent content = page().figure();
        QCOMPARE(content.annotations.size(), std::size_t{1});
        for (const FigureGround ground :
             {FigureGround::Paper, FigureGround::Light, FigureGround::Dark}) {
            FigureLook look;
            look.ground = ground;
            const auto with = figureImage(FigureDrawing(content, look), 96);
            look.annotations = false;
            const auto without = figureImage(FigureDrawing(content, look), 96);
            QVERIFY(with && without && *with != *without);
            QCOMPARE(with->size(), without->size());
        }
        const auto svg = figureFile(FigureDrawing(content, {}), FigureFormat::Svg, "x");
        QVERIFY(svg && svg->contains(">look</text>"));
        const Ticks late = content.lanes->end();
        const PlayFilm with(content.lanes, QStringLiteral("x"), {}, content.annotations);
        const PlayFilm without(content.lanes, QStringLiteral("x"), {});
        QVERIFY(with.image(late) != without.image(late));
    }

    /// On a stage it is large, and pale until what it is about comes.
    void theStageShowsIt()
    {
        write(QStringLiteral("now"), {0, 6});
        controller().editor().select(-1);
        const double small = labelOf().height();
        m_window->commands().refresh();
        m_window->commands().action(QStringLiteral("view.present"))->trigger();
        QTest::qWait(0);
        QVERIFY(labelOf().height() > 1.3 * small);
        const auto ink = [this] {
            const QImage image = view().viewport()->grab().toImage();
            return pointsOf(image, color(Role::Text), labelOf().toRect());
        };
        page().playback()->setTime(0);
        const int early = ink();
        page().playback()->setTime(placed().from.time + 1);
        QVERIFY2(ink() > early + 8, qPrintable(QStringLiteral("%1 and %2").arg(early).arg(ink())));
        QTest::keyClick(&page(), Qt::Key_Escape);
        QCOMPARE(placed().text, std::string("now"));
    }

private:
    SchedulePage& page() { return *m_window->schedulePage(); }
    TimelineView& view() { return page().timeline(); }
    AnnotationController& controller() { return *page().findChild<AnnotationController*>(); }
    const std::vector<Annotation>& all() { return page().document().project().annotations; }
    const PlacedAnnotation& placed() { return view().overlay().annotations.back(); }
    QLineEdit* field()
    {
        const auto fields =
            view().viewport()->findChildren<QLineEdit*>(QStringLiteral("annotation-words"));
        for (QLineEdit* one : fields)
            if (one->isVisible())
                return one;
        return nullptr;
    }

    SpanRef spanOf(const Pass& pass)
    {
        const auto& lanes = view().lanes()->lanes();
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            for (std::size_t i = 0; i < lanes[lane].size(); ++i)
                if (const SpanRef span{std::int32_t(lane), std::int64_t(i)};
                    view().lanes()->pass(span) == pass)
                    return span;
        return {};
    }

    QPoint middleOf(SpanRef span) { return view().rectangleOf(span).center().toPoint(); }
    QPoint pointOf(const AnnotationPoint& point)
    {
        const QRectF lane = view().laneGeometry().laneArea(point.device);
        const double edge = placed().kind == AnnotationKind::Bracket ? -1.5 : 0;
        return QPointF(view().scale().x(point.time), lane.top() + edge + point.down * lane.height())
            .toPoint();
    }
    QRectF labelOf()
    {
        const LaneGeometry geometry = view().laneGeometry();
        return AnnotationPainter(geometry, view().font()).labelOf(placed());
    }

    void command(const char* id)
    {
        m_window->commands().refresh();
        QAction* action = m_window->commands().action(QString::fromLatin1(id));
        QVERIFY2(action != nullptr && action->isEnabled(), id);
        action->trigger();
    }

    void press(QPoint at) { QTest::mousePress(view().viewport(), Qt::LeftButton, {}, at); }
    void release(QPoint at) { QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, at); }
    void click(QPoint at)
    {
        press(at);
        release(at);
    }
    void move(QPoint at)
    {
        QMouseEvent event(QEvent::MouseMove, at, view().viewport()->mapToGlobal(at), Qt::NoButton,
                          Qt::LeftButton, {});
        QApplication::sendEvent(view().viewport(), &event);
    }
    void drag(QPoint from, QPoint to)
    {
        press(from);
        move((from + to) / 2);
        move(to);
        release(to);
    }
    void type(const QString& words)
    {
        QVERIFY(field() != nullptr);
        field()->selectAll();
        QTest::keyClicks(field(), words);
        QTest::keyClick(field(), Qt::Key_Return);
    }
    void write(const QString& words, SpanRef span)
    {
        command("annotate.text");
        click(middleOf(span));
        type(words);
    }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

PW_WINDOW_TEST(TestAnnotating)
#include "tst_annotating.moc"

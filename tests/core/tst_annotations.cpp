// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/edit.h"
#include "core/families/family.h"
#include "core/io/annotation_shape.h"
#include "core/io/project_file.h"
#include "core/io/schedule_text.h"
#include "core/io/svg_figure.h"
#include "core/io/web_page.h"
#include "core/sim/annotation_places.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <limits>

using namespace pw;

namespace {

constexpr Pass notedForward{PassKind::F, 0, StageId(1), 2, 0};
constexpr Pass notedBackward{PassKind::B, 0, StageId(1), 2, 0};
constexpr Pass notedWeight{PassKind::W, 0, StageId(1), 2, 0};

AnnotationAnchor heldAt(Ticks time, DeviceId device, double down = 0.5)
{
    return {time, device, down, std::nullopt, 0.5};
}

AnnotationAnchor heldOn(const Pass& pass, double across)
{
    return {77, DeviceId(3), 0.25, pass, across};
}

std::vector<Annotation> annotationsOfEach()
{
    return {{AnnotationKind::Text,
             AnnotationTint::Ink,
             "wärmt <auf> & läuft",
             heldAt(2'000'000, DeviceId(3)),
             {}},
            {AnnotationKind::Arrow, AnnotationTint::Violet, "", heldAt(0, DeviceId(0)),
             heldOn(notedBackward, 1)},
            {AnnotationKind::Bracket, AnnotationTint::Orange, "steady", heldOn(notedForward, 0),
             heldOn(notedBackward, 1)},
            {AnnotationKind::Region, AnnotationTint::Green, "one\ntwo", heldAt(1, DeviceId(0), 0),
             heldAt(9'000'000, DeviceId(2), 1)}};
}

Project annotatedProject()
{
    Project project;
    project.draft = *readScheduleText("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n");
    project.annotations = annotationsOfEach();
    return project;
}

QString annotationRefusal(const std::vector<Annotation>& annotations)
{
    const auto fine = check(annotations);
    return fine ? QString() : QString::fromStdString(fine.error().message);
}

/// A picture of four lanes, 20 pixels high and 30 apart, a pixel a tick.
AnnotationFrame fourLaneFrame()
{
    AnnotationFrame frame;
    frame.x = [](double time) { return 100 + time; };
    frame.lane = [](int device) {
        return device < 4 ? PictureBox{100, 30.0 * device, 400, 20} : PictureBox{};
    };
    frame.width = [](const std::string& line) { return 6.0 * double(line.size()); };
    frame.room = {100, 0, 400, 120};
    frame.line = 12;
    return frame;
}

bool boxInside(const PictureBox& box, const PictureBox& room)
{
    return box.left >= room.left && box.right() <= room.right() && box.top >= room.top &&
           box.bottom() <= room.bottom();
}

} // namespace

class TestAnnotations : public QObject
{
    Q_OBJECT

private slots:
    void theyStayWithTheFile()
    {
        const Project project = annotatedProject();
        const auto text = writeProject(project);
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        const auto read = readProject(*text);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(*read == project);
        QCOMPARE(QString::fromStdString(*writeProject(*read)), QString::fromStdString(*text));
    }

    void aFileWithoutThemIsAsBefore()
    {
        Project project = annotatedProject();
        project.annotations.clear();
        const std::string text = *writeProject(project);
        QVERIFY(text.find("annot") == std::string::npos);
        QVERIFY(readProject(text)->annotations.empty());
    }

    void everyMistakeNamesItsField_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* what, const char* from, const char* to,
                            const char* expected) {
            QTest::newRow(what) << QString::fromUtf8(from) << QString::fromUtf8(to)
                                << QString::fromUtf8(expected);
        };
        row("kind", "\"bracket\"", "\"brace\"",
            "annotations[2].kind is 'brace'; it is one of text, arrow, bracket, region");
        row("tint", "\"violet\"", "\"red\"",
            "annotations[1].tint is 'red'; it is one of ink, violet, orange, green");
        row("no words", "\"wärmt <auf> & läuft\"", "\" \"", "annotations[0].text has no words");
        row("down", "\"down\": 0.25", "\"down\": 1.5",
            "annotations[1].to.down is 1.5; it can be 0 to 1");
        row("across", "\"across\": 1", "\"across\": -1",
            "annotations[1].to.across is -1; it can be 0 to 1");
        row("time", "\"time_ns\": 2000000", "\"time_ns\": -1",
            "annotations[0].from.time_ns is -1; it can be 0 to");
        row("device", "\"device\": 3", "\"device\": 65536",
            "annotations[0].from.device is 65536; it can be 0 to 65535");
        row("pass", "\"kind\": \"B\"", "\"kind\": \"Q\"",
            "annotations[1].to.pass.kind is 'Q'; it is one of F, B, W, BW, R, U");
        row("unknown", "\"down\": 0.25", "\"high\": 1, \"down\": 0.25",
            "annotations[1].to.high is unknown");
        row("no end", "\"to\"", "\"too\"", "annotations[1].to is missing");
    }

    void everyMistakeNamesItsField()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, expected);
        QString text = QString::fromStdString(*writeProject(annotatedProject()));
        const qsizetype place = text.indexOf(from);
        QVERIFY2(place >= 0, qPrintable(text));
        const auto read = readProject(text.replace(place, from.size(), to).toStdString());
        QVERIFY(!read);
        const QString said = QString::fromStdString(read.error().message);
        QVERIFY2(said.contains(expected), qPrintable(said));
    }

    void thereAreNotTooManyNorTooLong()
    {
        Annotation one{AnnotationKind::Text, AnnotationTint::Ink, "a", heldAt(0, DeviceId(0)), {}};
        QCOMPARE(annotationRefusal(std::vector(maxAnnotations, one)), QString());
        QCOMPARE(annotationRefusal(std::vector(maxAnnotations + 1, one)),
                 QStringLiteral("a schedule has 201 annotations; it can have 200"));
        one.text.assign(longestAnnotation + 1, 'x');
        QCOMPARE(annotationRefusal({one}),
                 QStringLiteral("annotation 0 has a text of 1001 bytes; it can have 1000"));
        one.text = "\n \t";
        QCOMPARE(annotationRefusal({one}), QStringLiteral("annotation 0 is a text without words"));
        one.text = "a";
        one.from.down = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(annotationRefusal({one}).contains(QStringLiteral("down the lane")));

        Project project = annotatedProject();
        const std::string text = *writeProject(project);
        QString many = QString::fromStdString(text);
        const qsizetype begin = many.indexOf(QLatin1Char('['), many.indexOf("\"annotations\""));
        QStringList nothing;
        for (std::size_t i = 0; i <= maxAnnotations; ++i)
            nothing += QStringLiteral("{}");
        many = many.left(begin) + QLatin1Char('[') + nothing.join(QLatin1Char(',')) +
               QStringLiteral("]}");
        QVERIFY(QString::fromStdString(readProject(many.toStdString()).error().message)
                    .contains(QStringLiteral("annotations has 201 elements; it can have 200")));
        const QString longer =
            QString::fromStdString(text).replace(QStringLiteral("steady"), QString(1001, 'x'));
        QVERIFY(QString::fromStdString(readProject(longer.toStdString()).error().message)
                    .contains(QStringLiteral("annotations[2].text has 1,001 bytes; it can have "
                                             "1,000")));
    }

    void anEditSetsThemAndTakesItBack()
    {
        Project project = annotatedProject();
        const Project before = project;
        Edit edit;
        edit.changes.emplace_back(SetAnnotations{{before.annotations.front()}});
        const auto back = apply(project, edit);
        QVERIFY(back);
        QCOMPARE(project.annotations.size(), std::size_t{1});
        QVERIFY(apply(project, *back));
        QVERIFY(project == before);
        edit.changes = {SetTitle{"x"}, SetAnnotations{std::vector<Annotation>(
                                           maxAnnotations + 1, before.annotations.front())}};
        QVERIFY(!apply(project, edit));
        QVERIFY(project == before);
    }

    void theyMoveWithTheirPass()
    {
        const std::vector<Annotation> annotations = annotationsOfEach();
        for (const char* family : {"1f1b", "zb-h1"}) {
            for (const Ticks hop : {Ticks{0}, Ticks{400'000}}) {
                const auto run =
                    test::runFamily(test::familyOf(family), test::sized(4, 8),
                                    test::equalStages(1'000'000, 1'500'000, 700'000, hop));
                const auto placed = placeAnnotations(annotations, run.schedule, run.result);
                const auto entry = [&](const Pass& pass) {
                    return static_cast<std::size_t>(
                        run.schedule.entryOf(run.schedule.table().id(pass)));
                };
                const auto& bracket = placed[2];
                QCOMPARE(bracket.from.time, double(run.result.start[entry(notedForward)]));
                QCOMPARE(bracket.to.time, double(run.result.end[entry(notedBackward)]));
                QCOMPARE(bracket.from.device, 1);
                QCOMPARE(bracket.from.down, 0.25);
                QCOMPARE(placed[0].from.time, 2'000'000.0);
                QCOMPARE(placed[0].from.device, 3);
                // The same of the draft that it came from.
                const Draft draft = draftOf(run.schedule);
                QVERIFY(placeAnnotations(annotations, draft, *draftTimes(draft, run.costs)) ==
                        placed);
            }
        }
    }

    void aPassThatIsGoneLeavesItWhereItWasPut()
    {
        Draft draft = *readScheduleText("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n");
        const Costs costs = expand(UniformCosts{}, draft.spec);
        AnnotationAnchor anchor = heldOn({PassKind::F, 0, StageId(1), 1, 0}, 0);
        const std::vector<Annotation> one{
            {AnnotationKind::Text, AnnotationTint::Ink, "F1", anchor, {}}};
        const auto there = placeAnnotations(one, draft, *draftTimes(draft, costs)).front();
        QCOMPARE(there.from.device, 1);
        QVERIFY(there.from.time > 77);
        draft.orders[1].erase(draft.orders[1].begin() + 2);
        const auto gone = placeAnnotations(one, draft, *draftTimes(draft, costs)).front();
        QCOMPARE(gone.from.time, 77.0);
        QCOMPARE(gone.from.device, 1); // there is no device 3
        // Neither a time behind the end nor a pass that no shape has leaves the picture.
        std::vector<Annotation> far{{AnnotationKind::Text,
                                     AnnotationTint::Ink,
                                     "a",
                                     heldAt(std::numeric_limits<Ticks>::max(), DeviceId(9)),
                                     {}}};
        const DraftTimes times = *draftTimes(draft, costs);
        QCOMPARE(placeAnnotations(far, draft, times).front().from.time,
                 double(times.times.makespan));
        far.front().from.pass = Pass{PassKind::F, 60, StageId(70'000), 5, 5};
        QCOMPARE(placeAnnotations(far, draft, times).front().from.device, 1);
        draft.orders.assign(2, {});
        QCOMPARE(placeAnnotations(one, draft, *draftTimes(draft, costs)).front().from.time, 77.0);
    }

    /// BW stands for the B and the W of its cell, and the other way round.
    void backwardsStandForEachOther()
    {
        const auto whole =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), UniformCosts{});
        const auto split =
            test::runFamily(test::familyOf("zb-h1"), test::sized(4, 8), UniformCosts{});
        for (const Pass& pass :
             {notedBackward, notedWeight, Pass{PassKind::BW, 0, StageId(1), 2, 0}}) {
            const std::vector<Annotation> one{
                {AnnotationKind::Text, AnnotationTint::Ink, "a", heldOn(pass, 0), {}}};
            for (const auto* run : {&whole, &split})
                QVERIFY(placeAnnotations(one, run->schedule, run->result).front().from.time > 77);
        }
    }

    void wordsAreBrokenAtBlanks()
    {
        using Lines = std::vector<std::string>;
        QVERIFY(annotationLines("  ") == Lines{});
        QVERIFY(annotationLines("a\n\n b\tc ") == (Lines{"a", "b c"}));
        QVERIFY(annotationLines("the weight gradient can wait until later") ==
                (Lines{"the weight gradient can wait", "until later"}));
        const std::string word(60, 'x');
        QVERIFY(annotationLines("a " + word) == (Lines{"a", word}));
        QCOMPARE(characterCount("wärmt"), std::size_t{5});
    }

    void shapesStayInTheirRoom()
    {
        for (const AnnotationKind kind : allAnnotationKinds) {
            for (const double time : {0.0, 3.0, 200.0, 399.0}) {
                for (const int device : {0, 3}) {
                    PlacedAnnotation one{kind,
                                         AnnotationTint::Ink,
                                         "some words to be read",
                                         {time, DeviceId(device), 0.1},
                                         {time + 60, DeviceId(3 - device), 0.9}};
                    const AnnotationShape shape = shapeOf(one, fourLaneFrame());
                    QVERIFY(shape.shown);
                    QVERIFY(boxInside(shape.label, fourLaneFrame().room));
                    QCOMPARE(shape.head.empty(), kind != AnnotationKind::Arrow);
                    QCOMPARE(shape.area.empty(), kind != AnnotationKind::Region);
                }
            }
            const PlacedAnnotation gone{
                kind, AnnotationTint::Ink, "a", {900, DeviceId(0), 0}, {950, DeviceId(0), 1}};
            QVERIFY(!shapeOf(gone, fourLaneFrame()).shown);
            const PlacedAnnotation folded{
                kind, AnnotationTint::Ink, "a", {9, DeviceId(4), 0}, {50, DeviceId(4), 1}};
            QVERIFY(!shapeOf(folded, fourLaneFrame()).shown);
        }
        // The point of an arrow is where it points.
        const PlacedAnnotation arrow{AnnotationKind::Arrow,
                                     AnnotationTint::Ink,
                                     "",
                                     {10, DeviceId(0), 0.5},
                                     {110, DeviceId(2), 0.5}};
        const AnnotationShape shape = shapeOf(arrow, fourLaneFrame());
        QCOMPARE(shape.head.front().x, 210.0);
        QCOMPARE(shape.head.front().y, 70.0);
    }

    void figuresAndPagesShowThem()
    {
        const auto run = test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), UniformCosts{});
        FigureStyle style;
        const std::string plain = writeSvgFigure(run.schedule, run.result, style);
        style.annotations = annotationsOfEach();
        const QString svg = QString::fromStdString(writeSvgFigure(run.schedule, run.result, style));
        QVERIFY(svg.contains(QStringLiteral(">wärmt &lt;auf&gt; &amp; läuft<")));
        for (const char* line : {">steady<", ">one<", ">two<"})
            QVERIFY2(svg.contains(QString::fromLatin1(line)), line);
        for (const AnnotationTint tint : allAnnotationTints)
            QVERIFY(
                svg.contains(QString::fromStdString(hexOf(colorOf(roleOf(tint), Ground::Light)))));
        style.annotations.clear();
        QVERIFY(writeSvgFigure(run.schedule, run.result, style) == plain);

        const std::vector<Annotation> annotations = annotationsOfEach();
        WebPage page;
        page.tracks = {{"Schedule", &run.schedule, &run.costs, &run.result}};
        const QString without = QString::fromStdString(writeWebPage(page));
        QVERIFY(!without.contains(QStringLiteral("\"annotations\":")));
        page.tracks.front().annotations = &annotations;
        const QString html = QString::fromStdString(writeWebPage(page));
        QVERIFY(html.contains(QStringLiteral("\"annotations\":")));
        QVERIFY(html.contains(QStringLiteral("wärmt \\u003cauf> & läuft")));
        QVERIFY(html.contains(QStringLiteral("\"orange\"")));
    }
};

PW_TEST(TestAnnotations)
#include "tst_annotations.moc"

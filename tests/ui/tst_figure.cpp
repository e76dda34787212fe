// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/offload_text.h"
#include "core/io/svg_figure.h"
#include "core/sim/metrics.h"
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/export/figure.h"
#include "ui/picture_painter.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QHashFunctions>
#include <QPainter>
#include <QSvgRenderer>
#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::ui;

namespace {

FigureContent content(const char* family, int devices = 4, int microBatches = 8,
                      const UniformCosts& costs = {})
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    ScheduleDocument document;
    document.reset(projectOf(family, options, costs));
    return figureOf(document);
}

QByteArray fileOf(const FigureContent& what, const FigureLook& look, FigureFormat format)
{
    const FigureDrawing figure(what, look);
    const Result<QByteArray> file = figureFile(figure, format, what.title, 96);
    return file ? *file : QByteArray();
}

/// Numbers of different colours in an image.
int colorsOf(const QImage& image)
{
    QSet<QRgb> seen;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            seen.insert(image.pixel(x, y));
    return static_cast<int>(seen.size());
}

} // namespace

class TestFigure : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QHashSeed::setDeterministicGlobalSeed();
        applyGround(*qApp, Ground::Dark);
    }

    void everyFormatIsMade_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("SVG") << int(FigureFormat::Svg) << QByteArray("<?xml");
        QTest::newRow("PDF") << int(FigureFormat::Pdf) << QByteArray("%PDF-");
        QTest::newRow("PNG") << int(FigureFormat::Png) << QByteArray("\x89PNG");
    }

    void everyFormatIsMade()
    {
        QFETCH(int, format);
        QFETCH(QByteArray, begin);
        FigureLook look;
        look.memory = look.bubbles = true;
        const QByteArray file = fileOf(content("zb-v"), look, static_cast<FigureFormat>(format));
        QVERIFY(file.startsWith(begin));
        QVERIFY(file.size() > 4000);
    }

    void theSameFigureGivesTheSameBytes_data() { everyFormatIsMade_data(); }

    void theSameFigureGivesTheSameBytes()
    {
        QFETCH(int, format);
        const auto as = static_cast<FigureFormat>(format);
        const QByteArray one = fileOf(content("dualpipe"), FigureLook{}, as);
        // A PDF would hold its time in seconds.
        if (as == FigureFormat::Pdf)
            QVERIFY(one.contains("/CreationDate (D:20000101000000"));
        QCOMPARE(fileOf(content("dualpipe"), FigureLook{}, as), one);
    }

    void theTextStandsInTheVectorFigure()
    {
        FigureLook look;
        look.memory = look.bubbles = true;
        UniformCosts costs;
        costs.activation = Bytes{3} << 30;
        const QString svg =
            QString::fromUtf8(fileOf(content("1f1b", 4, 8, costs), look, FigureFormat::Svg));
        for (const char* label : {">device 3<", ">1F1B · 4 × 8<", "wall bubble 9 ms (27.3 %)",
                                  ">BW backward, both<", ">12.0 GiB<", "wall 27.3 %"})
            QVERIFY2(svg.contains(QString::fromUtf8(label)), label);
        // The width is that on paper.
        QVERIFY(svg.contains(QStringLiteral("width=\"178")));
        QSvgRenderer renderer(svg.toUtf8());
        QVERIFY(renderer.isValid());
    }

    void whatIsNotWantedIsLeftOut()
    {
        FigureLook look;
        look.title = look.numbers = look.legend = false;
        const FigureContent what = content("1f1b");
        const QString svg = QString::fromUtf8(fileOf(what, look, FigureFormat::Svg));
        for (const char* label : {">1F1B · 4 × 8</text>", "makespan", "forward"})
            QVERIFY2(!svg.contains(QString::fromUtf8(label)), label);
        QVERIFY(FigureDrawing(what, look).size().height() <
                FigureDrawing(what, FigureLook{}).size().height());
    }

    /// The copies are in the lanes, the legend and the memory.
    void whatGoesToTheHostIsShown()
    {
        FamilyOptions options;
        options.devices = 4;
        options.microBatches = 8;
        Project project = projectOf("1f1b", options, UniformCosts{});
        project.offload.cells = *parseOffload("0,1:2-3", project.draft.spec);
        project.offload.link.latency = ticksPerMs / 2;
        ScheduleDocument document;
        document.reset(std::move(project));
        FigureLook look;
        look.memory = true;
        const FigureContent with = figureOf(document), without = content("1f1b");
        const auto peak = [](const FigureContent& what) {
            double most = 0;
            for (const auto& [time, value] : what.memory.microBatches)
                most = std::max(most, value);
            return most;
        };
        QCOMPARE(peak(without), 4.0);
        QCOMPARE(peak(with), peakMicroBatches(document.result()));
        QVERIFY(peak(with) < peak(without));
        const QString svg = QString::fromUtf8(fileOf(with, look, FigureFormat::Svg));
        const QString plain = QString::fromUtf8(fileOf(without, look, FigureFormat::Svg));
        for (const char* label :
             {">to the host's memory</text>", ">back from the host's memory</text>"}) {
            QVERIFY2(svg.contains(QString::fromUtf8(label)), qPrintable(svg.right(600)));
            QVERIFY(!plain.contains(QString::fromUtf8(label)));
        }
        QVERIFY(FigureDrawing(with, look).size().height() >
                FigureDrawing(without, look).size().height());
    }

    void theGroundIsThatOfTheFigureAndNotOfTheWindow_data()
    {
        QTest::addColumn<int>("of");
        QTest::addColumn<QColor>("corner");
        QTest::newRow("paper") << int(FigureGround::Paper) << QColor(Qt::white);
        QTest::newRow("light") << int(FigureGround::Light) << QColor(255, 255, 255);
        QTest::newRow("dark") << int(FigureGround::Dark) << color(Role::Paper);
    }

    void theGroundIsThatOfTheFigureAndNotOfTheWindow()
    {
        QFETCH(int, of);
        QFETCH(QColor, corner);
        FigureLook look;
        look.ground = static_cast<FigureGround>(of);
        const FigureDrawing figure(content("gpipe"), look);
        const Result<QImage> image = figureImage(figure, 96);
        QVERIFY(image.has_value());
        QCOMPARE(image->pixelColor(1, 1), corner);
        QCOMPARE(image->pixelColor(image->width() - 1, image->height() - 1), corner);
        QVERIFY(ground() == Ground::Dark); // the window keeps its own
    }

    void paperHasPatternsThatScreensHaveNot()
    {
        // Blocks of B alone, without their labels.
        const auto inks = [](FigureGround ground) {
            LaneSpans spans;
            spans.start = {0};
            spans.end = {50};
            spans.look.resize(1);
            spans.look.front().kind = PassKind::B;
            spans.entry = {0};
            FigureLanes lanes;
            lanes.lanes = {{"", &spans, {}}};
            lanes.passes = [](std::int32_t, bool) { return Pass{PassKind::B}; };
            lanes.end = 50;
            const TextMeasure huge{[](std::string_view, bool) { return 100.0; }, 1.2};
            PictureItems items;
            LanePictures(lanes, {0, 1, 5}, huge, ground, ColorBy::Kind, 11, 50)
                .lay(items, 0, {5, 5, 50, 50});
            QImage image(60, 60, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintPicture(painter, items, QFont());
            painter.end();
            return colorsOf(image.copy(10, 10, 40, 40));
        };
        QCOMPARE(inks(FigureGround::Light), 1);
        QVERIFY(inks(FigureGround::Paper) > 1);
    }

    /// The command line and the window lay a figure out by the same rules.
    void bothProgramsDrawTheSame_data()
    {
        QTest::addColumn<QByteArray>("family");
        for (const char* family : {"1f1b", "zb-v", "dualpipe"})
            QTest::newRow(family) << QByteArray(family);
    }

    void bothProgramsDrawTheSame()
    {
        QFETCH(QByteArray, family);
        FamilyOptions options;
        options.devices = 4;
        options.microBatches = 8;
        ScheduleDocument document;
        document.reset(projectOf(family.constData(), options, UniformCosts{}));
        QVERIFY(document.schedule() != nullptr);
        const FigureContent shown = figureOf(document);
        FigureLook look;
        look.ground = FigureGround::Light;
        look.widthMm = 1200 * 25.4 / 96;
        const Picture here = FigureDrawing(shown, look, unknownFont()).picture();
        FigureStyle style;
        style.title = shown.title.toStdString();
        const Picture there = figurePicture(*document.schedule(), document.result(), style);
        QCOMPARE(here.items.size(), there.items.size());
        QCOMPARE(here.width, there.width);
        QCOMPARE(here.height, there.height);
        for (std::size_t i = 0; i < here.items.size(); ++i)
            QVERIFY2(here.items[i] == there.items[i], qPrintable(QString::number(i)));
        // And it is not the picture that is the same whatever is drawn.
        look.legend = false;
        QVERIFY(FigureDrawing(shown, look, unknownFont()).picture() != there);
    }

    void anyShapeFitsTheWidth_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::newRow("one device") << QByteArray("gpipe") << 1 << 1;
        QTest::newRow("many devices") << QByteArray("zb-h1") << 128 << 130;
        QTest::newRow("many micro-batches") << QByteArray("1f1b") << 4 << 4000;
        QTest::newRow("pairs") << QByteArray("dualpipe") << 8 << 20;
    }

    void anyShapeFitsTheWidth()
    {
        QFETCH(QByteArray, family);
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        for (const double width : {FigureLook::oneColumn, FigureLook::twoColumns}) {
            FigureLook look;
            look.widthMm = width;
            look.memory = look.bubbles = true;
            const FigureContent what = content(family.constData(), devices, microBatches);
            const FigureDrawing figure(what, look);
            QCOMPARE(qRound(figure.size().width()), qRound(width / 25.4 * 96));
            // A page, and a file that stays small however many passes there are.
            QVERIFY2(figure.size().height() < 1000,
                     qPrintable(QString::number(figure.size().height())));
            const QByteArray svg = fileOf(what, look, FigureFormat::Svg);
            QVERIFY2(svg.size() < 3'000'000, qPrintable(QString::number(svg.size())));
        }
    }

    void anUnfinishedScheduleHasAFigureOfItsLanes()
    {
        FigureContent what;
        what.title = QStringLiteral("nothing yet");
        what.lanes = std::make_shared<const Lanes>();
        FigureLook look;
        look.memory = look.bubbles = true;
        QVERIFY(fileOf(what, look, FigureFormat::Svg).contains("nothing yet"));
    }

    void aPictureThatIsTooLargeIsRefusedWithItsSize()
    {
        FigureLook look;
        look.widthMm = 2000;
        const FigureDrawing figure(content("1f1b"), look);
        const Result<QImage> image = figureImage(figure, 1200);
        QVERIFY(!image);
        QVERIFY(image.error().code == ErrorCode::TooLarge);
        QVERIFY(QString::fromStdString(image.error().message).contains(QStringLiteral("94488")));
    }

    void theFormatFollowsFromTheName()
    {
        QVERIFY(figureFormatOf(QStringLiteral("a.SVG")) == FigureFormat::Svg);
        QVERIFY(figureFormatOf(QStringLiteral("a.b.pdf")) == FigureFormat::Pdf);
        QVERIFY(figureFormatOf(QStringLiteral("png")) == std::nullopt);
        QVERIFY(figureFormatOf(QStringLiteral("a.jpg")) == std::nullopt);
    }
};

PW_WINDOW_TEST(TestFigure)
#include "tst_figure.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/lane_spans.h"
#include "core/io/png_line.h"
#include "core/io/svg_picture.h"
#include "core/io/text_measure.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

/// A measure in which every byte is half as wide as it is high.
TextMeasure halves()
{
    return {[](std::string_view text, bool) { return 0.5 * static_cast<double>(text.size()); },
            1.2};
}

} // namespace

/// Pictures as lists of shapes, and what is written of them.
class TestPicture : public QObject
{
    Q_OBJECT

private slots:
    /// By micro-batch a pass has a hue of its own; its saturation and lightness are those of its
    /// kind and ground, as Qt's HSL has them.
    void aMicroBatchHasItsHue_data()
    {
        QTest::addColumn<PassKind>("kind");
        QTest::addColumn<bool>("light");
        QTest::addColumn<double>("saturation");
        QTest::addColumn<double>("lightness");
        QTest::newRow("F, light") << PassKind::F << true << 0.45 << 0.62;
        QTest::newRow("F, dark") << PassKind::F << false << 0.45 << 0.55;
        QTest::newRow("B, light") << PassKind::B << true << 0.35 << 0.76;
        QTest::newRow("W, dark") << PassKind::W << false << 0.35 << 0.69;
    }
    void aMicroBatchHasItsHue()
    {
        QFETCH(PassKind, kind);
        QFETCH(bool, light);
        QFETCH(double, saturation);
        QFETCH(double, lightness);
        for (int microBatch = 0; microBatch < 50; ++microBatch) {
            const Rgb color = spanColor(ColorBy::MicroBatch, kind, 0, microBatch,
                                        light ? Ground::Light : Ground::Dark);
            const double parts[] = {color.red / 255.0, color.green / 255.0, color.blue / 255.0};
            const double most = *std::max_element(parts, parts + 3);
            const double least = *std::min_element(parts, parts + 3);
            constexpr double step = 1.0 / 255;
            QVERIFY(std::abs((most + least) / 2 - lightness) <= step);
            QVERIFY(std::abs((most - least) / (1 - std::abs(most + least - 1)) - saturation) <=
                    4 * step);
            // The greatest is opposite of the least where the hue says so: sixths of a turn.
            const double turn = std::fmod(0.58 + 0.381966 * microBatch, 1.0);
            const double middle = parts[0] + parts[1] + parts[2] - most - least;
            const double between = (middle - least) / (most - least);
            const auto sixth = static_cast<int>(6 * turn);
            const double into = 6 * turn - sixth;
            constexpr int greatestOf[] = {0, 1, 1, 2, 2, 0};
            QCOMPARE(parts[greatestOf[sixth]], most);
            QVERIFY(std::abs(between - (sixth % 2 == 0 ? into : 1 - into)) < 0.05);
        }
    }

    void everyShapeIsWritten()
    {
        Picture picture{100, 50, {}};
        picture.items.push_back(PictureRect{"a", {1, 2, 3, 4}, {.fill = Rgb{255, 0, 0}}, 2});
        // The same part in another colour keeps its own.
        picture.items.push_back(PictureRect{"a", {1, 2, 3, 4}, {.fill = Rgb{0, 255, 0}}});
        picture.items.push_back(
            PicturePath{"b", {{0, 0}, {10, 5}}, {.line = Rgb{0, 0, 255}, .dashed = true}});
        picture.items.push_back(PicturePattern{"c", {0, 0, 9, 9}, LinePattern::Grid, 4, {}, 1});
        picture.items.push_back(PictureStrip{"d", {0, 0, 8, 2}, {{1, 2, 3}, {4, 5, 6}}});
        picture.items.push_back(
            PictureText{"e", {5, 10}, "x < y & z", TextAnchor::End, 10, {}, true});
        const std::string svg = writeSvg(picture, "a \"title\"", SvgUnit::Millimetres);
        QXmlStreamReader reader(QByteArray::fromStdString(svg));
        QStringList shapes;
        QString style, words;
        while (!reader.atEnd()) {
            reader.readNext();
            if (!reader.isStartElement())
                continue;
            const QString name = reader.name().toString();
            if (const auto part = reader.attributes().value("class"); !part.isEmpty())
                shapes += name + QLatin1Char('.') + part.toString();
            if (shapes.size() == 2 && style.isEmpty())
                style = reader.attributes().value("style").toString();
            if (name == "text")
                words = reader.readElementText();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(shapes,
                 QStringList({"rect.a", "rect.a", "path.b", "path.c", "image.d", "text.e"}));
        QCOMPARE(style, QString("fill:#00ff00"));
        QCOMPARE(words, QString("x < y & z"));
        QVERIFY(svg.find("width=\"26.46mm\" height=\"13.23mm\" viewBox=\"0 0 100 50\"") !=
                std::string::npos);
        QVERIFY(svg.find(".a{fill:#ff0000}") != std::string::npos);
        QVERIFY(svg.find("stroke-dasharray") != std::string::npos);
    }

    void patternsStayInTheirBoxAndOnTheGridOfThePage()
    {
        for (const LinePattern lines :
             {LinePattern::Rising, LinePattern::Falling, LinePattern::Level, LinePattern::Grid}) {
            const PictureBox box{7, 11, 20, 30};
            const auto all = linesOf({"c", box, lines, 4, {}, 1});
            QVERIFY(all.size() > 3);
            for (const auto& [from, to] : all) {
                const PictureBox near{box.left - 1e-6, box.top - 1e-6, box.width + 2e-6,
                                      box.height + 2e-6};
                QVERIFY(near.contains(from) && near.contains(to));
                const double at = lines == LinePattern::Rising    ? from.x + from.y
                                  : lines == LinePattern::Falling ? from.x - from.y
                                  : from.y == to.y                ? from.y - 2
                                                                  : from.x - 2;
                QVERIFY(std::abs(std::remainder(at, 4)) < 1e-6);
            }
        }
        QVERIFY(linesOf({"c", {0, 0, 0, 0}, LinePattern::Rising, 4, {}, 1}).empty());
    }

    void aLineOfPixelsIsAPng()
    {
        const std::string png = pngOf({{1, 2, 3}, {4, 5, 6}});
        QVERIFY(png.starts_with("\x89PNG\r\n\x1a\n"));
        QCOMPARE(png.substr(12, 4), std::string("IHDR"));
        QCOMPARE(int(png[19]), 2); // wide
        QCOMPARE(int(png[23]), 1); // high
        // The end with its sum, as the specification has it.
        QVERIFY(png.ends_with(std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12)));
    }

    void lettersOfBytes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        for (const char* bytes : {"", "f", "fo", "foo", "foob", "\xff\x00\xfe"})
            QTest::newRow(bytes) << QByteArray(bytes);
    }

    void lettersOfBytes()
    {
        QFETCH(QByteArray, bytes);
        QCOMPARE(QByteArray::fromStdString(base64(bytes.toStdString())), bytes.toBase64());
    }

    void textIsCutAndBroken()
    {
        QCOMPARE(elided("device", 3, halves(), false), std::string("device"));
        QCOMPARE(elided("device 12", 4, halves(), false), std::string("devic…"));
        // A letter of several bytes is kept or left as a whole.
        QCOMPARE(elided("üüüü", 3.5, halves(), false), std::string("üü…"));
        QCOMPARE(elided("device", 0, halves(), false), std::string("…"));
        const std::vector<std::string> lines = wrapped("one two three", 4, halves());
        QCOMPARE(lines, std::vector<std::string>({"one two", "three"}));
        QCOMPARE(wrapped("incomprehensible", 1, halves()),
                 std::vector<std::string>({"incomprehensible"}));
        QVERIFY(wrapped("", 4, halves()).empty());
    }

    void anUnknownFontIsAWideOne()
    {
        const TextMeasure measure = unknownFont();
        // Advances of DejaVu Sans.
        QCOMPARE(measure.width("0", false), 1303.0 / 2048);
        QCOMPARE(measure.width("iW", false), (569.0 + 2025.0) / 2048);
        QVERIFY(measure.width("W", true) > measure.width("W", false));
        QCOMPARE(measure.width("ü", false), measure.width("é", false));
    }
};

PW_TEST(TestPicture)
#include "tst_picture.moc"

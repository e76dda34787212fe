// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/png_line.h"
#include "core/io/svg_picture.h"
#include "core/io/text_measure.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QXmlStreamReader>

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

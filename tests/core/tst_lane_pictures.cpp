// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/lane_pictures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

/// A measure in which every byte is half as wide as it is high.
TextMeasure halves()
{
    return {[](std::string_view text, bool) { return 0.5 * static_cast<double>(text.size()); },
            1.2};
}

/// A lane of passes, each behind the other, at a tick a pixel.
class OneLane
{
public:
    explicit OneLane(double height)
        : m_height(height)
    {
    }

    /// @param partner  what runs beside it, in the lower half
    void add(PassKind kind, int microBatch, Ticks length, const PassKind* partner = nullptr)
    {
        SpanLook look{kind};
        if (partner != nullptr) {
            look.paired = 1;
            look.partner = *partner;
        }
        m_spans.start.push_back(m_end);
        m_spans.end.push_back(m_end += length);
        m_spans.look.push_back(look);
        m_spans.entry.push_back(static_cast<std::int32_t>(m_passes.size()));
        m_passes.push_back({pass(kind, microBatch), pass(partner ? *partner : kind, microBatch)});
    }

    PictureItems drawn(FigureGround ground, double letters) const
    {
        const FigureLanes lanes{{{"rank 0", &m_spans, {}}},
                                [this](std::int32_t entry, bool partner) {
                                    const auto& pair = m_passes[static_cast<std::size_t>(entry)];
                                    return partner ? pair.second : pair.first;
                                },
                                0,
                                m_end};
        LanePictures pictures(lanes, TimeScale{}, halves(), ground, ColorBy::Kind, letters,
                              m_height);
        PictureItems items;
        pictures.lay(items, 0, {0, 0, static_cast<double>(m_end), m_height});
        return items;
    }

private:
    static Pass pass(PassKind kind, int microBatch)
    {
        Pass made;
        made.kind = kind;
        made.microBatch = microBatch;
        return made;
    }

    double m_height;
    Ticks m_end = 0;
    LaneSpans m_spans;
    std::vector<std::pair<Pass, Pass>> m_passes;
};

std::vector<PictureText> textsOf(const PictureItems& items)
{
    std::vector<PictureText> texts;
    for (const PictureItem& item : items) {
        if (const auto* text = std::get_if<PictureText>(&item))
            texts.push_back(*text);
    }
    return texts;
}

QStringList wordsOf(const PictureItems& items)
{
    QStringList words;
    for (const PictureText& text : textsOf(items))
        words += QString::fromStdString(text.text);
    return words;
}

/// Rectangles of a part; "k" is what a label stands on where lines would run through it.
std::vector<PictureBox> boxesOf(const PictureItems& items, std::string_view part)
{
    std::vector<PictureBox> boxes;
    for (const PictureItem& item : items) {
        const auto* rect = std::get_if<PictureRect>(&item);
        if (rect != nullptr && rect->part == part)
            boxes.push_back(rect->box);
    }
    return boxes;
}

} // namespace

/// How the blocks of a figure are labelled.
class TestLanePictures : public QObject
{
    Q_OBJECT

private slots:
    /// In print every kind but F has lines, and those make room for the letters: a ground as wide
    /// as they are, and half a pixel more on both sides.
    void linesMakeRoomForLetters()
    {
        OneLane lane(30);
        lane.add(PassKind::F, 1, 60);
        lane.add(PassKind::B, 2, 60);
        const PictureItems paper = lane.drawn(FigureGround::Paper, 10);
        QCOMPARE(wordsOf(paper), (QStringList{"F1", "B2"}));
        const auto rooms = boxesOf(paper, "k");
        QCOMPARE(rooms.size(), std::size_t(1));
        QCOMPARE(rooms[0].width, 2 * 0.5 * 10 + 1);
        QCOMPARE(rooms[0].height, 2 * 0.45 * 10);
        const PictureText& label = textsOf(paper)[1];
        QCOMPARE(rooms[0].center().x, label.at.x);
        QCOMPARE(rooms[0].center().y, label.at.y);
        QVERIFY(label.at.x > 60 && label.at.x < 120);
        for (const FigureGround ground : {FigureGround::Light, FigureGround::Dark}) {
            const PictureItems screen = lane.drawn(ground, 10);
            QCOMPARE(wordsOf(screen), (QStringList{"F1", "B2"}));
            QVERIFY(boxesOf(screen, "k").empty());
        }
    }

    /// All labels of a picture are written in one way: in a line where nearly all have room for
    /// it, else in two, else the number alone.
    void oneWayForAll_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("height");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<double>("size");
        // Letters take what is left of a block, 0.8 wide as its neighbour's gap, and 2 of edges.
        QTest::newRow("a line") << 20 << 40.0 << QStringList{"F1", "B2"} << 12.0;
        QTest::newRow("a line, by its width") << 13 << 40.0 << QStringList{"F1", "B2"} << 10.0;
        QTest::newRow("two lines") << 10 << 40.0 << QStringList{"F", "1", "B", "2"} << 12.0;
        QTest::newRow("two lines, by their height")
            << 10 << 27.0 << QStringList{"F", "1", "B", "2"} << 8.0;
        QTest::newRow("the number") << 8 << 18.0 << QStringList{"1", "2"} << 12.0;
        QTest::newRow("the number, where it just fits")
            << 4 << 18.0 << QStringList{"1", "2"} << 6.0;
        QTest::newRow("nothing") << 3 << 18.0 << QStringList{} << 0.0;
    }
    void oneWayForAll()
    {
        QFETCH(int, width);
        QFETCH(double, height);
        QFETCH(QStringList, words);
        QFETCH(double, size);
        OneLane lane(height);
        lane.add(PassKind::F, 1, width);
        lane.add(PassKind::B, 2, width);
        const PictureItems items = lane.drawn(FigureGround::Light, 12);
        QCOMPARE(wordsOf(items), words);
        for (const PictureText& text : textsOf(items))
            QCOMPARE(text.size, size);
    }

    /// One in fifty may be too narrow: it has no label, and does not take the others' away. Where
    /// more are, there are small numbers, on those that have room.
    void aFewNarrowOnesDoNotDecide()
    {
        OneLane lane(40);
        for (int i = 0; i < 98; ++i)
            lane.add(PassKind::F, i % 10, 20);
        lane.add(PassKind::B, 7, 2);
        lane.add(PassKind::B, 8, 2);
        const QStringList words = wordsOf(lane.drawn(FigureGround::Light, 12));
        QCOMPARE(words.size(), 98);
        QCOMPARE(words[0], QStringLiteral("F0"));
        lane.add(PassKind::B, 9, 2);
        const PictureItems small = lane.drawn(FigureGround::Light, 12);
        QCOMPARE(wordsOf(small).size(), 98);
        QCOMPARE(textsOf(small)[11].text, std::string("1"));
        QCOMPARE(textsOf(small)[11].size, 6.0);
    }

    /// Where labels have two lines, the halves of a pair have one: both where that has room, else
    /// the number.
    void halvesOfAPairHaveOneLine_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("kind and number") << 60 << QStringList{"F3", "B3"};
        QTest::newRow("the number") << 10 << QStringList{"3", "3"};
    }
    void halvesOfAPairHaveOneLine()
    {
        QFETCH(int, width);
        QFETCH(QStringList, words);
        OneLane lane(40);
        for (int i = 0; i < 10; ++i)
            lane.add(PassKind::F, i, 10);
        const PassKind partner = PassKind::B;
        lane.add(PassKind::F, 3, width, &partner);
        QStringList drawn = wordsOf(lane.drawn(FigureGround::Light, 12));
        QCOMPARE(drawn.mid(0, 2), (QStringList{"F", "0"}));
        QCOMPARE(drawn.mid(20), words);
    }
};

PW_TEST(TestLanePictures)
#include "tst_lane_pictures.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/kind_legend.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QImage>
#include <QTest>

#include <set>

using namespace pw;
using namespace pw::ui;

namespace {

LanesPtr lanesOfFamily(const char* family, int chunks = 0)
{
    FamilyOptions options = test::sized(4, 8);
    if (chunks > 0)
        options.parameters.emplace_back("chunks", chunks);
    const test::FamilyRun run = test::runFamily(test::familyOf(family), options, UniformCosts{});
    return lanesOf(std::make_shared<const Schedule>(run.schedule), run.result);
}

} // namespace

class TestKindLegend : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void everyChunkHasATintOfItsOwn_data()
    {
        QTest::addColumn<int>("chunks");
        for (const int chunks : {2, 3, 4, 8})
            QTest::addRow("%d chunks", chunks) << chunks;
    }
    void everyChunkHasATintOfItsOwn()
    {
        QFETCH(int, chunks);
        const LanesPtr lanes = lanesOfFamily("interleaved-1f1b", chunks);
        std::set<QRgb> seen;
        for (const SpanLook look : lanes->lanes()[0].look)
            if (look.kind == PassKind::F)
                seen.insert(spanColor(ColorBy::Kind, PassKind::F, look.tint, 0).rgb());
        QCOMPARE(static_cast<int>(seen.size()), chunks);
        QCOMPARE(tintOf(0, chunks), std::uint8_t{0});
        QCOMPARE(static_cast<int>(tintOf(chunks - 1, chunks)), fullTint);
    }

    void theLegendExplainsWhatIsThere()
    {
        ViewRange range;
        TimelineView view(range);
        KindLegend legend(view);
        legend.resize(1200, legend.sizeHint().height());
        QVERIFY(legend.words().isEmpty());
        view.setLanes(lanesOfFamily("interleaved-1f1b", 4));
        QCOMPARE(legend.words().join(QStringLiteral(", ")),
                 QStringLiteral("F forward, BW backward, both, full to light: first to last chunk "
                                "of a device"));
        legend.show();
        const QImage picture = legend.grab().toImage();
        std::set<QRgb> swatches;
        for (int x = TimeAxis::margin(); x < TimeAxis::margin() + 60; ++x)
            swatches.insert(picture.pixel(x, legend.height() / 2));
        for (const int chunk : {0, 1, 2, 3})
            QVERIFY(
                swatches.count(spanColor(ColorBy::Kind, PassKind::F, tintOf(chunk, 4), 0).rgb()));
        view.setColorBy(ColorBy::MicroBatch);
        QVERIFY(legend.words().join(QString()).contains(QStringLiteral("micro-batch")));
    }

    void aShortLineGoesOnInASecondOne()
    {
        // Beside both panels of a window of 1280 pixels: the tints are explained there too.
        ViewRange range;
        TimelineView view(range);
        KindLegend legend(view);
        view.setLanes(lanesOfFamily("zb-v"));
        legend.resize(1200, legend.height());
        legend.show();
        const int line = legend.height();
        const QStringList all = legend.words();
        QCOMPARE(all.size(), 4);
        legend.resize(660, legend.height());
        QCOMPARE(legend.words(), all);
        QCOMPARE(legend.height(), 2 * line);
        // The words of the second line are drawn there.
        const QImage picture = legend.grab().toImage();
        const auto written = [&](int top) {
            for (int y = top; y < top + line; ++y)
                for (int x = TimeAxis::margin(); x < picture.width(); ++x)
                    if (picture.pixelColor(x, y) != color(Role::Paper))
                        return true;
            return false;
        };
        QVERIFY(written(0) && written(line));
        legend.resize(1200, legend.height());
        QCOMPARE(legend.height(), line);
    }

    void whatHasNoRoomInTwoLinesIsLeftOut()
    {
        ViewRange range;
        TimelineView view(range);
        KindLegend legend(view);
        view.setLanes(lanesOfFamily("interleaved-1f1b", 2));
        legend.resize(TimeAxis::margin() + 160, 20);
        QCOMPARE(legend.words().join(QStringLiteral(", ")),
                 QStringLiteral("F forward, BW backward, both"));
    }
};

PW_WINDOW_TEST(TestKindLegend)
#include "tst_kind_legend.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/phase_bands.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr Ticks ms = ticksPerMs;

/// Bands of 1000 pixels for 10 ms.
struct BandFixture
{
    ViewRange range;
    PhaseBands bands{range};

    BandFixture()
    {
        range.setWhole(0, 10 * ms);
        range.show(0, 10 * ms);
        bands.resize(TimeAxis::margin() + 1000 + TimeAxis::gutter(bands),
                     bands.sizeHint().height());
        bands.setPhases(Phases{0, 3 * ms, 7 * ms, 10 * ms}, QStringLiteral("all devices"), true);
        bands.show();
    }
    QColor at(double x) const
    {
        const QImage picture = const_cast<PhaseBands&>(bands).grab().toImage();
        return picture.pixelColor(TimeAxis::margin() + static_cast<int>(x), bands.height() - 3);
    }
};

} // namespace

class TestPhaseBands : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void bandsStandWhereThePhasesAre()
    {
        const BandFixture f;
        const double whole = f.range.length();
        const auto x = [&](double time) {
            return 1000 * (time * static_cast<double>(ms) - f.range.begin()) / whole;
        };
        QCOMPARE(f.at(x(1.5)), color(Role::Hatch));
        QCOMPARE(f.at(x(5)), color(Role::Accent));
        QCOMPARE(f.at(x(8.5)), color(Role::Hatch));
        QCOMPARE(f.at(x(3)), color(Role::Paper)); // a space between two
    }

    void aToolTipSaysHowLong()
    {
        BandFixture f;
        const double x =
            TimeAxis::margin() +
            1000 * (5.0 * static_cast<double>(ms) - f.range.begin()) / f.range.length();
        const QPoint at(static_cast<int>(x), 5);
        QHelpEvent help(QEvent::ToolTip, at, f.bands.mapToGlobal(at));
        QApplication::sendEvent(&f.bands, &help);
        QVERIFY2(QToolTip::text().startsWith(QStringLiteral("steady, 4 ms")),
                 qPrintable(QToolTip::text()));
    }

    void anEmptyTimelineHasNone()
    {
        BandFixture f;
        f.bands.setPhases(std::nullopt);
        QVERIFY(f.bands.accessibleDescription().isEmpty());
        QCOMPARE(f.at(500), color(Role::Paper));
    }
};

PW_WINDOW_TEST(TestPhaseBands)
#include "tst_phase_bands.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/find_bar.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QVBoxLayout>

#include <functional>
#include <set>

using namespace pw;
using namespace pw::ui;

namespace {

/// A timeline of four devices and eight micro-batches with its find bar, in one window.
struct Fixture
{
    test::FamilyRun run;
    QWidget window;
    ViewRange range;
    TimelineView* view = new TimelineView(range, &window);
    FindBar* bar = new FindBar(*view, &window);

    explicit Fixture(const char* family = "zb-v")
        : run(test::runFamily(test::familyOf(family), test::sized(4, 8), UniformCosts{}))
    {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(view);
        layout->addWidget(bar);
        window.resize(1200, 400);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
        view->setLanes(lanesOf(std::make_shared<const Schedule>(run.schedule), run.result));
        bar->setSpec(run.schedule.spec());
    }
    QLineEdit* field() const { return bar->findChild<QLineEdit*>(); }
    QString state() const { return bar->findChild<QLabel*>(QStringLiteral("find-state"))->text(); }
    void type(const QString& words)
    {
        bar->open();
        QTest::keyClicks(field(), words);
    }
    /// The slow, obvious way.
    std::int64_t count(const std::function<bool(const Pass&, int)>& fits) const
    {
        std::int64_t found = 0;
        for (const DeviceId device : Ids<DeviceId>(run.schedule.devices())) {
            for (const EntryId i : run.schedule.entries(device)) {
                const OrderEntry entry = run.schedule.entry(i);
                if (fits(entry.pass, device) || (entry.paired && fits(entry.partner, device)))
                    ++found;
            }
        }
        return found;
    }
};

} // namespace

class TestFindBar : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void hitsAreThoseOfTheSlowWay_data()
    {
        using Fits = std::function<bool(const Pass&, int)>;
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("expected");
        const Fixture f;
        const auto row = [&](const char* name, const char* words, const Fits& fits) {
            QTest::newRow(name) << QString::fromLatin1(words) << static_cast<int>(f.count(fits));
        };
        row("a pass", "F3",
            [](const Pass& pass, int) { return pass.kind == PassKind::F && pass.microBatch == 3; });
        row("in small letters", "f3",
            [](const Pass& pass, int) { return pass.kind == PassKind::F && pass.microBatch == 3; });
        row("a chunk", "W2.1", [](const Pass& pass, int) {
            return pass.kind == PassKind::W && pass.microBatch == 2 && pass.stage >= 4;
        });
        row("two passes", "F3 B1", [](const Pass& pass, int) {
            return (pass.kind == PassKind::F && pass.microBatch == 3) ||
                   (pass.kind == PassKind::B && pass.microBatch == 1);
        });
        row("a micro-batch", "mb 3", [](const Pass& pass, int) { return pass.microBatch == 3; });
        row("joined", "mb3", [](const Pass& pass, int) { return pass.microBatch == 3; });
        row("a stage", "stage 2", [](const Pass& pass, int) { return pass.stage == 2; });
        row("a device", "device 1", [](const Pass&, int device) { return device == 1; });
        row("several words", "mb 3 device 1 forward", [](const Pass& pass, int device) {
            return pass.microBatch == 3 && device == 1 && pass.kind == PassKind::F;
        });
        row("a kind", "backward", [](const Pass& pass, int) { return isBackward(pass.kind); });
        row("what is not there", "F99", [](const Pass&, int) { return false; });
    }
    void hitsAreThoseOfTheSlowWay()
    {
        QFETCH(QString, words);
        QFETCH(int, expected);
        Fixture f;
        f.type(words);
        QCOMPARE(f.bar->hitCount(), static_cast<std::int64_t>(expected));
        QCOMPARE(f.view->overlay().found != nullptr, expected > 0);
    }

    void passesOfAPairAreFound()
    {
        Fixture f("dualpipe");
        f.type(QStringLiteral("F5"));
        QCOMPARE(f.bar->hitCount(), f.count([](const Pass& pass, int) {
            return pass.kind == PassKind::F && pass.microBatch == 5;
        }));
    }

    void aWordThatIsNotKnownIsRefusedInWords()
    {
        Fixture f;
        f.type(QStringLiteral("xyzzy"));
        QCOMPARE(f.bar->hitCount(), std::int64_t{0});
        QVERIFY2(f.state().contains(QStringLiteral("xyzzy")), qPrintable(f.state()));
        f.type(QStringLiteral("F3.7"));
        QVERIFY2(f.state().contains(QStringLiteral("chunk 7")), qPrintable(f.state()));
    }

    void enterGoesRoundAllHitsInTime()
    {
        Fixture f;
        f.type(QStringLiteral("F3"));
        const auto count = f.bar->hitCount();
        QCOMPARE(count, std::int64_t{8});
        Ticks last = -1;
        std::set<std::pair<int, std::int64_t>> seen;
        for (std::int64_t i = 0; i < count; ++i) {
            QTest::keyClick(f.field(), Qt::Key_Return);
            const SpanRef span = f.view->current();
            QCOMPARE(f.view->lanes()->pass(span).microBatch, 3);
            const Ticks start = f.view->lanes()
                                    ->lanes()[static_cast<std::size_t>(span.lane)]
                                    .start[static_cast<std::size_t>(span.index)];
            QVERIFY(start >= last);
            last = start;
            seen.insert({span.lane, span.index});
            QCOMPARE(f.state(), QStringLiteral("%1 of 8").arg(i + 1));
        }
        QCOMPARE(seen.size(), std::size_t{8});
        const SpanRef end = f.view->current();
        QTest::keyClick(f.field(), Qt::Key_Return);
        QVERIFY(f.view->current() ==
                (SpanRef{static_cast<std::int32_t>(seen.begin()->first), seen.begin()->second}));
        QTest::keyClick(f.field(), Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(f.view->current() == end);
    }

    void escapeClosesAndTakesTheMarksAway()
    {
        Fixture f;
        f.type(QStringLiteral("mb 2"));
        QVERIFY(f.view->overlay().found != nullptr);
        QTest::keyClick(f.field(), Qt::Key_Escape);
        QVERIFY(!f.bar->isVisible());
        QVERIFY(f.view->overlay().found == nullptr);
        QVERIFY(f.view->hasFocus());
    }

    void newLanesAreSearchedAgain()
    {
        Fixture f;
        f.type(QStringLiteral("mb 3"));
        const test::FamilyRun other =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
        f.view->setLanes(lanesOf(std::make_shared<const Schedule>(other.schedule), other.result));
        QCOMPARE(f.bar->hitCount(), std::int64_t{4});
        QVERIFY(f.view->overlay().found != nullptr);
    }
};

PW_WINDOW_TEST(TestFindBar)
#include "tst_find_bar.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The film at the top of README is made by this walk: resources/film.sh keeps its pictures.
#include "core/io/chrome_json.h"
#include "core/io/file_problem.h"
#include "tests/support/compared.h"
#include "tests/support/film_reel.h"
#include "tests/support/import_hand.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/studio_walk.h"
#include "tests/support/test_program.h"
#include "ui/advice/advice_page.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/models/palette_item.h"
#include "ui/panels/figure_table.h"
#include "ui/panels/palette_panel.h"
#include "ui/presentation.h"
#include "ui/run/live_view.h"
#include "ui/runs/run_history.h"
#include "ui/timeline/drop_controller.h"
#include "ui/window/page_bar.h"
#include "ui/window/run_page.h"
#include "ui/window/studio.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr std::string_view firstWords = "A schedule is dragged in: passes, memory and idle time "
                                        "follow before it is dropped";

UniformCosts equalTimes()
{
    UniformCosts costs;
    costs.forward = costs.backward = costs.weight = 10 * ticksPerMs;
    return costs;
}

/// A run of three steps whose third stage computes slower than the others, as a trace.
std::string slowStage()
{
    FamilyOptions options;
    options.steps = 3;
    UniformCosts equal = equalTimes();
    equal.hop = ticksPerMs;
    const Family* const family = *findFamily("1f1b");
    const Schedule schedule = *buildUniform(*family, options, equal);
    Costs costs = expand(equal, schedule.spec());
    for (std::vector<Ticks>* times : {&costs.forward, &costs.backward, &costs.weight})
        (*times)[2] += 4 * ticksPerMs;
    return writeChromeJson(schedule, costs, *simulate(schedule, costs));
}

} // namespace

/// A schedule is dragged into a timeline and runs beside its plan, and a trace becomes advice.
class TestX11Film : public QObject
{
    Q_OBJECT

private:
    XHand& hand() { return m_walk->hand(); }
    MainWindow& window() { return m_walk->window(); }
    template<typename Kind>
    Kind* front()
    {
        return qobject_cast<Kind*>(window().page());
    }
    RunHistory& history() { return *window().findChild<RunHistory*>(); }
    DropController& drops() { return *m_walk->page()->findChild<DropController*>(); }
    XHand::Place button(const QString& words)
    {
        return [this, words] {
            const QList<QAbstractButton*> buttons = window().findChildren<QAbstractButton*>();
            for (const QAbstractButton* one : buttons)
                if (one->isVisible() && one->text() == words)
                    return XHand::on(one)();
            qFatal("there is no button %s", qPrintable(words));
        };
    }
    void begin() { window().openProject(projectOf("1f1b", FamilyOptions{}, equalTimes())); }
    void dragAFamily();
    void runIt();
    void readATrace();
    void goBack();
    void hideLowerDocks();

    PrivateFolder m_folder;
    std::unique_ptr<StudioWalk> m_walk;
    std::unique_ptr<FilmReel> m_reel;
    QPoint m_begin; ///< where the pointer is at first

private slots:
    void initTestCase()
    {
        if (const QString why = XHand::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        qputenv("PATH",
                QFileInfo(QStringLiteral(PW_PROGRAM)).path().toLocal8Bit() + ':' + qgetenv("PATH"));
        applyGround(*qApp, Ground::Light);
    }
    void itEndsWhereItBegins();
};

void TestX11Film::dragAFamily()
{
    m_reel->caption(text(firstWords)).shot(1500).click(m_walk->paletteSearch(), 8);
    hand().type(QStringLiteral("zb-v"));
    m_reel->shot(400)
        .glide(m_walk->inPalette(static_cast<int>(PaletteKind::Family), QStringLiteral("zb-v")), 5)
        .press()
        .glide(m_walk->lane(1, 0.35), 14);
    hand().until(QStringLiteral("the ghosts stand"),
                 [this] { return drops().trial() != nullptr && !drops().ghosts().empty(); });
    m_reel->shot(2200).glide(m_walk->lane(2, 0.5), 6).release();
    hand().until(QStringLiteral("it is dropped"), [this] {
        return !drops().holds() && m_walk->page()->title().startsWith(QStringLiteral("ZB-V"));
    });
    m_reel->shot(1800);
}

void TestX11Film::runIt()
{
    m_reel->caption(
        QStringLiteral("It runs: on emulated devices here, on GPUs by ssh, MPI or Slurm"));
    hand().key(QStringLiteral("F5")).until(QStringLiteral("the run is below its plan"), [this] {
        auto* live = window().findChild<LiveView*>();
        return live != nullptr && live->timeline().lanes() != nullptr &&
               live->timeline().lanes()->spanCount() > 0;
    });
    m_reel->watch(
        QStringLiteral("the run is over"),
        [this] {
            return history().runs().size() == 1 &&
                   history().runs().front().status == RunStatus::Finished;
        },
        250);
    m_reel->shot(800);
    hand()
        .then([this] { window().studio().openRun(history().runs().front().number); })
        .until(QStringLiteral("the run is open"), [this] {
            return front<RunPage>() != nullptr && front<RunPage>()->shown() != nullptr;
        });
    m_reel->shot(600).click(button(QStringLiteral("Compare with plan")), 10);
    hand().until(QStringLiteral("the run lies below its plan"), [this] {
        const auto* pictures = test::picturesOf(window().page());
        return pictures != nullptr && pictures->rowCount() == 2 &&
               pictures->difference(1) != nullptr;
    });
    m_reel->caption(QStringLiteral("The run beside its plan, pass by pass")).shot(1800);
    hand().then([this] {
        const QList<QComboBox*> boxes = window().page()->findChildren<QComboBox*>();
        for (QComboBox* box : boxes)
            box->setCurrentIndex(
                std::max(box->findText(QStringLiteral("Kind of pass")), box->currentIndex()));
    });
    m_reel->shot(2200);
}

void TestX11Film::readATrace()
{
    const QString file = m_folder.path(QStringLiteral("training.trace.json"));
    QVERIFY(writeFile(file.toStdString(), slowStage()));
    m_reel->caption(QStringLiteral("The trace of another program is opened"));
    ImportDialog* dialog = nullptr;
    hand()
        .then([this, file] { window().open(file); })
        .until(QStringLiteral("the trace is read"), [this, &dialog] {
            dialog = window().findChild<ImportDialog*>();
            return dialog != nullptr && dialog->isVisible() && dialog->imported() != nullptr;
        });
    m_reel->shot(2500).click(
        [&dialog] { return XHand::on(dialog->findChild<QPushButton*>(QStringLiteral("keep")))(); },
        8);
    hand().until(QStringLiteral("the trace is a run"), [this] {
        const auto* run = front<RunPage>();
        return run != nullptr && run->shown() != nullptr && history().runs().size() == 2;
    });
    m_reel->caption(QStringLiteral("It is a run like any other: passes, steps, lost time"))
        .shot(2500);
    hand().key(QStringLiteral("ctrl+shift+a")).until(QStringLiteral("there is advice"), [this] {
        const auto* page = front<AdvicePage>();
        return page != nullptr && !page->busy() && page->advice() != nullptr;
    });
    m_reel->caption(QStringLiteral("…and becomes advice: what would make its step shorter"))
        .shot(3000)
        .click(
            [this] {
                const FigureTable& changes = front<AdvicePage>()->changes();
                return changes.viewport()->mapToGlobal(
                    changes.visualItemRect(changes.item(1, 0)).center());
            },
            10)
        .shot(2500);
    QCOMPARE(hand().go(), QString());
}

/// Everything is as it was at first, and so is the picture.
void TestX11Film::goBack()
{
    m_reel->click(
        [this] {
            const auto* bar = window().findChild<PageBar*>();
            return bar->mapToGlobal(bar->tabRect(0).center());
        },
        8);
    hand()
        .until(QStringLiteral("the schedule is in front"),
               [this] { return m_walk->page() != nullptr; })
        .key(QStringLiteral("ctrl+z"))
        .until(QStringLiteral("it is what it was"),
               [this] { return m_walk->page()->title().startsWith(QStringLiteral("1F1B")); })
        .then([this] {
            const std::vector<Page*> pages = window().pages();
            begin();
            for (Page* page : pages)
                window().closePage(page);
            auto* palette = window().findChild<PalettePanel*>();
            palette->findChild<QLineEdit*>()->clear();
            palette->list()->setCurrentIndex({});
            palette->list()->scrollToTop();
            hideLowerDocks();
        });
    m_reel->caption(text(firstWords)).shot(400).glide([this] { return m_begin; }, 8).shot(300);
    QCOMPARE(hand().go(), QString());
}

/// The timeline and its charts have their room, and no path of this machine is seen.
void TestX11Film::hideLowerDocks()
{
    for (const char* id : {"runs", "run", "problems"})
        if (QDockWidget* dock = window().dock(QString::fromLatin1(id)))
            dock->hide();
}

void TestX11Film::itEndsWhereItBegins()
{
    QSettings().clear();
    QSettings().setValue(QStringLiteral("run/backend"), QStringLiteral("emulated"));
    QSettings().setValue(QStringLiteral("run/iterations"), 8);
    QSettings().setValue(QStringLiteral("run/warmup"), 0);
    m_walk = std::make_unique<StudioWalk>();
    m_reel = std::make_unique<FilmReel>(hand(), qEnvironmentVariable("PW_FILM"));
    begin();
    QTRY_VERIFY_WITH_TIMEOUT(history().answered(), 60'000);
    hideLowerDocks();
    m_begin = XHand::on(&m_walk->page()->timeline())();
    hand().moveTo([this] { return m_begin; });
    const QString title = m_walk->page()->title();
    const Project project = m_walk->document().project();
    dragAFamily();
    QCOMPARE(hand().go(), QString());
    runIt();
    QCOMPARE(hand().go(), QString());
    readATrace();
    goBack();
    QCOMPARE(window().pages().size(), std::size_t{1});
    QCOMPARE(m_walk->page()->title(), title);
    QVERIFY(m_walk->document().project() == project);
    QCOMPARE(QCursor::pos(), m_begin);
    qInfo("%d pictures, %d ms", m_reel->pictures(), m_reel->milliseconds());
    constexpr int least = 20'000; // and less than 40 s, but on a machine with much else to do
    QVERIFY(m_reel->milliseconds() > least);
    m_walk.reset();
}

PW_WINDOW_TEST(TestX11Film)
#include "tst_x11_film.moc"

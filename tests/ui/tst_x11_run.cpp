// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/compared.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/studio_walk.h"
#include "tests/support/test_program.h"
#include "ui/charts/loss_chart.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/presentation.h"
#include "ui/run/live_view.h"
#include "ui/run/log_view.h"
#include "ui/run/run_panel.h"
#include "ui/runs/run_history.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/run_page.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QXmlStreamReader>

#include <csignal>
#include <set>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr const char* gpipe = "devices: 2\nmicro-batches: 4\n"
                              "d0: F0 F1 F2 F3 BW0 BW1 BW2 BW3\n"
                              "d1: F0 F1 F2 F3 BW0 BW1 BW2 BW3\n";
constexpr int passes = 16;

/// Costs with which an iteration takes so long that it is shown while it grows.
UniformCosts slowly()
{
    UniformCosts costs;
    costs.forward = costs.backward = costs.weight = 50 * ticksPerMs;
    return costs;
}

/// The programs that this one has started and that still run, by the name in /proc.
std::vector<pid_t> childrenCalled(const QByteArray& name)
{
    std::vector<pid_t> found;
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString& entry : entries) {
        QFile file(QStringLiteral("/proc/%1/stat").arg(entry));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        // "41 (pipewright) S 7 …": the parent is the second behind the bracket.
        const QByteArray line = file.readAll();
        const qsizetype end = line.lastIndexOf(')');
        const QList<QByteArray> rest = line.mid(end + 2).split(' ');
        if (line.left(end).endsWith('(' + name) && rest.size() > 1 &&
            rest[1].toLongLong() == QCoreApplication::applicationPid())
            found.push_back(static_cast<pid_t>(entry.toLongLong()));
    }
    return found;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool wellFormed(const QByteArray& xml)
{
    QXmlStreamReader reader(xml);
    while (!reader.atEnd())
        reader.readNext();
    return !xml.isEmpty() && !reader.hasError();
}

} // namespace

/// What a person does to run a schedule and to look at what came of it, with a real pointer and
/// real keys. Runs are of the program itself.
class TestX11Run : public QObject
{
    Q_OBJECT

private:
    XHand& hand() { return m_walk->hand(); }
    template<typename Widget>
    Widget* find(const char* name = nullptr)
    {
        return m_walk->window().findChild<Widget*>(QString::fromLatin1(name));
    }
    /// The field that a label of the run panel belongs to.
    template<typename Field>
    Field* field(const char* label)
    {
        const QList<QLabel*> labels = find<RunPanel>()->findChildren<QLabel*>();
        for (const QLabel* one : labels)
            if (one->text() == QString::fromLatin1(label))
                return qobject_cast<Field*>(one->buddy());
        qFatal("no field is called %s", label);
    }
    /// Chooses from the list of a field.
    void choose(const char* label, const QString& data)
    {
        auto* box = field<QComboBox>(label);
        const auto index = [box, data] {
            return box->model()->index(box->findData(data), box->modelColumn());
        };
        hand()
            .click(XHand::on(box))
            .until(QStringLiteral("the list is open"), [box] { return box->view()->isVisible(); })
            .click(StudioWalk::row(box->view(), index))
            .until(QStringLiteral("chosen: ") + data, [box, data] {
                return !box->view()->isVisible() && box->currentData().toString() == data;
            });
    }
    void write(const char* label, int number)
    {
        auto* box = field<QSpinBox>(label);
        hand()
            .click([box] { return box->mapToGlobal(QPoint(10, box->height() / 2)); })
            .key(QStringLiteral("ctrl+a"))
            .type(QString::number(number))
            .until(QStringLiteral("the number is in the field"),
                   [box, number] { return box->value() == number; });
    }
    /// Brings the run panel to the front, and waits for what the program says of itself.
    void showPanel()
    {
        auto* run = find<QPushButton>("run");
        hand()
            .key(QStringLiteral("ctrl+shift+F5"))
            .until(QStringLiteral("the panel can run"),
                   [run] { return run->isVisible() && run->isEnabled(); });
    }
    void setUp(const QString& backend, int iterations)
    {
        showPanel();
        choose("&Backend", backend);
        write("&Iterations", iterations);
    }
    /// Presses the panel's button and waits until something has run.
    void pressRun()
    {
        hand()
            .click(XHand::on(find<QPushButton>("run")))
            .until(QStringLiteral("passes have come"), [this] { return liveSpans() > 0; });
    }
    void awaitEnd(std::size_t runs)
    {
        auto* run = find<QPushButton>("run");
        auto* history = find<RunHistory>();
        hand()
            .until(QStringLiteral("the run is over"), [run] { return run->isVisible(); })
            .until(QStringLiteral("the run is in the list, and over"), [history, runs] {
                return history->runs().size() == runs &&
                       history->runs().front().status != RunStatus::Running;
            });
    }
    std::size_t liveSpans()
    {
        auto* live = find<LiveView>();
        return live == nullptr || live->timeline().lanes() == nullptr
                   ? 0
                   : static_cast<std::size_t>(live->timeline().lanes()->spanCount());
    }
    QString words(const char* label) { return find<QLabel>(label)->text(); }
    const StoredRun& last() { return find<RunHistory>()->runs().front(); }
    std::size_t known() { return find<RunHistory>()->runs().size(); }
    /// Writes a path into the file dialog that opens.
    XHand& writePath(const QString& path)
    {
        return hand()
            .until(QStringLiteral("a dialog asks for the file"),
                   [] { return qobject_cast<QFileDialog*>(QApplication::activeModalWidget()); })
            .key(QStringLiteral("ctrl+a"))
            .type(path)
            .key(QStringLiteral("Return"))
            .until(QStringLiteral("the file is there: ") + path,
                   [path] { return QFileInfo(path).size() > 0; });
    }
    void exportFigure(const QString& path);

    PrivateFolder m_folder;
    std::unique_ptr<StudioWalk> m_walk;

private slots:
    void initTestCase()
    {
        if (const QString why = XHand::whyNot(); !why.isEmpty())
            QSKIP(qPrintable(why));
        qputenv("PATH",
                QFileInfo(QStringLiteral(PW_PROGRAM)).path().toLocal8Bit() + ':' + qgetenv("PATH"));
        applyGround(*qApp, Ground::Light);
    }
    void init()
    {
        QSettings().clear();
        m_walk = std::make_unique<StudioWalk>();
        QCOMPARE(m_walk->open(gpipe, slowly()), QString());
        QTRY_VERIFY_WITH_TIMEOUT(find<RunHistory>()->answered(), 60'000);
    }
    void cleanup() { m_walk.reset(); }

    void aScheduleIsSavedWhereTheDialogSays();
    void aRunGrowsBelowItsPlan();
    void aRunThatTrainsHasLosses();
    void aRunIsStoppedInTheMiddle();
    void aRunThatIsStoppedWhileItMeasuresHasNotFailed();
    void anExecutorThatIsKilledTakesNothingWithIt();
    void aStoredRunIsReopenedAndCompared();
    void whatIsShownIsExported();
};

void TestX11Run::aScheduleIsSavedWhereTheDialogSays()
{
    const QString path = m_folder.path(QStringLiteral("walk.pipewright.json"));
    hand().key(QStringLiteral("ctrl+s"));
    writePath(path).until(QStringLiteral("the tab knows its file"),
                          [this, path] { return m_walk->document().path() == path; });
    QCOMPARE(hand().go(), QString());
    QVERIFY(!m_walk->page()->modified());
    const Result<Project> saved = loadProject(path.toStdString());
    QVERIFY2(saved, saved ? "" : saved.error().message.c_str());
    QVERIFY(*saved == m_walk->document().project());
}

void TestX11Run::aRunGrowsBelowItsPlan()
{
    const std::size_t before = known();
    setUp(QStringLiteral("emulated"), 6);
    pressRun();
    std::set<std::size_t> seen;
    hand()
        .until(QStringLiteral("an iteration is seen while it grows"),
               [&] {
                   if (const std::size_t spans = liveSpans(); spans > 0 && spans < passes)
                       seen.insert(spans);
                   return seen.size() > 1;
               })
        .until(QStringLiteral("there is progress"),
               [this] { return find<RunPanel>()->findChild<QProgressBar*>()->value() > 0; })
        .then([this] { m_walk->picture(QStringLiteral("run-live")); });
    awaitEnd(before + 1);
    QCOMPARE(hand().go(), QString());
    QCOMPARE(last().status, RunStatus::Finished);
    QCOMPARE(last().environment.backend, std::string("emulated"));
    QCOMPARE(last().figures.iterations, 6);
    QCOMPARE(liveSpans(), std::size_t{passes});
}

void TestX11Run::aRunThatTrainsHasLosses()
{
    const std::size_t before = known();
    showPanel();
    choose("M&odel", QStringLiteral("tiny"));
    setUp(QStringLiteral("cpu"), 3);
    pressRun();
    awaitEnd(before + 1);
    QCOMPARE(hand().go(), QString());
    QCOMPARE(last().status, RunStatus::Finished);
    QCOMPARE(last().environment.backend, std::string("cpu"));
    // The curve is a tab of the lower dock; it says the last loss in words.
    const auto hasLoss = [this] {
        const QList<QLabel*> labels = find<LossChart>()->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().startsWith(QStringLiteral("loss "));
        });
    };
    QVERIFY(hasLoss());
}

void TestX11Run::aRunIsStoppedInTheMiddle()
{
    const std::size_t before = known();
    setUp(QStringLiteral("emulated"), 100'000);
    pressRun();
    auto* stop = find<QPushButton>("stop");
    hand().click(XHand::on(stop));
    awaitEnd(before + 1);
    QCOMPARE(hand().go(), QString());
    QCOMPARE(last().status, RunStatus::Stopped);
    QVERIFY(childrenCalled("pipewright").empty());
}

void TestX11Run::aRunThatIsStoppedWhileItMeasuresHasNotFailed()
{
    setUp(QStringLiteral("cpu"), 3);
    auto* run = find<QPushButton>("run");
    auto* stop = find<QPushButton>("stop");
    hand()
        .click(XHand::on(run))
        .until(QStringLiteral("the run is below its plan"),
               [this] { return find<LiveView>() != nullptr; })
        .then([this] { m_walk->picture(QStringLiteral("run-measures")); })
        .click(XHand::on(stop))
        .until(QStringLiteral("the run is over"), [run] { return run->isVisible(); })
        .then([this] { m_walk->picture(QStringLiteral("run-stopped")); });
    QCOMPARE(hand().go(), QString());
    QVERIFY2(!m_walk->toldIsRefusal(), qPrintable(m_walk->told()));
    QVERIFY2(words("runHeading").startsWith(QStringLiteral("Ready")),
             qPrintable(words("runHeading")));
}

void TestX11Run::anExecutorThatIsKilledTakesNothingWithIt()
{
    const std::size_t before = known();
    // Something that is not saved anywhere.
    hand()
        .click(m_walk->pass({1, 4}))
        .key(QStringLiteral("alt+Right"))
        .until(QStringLiteral("another order"),
               [this] { return m_walk->document().undoStack().count() == 1; });
    setUp(QStringLiteral("emulated"), 100'000);
    pressRun();
    QCOMPARE(hand().go(), QString());
    const Project project = m_walk->document().project();
    const std::vector<pid_t> executors = childrenCalled("pipewright");
    QCOMPARE(executors.size(), std::size_t{1});
    auto* history = find<RunHistory>();
    hand()
        .then([&] { kill(executors.front(), SIGKILL); })
        .until(QStringLiteral("what it said comes to the front"),
               [this] { return !find<LogView>()->viewport()->visibleRegion().isEmpty(); })
        .until(QStringLiteral("the run is in the list"),
               [&] { return history->runs().size() == before + 1; });
    showPanel();
    hand()
        .until(QStringLiteral("the panel says what happened"),
               [this] { return words("runHeading").contains(QStringLiteral("signal 9 (kill)")); })
        .then([this] { m_walk->picture(QStringLiteral("run-killed")); });
    QCOMPARE(hand().go(), QString());
    QVERIFY(m_walk->document().project() == project);
    QVERIFY(m_walk->page()->modified());
    QVERIFY(last().status != RunStatus::Running && last().status != RunStatus::Finished);
    QVERIFY2(words("runText").contains(QStringLiteral("is kept as run")),
             qPrintable(words("runText")));
    const QString heading = find<LiveView>()->findChild<QLabel*>()->text();
    QVERIFY2(!heading.contains(QStringLiteral("under way")) &&
                 heading.endsWith(QStringLiteral("failed")),
             qPrintable(heading));
    // The next one runs.
    write("&Iterations", 1);
    pressRun();
    awaitEnd(before + 2);
    hand().key(QStringLiteral("ctrl+z")).until(QStringLiteral("undone"), [this] {
        return !m_walk->page()->modified();
    });
    QCOMPARE(hand().go(), QString());
    QCOMPARE(last().status, RunStatus::Finished);
}

void TestX11Run::aStoredRunIsReopenedAndCompared()
{
    const std::size_t before = known();
    setUp(QStringLiteral("emulated"), 2);
    hand().key(QStringLiteral("F5")).until(QStringLiteral("F5 runs"), [this] {
        return liveSpans() > 0;
    });
    awaitEnd(before + 1);
    auto* panel = find<RunsPanel>();
    const auto runPage = [this] { return qobject_cast<RunPage*>(m_walk->window().page()); };
    const auto comparison = [this] { return test::picturesOf(m_walk->window().page()); };
    hand()
        .key(QStringLiteral("ctrl+shift+r"))
        .until(QStringLiteral("the list of runs"), [panel] { return panel->table()->isVisible(); })
        .doubleClick(StudioWalk::row(panel->table(),
                                     [panel] { return panel->table()->model()->index(0, 1); }))
        .until(QStringLiteral("the run as a timeline"),
               [runPage] { return runPage() != nullptr && runPage()->shown() != nullptr; })
        .then([this] { m_walk->picture(QStringLiteral("run-opened")); })
        .see(QStringLiteral("all passes are there"),
             [runPage] { return runPage()->timeline().lanes()->spanCount() == passes; });
    hand()
        .click([runPage] {
            const QList<QToolButton*> buttons = runPage()->findChildren<QToolButton*>();
            for (const QToolButton* button : buttons)
                if (button->text() == QStringLiteral("Compare with plan"))
                    return XHand::on(button)();
            return QPoint();
        })
        .until(QStringLiteral("plan and run with their difference"),
               [comparison] {
                   return comparison() != nullptr && comparison()->rowCount() == 2 &&
                          comparison()->difference(1) != nullptr;
               })
        .until(QStringLiteral("figures beside each other"),
               [comparison] {
                   const QList<QTableWidget*> tables = comparison()->findChildren<QTableWidget*>();
                   return std::any_of(tables.begin(), tables.end(), [](const QTableWidget* table) {
                       return table->rowCount() > 0;
                   });
               })
        .then([this] { m_walk->picture(QStringLiteral("compared")); });
    QCOMPARE(hand().go(), QString());
    QVERIFY(comparison()->compared(0) != nullptr && comparison()->compared(1) != nullptr);
    QVERIFY(!comparison()->figures().isEmpty());
}

void TestX11Run::exportFigure(const QString& path)
{
    hand()
        .key(QStringLiteral("ctrl+e"))
        .until(QStringLiteral("the export dialog"),
               [] { return QApplication::activeModalWidget() != nullptr; })
        .key(QStringLiteral("Return"));
    writePath(path).until(QStringLiteral("all dialogs are closed"),
                          [] { return QApplication::activeModalWidget() == nullptr; });
}

void TestX11Run::whatIsShownIsExported()
{
    const QString svg = m_folder.path(QStringLiteral("figure.svg"));
    const QString png = m_folder.path(QStringLiteral("figure.png"));
    const QString csv = m_folder.path(QStringLiteral("order.table.csv"));
    exportFigure(svg);
    exportFigure(png);
    hand()
        .key(QStringLiteral("ctrl+shift+p"))
        .type(QStringLiteral("table of the timeline"))
        .key(QStringLiteral("Return"));
    writePath(csv);
    QCOMPARE(hand().go(), QString());
    QVERIFY(wellFormed(contentOf(svg)));
    const QImage image(png);
    QVERIFY(image.width() > 1000 && image.height() > 100);
    QCOMPARE(contentOf(csv).trimmed().split('\n').size(), passes + 1);
}

PW_WINDOW_TEST(TestX11Run)
#include "tst_x11_run.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_store.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/run/connections_dialog.h"
#include "ui/run/live_lanes.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_session.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr int patience = 120'000;

Project family(const char* id, int devices, int microBatches)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    return projectOf(id, options, UniformCosts{});
}

} // namespace

class TestRunPanel : public QObject
{
    Q_OBJECT

private:
    StoredRun stored(RunNumber number)
    {
        auto store = RunStore::openToRead(m_folder.path("runs.sqlite").toStdString());
        return store->run(number)->run;
    }
    /// A session of the built program with a schedule of two devices.
    struct Desk
    {
        Desk(const QString& program = PW_PROGRAM)
            : connections(program)
            , session(connections)
        {
            document.reset(family("1f1b", 2, 4));
            session.setDocument(&document);
            RunSettings settings;
            settings.size = "tiny";
            settings.iterations = 2;
            session.setSettings(settings);
        }
        void use(const QString& backend)
        {
            RunSettings settings = session.settings();
            settings.backend = backend;
            session.setSettings(settings);
        }
        QString heading(const RunPanel& panel) const
        {
            return panel.findChild<QLabel*>("runHeading")->text();
        }
        QString text(const RunPanel& panel) const
        {
            return panel.findChild<QLabel*>("runText")->text();
        }

        Connections connections;
        RunSession session;
        ScheduleDocument document;
    };

    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void init() { QSettings().clear(); }

    void aRunFromThePanelIsInTheStore_data();
    void aRunFromThePanelIsInTheStore();
    void aRunCanBeStoppedFromThePanel();
    void calibrationBecomesTheCostsOfTheSchedule();
    void theEmulatedBackendHasNothingToMeasure();
    void aSilentExecutorCanBeWaitedForOrStopped();
    void settingsAreKept();
    void autoPicksAsTheProgramDoes_data();
    void autoPicksAsTheProgramDoes();
    void whatCannotRunSaysWhy_data();
    void whatCannotRunSaysWhy();
    void whatIsWorthKnowingDoesNotBlock();
    void aConnectionThatFailsIsAskedAgain();
    void connectionsAreEditedAndTested();
    void aNameThatIsTakenKeepsTheDialogOpen();
    void liveLanesHoldOneIteration();
    void liveLanesTakeNothingThatDoesNotFit();
};

void TestRunPanel::aRunFromThePanelIsInTheStore_data()
{
    QTest::addColumn<QString>("backend");
    QTest::newRow("emulated") << "emulated";
    QTest::newRow("cpu") << "cpu";
}

void TestRunPanel::aRunFromThePanelIsInTheStore()
{
    QFETCH(QString, backend);
    Desk desk;
    desk.use(backend);
    RunPanel panel(desk.session);
    panel.show();
    QSignalSpy kept(&desk.session, &RunSession::runStored);
    auto* run = panel.findChild<QPushButton*>("run");
    // The panel asks the connection first.
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.report() != nullptr, patience);
    QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), patience);
    QTest::mouseClick(run, Qt::LeftButton);
    QVERIFY(desk.session.activity() == RunSession::Activity::Running);
    QVERIFY(!run->isVisible());
    QVERIFY(panel.findChild<QPushButton*>("stop")->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, patience);
    QCOMPARE(desk.session.client().state(), RunState::Finished);
    QVERIFY(run->isVisible());
    const StoredRun one = stored(kept[0][0].toLongLong());
    QCOMPARE(one.status, RunStatus::Finished);
    QCOMPARE(one.environment.backend, backend.toStdString());
    QCOMPARE(one.figures.iterations, 2);
    QCOMPARE(one.family, std::string("1f1b"));
    QCOMPARE(QString::fromStdString(one.title), desk.document.title());
    // Two optimizer steps and one of the warm-up, where something is trained.
    QCOMPARE(desk.session.client().losses().size(),
             backend == "cpu" ? std::size_t{3} : std::size_t{0});
    QTRY_VERIFY(desk.text(panel).contains("measured"));
}

void TestRunPanel::aRunCanBeStoppedFromThePanel()
{
    Desk desk;
    desk.use("emulated");
    RunSettings settings = desk.session.settings();
    settings.iterations = 100'000;
    desk.session.setSettings(settings);
    RunPanel panel(desk.session);
    panel.show();
    QSignalSpy kept(&desk.session, &RunSession::runStored);
    desk.session.run();
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.client().passes() > 0, patience);
    QTRY_VERIFY_WITH_TIMEOUT(desk.heading(panel).contains("of 100000"), patience);
    QTest::mouseClick(panel.findChild<QPushButton*>("stop"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, patience);
    QCOMPARE(desk.session.client().state(), RunState::Stopped);
    QCOMPARE(stored(kept[0][0].toLongLong()).status, RunStatus::Stopped);
}

void TestRunPanel::calibrationBecomesTheCostsOfTheSchedule()
{
    Desk desk;
    desk.use("cpu");
    const Ticks before = desk.document.result().makespan;
    const Project project = desk.document.project();
    desk.session.calibrate();
    QTRY_VERIFY_WITH_TIMEOUT(desk.document.result().makespan != before, patience);
    QVERIFY(std::holds_alternative<Costs>(desk.document.project().costs));
    // The prediction is now the plan that is shown.
    QVERIFY(!desk.session.settings().measureFirst);
    QSignalSpy kept(&desk.session, &RunSession::runStored);
    desk.session.run();
    QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, patience);
    QCOMPARE(desk.session.client().figures()->predictedMakespan, desk.document.result().makespan);
    desk.document.undoStack().undo();
    QCOMPARE(desk.document.project(), project);
}

void TestRunPanel::theEmulatedBackendHasNothingToMeasure()
{
    Desk desk;
    desk.use("emulated");
    RunPanel panel(desk.session);
    QVERIFY(!panel.findChild<QPushButton*>("calibrate")->isEnabled());
    QSignalSpy refused(&desk.session, &RunSession::refused);
    desk.session.calibrate();
    QCOMPARE(refused.size(), 1);
    QVERIFY(refused[0][0].toString().contains("nothing to measure"));
}

void TestRunPanel::aSilentExecutorCanBeWaitedForOrStopped()
{
    // It answers a test, and then says hello and nothing more.
    const QString silent = m_folder.script(
        "silent", QStringLiteral("if [ \"$1\" = backends ]; then exec '%1' \"$@\"; fi\n"
                                 "echo '{\"t\":\"hello\",\"protocol\":1,\"program\":\"0\","
                                 "\"backend\":\"cpu\",\"devices\":[]}'\nexec cat > /dev/null")
                      .arg(PW_PROGRAM));
    Connections connections(silent);
    RunSession session(connections, {.news = 20, .grace = 60'000, .quiet = 80});
    ScheduleDocument document;
    document.reset(family("1f1b", 2, 4));
    session.setDocument(&document);
    RunPanel panel(session);
    panel.show();
    auto* wait = panel.findChild<QPushButton*>("wait");
    auto* text = panel.findChild<QLabel*>("runText");
    QVERIFY(!wait->isVisible());
    session.run();
    QTRY_VERIFY_WITH_TIMEOUT(wait->isVisible(), patience);
    QVERIFY(text->text().contains("has said nothing for"));
    // On a busy machine the next silence may be there at once, so that the button is back.
    bool hidden = false;
    connect(&session, &RunSession::progressed, &panel,
            [&] { hidden = hidden || session.client().silence() == 0; });
    QTest::mouseClick(wait, Qt::LeftButton);
    QVERIFY(hidden);
    QTRY_VERIFY_WITH_TIMEOUT(wait->isVisible(), patience);
    QTest::mouseClick(panel.findChild<QPushButton*>("stop"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(session.activity() == RunSession::Activity::Idle, patience);
    QCOMPARE(session.client().state(), RunState::Stopped);
    QVERIFY(!wait->isVisible());
}

void TestRunPanel::settingsAreKept()
{
    {
        Desk desk;
        RunPanel panel(desk.session);
        auto* iterations = panel.findChildren<QSpinBox*>().at(0);
        iterations->setValue(17);
        QCOMPARE(desk.session.settings().iterations, 17);
        auto* warmup = panel.findChildren<QSpinBox*>().at(1);
        QCOMPARE(warmup->text(), "auto");
        warmup->setValue(0);
    }
    Connections connections(PW_PROGRAM);
    const RunSession again(connections);
    QCOMPARE(again.settings().iterations, 17);
    QCOMPARE(again.settings().warmup, 0);
    QCOMPARE(again.settings().size, "tiny");
}

void TestRunPanel::autoPicksAsTheProgramDoes_data()
{
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("cores");
    QTest::addColumn<int>("devices");
    QTest::addColumn<QString>("backend");
    QTest::newRow("a GPU") << 1 << 2 << 4 << "cuda";
    QTest::newRow("enough cores") << 0 << 4 << 4 << "cpu";
    QTest::newRow("too few cores") << 0 << 2 << 4 << "emulated";
}

void TestRunPanel::autoPicksAsTheProgramDoes()
{
    QFETCH(int, gpus);
    QFETCH(int, cores);
    QFETCH(int, devices);
    QFETCH(QString, backend);
    const auto some = [](int count) {
        return std::vector<std::pair<QString, qint64>>(static_cast<std::size_t>(count),
                                                       {QStringLiteral("one"), 0});
    };
    Findings findings;
    findings.backends.push_back({"cuda", gpus > 0, {}, {}, some(gpus), {}});
    findings.backends.push_back({"cpu", true, {}, {}, some(cores), {}});
    findings.backends.push_back({"emulated", true, {}, {}, {}, {}});
    QCOMPARE(pickBackend(findings, devices), backend);
}

void TestRunPanel::whatCannotRunSaysWhy_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("words");
    QTest::newRow("no schedule") << "none"
                                 << "No schedule is open";
    QTest::newRow("an unfinished one") << "draft"
                                       << "finish the rest";
    QTest::newRow("a ring") << "ring"
                            << "ring";
    QTest::newRow("a backend that is not there") << "cuda"
                                                 << "Choose another backend";
    QTest::newRow("too many emulated devices") << "many"
                                               << "too many";
}

void TestRunPanel::whatCannotRunSaysWhy()
{
    QFETCH(QString, what);
    QFETCH(QString, words);
    Desk desk;
    ConnectionReport report;
    report.findings.backends = {{"cuda", false, {}, "there is no driver", {}, {}},
                                {"emulated", true, {}, {}, {}, {}}};
    desk.session.setReport(desk.connections.current(), report);
    desk.use("emulated");
    if (what == "none")
        desk.session.setDocument(nullptr);
    if (what == "cuda")
        desk.use("cuda");
    if (what == "many")
        desk.document.reset(family("gpipe", 1025, 1));
    if (what == "draft" || what == "ring") {
        Project project;
        project.draft.spec = desk.document.draft().spec;
        project.draft.orders = desk.document.draft().orders;
        if (what == "draft")
            project.draft.orders[0].pop_back();
        else // the last device waits for its own end
            std::reverse(project.draft.orders[1].begin(), project.draft.orders[1].end());
        project.costs = UniformCosts{};
        desk.document.reset(project);
    }
    QSignalSpy refused(&desk.session, &RunSession::refused);
    desk.session.run();
    QCOMPARE(refused.size(), 1);
    const QString said = refused[0][0].toString();
    QVERIFY2(said.contains(words), qPrintable(said));
    QVERIFY(desk.session.activity() == RunSession::Activity::Idle);
    // The panel says the same before anything is pressed.
    RunPanel panel(desk.session);
    QTRY_VERIFY(desk.text(panel).contains(words));
}

void TestRunPanel::whatIsWorthKnowingDoesNotBlock()
{
    Desk desk;
    ConnectionReport report;
    report.findings.backends = {{"cpu", true, {}, {}, {{"core", 0}}, {}},
                                {"emulated", true, {}, {}, {}, {}}};
    desk.session.setReport(desk.connections.current(), report);
    desk.use("cpu");
    std::vector<RunCheck> checks = desk.session.checks();
    QCOMPARE(checks.size(), std::size_t{1});
    QVERIFY(!checks[0].blocks);
    QVERIFY(checks[0].text.contains("2 devices share 1 core"));
    // A cap of one micro-batch does not hold the second one.
    Project project = desk.document.project();
    Costs costs = costsOf(project);
    costs.shareCap = shareOne;
    project.costs = costs;
    desk.document.reset(project);
    checks = desk.session.checks();
    QCOMPARE(checks.size(), std::size_t{2});
    QVERIFY(!checks[0].blocks);
    QVERIFY2(checks[0].text.contains("Raise the limit"), qPrintable(checks[0].text));
}

void TestRunPanel::aConnectionThatFailsIsAskedAgain()
{
    const QString program = m_folder.path("comes-later");
    QFile::remove(program);
    Desk desk(program);
    desk.use("emulated");
    QSignalSpy refused(&desk.session, &RunSession::refused);
    desk.session.run();
    QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 1, patience);
    QVERIFY(refused[0][0].toString().contains("cannot be started"));
    m_folder.script("comes-later", QStringLiteral("exec '%1' \"$@\"").arg(PW_PROGRAM));
    QSignalSpy kept(&desk.session, &RunSession::runStored);
    desk.session.run();
    QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, patience);
}

void TestRunPanel::connectionsAreEditedAndTested()
{
    Connections connections(PW_PROGRAM);
    ConnectionsDialog dialog(connections);
    dialog.show();
    auto* list = dialog.findChild<QListWidget*>();
    auto* name = dialog.findChild<QLineEdit*>("name");
    auto* command = dialog.findChild<QLineEdit*>("command");
    auto* test = dialog.findChild<QPushButton*>("test");
    auto* state = dialog.findChild<QLabel*>("state");
    auto* report = dialog.findChild<QPlainTextEdit*>("report");
    QVERIFY(name->isReadOnly());
    QTest::mouseClick(test, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(state->text().contains("answers"), patience);
    QVERIFY(report->toPlainText().contains("emulated"));

    QTest::mouseClick(dialog.findChild<QPushButton*>("add"), Qt::LeftButton);
    QCOMPARE(list->count(), 2);
    QVERIFY(!name->isReadOnly());
    QTest::keyClicks(name, "far away");
    command->selectAll();
    QTest::keyClicks(command, "/nowhere/pipewright");
    QTest::mouseClick(test, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(state->text().contains("cannot be started"), patience);
    QTest::mouseClick(dialog.findChild<QPushButton*>("duplicate"), Qt::LeftButton);
    QCOMPARE(name->text(), "far away 2");
    list->setCurrentRow(1);
    QTest::mouseClick(dialog.findChild<QPushButton*>("remove"), Qt::LeftButton);
    dialog.accept();
    QCOMPARE(connections.all().size(), std::size_t{2});
    QCOMPARE(connections.current().name, "far away 2");
    QCOMPARE(connections.current().command, "/nowhere/pipewright");
}

void TestRunPanel::aNameThatIsTakenKeepsTheDialogOpen()
{
    Connections connections(PW_PROGRAM);
    ConnectionsDialog dialog(connections);
    dialog.show();
    QTest::mouseClick(dialog.findChild<QPushButton*>("add"), Qt::LeftButton);
    auto* name = dialog.findChild<QLineEdit*>("name");
    name->selectAll();
    QTest::keyClicks(name, connections.all()[0].name);
    dialog.accept();
    QVERIFY(dialog.isVisible());
    QVERIFY(dialog.findChild<QLabel*>("refusal")->text().contains("two connections"));
    QCOMPARE(connections.all().size(), std::size_t{1});
}

namespace {

/// Every entry one unit after the other, as an iteration on both ranks.
std::vector<RecordedPass> recorded(const Schedule& schedule, std::int32_t iteration, Ticks base,
                                   Ticks unit)
{
    std::vector<RecordedPass> records;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        for (const EntryId i : schedule.entries(device)) {
            const Ticks start = base + (i - schedule.begin(device)) * unit;
            records.push_back(
                {iteration, rankOf(device), i, schedule.entry(i).pass, start, start + unit});
        }
    return records;
}

} // namespace

void TestRunPanel::liveLanesHoldOneIteration()
{
    const auto schedule = std::make_shared<const Schedule>(*scheduleOf(family("1f1b", 2, 4)));
    LiveLanes live(schedule);
    QVERIFY(live.current().lanes == nullptr);
    const auto count = static_cast<std::size_t>(schedule->entryCount());
    // A short iteration is shown when it is over.
    std::vector<RecordedPass> first = recorded(*schedule, -1, 1000, 10);
    live.add(first);
    QVERIFY(live.fresh());
    IterationLanes shown = live.current();
    QVERIFY(shown.complete && !live.fresh());
    QCOMPARE(shown.lanes->spanCount(), count);
    QCOMPARE(shown.lanes->begin(), Ticks{0});
    QCOMPARE(shown.lanes->end(), Ticks{80});
    // While the next short one is under way, the whole one stays.
    const std::vector<RecordedPass> second = recorded(*schedule, 0, 5000, 10);
    live.add(std::span(second).first(3));
    QCOMPARE(live.current().iteration, -1);
    // A long one is shown as it grows.
    const std::vector<RecordedPass> third = recorded(*schedule, 1, 9000, LiveLanes::briefly);
    live.add(std::span(third).first(2));
    shown = live.current();
    QVERIFY(!shown.complete);
    QCOMPARE(shown.iteration, 1);
    QCOMPARE(shown.lanes->spanCount(), std::size_t{2});
    QCOMPARE(shown.lanes->pass({0, 1}), schedule->entry(schedule->begin(DeviceId(0)) + 1).pass);
}

void TestRunPanel::liveLanesTakeNothingThatDoesNotFit()
{
    const auto schedule = std::make_shared<const Schedule>(*scheduleOf(family("1f1b", 2, 4)));
    LiveLanes live(schedule);
    const std::vector<RecordedPass> good = recorded(*schedule, 0, 0, LiveLanes::briefly);
    std::vector<RecordedPass> odd = {good[0], good[0], good[1]};
    odd.push_back({0, RankId(99), EntryId(0), {}, 0, 1}); // no such rank
    odd.push_back(
        {0, RankId(1), schedule->begin(DeviceId(0)), {}, 0, 1}); // an entry of another device
    odd.push_back({0, RankId(0), EntryId::none(), {}, 0, 1});    // an update outside the order
    odd.push_back(
        {-1, RankId(1), schedule->begin(DeviceId(1)), {}, 0, 1}); // an iteration that is over
    odd.push_back(
        {0, RankId(0), schedule->begin(DeviceId(0)) + 3, {}, 0, 1}); // before what was there
    live.add(odd);
    QCOMPARE(live.current().lanes->spanCount(), std::size_t{2});
}

PW_WINDOW_TEST(TestRunPanel)
#include "tst_run_panel.moc"

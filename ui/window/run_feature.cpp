// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/loss_chart.h"
#include "ui/plural.h"
#include "ui/run/connections_dialog.h"
#include "ui/run/live_view.h"
#include "ui/run/log_view.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_session.h"
#include "ui/runs/run_history.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/live_words.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/page_docks.h"
#include "ui/window/run_again.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"
#include "ui/workspace/chart_stack.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QPointer>
#include <QScrollArea>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

/// What belongs to running, between session, docks and pages.
class Running : public QObject
{
    Q_OBJECT

public:
    explicit Running(Studio& studio);

private:
    void makeDocks();
    void makeCommands();
    void makeAgain();
    void makeChoice();
    void showConnections();
    void showChoice();
    void beginRun();
    void showLive();
    void showLosses();
    void keepRun(qint64 number);
    void showSession();
    void offerTimes();
    RunNumber runInFront() const;
    void showPart(int part);
    void showFailure(const QStringList& said, const QString& why);
    LiveView* live();

    Studio& m_studio;
    MainWindow& m_window;
    Connections& m_connections;
    RunSession m_session;
    QComboBox* m_choice = nullptr;
    RunAgain m_again;
    QDockWidget* m_runDock = nullptr;
    QTabWidget* m_parts = nullptr; ///< settings, losses and log
    LossChart* m_losses = nullptr;
    QTimer m_lossesDue;
    LogView* m_log = nullptr;
    RunSession::Activity m_activity = RunSession::Activity::Idle;
    QPointer<LiveView> m_live; ///< goes with its page
    QPointer<ScheduleDocument> m_liveDocument;
};

Running::Running(Studio& studio)
    : QObject(&studio.window)
    , m_studio(studio)
    , m_window(studio.window)
    , m_connections(studio.connections)
    , m_session(m_connections)
    , m_again(studio, m_session)
{
    setObjectName(QStringLiteral("running"));
    MainWindow& window = m_window;
    makeDocks();
    makeCommands();
    makeAgain();
    makeChoice();
    connect(&window, &MainWindow::pageChanged, this, [this] {
        SchedulePage* page = m_window.schedulePage();
        m_session.setDocument(page != nullptr ? &page->document() : nullptr);
    });
    connect(&window, &MainWindow::pageAdded, this, [this](Page* added) {
        auto* page = qobject_cast<RunPage*>(added);
        if (page == nullptr)
            return;
        connect(page, &RunPage::timesAsked, &m_again,
                [this](qint64 run) { m_again.begin(run, RunAgain::Goal::Times); });
        connect(page, &RunPage::againAsked, &m_again,
                [this](qint64 run) { m_again.begin(run, RunAgain::Goal::Run); });
    });
    connect(&m_session, &RunSession::refused, &window, &MainWindow::refuse);
    connect(&m_session, &RunSession::told, &window, &MainWindow::tell);
    connect(&m_session, &RunSession::changed, &window.commands(), &Commands::refresh);
    connect(&m_session, &RunSession::changed, this, &Running::showSession);
    connect(&m_session, &RunSession::failed, this, &Running::showFailure);
    connect(&m_session, &RunSession::runBegan, this, &Running::beginRun);
    connect(&m_session, &RunSession::runStored, this, &Running::keepRun);
    ExecutorClient& client = m_session.client();
    connect(&client, &ExecutorClient::logged, m_log, &LogView::append);
    connect(&client, &ExecutorClient::lossesChanged, this, [this] {
        if (!m_lossesDue.isActive())
            m_lossesDue.start();
    });
    m_lossesDue.setSingleShot(true);
    m_lossesDue.setInterval(0);
    connect(&m_lossesDue, &QTimer::timeout, this, &Running::showLosses);
    connect(&client, &ExecutorClient::lanesChanged, this, &Running::showLive);
    connect(&client, &ExecutorClient::changed, this, [this] {
        if (m_live == nullptr)
            return;
        m_live->setHeading(liveHeading(m_session.client()));
        m_live->setEmptyText(liveWaiting(m_session));
        offerTimes();
    });
}

void Running::showSession()
{
    // What was said of the last one is not of this one.
    if (std::exchange(m_activity, m_session.activity()) == RunSession::Activity::Idle &&
        m_activity != RunSession::Activity::Idle)
        m_window.tell({});
    showChoice();
}

/// The dock with one of its parts, in front of its neighbours.
void Running::showPart(int part)
{
    m_runDock->show();
    m_runDock->raise();
    m_parts->setCurrentIndex(part);
}

/// The log comes to the front: it has what the executor said, and what is wrong in full.
void Running::showFailure(const QStringList& said, const QString& why)
{
    std::vector<RunLine> lines;
    if (!said.isEmpty() || !why.isEmpty())
        lines.push_back({RunLine::Kind::Info, m_session.connections().current().name});
    for (const QString& line : said)
        lines.push_back({RunLine::Kind::Output, line});
    if (!why.isEmpty())
        lines.push_back({RunLine::Kind::Fault, why});
    if (!lines.empty())
        m_log->append(lines, 0);
    showPart(2);
}

/// Run that the page in front is about; 0: none.
RunNumber Running::runInFront() const
{
    if (const auto* page = qobject_cast<RunPage*>(m_window.page()))
        return page->run();
    const SchedulePage* page = m_window.schedulePage();
    const ExecutorClient& client = m_session.client();
    return page != nullptr && &page->document() == m_session.runDocument() &&
                   client.state() == RunState::Finished
               ? client.stored()
               : 0;
}

void Running::offerTimes()
{
    const ExecutorClient& client = m_session.client();
    const ScheduleDocument* document = m_session.runDocument();
    const bool usable = client.state() == RunState::Finished && client.stored() > 0;
    const Ticks planned = document != nullptr ? document->result().makespan : 0;
    const Ticks measured = client.figures() ? client.figures()->makespan : 0;
    m_live->setUsable(usable, farFromPlan(measured, planned));
}

void Running::makeDocks()
{
    auto* panel = new RunPanel(m_session, &m_window);
    connect(panel, &RunPanel::connectionsAsked, this, &Running::showConnections);
    m_losses = new LossChart(&m_window);
    m_log = new LogView(&m_window);
    // In a narrow window it is scrolled: its fields must not keep the window wide.
    auto* scroll = new QScrollArea(&m_window);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(panel);
    m_parts = new QTabWidget(&m_window);
    m_parts->setObjectName(QStringLiteral("run-parts"));
    m_parts->setDocumentMode(true);
    m_parts->addTab(scroll, MainWindow::tr("Settings"));
    m_parts->addTab(m_losses, MainWindow::tr("Losses"));
    m_parts->addTab(m_log, MainWindow::tr("Log"));
    m_runDock = m_window.addDock(QStringLiteral("run"), MainWindow::tr("Run"), m_parts,
                                 Qt::BottomDockWidgetArea, besideSchedules);
    if (auto* runs = m_window.dock(QStringLiteral("runs")))
        m_window.tabifyDockWidget(runs, m_runDock);
}

void Running::makeCommands()
{
    Commands& commands = m_window.commands();
    QAction* run = commands.add(
        {.id = QStringLiteral("run.run"),
         .menu = Menu::Run,
         .text = MainWindow::tr("▶ &Run"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+R")),
         .tip = MainWindow::tr("Sends the schedule to the executor and shows the run below its "
                               "plan."),
         .group = 10,
         .toolbar = 110,
         .act = true,
         .whyNot = [this] { return m_session.whyNotRun(); }},
        &m_session, [this] { m_session.run(); });
    run->setShortcuts({QKeySequence(MainWindow::tr("Ctrl+R")), QKeySequence(Qt::Key_F5)});
    commands.add({.id = QStringLiteral("run.stop"),
                  .menu = Menu::Run,
                  .text = MainWindow::tr("&Stop"),
                  .keys = QKeySequence(MainWindow::tr("Shift+F5")),
                  .tip = MainWindow::tr("Stops what the executor does; what has come is kept."),
                  .group = 10,
                  .whyNot =
                      [this] {
                          return m_session.activity() == RunSession::Activity::Idle
                                     ? MainWindow::tr("Nothing is running.")
                                     : QString();
                      }},
                 &m_session, [this] { m_session.stop(); });
    commands.add({.id = QStringLiteral("run.calibrate"),
                  .menu = Menu::Run,
                  .text = MainWindow::tr("&Calibrate"),
                  .tip = MainWindow::tr("Measures what every pass takes on the connection, and "
                                        "takes that over as the costs of the schedule."),
                  .group = 10,
                  .submenu = MainWindow::tr("Measured times"),
                  .whyNot = [this] { return m_session.whyNotCalibrate(); }},
                 &m_session, [this] {
                     showPart(0);
                     m_session.calibrate();
                 });
    commands.add({.id = QStringLiteral("run.connections"),
                  .menu = Menu::Run,
                  .text = MainWindow::tr("C&onnections…"),
                  .tip = MainWindow::tr("Adds, changes and tests ways to executors."),
                  .group = 20},
                 this, [this] { showConnections(); });
    commands.add({.id = QStringLiteral("run.settings"),
                  .menu = Menu::Run,
                  .text = MainWindow::tr("Run settin&gs"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+F5")),
                  .tip = MainWindow::tr("Shows model size, backend and iterations."),
                  .group = 20,
                  .whyNot = [this] { return noSchedule(m_window); }},
                 this, [this] {
                     showPart(0);
                     m_parts->widget(0)->setFocus();
                 });
}

void Running::makeAgain()
{
    m_window.commands().add(
        {.id = QStringLiteral("run.again"),
         .menu = Menu::Run,
         .text = MainWindow::tr("&Take these times, improve, run again"),
         .tip = MainWindow::tr("The measured times become the costs of the schedule, a "
                               "better order is looked for with them and run, and both "
                               "runs are compared."),
         .group = 10,
         .submenu = MainWindow::tr("Measured times"),
         .whyNot =
             [this] {
                 return runInFront() > 0 ? m_again.whyNot(RunAgain::Goal::Run)
                                         : MainWindow::tr("No run is in front: run the "
                                                          "schedule, or open a run.");
             }},
        &m_again, [this] { m_again.begin(runInFront(), RunAgain::Goal::Run); });
}

void Running::makeChoice()
{
    m_choice = new QComboBox(&m_window);
    m_choice->setAccessibleName(MainWindow::tr("Connection"));
    // As wide whatever stands in it, and narrower only where the window is.
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(40);
    m_choice->setMinimumWidth(m_choice->fontMetrics().averageCharWidth() * 18);
    m_window.commands().addTool(m_choice, 105);
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        if (index < static_cast<int>(m_connections.all().size()))
            m_connections.setCurrentIndex(index);
        else
            showConnections();
        showChoice();
    });
    connect(&m_connections, &Connections::changed, this, &Running::showChoice);
    connect(&m_connections, &Connections::currentChanged, this, &Running::showChoice);
    showChoice();
}

void Running::showChoice()
{
    const auto count = static_cast<int>(m_connections.all().size());
    const int shown = m_connections.currentIndex();
    QStringList names;
    for (const Connection& one : m_connections.all())
        names << one.name;
    const QString backend = m_session.backend();
    if (const ScheduleDocument* document = m_session.document();
        document != nullptr && !backend.isEmpty())
        names[shown] =
            MainWindow::tr("%1 · %2, %3")
                .arg(names[shown], backend, plural(document->draft().spec.devices, Noun::Device));
    // While the list is open it stays as it is.
    if (m_choice->count() != count + 2) {
        m_choice->clear();
        m_choice->addItems(names);
        m_choice->insertSeparator(count);
        m_choice->addItem(MainWindow::tr("Connections…"));
    }
    for (int i = 0; i < count; ++i)
        if (m_choice->itemText(i) != names[i])
            m_choice->setItemText(i, names[i]);
    m_choice->setCurrentIndex(shown);
    m_choice->setToolTip(
        QStringLiteral("%1\n%2").arg(MainWindow::tr("Where the schedule runs"), names[shown]));
}

void Running::showConnections()
{
    auto* dialog = new ConnectionsDialog(m_connections, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ConnectionsDialog::tested, &m_session, &RunSession::setReport);
    dialog->open();
}

/// The view of the run below the plan that it is of, made where it is not there.
LiveView* Running::live()
{
    if (m_live != nullptr || m_session.runDocument() == nullptr)
        return m_live;
    const std::vector<Page*> pages = m_window.pages();
    for (Page* one : pages) {
        auto* page = qobject_cast<SchedulePage*>(one);
        if (page == nullptr || &page->document() != m_session.runDocument())
            continue;
        m_live = new LiveView(page->range(), page);
        page->charts().insertWidget(1, m_live);
        page->charts().setStretchFactor(1, 4);
        const auto follow = [this, page] {
            if (m_live == nullptr)
                return;
            m_live->setPlanEnd(page->document().lanes()->end());
            offerTimes();
        };
        connect(&page->document(), &ScheduleDocument::resultChanged, m_live, follow);
        connect(m_live, &LiveView::timesAsked, &m_again,
                [this](qint64 run) { m_again.begin(run, RunAgain::Goal::Times); });
        connect(m_live, &LiveView::againAsked, &m_again,
                [this](qint64 run) { m_again.begin(run, RunAgain::Goal::Run); });
        connect(m_live, &LiveView::told, page, &Page::told);
        connect(m_live, &LiveView::closeAsked, m_live, [view = m_live.data(), page] {
            view->deleteLater();
            const LanesPtr& plan = page->document().lanes();
            page->range().setWhole(plan->begin(), plan->end());
        });
        connect(m_live, &LiveView::openAsked, this,
                [this](qint64 number) { m_studio.openRun(number); });
        follow();
        break;
    }
    return m_live;
}

void Running::beginRun()
{
    m_log->begin(MainWindow::tr("%1 on %2")
                     .arg(m_session.runDocument()->title(), m_session.runConnection()));
    m_losses->setEmptyText(m_session.backend() == QLatin1String("emulated")
                               ? MainWindow::tr("The emulated backend trains nothing, so there are "
                                                "no losses.")
                               : MainWindow::tr("The first step has not ended yet."));
    // A run of another schedule takes the view with it.
    if (m_liveDocument != m_session.runDocument())
        delete m_live.data();
    if (LiveView* view = live()) {
        m_liveDocument = m_session.runDocument();
        view->setStored(0);
        view->setLanes({});
        view->setHeading(liveHeading(m_session.client()));
        view->setEmptyText(liveWaiting(m_session));
    }
}

void Running::showLive()
{
    if (m_live == nullptr)
        return;
    m_live->setHeading(liveHeading(m_session.client()));
    m_live->setLanes(m_session.client().lanes());
}

void Running::showLosses()
{
    const ExecutorClient& client = m_session.client();
    const int warmup = client.outline() ? client.outline()->warmup * client.outline()->steps : 0;
    QElapsedTimer drawing;
    drawing.start();
    m_losses->setLosses(client.losses(), warmup);
    // However many there are, the window has most of its time for a person.
    constexpr int pauses = 4, longestPause = 4000; // ms
    m_lossesDue.setInterval(
        static_cast<int>(std::min<qint64>(pauses * drawing.elapsed(), longestPause)));
}

void Running::keepRun(qint64 number)
{
    if (m_live != nullptr)
        m_live->setStored(number);
    m_studio.history.refresh();
}

} // namespace

void addRunning(Studio& studio)
{
    new Running(studio);
}

} // namespace pw::ui

#include "run_feature.moc"

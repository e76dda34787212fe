// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/demo.h"

#include "core/base/try.h"
#include "core/families/family.h"
#include "core/io/chrome_json.h"
#include "core/io/file_problem.h"
#include "core/sim/simulator.h"
#include "ui/document/background.h"
#include "ui/keep/preferences_dialog.h"
#include "ui/runs/run_history.h"
#include "ui/timeline/playback.h"
#include "ui/traces/trace_import.h"
#include "ui/window/commands.h"
#include "ui/window/demo_bar.h"
#include "ui/window/importing.h"
#include "ui/window/kept_traces.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QKeyEvent>
#include <QSettings>
#include <QUndoStack>

#include <algorithm>
#include <numeric>
#include <utility>

namespace pw::ui {

namespace {

QString nameOf(Demo::Use use)
{
    switch (use) {
    case Demo::Use::Design:
        return Demo::tr("Design");
    case Demo::Use::Run:
        return Demo::tr("Run");
    case Demo::Use::Replay:
        return Demo::tr("Replay");
    case Demo::Use::Teach:
        return Demo::tr("Teach");
    }
    return {};
}

/// Four devices, eight micro-batches; a backward takes as long as two forwards.
Project demoProject(const QString& family)
{
    FamilyOptions options;
    UniformCosts costs;
    costs.forward = costs.backward = costs.weight = 10 * ticksPerMs;
    return projectOf(family.toStdString(), options, costs);
}

/// The trace of a run of four steps in which one stage computes slower than the others.
Result<std::string> demoTrace()
{
    constexpr std::size_t slowStage = 2;
    constexpr Ticks slower = 4 * ticksPerMs;
    FamilyOptions options;
    options.steps = 4;
    UniformCosts equal;
    equal.forward = equal.backward = equal.weight = 10 * ticksPerMs;
    equal.hop = ticksPerMs;
    PW_TRY(const Family* const family, findFamily("1f1b"));
    PW_TRY(const Schedule schedule, buildUniform(*family, options, equal));
    Costs costs = expand(equal, schedule.spec());
    for (std::vector<Ticks>* times : {&costs.forward, &costs.backward, &costs.weight})
        if (slowStage < times->size())
            (*times)[slowStage] += slower;
    PW_TRY(const SimResult result, simulate(schedule, costs));
    return writeChromeJson(schedule, costs, result);
}

} // namespace

DemoHome::DemoHome()
    : m_outside(QProcessEnvironment::systemEnvironment())
{
    if (!good())
        return;
    const GroundChoice ground = groundChoice();
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                       m_folder.filePath(QStringLiteral("config")));
    qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_folder.filePath(QStringLiteral("config"))));
    qputenv("XDG_DATA_HOME", QFile::encodeName(m_folder.filePath(QStringLiteral("data"))));
    qputenv("PIPEWRIGHT_STORE",
            QFile::encodeName(m_folder.filePath(QStringLiteral("runs.sqlite"))));
    setGroundChoice(ground);
    // What runs everywhere, as fast as it is watched.
    QSettings settings;
    settings.setValue(QStringLiteral("run/backend"), QStringLiteral("emulated"));
    settings.setValue(QStringLiteral("run/iterations"), 8);
    settings.setValue(QStringLiteral("run/warmup"), 0);
}

Demo::Demo(MainWindow& window, double pace)
    : QObject(&window)
    , m_window(window)
    , m_pace(pace)
    , m_bar(new DemoBar(&window))
{
    m_due.setSingleShot(true);
    connect(&m_due, &QTimer::timeout, this, [this] { showStep(m_at + 1); });
    connect(&m_hand, &QTimer::timeout, this, &Demo::place);
    connect(m_bar, &DemoBar::nextAsked, this, &Demo::nextUse);
    connect(m_bar, &DemoBar::stopAsked, this, &Demo::stop);
    connect(m_bar, &DemoBar::studioAsked, this, &Demo::studioAsked);
    connect(m_bar, &DemoBar::closeAsked, &window, &QWidget::close);
    addDesign();
    addRun();
    addReplay();
    addTeach();
    qApp->installEventFilter(this);
}

Demo::~Demo() = default;

void Demo::addDesign()
{
    m_steps.push_back({Use::Design, 4000,
                       tr("GPipe runs all forwards, then all backwards. The curves below show how "
                          "much each device holds, and how long it is idle."),
                       [this] { showFamily(QStringLiteral("gpipe")); }});
    m_steps.push_back({Use::Design, 4000,
                       tr("1F1B is as fast, and holds half as much. A family is one click; a pass "
                          "is moved by dragging it, and every curve follows."),
                       [this] { showFamily(QStringLiteral("1f1b")); }});
    m_steps.push_back({Use::Design, 4000,
                       tr("ZB-H1 splits the backward in two, and fills idle time with the part "
                          "that nobody waits for."),
                       [this] { showFamily(QStringLiteral("zb-h1")); }});
    m_steps.push_back({Use::Design, 4000,
                       tr("Played, it says what happens, and what every device waits for."),
                       [this] {
                           if (SchedulePage* page = m_window.schedulePage();
                               page != nullptr && page->playback() != nullptr)
                               page->playback()->play();
                       }});
}

void Demo::addRun()
{
    m_steps.push_back(
        {Use::Run, 9000,
         tr("The same schedule is run: here by emulated devices, on a cluster by GPUs "
            "over ssh. Below the plan stands what really happens."),
         [this] {
             if (SchedulePage* page = m_window.schedulePage();
                 page != nullptr && page->playback() != nullptr)
                 page->playback()->close();
             if (QAction* run = m_window.commands().action(QStringLiteral("run.run")))
                 run->trigger();
         }});
    m_steps.push_back({Use::Run, 6000,
                       tr("Every run is kept: its times beside the plan, where time was lost, and "
                          "to be compared with others."),
                       [this] {
                           RunHistory& history = m_window.studio().history;
                           if (!history.runs().empty())
                               m_window.studio().openRun(history.runs().front().number);
                       }});
}

void Demo::addReplay()
{
    m_steps.push_back({Use::Replay, 7000,
                       tr("A trace of a training run, of PyTorch, Megatron or Nsight Systems, in "
                          "full: search it, follow its arrows, ask why a device is idle."),
                       [this] { openTrace(); }});
    m_steps.push_back({Use::Replay, 8000,
                       tr("Kept as a run it says what it means: the passes of every step, where "
                          "time was lost, and who waits for whom."),
                       [this] {
                           m_keptWanted = m_kept == 0;
                           if (m_kept > 0)
                               m_window.studio().openRun(m_kept);
                       }});
}

void Demo::addTeach()
{
    m_steps.push_back({Use::Teach, 5000,
                       tr("A course teaches all of it, with levels that are played."),
                       [this] { beginLevel(); }});
    m_steps.push_back({Use::Teach, 9000,
                       tr("Passes are placed by hand; goals and figures say at once what that is "
                          "worth."),
                       [this] {
                           constexpr int often = 500;
                           m_hand.start(std::max(1, static_cast<int>(often / m_pace)));
                       }});
}

void Demo::showFamily(const QString& id)
{
    SchedulePage* page = m_window.schedulePage();
    if (page == nullptr)
        m_window.openProject(demoProject(id));
    else if (!page->document().change(demoProject(id), nameOf(Use::Design)))
        m_window.openProject(demoProject(id));
}

/// It is kept meanwhile.
void Demo::openTrace()
{
    const QString path = m_traces.filePath(QStringLiteral("training.trace.json"));
    const Result<std::string> trace = demoTrace();
    if (!trace || !writeFile(path.toStdString(), *trace))
        return;
    auto* reading = new TraceImport({path}, 0, this);
    connect(reading, &TraceImport::ended, this, [this, reading](const ImportedTracePtr& read) {
        reading->deleteLater();
        if (!m_running || use() != Use::Replay)
            return;
        const QString title = tr("A training run");
        openActivity(m_window, read->activity, title);
        inBackground(
            this,
            [this, read, title = title.toStdString(),
             store = m_window.studio().history.path().toStdString()]() -> std::function<void()> {
                const Result<RunNumber> kept = keepImported(*read, store, title);
                return [this, kept] {
                    m_kept = kept.value_or(0);
                    // A slow machine is past the step that would have shown it.
                    if (m_running && m_keptWanted && m_kept > 0 && use() == Use::Replay)
                        m_window.studio().openRun(m_kept);
                };
            });
    });
    connect(reading, &TraceImport::failed, reading, &QObject::deleteLater);
    reading->start();
}

/// The first level of the course in which passes are placed.
void Demo::beginLevel()
{
    const Commands& commands = m_window.commands();
    const auto trigger = [&commands](const char* id) {
        QAction* action = commands.action(QString::fromLatin1(id));
        if (action != nullptr && action->isEnabled())
            action->trigger();
    };
    trigger("learn.lesson.01-devices-and-passes");
    const QAction* place = commands.action(QStringLiteral("learn.place"));
    constexpr int mostSteps = 12;
    for (int i = 0; i < mostSteps && place != nullptr; ++i) {
        m_window.commands().refresh();
        if (place->isEnabled())
            break;
        trigger("learn.next");
    }
}

void Demo::place()
{
    QAction* place = m_window.commands().action(QStringLiteral("learn.place"));
    if (place != nullptr && place->isEnabled())
        place->trigger();
    else
        m_hand.stop();
}

int Demo::milliseconds() const
{
    return std::accumulate(m_steps.begin(), m_steps.end(), 0,
                           [](int before, const Step& step) { return before + step.milliseconds; });
}

void Demo::start()
{
    showStep(0);
}

void Demo::showStep(std::size_t at)
{
    m_hand.stop();
    if (at >= m_steps.size()) {
        stop();
        return;
    }
    const Step& step = m_steps[at];
    const bool another = !m_running || m_steps[m_at].use != step.use;
    m_running = true;
    m_at = at;
    m_bar->tell(nameOf(step.use), static_cast<int>(step.use) + 1, uses, step.says);
    m_due.start(std::max(1, static_cast<int>(step.milliseconds / m_pace)));
    step.does();
    m_bar->raise();
    if (another)
        Q_EMIT shown(step.use);
}

void Demo::nextUse()
{
    if (!m_running)
        return;
    std::size_t at = m_at;
    while (at < m_steps.size() && m_steps[at].use == m_steps[m_at].use)
        ++at;
    showStep(at);
}

void Demo::stop()
{
    if (!std::exchange(m_running, false))
        return;
    m_due.stop();
    m_hand.stop();
    if (QAction* run = m_window.commands().action(QStringLiteral("run.stop")))
        run->trigger();
    m_bar->tellEnd(tr("Look around: this window is yours now, and forgets everything when it is "
                      "closed. The studio itself keeps what you do."));
    Q_EMIT ended();
}

bool Demo::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_window && event->type() == QEvent::Close) {
        // What the demonstration has made is nobody's work.
        m_due.stop();
        m_hand.stop();
        for (Page* page : m_window.pages())
            if (page->undoStack() != nullptr)
                page->undoStack()->setClean();
    } else if (m_running && event->type() == QEvent::ShortcutOverride &&
               static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        stop();
        event->accept();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace pw::ui

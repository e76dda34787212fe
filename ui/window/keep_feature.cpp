// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/default_family.h"
#include "core/io/chrome_json.h"
#include "core/io/file_problem.h"
#include "core/io/sail_plan.h"
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "core/model/offload.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/export/export_dialog.h"
#include "ui/keep/autosave.h"
#include "ui/keep/preferences_dialog.h"
#include "ui/keep/recent_files.h"
#include "ui/keep/settings_list.h"
#include "ui/presentation.h"
#include "ui/remote_place.h"
#include "ui/runs/run_history.h"
#include "ui/runs/store_setting.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/file_name.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/opening.h"
#include "ui/window/schedule_page.h"
#include "ui/window/session.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>

namespace pw::ui {

namespace {

constexpr int layoutVersion = 2; ///< of the docks that `restoreState` takes

void openAsked(MainWindow& window)
{
    auto* dialog =
        new QFileDialog(&window, MainWindow::tr("Open"), recentFolder(), readableFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    QObject::connect(dialog, &QFileDialog::filesSelected, &window,
                     [&window](const QStringList& paths) { openFiles(window, paths); });
    dialog->open();
}

void save(MainWindow& window, bool ask)
{
    SchedulePage* page = window.schedulePage();
    if (page != nullptr && page->save(ask))
        window.noteFile(page->document().path());
}

void exportFigure(MainWindow& window)
{
    const Page* page = window.page();
    if (page == nullptr || !page->whyNoFigure().isEmpty())
        return;
    const QAction* byMicroBatch = window.commands().action(QStringLiteral("view.by-micro-batch"));
    auto* dialog = new ExportDialog(
        page->figure(), fileName(page->title()),
        byMicroBatch != nullptr && byMicroBatch->isChecked() ? ColorBy::MicroBatch : ColorBy::Kind,
        &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &ExportDialog::written, &window, [&window](const QString& path) {
        window.tell(MainWindow::tr("The figure is in %1.").arg(path));
    });
    dialog->open();
}

/// A schedule in another program's format.
struct ScheduleFormat
{
    const char* id;
    QString text;
    QString filter;
    const char* ending;
    Result<std::string> (*content)(const Schedule& schedule, const Costs& costs,
                                   const SimResult& times);
};

std::vector<ScheduleFormat> scheduleFormats()
{
    return {{"torch-csv", MainWindow::tr("&PyTorch schedule (CSV)…"),
             MainWindow::tr("PyTorch schedules (*.csv)"), ".csv",
             [](const Schedule& schedule, const Costs& costs, const SimResult&) {
                 Result<void> whole = refuseOffload(costs, schedule.spec(),
                                                    "PyTorch's CSV has no copies to the host");
                 return whole ? writeTorchCsv(schedule, TorchForm::ComputeOnly)
                              : Result<std::string>(fail(whole.error()));
             }},
            {"sail", MainWindow::tr("Plan of sail-s&g (JSON)…"),
             MainWindow::tr("Plans of sail-sg (*.sail.json)"), ".sail.json",
             [](const Schedule& schedule, const Costs& costs, const SimResult&) {
                 return writeSailPlan(schedule, costs);
             }},
            {"chrome-json", MainWindow::tr("&Trace for Perfetto (Chrome JSON)…"),
             MainWindow::tr("Traces (*.trace.json)"), ".trace.json",
             [](const Schedule& schedule, const Costs& costs, const SimResult& times) {
                 return Result<std::string>(writeChromeJson(schedule, costs, times));
             }},
            {"table", MainWindow::tr("Table of the t&imeline (CSV)…"),
             MainWindow::tr("Tables (*.table.csv)"), ".table.csv",
             [](const Schedule& schedule, const Costs&, const SimResult& times) {
                 return Result<std::string>(writeTimelineCsv(schedule, times));
             }},
            {"text", MainWindow::tr("&Schedule text…"), MainWindow::tr("Schedule text (*.txt)"),
             ".txt", [](const Schedule& schedule, const Costs& costs, const SimResult&) {
                 Result<void> whole = refuseOffload(costs, schedule.spec(),
                                                    "the text notation has no copies to the host");
                 return whole ? Result<std::string>(writeScheduleText(schedule))
                              : Result<std::string>(fail(whole.error()));
             }}};
}

void tellExport(MainWindow& window, const QString& path, const Result<void>& done)
{
    if (done)
        window.tell(MainWindow::tr("The schedule is in %1.").arg(path));
    else
        window.refuse(MainWindow::tr("Not exported: %1").arg(coreSentence(done.error().message)));
}

/// Makes and writes a file beside the window's work.
void exportLarge(MainWindow& window, const ScheduleFormat& format, const QString& path,
                 const ScheduleDocument& document)
{
    window.tell(MainWindow::tr("Writing %1 …").arg(path));
    inBackground(&window,
                 [&window, path, content = format.content, schedule = document.schedule(),
                  costs = document.costs(), times = document.result()]() -> std::function<void()> {
                     const Result<std::string> file = content(*schedule, costs, times);
                     const Result<void> done = file ? writeFile(path.toStdString(), *file)
                                                    : Result<void>(fail(file.error()));
                     return [&window, path, done] { tellExport(window, path, done); };
                 });
}

void exportSchedule(MainWindow& window, const ScheduleFormat& format)
{
    constexpr std::int64_t manyPasses = 50'000;
    SchedulePage* page = window.schedulePage();
    if (page == nullptr || !page->document().schedule())
        return;
    const ScheduleDocument& document = page->document();
    const bool large = document.schedule()->passCount() > manyPasses;
    Result<std::string> content =
        large ? std::string()
              : format.content(*document.schedule(), document.costs(), document.result());
    if (!content) {
        tellExport(window, {}, fail(content.error()));
        return;
    }
    auto* dialog =
        new QFileDialog(&window, MainWindow::tr("Export schedule"), QString(), format.filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(fileName(page->title()) + QString::fromLatin1(format.ending));
    // A page may be closed while the dialog is open.
    if (large)
        QObject::connect(dialog, &QFileDialog::fileSelected, page,
                         [&window, format, page](const QString& path) {
                             if (page->document().schedule())
                                 exportLarge(window, format, path, page->document());
                         });
    else
        QObject::connect(dialog, &QFileDialog::fileSelected, &window,
                         [&window, content = std::move(*content)](const QString& path) {
                             tellExport(window, path, writeFile(path.toStdString(), content));
                         });
    dialog->open();
}

bool takeFiles(MainWindow& window, const QMimeData& data, bool drop)
{
    if (!data.hasUrls())
        return false;
    if (!drop)
        return true;
    const QList<QUrl> urls = data.urls();
    QStringList paths;
    for (const QUrl& url : urls) {
        if (url.isLocalFile())
            paths += url.toLocalFile();
        else if (isRemotePlace(url.toString(QUrl::FullyEncoded)))
            paths += url.toString(QUrl::FullyEncoded);
        else
            window.refuse(MainWindow::tr("%1 is not a file on this computer.").arg(url.toString()));
    }
    openFiles(window, paths);
    return true;
}

/// The files of the menu Open recent: a command each, as many as there are files.
void addRecent(MainWindow& window)
{
    const QString menu = MainWindow::tr("Open &recent");
    std::vector<QAction*> actions;
    for (int i = 0; i < mostRecentFiles; ++i) {
        actions.push_back(window.commands().add(
            {.id = QStringLiteral("file.recent.%1").arg(i + 1),
             .menu = Menu::File,
             .text = MainWindow::tr("Recent file %1").arg(i + 1),
             .submenu = menu},
            &window, [&window, i] {
                const QStringList files = recentFiles();
                if (i >= files.size())
                    return;
                if (!isRemotePlace(files[i]) && !QFileInfo::exists(files[i])) {
                    window.refuse(
                        MainWindow::tr("%1 is gone; it is off the list now.").arg(files[i]));
                    forgetRecentFile(files[i]);
                    return;
                }
                window.open(files[i]);
            }));
    }
    QAction* clear = window.commands().add({.id = QStringLiteral("file.recent.clear"),
                                            .menu = Menu::File,
                                            .text = MainWindow::tr("&Clear this list"),
                                            .submenu = menu},
                                           &window, [] { clearRecentFiles(); });
    const auto show = [actions, clear] {
        const QStringList files = recentFiles();
        for (int i = 0; i < mostRecentFiles; ++i) {
            QAction* action = actions[static_cast<std::size_t>(i)];
            action->setVisible(i < files.size());
            if (i >= files.size())
                continue;
            action->setText(QStringLiteral("&%1  %2").arg(i + 1).arg(recentName(files[i])));
            action->setToolTip(QDir::toNativeSeparators(files[i]));
        }
        clear->setEnabled(!files.isEmpty());
    };
    for (QAction* action : actions)
        QObject::connect(action, &QAction::triggered, &window, show);
    QObject::connect(clear, &QAction::triggered, &window, show);
    QObject::connect(&window, &MainWindow::fileUsed, &window, [show](const QString& path) {
        addRecentFile(path);
        show();
    });
    show();
}

/// Figures, and schedules in other programs' formats.
void addExports(MainWindow& window)
{
    Commands& commands = window.commands();
    const auto noWholeSchedule = [&window] {
        if (window.schedulePage() == nullptr)
            return noSchedule(window);
        return window.schedulePage()->document().schedule()
                   ? QString()
                   : MainWindow::tr("The schedule is unfinished: %1")
                         .arg(window.schedulePage()->document().problem());
    };
    const QString exports = MainWindow::tr("&Export");
    commands.add({.id = QStringLiteral("file.export-figure"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Figure (SVG, PDF, PNG)…"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+E")),
                  .group = 20,
                  .submenu = exports,
                  .whyNot =
                      [&window] {
                          return window.page() != nullptr ? window.page()->whyNoFigure()
                                                          : MainWindow::tr("Nothing is open.");
                      }},
                 &window, [&window] { exportFigure(window); });
    for (const ScheduleFormat& format : scheduleFormats())
        commands.add({.id = QStringLiteral("file.export-") + QString::fromLatin1(format.id),
                      .menu = Menu::File,
                      .text = format.text,
                      .group = 20,
                      .submenu = exports,
                      .whyNot = noWholeSchedule},
                     &window, [&window, format] { exportSchedule(window, format); });
}

void useStore(RunHistory& history, PreferencesDialog& dialog, const QString& path)
{
    setStoreFile(path);
    history.setPath(storeFile());
    dialog.showStore();
}

/// What commands choose for all sessions: once in the list of settings, and in their menus.
void addCommandSettings(Commands& commands, SettingsList& list)
{
    const auto addDoor = [&](const QString& label, const char* id, const QString& more) {
        if (QAction* action = commands.action(QString::fromLatin1(id)))
            list.addDoor(label, *action, more);
    };
    const auto addSwitches = [&](const QString& prefix) {
        for (const Commands::Entry& entry : commands.all())
            if (entry.command.id.startsWith(prefix) && entry.action->isCheckable())
                list.addSwitch(*entry.action);
    };
    addDoor(MainWindow::tr("Co&nnections"), "run.connections",
            MainWindow::tr("ssh machines executors Slurm PyTorch"));
    list.addSection(MainWindow::tr("Charts below the timeline"));
    addSwitches(QStringLiteral("view.chart."));
    list.addSection(MainWindow::tr("Lessons"));
    addSwitches(QStringLiteral("learn.unlock-all"));
    list.addSection(MainWindow::tr("Keyboard"));
    addDoor(MainWindow::tr("&Keys"), "help.keys", MainWindow::tr("shortcuts"));
}

void showPreferences(const Studio& studio)
{
    MainWindow& window = studio.window;
    RunHistory& history = studio.history;
    auto* dialog = new PreferencesDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    addCommandSettings(window.commands(), dialog->list());
    QObject::connect(dialog, &PreferencesDialog::groundChosen, &window, [&window] {
        const bool dark = chosenGround() == Ground::Dark;
        applyGround(*qApp, chosenGround());
        // The switch of the menu says the same; the choice stays what was chosen.
        const GroundChoice choice = groundChoice();
        if (QAction* action = window.commands().action(QStringLiteral("view.dark")))
            action->setChecked(dark);
        setGroundChoice(choice);
    });
    QObject::connect(dialog, &PreferencesDialog::autosaveChosen, &studio.autosave,
                     &Autosave::setSeconds);
    QObject::connect(
        dialog, &PreferencesDialog::storeAsked, dialog, [history = &history, dialog](bool usual) {
            if (usual) {
                useStore(*history, *dialog, {});
                return;
            }
            // A file that is not there yet becomes a store with its first run.
            auto* files =
                new QFileDialog(dialog, MainWindow::tr("Store of runs"), storeFile(),
                                MainWindow::tr("Stores of runs (*.sqlite);;All files (*)"));
            files->setAttribute(Qt::WA_DeleteOnClose);
            files->setAcceptMode(QFileDialog::AcceptSave);
            files->setOption(QFileDialog::DontConfirmOverwrite);
            QObject::connect(
                files, &QFileDialog::fileSelected, dialog,
                [history, dialog](const QString& path) { useStore(*history, *dialog, path); });
            files->open();
        });
    dialog->open();
}

/// The window returns as it was.
void addLayout(MainWindow& window)
{
    QObject::connect(&window, &MainWindow::closing, &window, [&window] {
        QSettings settings;
        settings.setValue(QStringLiteral("window/geometry"), window.saveGeometry());
        settings.setValue(QStringLiteral("window/state"), window.saveState(layoutVersion));
    });
}

} // namespace

void rememberGround(MainWindow& window)
{
    if (QAction* dark = window.commands().action(QStringLiteral("view.dark")))
        QObject::connect(dark, &QAction::toggled, &window, [](bool on) {
            setGroundChoice(on ? GroundChoice::Dark : GroundChoice::Light);
        });
}

void restoreLayout(MainWindow& window)
{
    const QSettings settings;
    if (!window.restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray())) {
        // At the first start the screen may be smaller than the size that suits most. How large the
        // frame is, is only known once it is there: who puts it around makes both fit.
        const QSize frame(16, 48); // more than most draw
        const QSize room = window.screen()->availableSize() - frame;
        if (window.size() != window.size().boundedTo(room)) {
            window.resize(window.size().boundedTo(room));
            window.setWindowState(window.windowState() | Qt::WindowMaximized);
        }
    }
    window.restoreState(settings.value(QStringLiteral("window/state")).toByteArray(),
                        layoutVersion);
    window.noteLayout();
}

Ground chosenGround()
{
    switch (groundChoice()) {
    case GroundChoice::Light:
        return Ground::Light;
    case GroundChoice::Dark:
        return Ground::Dark;
    case GroundChoice::System:
        break;
    }
    return desktopGround();
}

void addKeeping(Studio& studio)
{
    MainWindow& window = studio.window;
    Commands& commands = window.commands();
    const auto needsSchedule = [&window] { return noSchedule(window); };
    commands.add({.id = QStringLiteral("file.new"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&New"),
                  .keys = QKeySequence::New,
                  .submenu = MainWindow::tr("New")},
                 &window, [&window] { window.openFamily(text(defaultFamily)); });
    commands.add({.id = QStringLiteral("file.open"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Open…"),
                  .keys = QKeySequence::Open},
                 &window, [&window] { openAsked(window); });
    addRecent(window);
    commands.add({.id = QStringLiteral("file.save"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Save"),
                  .keys = QKeySequence::Save,
                  .group = 10,
                  .whyNot = needsSchedule},
                 &window, [&window] { save(window, false); });
    commands.add({.id = QStringLiteral("file.save-as"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("Save &as…"),
                  .keys = QKeySequence::SaveAs,
                  .group = 10,
                  .whyNot = needsSchedule},
                 &window, [&window] { save(window, true); });
    addExports(window);
    commands.add({.id = QStringLiteral("file.preferences"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Preferences…"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+,")),
                  .group = 25},
                 &window, [&studio] { showPreferences(studio); });
    commands.add({.id = QStringLiteral("file.close-tab"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Close tab"),
                  .keys = QKeySequence::Close,
                  .group = 30},
                 &window, [&window] { window.closePage(window.page()); });
    commands.add({.id = QStringLiteral("file.quit"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Quit"),
                  .keys = QKeySequence::Quit,
                  .group = 30},
                 &window, [&window] { window.close(); });
    window.addDropHandler(
        [&window](const QMimeData& data, bool drop) { return takeFiles(window, data, drop); });
    addLayout(window);
    addWelcome(window);
}

} // namespace pw::ui

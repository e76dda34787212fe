// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/opening.h"

#include "core/io/costs_file.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_file.h"
#include "core/reading/file_content.h"
#include "core/reading/strange_content.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/plain_text.h"
#include "ui/plural.h"
#include "ui/remote/remote_files.h"
#include "ui/remote_place.h"
#include "ui/window/features.h"
#include "ui/window/importing.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QThreadPool>

#include <memory>
#include <new>

namespace pw::ui {

namespace {

constexpr qint64 quickBytes = 512 * 1024; ///< read within a frame or two

/// A box with a sentence that does not stop anything else.
void warn(MainWindow& window, const QString& path, const QString& why)
{
    QMessageBox* const box = plainBox(&window, MainWindow::tr("Not opened"), path);
    box->setIcon(QMessageBox::Warning);
    box->setInformativeText(why);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

bool applyCosts(MainWindow& window, const QString& path)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr) {
        warn(window, path,
             MainWindow::tr("It says what passes take on some machine, and holds no schedule. "
                            "Open or make a schedule first; then open this file again, and the "
                            "schedule gets its times."));
        return false;
    }
    const Result<CostsFile> file = loadCosts(path.toStdString());
    Result<Costs> costs =
        file ? costsOf(*file, page->document().draft().spec) : Result<Costs>(fail(file.error()));
    if (!costs) {
        warn(window, path, coreSentence(costs.error().message));
        return false;
    }
    Project next = page->document().project();
    next.costs = std::move(*costs);
    if (const Result<void> changed = page->document().change(
            std::move(next), MainWindow::tr("Costs of %1").arg(QFileInfo(path).fileName()));
        !changed) {
        warn(window, path, coreSentence(changed.error().message));
        return false;
    }
    window.tell(MainWindow::tr("%1 has the times of %2 now.")
                    .arg(window.titleOf(*page), QFileInfo(path).fileName()));
    return true;
}

bool showLesson(MainWindow& window, const QString& path)
{
    const auto& open = window.studio().openLesson;
    const Result<void> done =
        open ? open(path) : fail(ErrorCode::BadValue, "this window has no lessons");
    if (!done) {
        warn(window, path, coreSentence(done.error().message));
        return false;
    }
    window.noteFile(path);
    return true;
}

/// A file of the program's own that is opened elsewhere.
bool sendElsewhere(MainWindow& window, const QString& path, const QString& where)
{
    warn(window, path, where);
    return false;
}

/// What a file is that holds no schedule, and what helps, where that is known; else empty.
QString strangeKind(const QString& path)
{
    constexpr qint64 enough = 512;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray head = file.read(enough);
    const std::optional<Sentence> known = strangeContent(
        path.toStdString(), {head.constData(), static_cast<std::size_t>(head.size())});
    return known ? MainWindow::tr("It is %1.").arg(coreSentence(*known)) : QString();
}

bool show(MainWindow& window, const QString& path, Result<ScheduleFile> file)
{
    if (!file) {
        const QString strange = strangeKind(path);
        warn(window, path, strange.isEmpty() ? coreSentence(file.error().message) : strange);
        return false;
    }
    if (file->isCosts)
        return applyCosts(window, path);
    if (!file->unreadable.empty()) {
        warn(window, path,
             coreSentence(problemsText(QFileInfo(path).fileName().toStdString(), *file)));
        return false;
    }
    // One without a title is called by its file; every project's ends the same.
    const QString ending = QStringLiteral(".pipewright.json");
    if (const QString name = QFileInfo(path).fileName();
        name == text(file->project.title) && name.size() > ending.size() && name.endsWith(ending))
        file->project.title = name.chopped(ending.size()).toStdString();
    // Only a project is saved where it came from.
    const bool own = !window.studio().remote.has(path) && file->format == FileFormat::Project &&
                     formatOfPath(path.toStdString()) == FileFormat::Project;
    window.openProject(std::move(file->project), own ? path : QString());
    window.noteFile(path);
    // Passes that are missing or wrong can be mended in the window.
    if (file->problemCount > 0)
        window.refuse(MainWindow::tr("%1 has %2; the first: %3")
                          .arg(QFileInfo(path).fileName(),
                               plural(static_cast<qint64>(file->problemCount), Noun::Problem),
                               coreSentence(file->problems.front())));
    return true;
}

/// In a thread that an exception must not leave.
Result<ScheduleFile> readInThread(const QString& path)
{
    try {
        return readScheduleFile(path.toStdString());
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::TooLarge,
                    QCoreApplication::translate("Background", "out of memory").toStdString());
    }
}

} // namespace

QString readableFilter()
{
    return MainWindow::tr(
               "All that can be opened (*.pipewright.json *.json *.csv *.txt *.family *.json.gz "
               "*.sqlite)") +
           QStringLiteral(";;") + MainWindow::tr("Pipewright projects (*.pipewright.json *.json)") +
           QStringLiteral(";;") + MainWindow::tr("PyTorch schedules (*.csv)") +
           QStringLiteral(";;") + MainWindow::tr("Schedule text (*.txt)") + QStringLiteral(";;") +
           MainWindow::tr("Plans of sail-sg (*.json *.txt *.log)") + QStringLiteral(";;") +
           MainWindow::tr("Traces (*.json *.json.gz *.sqlite)") + QStringLiteral(";;") +
           MainWindow::tr("Lessons (*.json)") + QStringLiteral(";;") +
           MainWindow::tr("All files (*)");
}

bool openFile(MainWindow& window, const QString& path)
{
    if (isRemotePlace(path)) {
        openRemote(window, path);
        return true;
    }
    const QString whole = QFileInfo(path).absoluteFilePath();
    for (Page* page : window.pages()) {
        auto* schedule = qobject_cast<SchedulePage*>(page);
        if (schedule != nullptr && !schedule->document().path().isEmpty() &&
            QFileInfo(schedule->document().path()).absoluteFilePath() == whole) {
            window.showPage(page);
            return true;
        }
    }
    switch (fileContent(whole.toStdString())) {
    case FileContent::Unreadable:
        return sendElsewhere(window, whole,
                             MainWindow::tr("It is a pipe or a device, and no file."));
    case FileContent::Trace:
        importTraces(window, {whole});
        return true;
    case FileContent::Lesson:
        return showLesson(window, whole);
    case FileContent::Results:
        return sendElsewhere(
            window, whole,
            MainWindow::tr("It has what somebody did in lessons. The command pipewright lesson "
                           "results makes a table of a folder with such files."));
    case FileContent::Rules:
        return sendElsewhere(window, whole,
                             MainWindow::tr("It has rules for the names of traces. The dialog that "
                                            "imports a trace takes it."));
    case FileContent::Missing:
    case FileContent::Costs:
    case FileContent::Schedule:
        break;
    }
    if (QFileInfo(whole).size() <= quickBytes)
        return show(window, whole, readScheduleFile(whole.toStdString()));
    window.tell(MainWindow::tr("Reading %1 …").arg(QFileInfo(whole).fileName()));
    const QPointer<MainWindow> alive = &window;
    workers().start([alive, whole] {
        auto file = std::make_shared<Result<ScheduleFile>>(readInThread(whole));
        QMetaObject::invokeMethod(
            qApp,
            [alive, whole, file] {
                if (!alive)
                    return;
                alive->tell({});
                show(*alive, whole, std::move(*file));
            },
            Qt::QueuedConnection);
    });
    return true;
}

void openFiles(MainWindow& window, const QStringList& paths)
{
    QStringList traces;
    for (const QString& path : paths) {
        if (isRemotePlace(path)) {
            openRemote(window, path);
            continue;
        }
        const QString whole = QFileInfo(path).absoluteFilePath();
        if (fileContent(whole.toStdString()) == FileContent::Trace)
            traces += whole;
        else
            openFile(window, whole);
    }
    if (!traces.isEmpty())
        importTraces(window, traces);
}

} // namespace pw::ui

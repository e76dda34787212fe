// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/io/web_page.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/placed_annotations.h"
#include "ui/export/play_film.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/file_name.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QFileDialog>

namespace pw::ui {

namespace {

/// Writes the page beside the window's work: it may be long.
void writePage(MainWindow& window, const ScheduleDocument& document, const QString& path)
{
    inBackground(
        &window,
        [&window, path, title = document.title().toStdString(), notes = document.project().notes,
         annotations = document.project().annotations, schedule = document.schedule(),
         costs = document.costs(), times = document.result()]() -> std::function<void()> {
            WebPage page;
            page.title = title;
            page.notes = notes;
            page.tracks = {{"Schedule", schedule.get(), &costs, &times, &annotations}};
            const Result<void> done = writeFile(path.toStdString(), writeWebPage(page));
            return [&window, path, done] {
                if (done)
                    window.tell(MainWindow::tr("The web page is in %1.").arg(path));
                else
                    window.refuse(
                        MainWindow::tr("Not written: %1").arg(coreSentence(done.error().message)));
            };
        });
}

void sharePage(MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr || !page->document().schedule())
        return;
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Share as a web page"), QString(),
                                   MainWindow::tr("Web pages (*.html)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->selectFile(fileName(page->title()) + QStringLiteral(".html"));
    QObject::connect(dialog, &QFileDialog::fileSelected, page,
                     [&window, page](const QString& path) {
                         if (page->document().schedule())
                             writePage(window, page->document(), path);
                     });
    dialog->open();
}

/// Makes the pictures beside the window's work.
void shareFilm(MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return;
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Share as an animation"), QString(),
                                   MainWindow::tr("Animations (*.gif *.mp4)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("gif"));
    dialog->selectFile(fileName(page->title()) + QStringLiteral(".gif"));
    QObject::connect(
        dialog, &QFileDialog::fileSelected, page, [&window, page](const QString& path) {
            FilmLook look;
            look.ground = ground();
            window.tell(MainWindow::tr("Making the pictures …"));
            inBackground(
                &window,
                [&window, path, look, lanes = page->document().lanes(), title = page->title(),
                 annotations = placedAnnotations(page->document())]() -> std::function<void()> {
                    const Result<void> done =
                        writeFilm(PlayFilm(lanes, title, look, annotations), path);
                    return [&window, path, done] {
                        if (done)
                            window.tell(MainWindow::tr("The animation is in %1.").arg(path));
                        else
                            window.refuse(coreSentence(done.error().message));
                    };
                });
        });
    dialog->open();
}

} // namespace

void addSharing(MainWindow& window)
{
    window.commands().add(
        {.id = QStringLiteral("file.share-web-page"),
         .menu = Menu::File,
         .text = MainWindow::tr("&Web page…"),
         .tip =
             MainWindow::tr("One file to send around: the timeline to move, zoom and play in any "
                            "browser, without a network."),
         .group = 20,
         .submenu = MainWindow::tr("&Export"),
         .whyNot =
             [&window] {
                 SchedulePage* page = window.schedulePage();
                 if (page == nullptr)
                     return MainWindow::tr("No schedule is in front.");
                 return page->document().schedule() ? QString() : page->document().problem();
             }},
        &window, [&window] { sharePage(window); });
    window.commands().add(
        {.id = QStringLiteral("file.share-film"),
         .menu = Menu::File,
         .text = MainWindow::tr("&Animation…"),
         .tip = MainWindow::tr("How the timeline is played, as a GIF, or as an MP4 where ffmpeg is "
                               "installed."),
         .group = 20,
         .submenu = MainWindow::tr("&Export"),
         .whyNot =
             [&window] {
                 SchedulePage* page = window.schedulePage();
                 if (page == nullptr)
                     return MainWindow::tr("No schedule is in front.");
                 return page->document().lanes()->spanCount() > 0
                            ? QString()
                            : MainWindow::tr("There is nothing to play.");
             }},
        &window, [&window] { shareFilm(window); });
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/io/svg_figure.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QUrl>

namespace pw::ui {

namespace {

void openAsked(MainWindow& window)
{
    const QStringList paths = QFileDialog::getOpenFileNames(
        &window, MainWindow::tr("Open"), {},
        MainWindow::tr("Pipewright projects (*.pipewright.json *.json)"));
    for (const QString& path : paths)
        window.open(path);
}

void save(MainWindow& window, bool ask)
{
    SchedulePage* page = window.schedulePage();
    if (page != nullptr && page->save(ask))
        Q_EMIT window.fileUsed(page->document().path());
}

void exportFigure(MainWindow& window)
{
    const SchedulePage* page = window.schedulePage();
    if (page == nullptr || !page->document().schedule())
        return;
    const QString path = QFileDialog::getSaveFileName(&window, MainWindow::tr("Export figure"), {},
                                                      MainWindow::tr("SVG figures (*.svg)"));
    if (path.isEmpty())
        return;
    const ScheduleDocument& document = page->document();
    FigureStyle style;
    style.title = document.title().toStdString();
    const std::string figure = writeSvgFigure(*document.schedule(), document.result(), style);
    if (const Result<void> written = writeFile(path.toStdString(), figure); !written)
        QMessageBox::warning(&window, MainWindow::tr("Not exported"),
                             text(written.error().message));
}

bool takeFiles(MainWindow& window, const QMimeData& data, bool drop)
{
    if (!data.hasUrls())
        return false;
    if (!drop)
        return true;
    const QList<QUrl> urls = data.urls();
    for (const QUrl& url : urls)
        if (url.isLocalFile())
            window.open(url.toLocalFile());
    return true;
}

} // namespace

void addKeeping(MainWindow& window)
{
    Commands& commands = window.commands();
    const auto noSchedule = [&window] {
        return window.schedulePage() == nullptr ? MainWindow::tr("No schedule is open.")
                                                : QString();
    };
    commands.add({.id = QStringLiteral("file.new"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&New"),
                  .keys = QKeySequence::New},
                 &window, [&window] { window.openFamily(QStringLiteral("1f1b")); });
    commands.add({.id = QStringLiteral("file.open"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Open…"),
                  .keys = QKeySequence::Open},
                 &window, [&window] { openAsked(window); });
    commands.add({.id = QStringLiteral("file.save"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Save"),
                  .keys = QKeySequence::Save,
                  .group = 10,
                  .whyNot = noSchedule},
                 &window, [&window] { save(window, false); });
    commands.add({.id = QStringLiteral("file.save-as"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("Save &as…"),
                  .keys = QKeySequence::SaveAs,
                  .group = 10,
                  .whyNot = noSchedule},
                 &window, [&window] { save(window, true); });
    commands.add({.id = QStringLiteral("file.export-figure"),
                  .menu = Menu::File,
                  .text = MainWindow::tr("&Export figure…"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+E")),
                  .group = 20,
                  .whyNot = noSchedule},
                 &window, [&window] { exportFigure(window); });
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
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/importer.h"
#include "ui/keep/recent_files.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/importing.h"
#include "ui/window/main_window.h"

#include <QFileDialog>

namespace pw::ui {

namespace {

void askForTrace(MainWindow& window, bool folder)
{
    QStringList patterns;
    for (const std::string& pattern : traceNamePatterns())
        patterns << QString::fromStdString(pattern);
    auto* dialog = new QFileDialog(
        &window,
        folder ? MainWindow::tr("Import folder of traces") : MainWindow::tr("Import trace"),
        recentFolder(),
        MainWindow::tr("Traces (%1);;All files (*)").arg(patterns.join(QLatin1Char(' '))));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFiles);
    QObject::connect(dialog, &QFileDialog::filesSelected, &window,
                     [&window](const QStringList& paths) { importTraces(window, paths); });
    dialog->open();
}

} // namespace

void addImporting(MainWindow& window)
{
    window.commands().add({.id = QStringLiteral("file.import-trace"),
                           .menu = Menu::File,
                           .text = MainWindow::tr("&Import trace…"),
                           .keys = QKeySequence(MainWindow::tr("Ctrl+I")),
                           .tip = MainWindow::tr("Reads a trace of another program; several files "
                                                 "are the ranks of one run."),
                           .group = 5,
                           .submenu = MainWindow::tr("Import")},
                          &window, [&window] { askForTrace(window, false); });
    window.commands().add({.id = QStringLiteral("file.import-folder"),
                           .menu = Menu::File,
                           .text = MainWindow::tr("Import &folder of traces…"),
                           .tip = MainWindow::tr("Reads all traces in a folder as one run."),
                           .group = 5,
                           .submenu = MainWindow::tr("Import")},
                          &window, [&window] { askForTrace(window, true); });
}

} // namespace pw::ui

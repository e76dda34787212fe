// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plain_text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QApplication>
#include <QIcon>
#include <QMessageBox>

namespace pw::ui {

namespace {

void showAbout(MainWindow& window)
{
    QMessageBox* box = plainBox(
        &window, MainWindow::tr("About Pipewright"),
        MainWindow::tr("Pipewright %1\n\nA studio for pipeline-parallel training: compose a "
                       "schedule, see why devices idle, run it, compare.\n\nFree software under "
                       "the GNU General Public License, version 3 or later, without any "
                       "warranty.\n\nWith Qt %2, QCustomPlot, SQLite, zlib, RapidJSON and "
                       "tl::expected.")
            .arg(QStringLiteral(PW_VERSION), QString::fromLatin1(qVersion())));
    box->setObjectName(QStringLiteral("about"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(QIcon(QStringLiteral(":/icons/pipewright.svg")).pixmap(64, 64));
    box->open();
}

} // namespace

void addHelp(Studio& studio)
{
    MainWindow& window = studio.window;
    window.commands().add({.id = QStringLiteral("help.manual"),
                           .menu = Menu::Help,
                           .text = MainWindow::tr("&Manual"),
                           .keys = QKeySequence(QKeySequence::HelpContents),
                           .tip = MainWindow::tr("Every page, with a search through all of them."),
                           .group = -20},
                          &window, [&studio] { studio.openManual(); });
    window.commands().add({.id = QStringLiteral("help.about"),
                           .menu = Menu::Help,
                           .text = MainWindow::tr("&About Pipewright"),
                           .group = 90},
                          &window, [&window] { showAbout(window); });
}

} // namespace pw::ui

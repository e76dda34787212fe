// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/manual_view.h"
#include "ui/help/manual_window.h"
#include "ui/help/news.h"
#include "ui/plain_text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/session.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QIcon>
#include <QMessageBox>
#include <QSettings>
#include <QVBoxLayout>

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

/// What the newest version has changed, and links to the manual's pages.
void showNews(Studio& studio)
{
    auto* dialog = new QDialog(&studio.window);
    dialog->setObjectName(QStringLiteral("news"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(MainWindow::tr("What's new"));
    auto* view = new ManualView(dialog);
    view->setAccessibleName(dialog->windowTitle());
    const QString title =
        MainWindow::tr("What is new in Pipewright %1").arg(QStringLiteral(PW_VERSION));
    view->showPage({QStringLiteral("news"), title,
                    QStringLiteral("# %1\n\n%2\n").arg(title, newestChanges())});
    QObject::connect(view, &ManualView::pageAsked, dialog,
                     [&studio](const QString& name, const QString& anchor) {
                         studio.openManual().showPage(name, anchor);
                     });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(view, 1);
    layout->addWidget(buttons);
    const int em = dialog->fontMetrics().height();
    dialog->resize(em * 46, em * 34);
    dialog->open();
}

} // namespace

void tellNews(MainWindow& window)
{
    const QString key = QStringLiteral("help/version"), version = QStringLiteral(PW_VERSION);
    QSettings settings;
    const QString before = settings.value(key).toString();
    // At the first start everything is new.
    if (!before.isEmpty() && before != version)
        window.tell(MainWindow::tr("This is Pipewright %1; Help ▸ What's new says what has changed "
                                   "since %2.")
                        .arg(version, before));
    settings.setValue(key, version);
}

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
    window.commands().add({.id = QStringLiteral("help.news"),
                           .menu = Menu::Help,
                           .text = MainWindow::tr("What's &new"),
                           .tip = MainWindow::tr("What the newest version has changed."),
                           .group = 90,
                           .submenu = MainWindow::tr("A&bout")},
                          &window, [&studio] { showNews(studio); });
    window.commands().add({.id = QStringLiteral("help.about"),
                           .menu = Menu::Help,
                           .text = MainWindow::tr("&About Pipewright"),
                           .group = 90,
                           .submenu = MainWindow::tr("A&bout")},
                          &window, [&window] { showAbout(window); });
}

} // namespace pw::ui

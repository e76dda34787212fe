// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/remote/remote_dialog.h"
#include "ui/remote/remote_files.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/opening.h"
#include "ui/window/studio.h"

namespace pw::ui {

namespace {

void take(MainWindow& window, const FetchedFile& file)
{
    window.studio().remote.add(file);
    if (openFile(window, file.path) && file.digest)
        window.tell(MainWindow::tr("%1 was read on %2; its kernels are summed up.")
                        .arg(file.place.fileName(), file.place.host));
}

} // namespace

void openRemote(MainWindow& window, const QString& url)
{
    auto* dialog = new RemoteDialog(window.studio().connections, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &RemoteDialog::fetched, &window,
                     [&window](const FetchedFile& file) { take(window, file); });
    dialog->open();
    if (!url.isEmpty())
        dialog->begin(url);
}

void addRemote(MainWindow& window)
{
    window.commands().add(
        {.id = QStringLiteral("file.open-remote"),
         .menu = Menu::File,
         .text = MainWindow::tr("Open from another &machine…"),
         .tip = MainWindow::tr("Over ssh: a trace is read where it lies, other files come here."),
         .submenu = MainWindow::tr("Import")},
        &window, [&window] { openRemote(window, {}); });
}

} // namespace pw::ui

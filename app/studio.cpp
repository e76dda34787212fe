// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"
#include "ui/window/main_window.h"

#include <QApplication>

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Pipewright"));
    QApplication::setDesktopFileName(QStringLiteral("pipewright-studio"));
    pw::ui::applyGround(application, pw::ui::desktopGround());
    pw::ui::MainWindow window;
    window.show();
    const QStringList paths = QApplication::arguments().mid(1);
    for (const QString& path : paths)
        window.open(path);
    return QApplication::exec();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/pages/page.h"
#include "ui/presentation.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace pw::test {

/// Keeps what the studio keeps (settings, data, runs, rules) in a folder, never where the user's
/// is.
inline void useStudioHome(const QTemporaryDir& home, const char* test)
{
    if (!home.isValid())
        qFatal("no folder: %s", qPrintable(home.errorString()));
    const auto put = [&home](const char* variable, const char* name) {
        qputenv(variable, home.filePath(QString::fromLatin1(name)).toLocal8Bit());
    };
    put("XDG_CONFIG_HOME", "config");
    put("XDG_DATA_HOME", "data");
    put("PIPEWRIGHT_STORE", "runs.sqlite");
    put("PIPEWRIGHT_RULES", "rules.json");
    QCoreApplication::setOrganizationName(QStringLiteral("pipewright"));
    QCoreApplication::setApplicationName(QString::fromLatin1(test));
    QApplication::setQuitOnLastWindowClosed(false);
    ui::applyGround(*qApp, Ground::Light);
}

/// Closes without questions: what was changed is let go. @return false: it is still open
inline bool closeQuietly(ui::MainWindow& window)
{
    for (ui::Page* page : window.pages())
        if (page->undoStack() != nullptr)
            page->undoStack()->setClean();
    return window.close();
}

} // namespace pw::test

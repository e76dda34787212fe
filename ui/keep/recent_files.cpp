// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace pw::ui {

namespace {

QString recentFilesKey()
{
    return QStringLiteral("files/recent");
}

} // namespace

QStringList recentFiles()
{
    return QSettings().value(recentFilesKey()).toStringList().mid(0, mostRecentFiles);
}

void addRecentFile(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(whole);
    files.prepend(whole);
    QSettings().setValue(recentFilesKey(), files.mid(0, mostRecentFiles));
}

void forgetRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(QFileInfo(path).absoluteFilePath());
    QSettings().setValue(recentFilesKey(), files);
}

void clearRecentFiles()
{
    QSettings().remove(recentFilesKey());
}

} // namespace pw::ui

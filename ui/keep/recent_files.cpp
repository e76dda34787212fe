// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/recent_files.h"

#include "ui/remote_place.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace pw::ui {

namespace {

QString recentFilesKey()
{
    return QStringLiteral("files/recent");
}

/// As the list has it: a place on another machine as it is, a file by its whole path.
QString listed(const QString& path)
{
    return isRemotePlace(path) ? path : QFileInfo(path).absoluteFilePath();
}

} // namespace

QStringList recentFiles()
{
    return QSettings().value(recentFilesKey()).toStringList().mid(0, mostRecentFiles);
}

void addRecentFile(const QString& path)
{
    const QString whole = listed(path);
    QStringList files = recentFiles();
    files.removeAll(whole);
    files.prepend(whole);
    QSettings().setValue(recentFilesKey(), files.mid(0, mostRecentFiles));
}

void forgetRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(listed(path));
    QSettings().setValue(recentFilesKey(), files);
}

QString recentName(const QString& path)
{
    const Result<RemotePlace> place = remotePlaceOf(path);
    return place ? QCoreApplication::translate("RecentFiles", "%1 on %2")
                       .arg(place->fileName(), place->destination())
                 : QFileInfo(path).fileName();
}

QString recentFolder()
{
    const QStringList files = recentFiles();
    const auto here = std::find_if_not(files.cbegin(), files.cend(), isRemotePlace);
    return QFileInfo(here == files.cend() ? QString() : *here).absolutePath();
}

void clearRecentFiles()
{
    QSettings().remove(recentFilesKey());
}

} // namespace pw::ui

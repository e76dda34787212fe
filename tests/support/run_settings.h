// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QCoreApplication>
#include <QFile>
#include <QSettings>
#include <QString>
#include <QTemporaryDir>

/// A folder for settings, stores and programs of one test, which are nobody's.
class PrivateFolder
{
public:
    PrivateFolder()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("Pipewright"));
        QCoreApplication::setApplicationName(QStringLiteral("Pipewright tests"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        qputenv("PIPEWRIGHT_STORE", path(QStringLiteral("runs.sqlite")).toUtf8());
    }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    /// A program of shell lines; "$@" are its arguments. @return  its whole path
    QString script(const QString& name, const QString& lines) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write("#!/bin/sh\n" + lines.toUtf8() + "\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path(name);
    }

private:
    QTemporaryDir m_folder;
};

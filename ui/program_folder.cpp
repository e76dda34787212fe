// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/program_folder.h"

#include "core/io/own_program.h"

#include <QCoreApplication>
#include <QDir>

namespace pw::ui {

QString programFolder()
{
    return QString::fromStdString(ownProgram().parent_path().string());
}

void usePluginsOfProgram()
{
    const QDir plugins(programFolder() + QStringLiteral("/../lib/qt6/plugins"));
    if (!qEnvironmentVariableIsEmpty("PIPEWRIGHT_PROGRAM") && plugins.exists())
        QCoreApplication::setLibraryPaths({plugins.canonicalPath()});
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/own_families.h"

#include "core/base/display_text.h"
#include "core/io/family_folder.h"

#include <QFileInfo>
#include <QSettings>
#include <QTextStream>

namespace pw::ui {

namespace {

QString folderKey()
{
    return QStringLiteral("families/folder");
}

/// The folder of the command line, as it was when this program began: a chosen one takes its place
/// for the programs that this one starts.
const QString& usualFolder()
{
    static const QString usual = QString::fromLocal8Bit(ownFamilyFolder().c_str());
    return usual;
}

} // namespace

QString familyFolder()
{
    const QString chosen = QSettings().value(folderKey()).toString();
    return chosen.isEmpty() ? usualFolder() : chosen;
}

void setFamilyFolder(const QString& folder)
{
    if (folder.isEmpty())
        QSettings().remove(folderKey());
    else
        QSettings().setValue(folderKey(), folder);
}

QStringList useOwnFamilies()
{
    usualFolder();
    const QString folder = familyFolder();
    if (folder.isEmpty() || !QFileInfo(folder).isDir())
        return {};
    qputenv("PIPEWRIGHT_FAMILIES", folder.toLocal8Bit());
    std::vector<std::string> problems;
    const Result<std::vector<std::string>> ids =
        addFamilyFolder(folder.toLocal8Bit().toStdString(), problems);
    if (!ids)
        problems.push_back(ids.error().message);
    QStringList texts;
    QTextStream err(stderr);
    for (const std::string& problem : problems) {
        texts.append(QString::fromStdString(displayText(problem)));
        err << "pipewright-studio: " << texts.back() << '\n';
    }
    return texts;
}

} // namespace pw::ui

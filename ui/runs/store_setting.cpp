// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/store_setting.h"

#include "core/store/store_path.h"

#include <QSettings>

namespace pw::ui {

namespace {

QString key()
{
    return QStringLiteral("runs/store");
}

} // namespace

QString storeFile()
{
    const QString chosen = QSettings().value(key()).toString();
    return chosen.isEmpty() ? QString::fromStdString(defaultStorePath()) : chosen;
}

void setStoreFile(const QString& path)
{
    QSettings settings;
    if (path.isEmpty())
        settings.remove(key());
    else
        settings.setValue(key(), path);
}

} // namespace pw::ui

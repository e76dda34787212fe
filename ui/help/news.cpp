// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/news.h"

#include <QFile>

// Resources of a static library have to be asked for, outside any namespace.
static void initNewsResources()
{
    Q_INIT_RESOURCE(news);
}

namespace pw::ui {

QString newestChanges(const QString& changes)
{
    const QString heading = QStringLiteral("\n## ");
    const qsizetype begin = changes.indexOf(heading);
    if (begin < 0)
        return {};
    const qsizetype text = changes.indexOf(QLatin1Char('\n'), begin + heading.size());
    return text < 0 ? QString()
                    : changes.mid(text, changes.indexOf(heading, text) - text).trimmed();
}

QString newestChanges()
{
    initNewsResources();
    QFile file(QStringLiteral(":/news/CHANGELOG.md"));
    return file.open(QIODevice::ReadOnly) ? newestChanges(QString::fromUtf8(file.readAll()))
                                          : QString();
}

} // namespace pw::ui

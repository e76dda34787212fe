// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/file_name.h"

namespace pw::ui {

QString fileName(const QString& title)
{
    QString name;
    for (const QChar c : title) {
        if (c.isLetterOrNumber() && c.unicode() < 128)
            name += c.toLower();
        else if (c == QChar(0x00D7))
            name += QLatin1Char('x');
        else if (!name.isEmpty() && !name.endsWith(QLatin1Char('-')))
            name += QLatin1Char('-');
    }
    while (name.endsWith(QLatin1Char('-')))
        name.chop(1);
    return name.isEmpty() ? QStringLiteral("schedule") : name;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/translations.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

namespace pw::ui {

void loadTranslation(QCoreApplication& application)
{
    auto* translator = new QTranslator(&application);
    const QString program = QCoreApplication::applicationDirPath();
    for (const QString& folder : {program + QStringLiteral("/../share/pipewright/translations"),
                                  program + QStringLiteral("/translations")}) {
        if (translator->load(QLocale(), QStringLiteral("pipewright"), QStringLiteral("_"),
                             folder)) {
            QCoreApplication::installTranslator(translator);
            return;
        }
    }
    delete translator;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <vector>

class QCoreApplication;

namespace pw::ui {

/// A language that the window can speak.
struct Language
{
    QString code; ///< "de"; empty: the desktop's
    QString name; ///< as it calls itself: "Deutsch"
};

/// English, and every language whose pipewright_CODE.qm is there, by code.
std::vector<Language> languages();

/// The code of the language that a person chose; empty: the desktop's. Holds from the next start
/// on, as does what `setLanguageChoice` sets.
QString languageChoice();
void setLanguageChoice(const QString& code);

/// Installs the language of the choice, else that of the desktop, where there is one: its
/// pipewright_CODE.qm in share/pipewright/translations beside the program's folder, or in its own
/// folder `translations`; with it Qt's own words, where they are installed. Without one the window
/// speaks English.
void loadTranslation(QCoreApplication& application);

} // namespace pw::ui

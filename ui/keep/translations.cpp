// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/translations.h"

#include "ui/program_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

#include <map>

namespace pw::ui {

namespace {

/// The words of Qt that the window shows: translated here too, since Qt's own translations are a
/// package of their own that few have.
[[maybe_unused]] constexpr const char* qtWords[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Apply"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Reset"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Help"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Undo"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Redo"),
    QT_TRANSLATE_NOOP("QLineEdit", "Cu&t"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Copy"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Paste"),
    QT_TRANSLATE_NOOP("QLineEdit", "Delete"),
    QT_TRANSLATE_NOOP("QLineEdit", "Select All"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Undo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Redo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Cu&t"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Copy"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Copy &Link Location"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Paste"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Delete"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Select All"),
    QT_TRANSLATE_NOOP("QAbstractSpinBox", "&Select All"),
    QT_TRANSLATE_NOOP("QAbstractSpinBox", "&Step up"),
    QT_TRANSLATE_NOOP("QAbstractSpinBox", "Step &down"),
    QT_TRANSLATE_NOOP("QFileDialog", "Look in:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Directory:"),
    QT_TRANSLATE_NOOP("QFileDialog", "File &name:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Files of type:"),
    QT_TRANSLATE_NOOP("QFileDialog", "&Open"),
    QT_TRANSLATE_NOOP("QFileDialog", "&Save"),
    QT_TRANSLATE_NOOP("QFileDialog", "Back"),
    QT_TRANSLATE_NOOP("QFileDialog", "Forward"),
    QT_TRANSLATE_NOOP("QFileDialog", "Go back"),
    QT_TRANSLATE_NOOP("QFileDialog", "Go forward"),
    QT_TRANSLATE_NOOP("QFileDialog", "Parent Directory"),
    QT_TRANSLATE_NOOP("QFileDialog", "Create New Folder"),
    QT_TRANSLATE_NOOP("QFileDialog", "List View"),
    QT_TRANSLATE_NOOP("QFileDialog", "Detail View"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Name"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Size"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Type"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Date Modified"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Computer"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "Folder"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "Drive"),
    QT_TRANSLATE_NOOP("QShortcut", "Ctrl"),
    QT_TRANSLATE_NOOP("QShortcut", "Shift"),
    QT_TRANSLATE_NOOP("QShortcut", "Alt"),
    QT_TRANSLATE_NOOP("QShortcut", "Space"),
    QT_TRANSLATE_NOOP("QShortcut", "Esc"),
    QT_TRANSLATE_NOOP("QShortcut", "Return"),
    QT_TRANSLATE_NOOP("QShortcut", "Enter"),
    QT_TRANSLATE_NOOP("QShortcut", "Del"),
    QT_TRANSLATE_NOOP("QShortcut", "Home"),
    QT_TRANSLATE_NOOP("QShortcut", "End"),
    QT_TRANSLATE_NOOP("QShortcut", "Left"),
    QT_TRANSLATE_NOOP("QShortcut", "Up"),
    QT_TRANSLATE_NOOP("QShortcut", "Right"),
    QT_TRANSLATE_NOOP("QShortcut", "Down"),
};

QString settingsKey()
{
    return QStringLiteral("appearance/language");
}

QString english()
{
    return QStringLiteral("en");
}

QStringList translationFolders()
{
    const QString program = programFolder();
    return {program + QStringLiteral("/../share/pipewright/translations"),
            program + QStringLiteral("/translations")};
}

/// "de" of pipewright_de.qm.
QString codeOf(const QString& file)
{
    return file.section(QLatin1Char('_'), 1).section(QLatin1Char('.'), 0, 0);
}

/// Installs a translator of a language. @return whether it has one
bool installLanguage(QCoreApplication& application, const QLocale& locale)
{
    auto* own = new QTranslator(&application);
    for (const QString& folder : translationFolders()) {
        if (!own->load(locale, QStringLiteral("pipewright"), QStringLiteral("_"), folder))
            continue;
        // What is installed last is asked first.
        auto* ofQt = new QTranslator(&application);
        if (ofQt->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                       QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
            QCoreApplication::installTranslator(ofQt);
        QCoreApplication::installTranslator(own);
        return true;
    }
    delete own;
    return false;
}

} // namespace

std::vector<Language> languages()
{
    std::map<QString, Language> found;
    found[english()] = {english(), QStringLiteral("English")};
    for (const QString& folder : translationFolders()) {
        const QStringList files =
            QDir(folder).entryList({QStringLiteral("pipewright_*.qm")}, QDir::Files);
        for (const QString& file : files) {
            const QString code = codeOf(file);
            const QString name = QLocale(code).nativeLanguageName();
            found[code] = {code, name.isEmpty() ? code : name};
        }
    }
    std::vector<Language> all;
    for (const auto& [code, language] : found)
        all.push_back(language);
    return all;
}

QString languageChoice()
{
    return QSettings().value(settingsKey()).toString();
}

void setLanguageChoice(const QString& code)
{
    if (code.isEmpty())
        QSettings().remove(settingsKey());
    else
        QSettings().setValue(settingsKey(), code);
}

void loadTranslation(QCoreApplication& application)
{
    const QString chosen = languageChoice();
    // Dates, and lessons that have texts in several languages, are of the chosen one too.
    if (!chosen.isEmpty())
        QLocale::setDefault(QLocale(chosen));
    const QStringList wanted = chosen.isEmpty() ? QLocale().uiLanguages() : QStringList{chosen};
    for (const QString& code : wanted) {
        const QLocale locale(code);
        // English has no file; who puts it before others wants no other.
        if (locale.language() == QLocale::English || locale.language() == QLocale::C)
            return;
        if (installLanguage(application, locale))
            return;
    }
}

} // namespace pw::ui

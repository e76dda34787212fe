// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QDialog>
#include <QString>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace pw::ui {

class SettingsList;

/// The ground that the window is to have.
enum class GroundChoice
{
    System,
    Light,
    Dark
};

GroundChoice groundChoice();
void setGroundChoice(GroundChoice choice);

/// What a person chooses for all sessions, with a search over all of it. Every change holds at
/// once, but for the language, which is that of the next start.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PreferencesDialog(QWidget* parent = nullptr);

Q_SIGNALS:
    void groundChosen(pw::ui::GroundChoice choice);
    void autosaveChosen(int seconds);
    void storeAsked(bool usual);

public:
    /// Shows another store than before.
    void showStore();
    /// All settings; what else the window has to choose is added to them.
    SettingsList& list() { return *m_list; }

private:
    void fillLanguages();
    /// The folder of families in files, with what chooses another.
    QWidget* familyRow();
    QWidget* storeRow();
    QWidget* rowOf(QLineEdit* place, QPushButton* choose, QPushButton* usual);

    SettingsList* m_list;
    QComboBox* m_ground;
    QComboBox* m_language;
    QLabel* m_nextStart; ///< said once another language is chosen than that of the window
    QSpinBox* m_autosave;
    QLineEdit* m_store;
    QLineEdit* m_families;
};

} // namespace pw::ui

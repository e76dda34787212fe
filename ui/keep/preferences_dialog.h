// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QDialog>
#include <QString>

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace pw::ui {

/// The ground that the window is to have.
enum class GroundChoice
{
    System,
    Light,
    Dark
};

GroundChoice groundChoice();
void setGroundChoice(GroundChoice choice);

/// What a person chooses for all sessions. Every change holds at once.
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

private:
    QComboBox* m_ground;
    QSpinBox* m_autosave;
    QLineEdit* m_store;
};

} // namespace pw::ui

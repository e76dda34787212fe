// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/keep/recovery.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace pw::ui {

class MainWindow;
class Page;
class SchedulePage;

/// Keeps copies of the window's changed schedules, some seconds after each change.
class Autosave : public QObject
{
    Q_OBJECT

public:
    Autosave(MainWindow& window, const QString& folder);

    Recovery& recovery() { return m_recovery; }
    /// Opens a found document as one with unsaved changes.
    bool recover(const Recovery::Found& found);
    /// Writes what is due now.
    void keepNow();

    /// Seconds from a change to its copy; 0: no copies. Of the settings.
    static int seconds();
    void setSeconds(int seconds);

private:
    struct Watched
    {
        int document = 0;
        bool changed = false;
    };

    void watch(SchedulePage* page);
    void noteChange(SchedulePage* page);
    void refuse(const QString& why);

    MainWindow& m_window;
    Recovery m_recovery;
    QHash<SchedulePage*, Watched> m_watched;
    QTimer m_timer;
    QString m_refused; ///< the last sentence, said once
    int m_adopted = 0; ///< document of the page that is being opened; 0: a new one
};

} // namespace pw::ui

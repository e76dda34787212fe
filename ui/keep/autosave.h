// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/keep/recovery.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <functional>

namespace pw::ui {

class ScheduleDocument;

/// Keeps copies of changed schedules, some seconds after each change.
class Autosave : public QObject
{
    Q_OBJECT

public:
    /// Opens a project that belongs to a file, or to none where the path is empty; whoever opens
    /// documents has them watched.
    using Opener = std::function<ScheduleDocument&(Project project, const QString& path)>;

    /// @param folder  of recovery, for all studios
    Autosave(const QString& folder, Opener open, QObject* parent = nullptr);

    Recovery& recovery() { return m_recovery; }
    /// Keeps copies of a document from now on.
    void watch(ScheduleDocument& document);
    /// The document closes, and its user has agreed: its copy goes.
    void forget(ScheduleDocument& document);
    /// A clean end: every copy goes.
    void end();
    /// Opens a found document as one with unsaved changes.
    bool recover(const Recovery::Found& found);
    /// Writes what is due now.
    void keepNow();

    /// Seconds from a change to its copy; 0: no copies. Of the settings.
    static int seconds();
    void setSeconds(int seconds);

Q_SIGNALS:
    /// Something could not be kept or recovered; a sentence for the user.
    void refused(const QString& sentence);

private:
    struct Watched
    {
        int number = 0; ///< of the recovery
        bool changed = false;
    };

    void noteChange(ScheduleDocument* document);
    void refuse(const QString& why);

    Opener m_open;
    Recovery m_recovery;
    QHash<ScheduleDocument*, Watched> m_watched;
    QTimer m_timer;
    QString m_refused; ///< the last sentence, said once
    int m_adopted = 0; ///< number of the document that is being opened; 0: a new one
};

} // namespace pw::ui

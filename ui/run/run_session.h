// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/run/calibration.h"
#include "ui/run/connection.h"
#include "ui/run/connection_test.h"
#include "ui/run/executor_client.h"
#include "ui/run/run_checks.h"
#include "ui/run/run_settings.h"

#include <QObject>
#include <QPointer>

#include <map>
#include <optional>
#include <vector>

namespace pw::ui {

/// Everything about sending schedules to executors: the connection, the settings, the checks, the
/// run that is under way. One run at a time.
class RunSession : public QObject
{
    Q_OBJECT

public:
    enum class Activity
    {
        Idle,
        Asking, ///< the connection is being tested
        Running,
        Calibrating
    };

    /// @param connections  outlives this
    explicit RunSession(Connections& connections, const ExecutorLimits& limits = {},
                        QObject* parent = nullptr);

    Connections& connections() { return m_connections; }
    ExecutorClient& client() { return m_client; }
    const ExecutorClient& client() const { return m_client; }
    Activity activity() const { return m_activity; }

    /// The schedule that runs would be of; null: none.
    void setDocument(ScheduleDocument* document);
    ScheduleDocument* document() const { return m_document; }
    /// The schedule of the run that is under way or was the last.
    ScheduleDocument* runDocument() const { return m_runDocument; }
    /// Name of the connection that it goes to.
    const QString& runConnection() const { return m_runConnection; }
    /// Why nothing can be measured now, in a sentence; empty: it can.
    QString whyNotCalibrate() const;

    const RunSettings& settings() const { return m_settings; }
    void setSettings(const RunSettings& settings);

    /// What the connection said when it was asked last; null: not asked yet.
    const ConnectionReport* report() const;
    void setReport(const Connection& connection, const ConnectionReport& report);
    /// Tests the connection.
    void ask();
    /// The backend that a run would be on; empty: not yet known.
    QString backend() const;

    /// What is known to be in the way, and what is worth knowing. @complexity O(passes)
    std::vector<RunCheck> checks() const;
    /// Why no run can be begun now, in a sentence; empty: it can. Quick.
    QString whyNotRun() const;

    /// The batch script that a run would be sent as, where the connection sends jobs to Slurm;
    /// else empty.
    QString jobScript() const;

    /// Sends the schedule; a connection that has not been asked yet is asked first.
    void run();
    /// Measures what passes take there and takes that over as the costs of the schedule.
    void calibrate();
    /// Ends what is under way.
    void stop();

Q_SIGNALS:
    /// Activity, settings, document or report are new.
    void changed();
    /// The run that is under way has come further.
    void progressed();
    /// A run was not begun, or something was not done: why and what to do.
    void refused(const QString& sentence);
    /// What was under way at the executor has failed, beside what `refused` says.
    /// @param said  what its program said, where that is not in the client's log
    /// @param why   what is wrong, where that is not in the log either
    void failed(const QStringList& said, const QString& why);
    void told(const QString& sentence);
    void runBegan();
    /// A run is in the store, finished or not.
    void runStored(qint64 number);

private:
    enum class Next
    {
        Nothing,
        Run,
        Calibrate
    };

    void takeReport(const ConnectionReport& report);
    void followConnection();
    void sayAsking();
    /// @param justAsked  the connection has answered a moment ago
    void begin(Next next, bool justAsked = false);
    void send(const QStringList& words);
    void endRun();
    void setActivity(Activity activity);
    QStringList modelArguments() const;
    QStringList runArguments() const;

    Connections& m_connections;
    ExecutorClient m_client;
    ConnectionTest m_test;
    Calibration m_calibration;
    Activity m_activity = Activity::Idle;
    Next m_next = Next::Nothing;
    QPointer<ScheduleDocument> m_document;
    QPointer<ScheduleDocument> m_runDocument;
    QString m_runConnection;
    QMetaObject::Connection m_listening;
    RunSettings m_settings;
    std::map<QString, ConnectionReport> m_reports; ///< by command line
    bool m_stopAsked = false;
};

} // namespace pw::ui

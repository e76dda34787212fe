// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/run/command_output.h"
#include "ui/run/connection.h"
#include "ui/run/connection_test.h"
#include "ui/run/executor_client.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <map>
#include <optional>
#include <vector>

class QThread;

namespace pw::ui {

/// What is asked of a run beside its schedule; kept in the settings.
struct RunSettings
{
    static constexpr int backendsWarmup = -1; ///< as many iterations as the backend needs

    QString backend = QStringLiteral("auto"); ///< auto, cpu, emulated, cuda
    QString size = QStringLiteral("small");   ///< of the model; as of `pipewright run --size`
    int iterations = 5;
    int warmup = backendsWarmup;
    /// Passes are measured briefly before the run, and the prediction is made of that; else of the
    /// costs of the schedule as it is.
    bool measureFirst = true;

    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

/// Something to know before a run is sent.
struct RunCheck
{
    bool blocks = false; ///< the run cannot be sent
    QString text;        ///< what is wrong, and what to do
};

/// The backend that `auto` stands for on an executor, for so many devices.
QString pickBackend(const Findings& findings, int devices);

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
    ~RunSession() override;

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
    void send();
    void sendCalibration();
    void takeCosts(const ProcessEnd& end, const QByteArray& output);
    void endRun();
    void setActivity(Activity activity);
    QStringList modelArguments() const;
    QStringList runArguments() const;

    Connections& m_connections;
    ExecutorClient m_client;
    ConnectionTest m_test;
    CommandOutput m_calibration;
    QThread* m_writing = nullptr;
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

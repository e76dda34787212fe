// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_recorder.h"
#include "executor/api/wire.h"
#include "ui/run/live_lanes.h"
#include "ui/run/run_news.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <memory>
#include <mutex>

class QProcess;

namespace pw::ui {

/// Time limits of an executor, in milliseconds.
struct ExecutorLimits
{
    int news = 50;      ///< the least time between two news
    int grace = 4000;   ///< from a polite stop to a signal, and from that to the end
    int quiet = 30'000; ///< without a word, after which it is said
};

/// The side of a run that never touches the window: lives in a thread of its own, starts the
/// executor, reads its wire, keeps the run in the store, and gathers news for whoever looks.
class ExecutorWorker : public QObject, private exec::WireListener
{
    Q_OBJECT

public:
    explicit ExecutorWorker(const ExecutorLimits& limits);
    ~ExecutorWorker() override;

    // Called from the worker's thread.
    void start(const RunRequest& request);
    void stop();
    void kill();
    /// Ends the executor now and waits for it, briefly.
    void abandon();

    // Called from any thread.
    RunNews take();
    /// Milliseconds since the executor said anything.
    qint64 silence() const;

Q_SIGNALS:
    /// There are news; said once until they are taken.
    void newsCame();

private:
    void hello(const exec::WireHello& hello) override;
    void started(const exec::WireStarted& started) override;
    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage> batch) override;
    void memory(std::span<const MemorySample> batch) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    void fault(const RunFault& fault) override;
    void finished(RunStatus status, const RunFigures& figures) override;
    void broken(std::int64_t line, const std::string& reason) override;

    void readOutput();
    void readErrors();
    void endProcess();
    void conclude(const ProcessEnd& end);
    void keep(const exec::WireStarted& started);
    void say(RunLine::Kind kind, const QString& text);
    void refuse(const Trouble& trouble);
    void publish();
    template<typename Change>
    void change(const Change& change);

    ExecutorLimits m_limits;
    RunRequest m_request;
    QProcess* m_process = nullptr;
    QTimer* m_grace = nullptr;
    QTimer* m_publishing = nullptr;
    std::unique_ptr<exec::WireReader> m_reader;
    std::unique_ptr<RunRecorder> m_recorder;
    std::unique_ptr<LiveLanes> m_lanes;
    QString m_errors;
    Trouble m_refusal; ///< why we ended it
    QString m_fault;   ///< the first that it told
    std::optional<RunStatus> m_status;
    bool m_saidHello = false;
    bool m_stopAsked = false;
    bool m_storeFailed = false;
    qint64 m_brokenShown = 0;

    std::mutex m_mutex; ///< of what follows
    RunNews m_news;
    bool m_announced = false;
    std::atomic<qint64> m_lastWord = 0; ///< on `m_clock`
    QElapsedTimer m_clock;
};

} // namespace pw::ui

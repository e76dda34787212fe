// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_recorder.h"
#include "executor/api/wire.h"
#include "ui/run/byte_lines.h"
#include "ui/run/live_lanes.h"
#include "ui/run/run_news.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <limits>
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
    /// The window closes: the store gets a moment for what it has, and nothing waits for it.
    void hurry();
    /// Milliseconds since the executor said anything.
    qint64 silence() const;

Q_SIGNALS:
    /// There are news; said once until they are taken.
    void newsCame();

private:
    void hello(const exec::WireHello& hello) override;
    void started(const exec::WireStarted& told) override;
    void passes(std::span<const RecordedPass> all) override;
    void messages(std::span<const RecordedMessage> all) override;
    void copies(std::span<const RecordedCopy> all) override;
    void gpus(std::span<const GpuReading> all) override;
    void memory(std::span<const MemorySample> all) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    void fault(const RunFault& fault) override;
    void finished(RunStatus status, const RunFigures& told) override;
    void broken(std::int64_t line, const std::string& reason) override;

    void readOutput();
    void readErrors();
    void tellErrors(const QStringList& lines);
    bool outOfTime() const;
    void endProcess();
    bool endsWithin(int milliseconds);
    void conclude(const ProcessEnd& end);
    void keep(const exec::WireStarted& started);
    template<typename Record>
    std::span<const Record> honest(std::span<const Record> batch, std::vector<Record>& kept);
    void say(RunLine::Kind kind, const QString& text);
    void refuse(const Trouble& trouble);
    void publish();
    template<typename Change>
    void change(const Change& change)
    {
        const std::lock_guard lock(m_mutex);
        change(m_news);
    }

    ExecutorLimits m_limits;
    RunRequest m_request;
    QProcess* m_process = nullptr;
    QTimer* m_grace = nullptr;
    QTimer* m_publishing = nullptr;
    std::unique_ptr<exec::WireReader> m_reader;
    std::mutex m_recorderMutex; ///< of the pointer, which only the worker's thread changes
    std::unique_ptr<RunRecorder> m_recorder;
    /// After which the store does nothing more; outlives the recorder's use of it.
    std::atomic<std::chrono::steady_clock::rep> m_storeEnd =
        std::numeric_limits<std::chrono::steady_clock::rep>::max();
    /// What the store has from then on; the executor's end takes some of the time too.
    static constexpr std::chrono::milliseconds storeTime{1100};
    std::atomic<bool> m_hurried = false;
    std::unique_ptr<LiveLanes> m_lanes;
    ByteLines m_errorLines;
    QString m_errors;  ///< the last of them
    Trouble m_refusal; ///< why we ended it
    QString m_fault;   ///< the first that it told
    std::optional<RunStatus> m_status;
    int m_ranks = 0; ///< 0: the run has not begun
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

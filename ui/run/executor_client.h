// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/run/executor_worker.h"
#include "ui/run/run_news.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <memory>

namespace pw::ui {

/// One run by an executor that is started for it. Whatever the executor does, the window's thread
/// never waits for it.
class ExecutorClient : public QObject
{
    Q_OBJECT

public:
    explicit ExecutorClient(const ExecutorLimits& limits = {}, QObject* parent = nullptr);
    /// Ends an executor that still runs; the run is kept as stopped.
    ~ExecutorClient() override;

    /// Starts a run. @pre  none is under way
    void start(const RunRequest& request);
    /// Asks it to stop; where it does not, it is ended after a grace. Asked again, at once.
    void stop();
    /// Somebody has been told of the silence and waits on: it is said again after twice the time.
    void waitOn();

    RunState state() const { return m_state; }
    bool stopAsked() const { return m_stopAsked; }
    const std::optional<RunOutline>& outline() const { return m_outline; }
    const Trouble& trouble() const { return m_trouble; }
    const std::optional<RunFigures>& figures() const { return m_figures; }
    /// What was said last of a queue that the run waits in: "Slurm: job 17 waits …"; empty:
    /// nothing.
    const QString& queue() const { return m_queue; }
    std::int32_t iteration() const { return m_iteration; }
    std::int64_t passes() const { return m_passes; }
    qint64 brokenLines() const { return m_broken; }
    /// As they come; of more than `mostLosses` a part, the last among them. The store has all.
    const std::vector<StepLoss>& losses() const { return m_losses; }
    static constexpr std::size_t mostLosses = 20'000;
    const IterationLanes& lanes() const { return m_lanes; }
    /// Number in the store; 0: the run is not kept.
    RunNumber stored() const { return m_stored; }
    /// Milliseconds that the executor has said nothing, beyond the limit; 0: it speaks.
    qint64 silence() const { return m_silence; }

Q_SIGNALS:
    /// State, iteration, silence or another number is new.
    void changed();
    void lossesChanged();
    void lanesChanged();
    /// @param leftOut  lines that came before these, too fast to be shown
    void logged(const std::vector<pw::ui::RunLine>& lines, qint64 leftOut);
    /// The run is over, whatever `state` says now; what could be kept is in the store.
    void ended();

private:
    void takeNews();
    void thinLosses();
    void listen();
    void leave();

    ExecutorLimits m_limits;
    QThread m_thread;
    ExecutorWorker* m_worker = nullptr;
    QTimer m_listening;
    qint64 m_patience = 0;
    qint64 m_silence = 0;
    RunState m_state = RunState::Idle;
    bool m_stopAsked = false;
    std::optional<RunOutline> m_outline;
    Trouble m_trouble;
    QString m_queue;
    std::optional<RunFigures> m_figures;
    std::int32_t m_iteration = 0;
    std::int64_t m_passes = 0;
    qint64 m_broken = 0;
    std::vector<StepLoss> m_losses;
    IterationLanes m_lanes;
    RunNumber m_stored = 0;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/wire.h"
#include "ui/run/byte_lines.h"
#include "ui/run/kept_run.h"
#include "ui/run/news_board.h"
#include "ui/run/run_listener.h"
#include "ui/run/run_news.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <memory>

class QProcess;

namespace pw::ui {

/// Time limits of an executor, in milliseconds.
struct ExecutorLimits
{
    int news = 50;      ///< the least time between two news
    int grace = 4000;   ///< from a polite stop to a signal, and from that to the end
    int quiet = 30'000; ///< without a word, after which it is said
};

/// The process of a run, and the side of it that never touches the window: lives in a thread of its
/// own, starts the executor, has its wire read, and says how it ended.
class ExecutorWorker : public QObject
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
    RunNews take() { return m_news.take(); }
    /// The window closes: the store gets a moment for what it has, and nothing waits for it.
    void hurry() { m_kept.hurry(); }
    /// Milliseconds since the executor said anything.
    qint64 silence() const;

Q_SIGNALS:
    /// There are news; said once until they are taken.
    void newsCame();

private:
    void readOutput();
    void readErrors();
    void tellErrors(const QStringList& lines);
    void endProcess();
    bool endsWithin(int milliseconds);
    void conclude(const ProcessEnd& end);
    void refuse(const Trouble& trouble);
    void publish();

    ExecutorLimits m_limits;
    RunRequest m_request;
    NewsBoard m_news;
    KeptRun m_kept;
    RunListener m_listener;
    QProcess* m_process = nullptr;
    QTimer* m_grace = nullptr;
    QTimer* m_publishing = nullptr;
    std::unique_ptr<exec::WireReader> m_reader;
    ByteLines m_errorLines;
    QString m_errors;  ///< the last of them
    Trouble m_refusal; ///< why we ended it
    bool m_stopAsked = false;
    std::atomic<qint64> m_lastWord = 0; ///< on `m_clock`
    QElapsedTimer m_clock;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/kept_answers.h"
#include "core/store/run_store.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>

namespace pw::ui {

/// The thread in which stores are read and changed, so that a window never waits for a file: work
/// is done in the order in which it is asked for, and answers come in the thread of this object.
class StoreThread : public QObject
{
    Q_OBJECT

public:
    explicit StoreThread(QObject* parent = nullptr);
    /// Waits for what was asked for, but not for longer than a person does.
    ~StoreThread() override;

    /// What is called in the thread of this object after the work.
    using Answer = std::function<void()>;
    /// @param context  without it the answer is dropped; lives in the thread of this object
    /// @param work     called in the store's thread
    void post(QObject* context, std::function<Answer()> work);

    /// Work with a store that is opened to read, or with why it could not be.
    using Reading = std::function<Answer(Result<RunStore>& store)>;
    void read(const QString& path, QObject* context, Reading work);

    /// Changes a store. @param refused  called with a sentence where that could not be done
    void change(const QString& path, QObject* context, std::function<Result<void>(RunStore&)> work,
                std::function<void(const QString& why)> refused);
    /// Likewise the answers that are kept in one.
    void changeAnswers(const QString& path, QObject* context,
                       std::function<Result<void>(AnswerStore&)> work,
                       std::function<void(const QString& why)> refused);

    /// How stores are opened in the thread: how long another program's lock is waited for.
    StoreOptions options() { return {.patience = patience, .end = &m_end}; }

private:
    static constexpr int patience = 1500; ///< milliseconds

    QThread m_thread;
    QObject* m_worker; ///< lives in the thread
    /// After which stores do nothing more, when the window closes.
    std::atomic<std::chrono::steady_clock::rep> m_end =
        std::numeric_limits<std::chrono::steady_clock::rep>::max();
};

} // namespace pw::ui

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
#include <map>
#include <memory>
#include <vector>

class QTimer;

namespace pw::ui {

/// What a row of a store's list stands for: a run by its number, a kept answer by its number with a
/// minus.
using KeptNumber = std::int64_t;

/// The runs of a store, and the answers kept beside them, for a window that never waits: the store
/// is read and changed in a thread of its own, results come as signals. A store that cannot be used
/// is told in a sentence and tried again on `refresh`.
///
/// What is deleted is hidden first; it is removed from the file when the history goes or turns to
/// another store, and until then the deletion can be undone.
class RunHistory : public QObject
{
    Q_OBJECT

public:
    /// @param path  of the store; need not be there: it then has no run
    explicit RunHistory(const QString& path, QObject* parent = nullptr);
    /// Removes what is hidden, and waits for it.
    ~RunHistory() override;

    const QString& path() const { return m_path; }
    /// Turns to another store.
    void setPath(const QString& path);

    /// Newest first, without what is hidden.
    const std::vector<StoredRun>& runs() const { return m_runs; }
    /// Null where there is no such run.
    const StoredRun* run(RunNumber number) const;
    /// Plans and comparisons, newest first, without what is hidden, and without their content.
    const std::vector<StoredAnswer>& answers() const { return m_answers; }
    /// Null where there is no such answer.
    const StoredAnswer* answer(std::int64_t number) const;
    /// Whether the store has answered once.
    bool answered() const { return m_answered; }
    /// Why the store cannot be read; empty where it can. `runs` are then those of before.
    const QString& problem() const { return m_problem; }

    void refresh();
    /// Looks now and then whether other programs have changed the store.
    void setWatching(bool watching);

    void rename(KeptNumber number, const QString& title);
    /// Replaces the notes.
    void annotate(KeptNumber number, const QString& notes);
    /// Hides runs and answers. Refused while one of them is still running, or where the store
    /// cannot be written.
    void remove(const std::vector<KeptNumber>& numbers);
    /// Brings the last ones hidden back; again, those before.
    void undoRemove();
    /// What `undoRemove` would bring back; empty: nothing.
    std::vector<KeptNumber> lastRemoved() const;

    /// Keeps an answer; `kept` or `refused` says how it went.
    void keep(NewAnswer answer);
    /// Reads an answer with its content. @param context  without it nothing is called
    void readAnswer(std::int64_t number, QObject* context,
                    std::function<void(Result<StoredAnswer>)> take);

    /// Work in the store's thread.
    /// @param work     called there, with the store opened to read, or why it could not be
    /// @return         what is then called in the caller's thread
    using Answer = std::function<void()>;
    using Work = std::function<Answer(Result<RunStore>& store)>;
    /// Does work after what was asked before. @param context  without it the answer is dropped
    void read(QObject* context, Work work) { readFrom(m_path, context, std::move(work)); }
    /// The same with another store.
    void readFrom(const QString& path, QObject* context, Work work);

Q_SIGNALS:
    /// Runs or problem are new.
    void changed();
    /// An answer was kept.
    void kept(qint64 number);
    /// Something asked for was refused, in a sentence.
    void refused(const QString& why);

private:
    class Worker;
    struct Listed;
    static constexpr int patience = 1500; ///< milliseconds for another program's lock

    void list(bool onlyIfChanged);
    Result<Listed> listOf(const QString& path);
    void take(Result<Listed> listed);
    void showPeaks();
    void askForPeaks();
    void change(const QString& path, std::function<Result<void>(RunStore&)> work);
    void changeAnswer(std::function<Result<void>(AnswerStore&)> work);
    bool hidden(KeptNumber number) const;
    void applyHidden();
    void purge();

    QString m_path;
    QThread m_thread;
    Worker* m_worker; ///< lives in the thread
    QTimer* m_timer;
    std::vector<StoredRun> m_runs;
    std::vector<StoredRun> m_all; ///< with hidden ones
    std::vector<StoredAnswer> m_answers;
    std::vector<StoredAnswer> m_allAnswers;        ///< with hidden ones
    std::vector<std::vector<KeptNumber>> m_hidden; ///< what each deletion hid
    std::map<RunNumber, Bytes> m_peaks; ///< of runs that are over, as far as they were read
    bool m_peaksAsked = false;
    QString m_problem;
    bool m_answered = false;
    bool m_asked = false; ///< a look is under way
    /// After which the store does nothing more, when the window closes.
    std::atomic<std::chrono::steady_clock::rep> m_end =
        std::numeric_limits<std::chrono::steady_clock::rep>::max();
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/runs/removed_rows.h"
#include "ui/runs/store_thread.h"

#include <functional>
#include <map>
#include <vector>

class QTimer;

namespace pw::ui {

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
    std::vector<KeptNumber> lastRemoved() const { return m_removed.last(); }

    /// Keeps an answer; `kept` or `refused` says how it went.
    void keep(NewAnswer answer);
    /// Reads an answer with its content. @param context  without it nothing is called
    void readAnswer(std::int64_t number, QObject* context,
                    std::function<void(Result<StoredAnswer>)> take);

    using Answer = StoreThread::Answer;
    /// Does work after what was asked before. @param context  without it the answer is dropped
    void read(QObject* context, StoreThread::Reading work)
    {
        readFrom(m_path, context, std::move(work));
    }
    /// The same with another store.
    void readFrom(const QString& path, QObject* context, StoreThread::Reading work)
    {
        m_store.read(path, context, std::move(work));
    }

Q_SIGNALS:
    /// Runs or problem are new.
    void changed();
    /// An answer was kept.
    void kept(qint64 number);
    /// Something asked for was refused, in a sentence.
    void refused(const QString& why);

private:
    struct Listed;

    void list(bool onlyIfChanged);
    void take(Result<Listed> listed);
    void showPeaks();
    void askForPeaks();
    void change(std::function<Result<void>(RunStore&)> work);
    void changeAnswers(std::function<Result<void>(AnswerStore&)> work);
    std::function<void(const QString& why)> refusal();
    void applyRemoved();
    void showWords(KeptNumber number, const std::string& words, std::string StoredRun::*ofRun,
                   std::string StoredAnswer::*ofAnswer);
    void purge();

    QString m_path;
    QTimer* m_timer;
    std::vector<StoredRun> m_runs;
    std::vector<StoredRun> m_all; ///< with removed ones
    std::vector<StoredAnswer> m_answers;
    std::vector<StoredAnswer> m_allAnswers; ///< with removed ones
    RemovedRows m_removed;
    std::map<RunNumber, Bytes> m_peaks; ///< of runs that are over, as far as they were read
    bool m_peaksAsked = false;
    QString m_problem;
    bool m_answered = false;
    bool m_asked = false; ///< a look is under way
    QString m_signature;  ///< of the store at the last list
    StoreThread m_store;  ///< goes first: it waits for what was asked for
};

} // namespace pw::ui

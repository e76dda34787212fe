// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_history.h"

#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"

#include <QDateTime>
#include <QFileInfo>
#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int lookInterval = 2000; ///< milliseconds

/// What a change of a store shows in: sizes and times of its file and of the log beside it.
QString signatureOf(const QString& path)
{
    QString signature;
    for (const QString& file : {path, path + QStringLiteral("-wal")}) {
        const QFileInfo info(file);
        signature +=
            QStringLiteral("%1 %2 ").arg(info.size()).arg(info.lastModified().toMSecsSinceEpoch());
    }
    return signature;
}

/// For what was asked of the store before the window closed.
constexpr std::chrono::milliseconds closingTime(1500);

} // namespace

/// What a store holds.
struct RunHistory::Listed
{
    std::vector<StoredRun> runs;
    std::vector<StoredAnswer> answers;
};

/// Lives in the thread; what it is told to do comes in order.
class RunHistory::Worker : public QObject
{
public:
    QString signature; ///< of the store at the last list
};

RunHistory::RunHistory(const QString& path, QObject* parent)
    : QObject(parent)
    , m_path(path)
    , m_worker(new Worker)
    , m_timer(new QTimer(this))
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("runs"));
    m_thread.start();
    m_timer->setInterval(lookInterval);
    connect(m_timer, &QTimer::timeout, this, [this] { list(true); });
}

RunHistory::~RunHistory()
{
    purge();
    // Behind everything that was asked for, but not for longer than a person waits.
    m_end = (std::chrono::steady_clock::now() + closingTime).time_since_epoch().count();
    QThread* thread = &m_thread;
    QMetaObject::invokeMethod(
        m_worker, [thread] { thread->quit(); }, Qt::QueuedConnection);
    m_thread.wait();
}

void RunHistory::setPath(const QString& path)
{
    if (path == m_path)
        return;
    purge();
    m_path = path;
    m_all.clear();
    m_runs.clear();
    m_allAnswers.clear();
    m_answers.clear();
    m_peaks.clear();
    m_problem.clear();
    m_answered = false;
    Q_EMIT changed();
    refresh();
}

const StoredRun* RunHistory::run(RunNumber number) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(), [number](const StoredRun& one) {
        return one.number == number;
    });
    return found == m_runs.end() ? nullptr : &*found;
}

bool RunHistory::hidden(KeptNumber number) const
{
    return std::any_of(m_hidden.begin(), m_hidden.end(),
                       [number](const std::vector<KeptNumber>& one) {
                           return std::find(one.begin(), one.end(), number) != one.end();
                       });
}

void RunHistory::applyHidden()
{
    m_runs.clear();
    std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(m_runs),
                 [this](const StoredRun& one) { return !hidden(one.number); });
    m_answers.clear();
    std::copy_if(m_allAnswers.begin(), m_allAnswers.end(), std::back_inserter(m_answers),
                 [this](const StoredAnswer& one) { return !hidden(-one.number); });
    Q_EMIT changed();
}

void RunHistory::readFrom(const QString& path, QObject* context, Work work)
{
    const QPointer<QObject> wanted(context);
    QMetaObject::invokeMethod(
        m_worker,
        [this, wanted, path, work = std::move(work)] {
            Answer answer;
            {
                Result<RunStore> store =
                    RunStore::openToRead(path.toStdString(), {.patience = patience, .end = &m_end});
                answer = work(store);
            }
            QMetaObject::invokeMethod(
                this,
                [wanted, answer = std::move(answer)] {
                    if (wanted != nullptr && answer)
                        answer();
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void RunHistory::refresh()
{
    list(false);
}

void RunHistory::setWatching(bool watching)
{
    if (watching == m_timer->isActive())
        return;
    if (watching)
        m_timer->start();
    else
        m_timer->stop();
}

/// In the store's thread.
Result<RunHistory::Listed> RunHistory::listOf(const QString& path)
{
    Listed listed;
    // Before the first run there is no store, which is nothing wrong.
    if (!QFileInfo::exists(path))
        return listed;
    const StoreOptions options{.patience = patience, .end = &m_end};
    Result<RunStore> store = RunStore::openToRead(path.toStdString(), options);
    if (!store)
        return fail(store.error());
    Result<std::vector<StoredRun>> runs = store->runs();
    if (!runs)
        return fail(runs.error());
    listed.runs = std::move(*runs);
    // A store of an older version has none.
    if (Result<AnswerStore> answers = AnswerStore::openToRead(path.toStdString(), options))
        listed.answers = answers->answers().value_or(std::vector<StoredAnswer>{});
    return listed;
}

void RunHistory::list(bool onlyIfChanged)
{
    if (onlyIfChanged && m_asked)
        return;
    // Of a run that goes on the file may not tell that it has ended: its program was killed.
    const bool anyRuns = std::any_of(m_all.begin(), m_all.end(), [](const StoredRun& run) {
        return run.status == RunStatus::Running;
    });
    const bool always = !onlyIfChanged || anyRuns || !m_problem.isEmpty();
    m_asked = true;
    QMetaObject::invokeMethod(
        m_worker,
        [this, worker = m_worker, path = m_path, always] {
            const QString signature = signatureOf(path);
            std::optional<Result<Listed>> listed;
            if (always || signature != worker->signature) {
                listed = listOf(path);
                worker->signature = signature;
            }
            QMetaObject::invokeMethod(
                this,
                [this, path, listed = std::move(listed)]() mutable {
                    m_asked = false;
                    if (listed && path == m_path)
                        take(std::move(*listed));
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void RunHistory::take(Result<Listed> listed)
{
    m_answered = true;
    m_problem = listed ? QString() : coreSentence(listed.error().message);
    // Whoever holds the store now is done in a while, also where nobody watches.
    if (!listed)
        QTimer::singleShot(lookInterval, this, [this] { list(true); });
    if (listed) {
        m_all = std::move(listed->runs);
        m_allAnswers = std::move(listed->answers);
    }
    showPeaks();
    applyHidden();
    askForPeaks();
}

void RunHistory::change(const QString& path, std::function<Result<void>(RunStore&)> work)
{
    QMetaObject::invokeMethod(
        m_worker,
        [this, path, work = std::move(work)] {
            Result<void> done;
            if (Result<RunStore> store =
                    RunStore::open(path.toStdString(), {.patience = patience, .end = &m_end}))
                done = work(*store);
            else
                done = fail(store.error());
            if (done)
                return;
            QMetaObject::invokeMethod(
                this,
                [this, path, why = coreSentence(done.error().message)] {
                    if (path != m_path)
                        return;
                    Q_EMIT refused(why);
                    refresh();
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void RunHistory::rename(KeptNumber number, const QString& title)
{
    if (number < 0) {
        for (std::vector<StoredAnswer>* answers : {&m_allAnswers, &m_answers})
            for (StoredAnswer& answer : *answers)
                if (answer.number == -number)
                    answer.title = title.toStdString();
        Q_EMIT changed();
        return changeAnswer([number, title = title.toStdString()](AnswerStore& store) {
            return store.rename(-number, title);
        });
    }
    for (std::vector<StoredRun>* runs : {&m_all, &m_runs})
        for (StoredRun& run : *runs)
            if (run.number == number)
                run.title = title.toStdString();
    Q_EMIT changed();
    change(m_path, [number, title = title.toStdString()](RunStore& store) {
        return store.rename(number, title);
    });
}

void RunHistory::annotate(KeptNumber number, const QString& notes)
{
    if (number < 0) {
        for (std::vector<StoredAnswer>* answers : {&m_allAnswers, &m_answers})
            for (StoredAnswer& answer : *answers)
                if (answer.number == -number)
                    answer.notes = notes.toStdString();
        Q_EMIT changed();
        return changeAnswer([number, notes = notes.toStdString()](AnswerStore& store) {
            return store.annotate(-number, notes);
        });
    }
    for (std::vector<StoredRun>* runs : {&m_all, &m_runs})
        for (StoredRun& run : *runs)
            if (run.number == number)
                run.notes = notes.toStdString();
    Q_EMIT changed();
    change(m_path, [number, notes = notes.toStdString()](RunStore& store) {
        return store.annotate(number, notes);
    });
}

void RunHistory::remove(const std::vector<KeptNumber>& numbers)
{
    for (const KeptNumber number : numbers) {
        const StoredRun* one = run(number);
        if (one != nullptr && one->status == RunStatus::Running) {
            Q_EMIT refused(tr("Run %1 is still running. Stop it first.").arg(number));
            return;
        }
    }
    if (numbers.empty())
        return;
    m_hidden.push_back(numbers);
    applyHidden();
    // Whether the store takes it is known now, not when it is too late to say so.
    QMetaObject::invokeMethod(
        m_worker,
        [this, path = m_path, numbers] {
            const Result<RunStore> store =
                RunStore::open(path.toStdString(), {.patience = patience, .end = &m_end});
            if (store)
                return;
            QMetaObject::invokeMethod(
                this,
                [this, path, numbers, why = coreSentence(store.error().message)] {
                    const auto at = std::find(m_hidden.begin(), m_hidden.end(), numbers);
                    if (path != m_path || at == m_hidden.end())
                        return;
                    m_hidden.erase(at);
                    applyHidden();
                    Q_EMIT refused(why);
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void RunHistory::undoRemove()
{
    if (m_hidden.empty())
        return;
    m_hidden.pop_back();
    applyHidden();
}

std::vector<KeptNumber> RunHistory::lastRemoved() const
{
    return m_hidden.empty() ? std::vector<KeptNumber>{} : m_hidden.back();
}

void RunHistory::purge()
{
    std::vector<RunNumber> runs;
    std::vector<std::int64_t> answers;
    for (const std::vector<KeptNumber>& one : m_hidden)
        for (const KeptNumber number : one)
            number < 0 ? answers.push_back(-number) : runs.push_back(number);
    m_hidden.clear();
    if (!runs.empty())
        change(m_path, [runs](RunStore& store) {
            Result<void> done;
            for (const RunNumber number : runs)
                if (const Result<void> one = store.remove(number); !one)
                    done = one;
            return done;
        });
    if (!answers.empty())
        changeAnswer([answers](AnswerStore& store) {
            Result<void> done;
            for (const std::int64_t number : answers)
                if (const Result<void> one = store.remove(number); !one)
                    done = one;
            return done;
        });
}

} // namespace pw::ui

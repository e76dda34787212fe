// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_history.h"

#include "core/base/try.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"

#include <QDateTime>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <optional>
#include <utility>

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

} // namespace

/// What a store holds.
struct RunHistory::Listed
{
    std::vector<StoredRun> runs;
    std::vector<StoredAnswer> answers;

    /// Read in the store's thread.
    static Result<Listed> of(const QString& path, const StoreOptions& options);
};

RunHistory::RunHistory(const QString& path, QObject* parent)
    : QObject(parent)
    , m_path(path)
    , m_timer(new QTimer(this))
{
    m_timer->setInterval(lookInterval);
    connect(m_timer, &QTimer::timeout, this, [this] { list(true); });
}

RunHistory::~RunHistory()
{
    purge();
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

const StoredAnswer* RunHistory::answer(std::int64_t number) const
{
    const auto found =
        std::find_if(m_answers.begin(), m_answers.end(),
                     [number](const StoredAnswer& one) { return one.number == number; });
    return found == m_answers.end() ? nullptr : &*found;
}

void RunHistory::applyRemoved()
{
    m_runs.clear();
    std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(m_runs),
                 [this](const StoredRun& one) { return !m_removed.holds(one.number); });
    m_answers.clear();
    std::copy_if(m_allAnswers.begin(), m_allAnswers.end(), std::back_inserter(m_answers),
                 [this](const StoredAnswer& one) { return !m_removed.holds(-one.number); });
    Q_EMIT changed();
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

Result<RunHistory::Listed> RunHistory::Listed::of(const QString& path, const StoreOptions& options)
{
    Listed listed;
    // Before the first run there is no store, which is nothing wrong.
    if (!QFileInfo::exists(path))
        return listed;
    PW_TRY(RunStore store, RunStore::openToRead(path.toStdString(), options));
    PW_TRY(listed.runs, store.runs());
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
    m_store.post(this, [this, path = m_path, always, known = m_signature]() -> Answer {
        const QString signature = signatureOf(path);
        std::optional<Result<Listed>> listed;
        if (always || signature != known)
            listed = Listed::of(path, m_store.options());
        return [this, path, signature, listed = std::move(listed)]() mutable {
            m_asked = false;
            if (!listed || path != m_path)
                return;
            m_signature = signature;
            take(std::move(*listed));
        };
    });
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
    applyRemoved();
    askForPeaks();
}

/// A change of the present store that could not be done is told, unless another one is shown then.
std::function<void(const QString& why)> RunHistory::refusal()
{
    return [this, path = m_path](const QString& why) {
        if (path != m_path)
            return;
        Q_EMIT refused(why);
        refresh();
    };
}

void RunHistory::change(std::function<Result<void>(RunStore&)> work)
{
    m_store.change(m_path, this, std::move(work), refusal());
}

void RunHistory::changeAnswers(std::function<Result<void>(AnswerStore&)> work)
{
    m_store.changeAnswers(m_path, this, std::move(work), refusal());
}

/// What is typed is seen at once; the store follows.
void RunHistory::showWords(KeptNumber number, const std::string& words,
                           std::string StoredRun::*ofRun, std::string StoredAnswer::*ofAnswer)
{
    for (std::vector<StoredRun>* runs : {&m_all, &m_runs})
        for (StoredRun& run : *runs)
            if (run.number == number)
                run.*ofRun = words;
    for (std::vector<StoredAnswer>* answers : {&m_allAnswers, &m_answers})
        for (StoredAnswer& answer : *answers)
            if (answer.number == -number)
                answer.*ofAnswer = words;
    Q_EMIT changed();
}

void RunHistory::rename(KeptNumber number, const QString& title)
{
    const std::string words = title.toStdString();
    showWords(number, words, &StoredRun::title, &StoredAnswer::title);
    if (number < 0)
        changeAnswers([number, words](AnswerStore& store) { return store.rename(-number, words); });
    else
        change([number, words](RunStore& store) { return store.rename(number, words); });
}

void RunHistory::annotate(KeptNumber number, const QString& notes)
{
    const std::string words = notes.toStdString();
    showWords(number, words, &StoredRun::notes, &StoredAnswer::notes);
    if (number < 0)
        changeAnswers(
            [number, words](AnswerStore& store) { return store.annotate(-number, words); });
    else
        change([number, words](RunStore& store) { return store.annotate(number, words); });
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
    m_removed.add(numbers);
    applyRemoved();
    // Whether the store takes it is known now, not when it is too late to say so.
    m_store.change(
        m_path, this, [](RunStore&) { return Result<void>(); },
        [this, path = m_path, numbers](const QString& why) {
            if (path != m_path || !m_removed.takeBack(numbers))
                return;
            applyRemoved();
            Q_EMIT refused(why);
        });
}

void RunHistory::undoRemove()
{
    if (m_removed.takeBack(m_removed.last()))
        applyRemoved();
}

void RunHistory::purge()
{
    std::vector<RunNumber> runs;
    std::vector<std::int64_t> answers;
    for (const KeptNumber number : m_removed.takeAll())
        number < 0 ? answers.push_back(-number) : runs.push_back(number);
    if (!runs.empty())
        change([runs](RunStore& store) {
            Result<void> done;
            for (const RunNumber number : runs)
                if (const Result<void> one = store.remove(number); !one)
                    done = one;
            return done;
        });
    if (!answers.empty())
        changeAnswers([answers](AnswerStore& store) {
            Result<void> done;
            for (const std::int64_t number : answers)
                if (const Result<void> one = store.remove(number); !one)
                    done = one;
            return done;
        });
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/store_thread.h"

#include "core/base/try.h"
#include "ui/core_sentences.h"

#include <QPointer>

#include <utility>

namespace pw::ui {

namespace {

/// For what was asked of the store before the window closed.
constexpr std::chrono::milliseconds closingTime(1500);

} // namespace

StoreThread::StoreThread(QObject* parent)
    : QObject(parent)
    , m_worker(new QObject)
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("runs"));
    m_thread.start();
}

StoreThread::~StoreThread()
{
    m_end = (std::chrono::steady_clock::now() + closingTime).time_since_epoch().count();
    QThread* thread = &m_thread;
    QMetaObject::invokeMethod(
        m_worker, [thread] { thread->quit(); }, Qt::QueuedConnection);
    m_thread.wait();
}

void StoreThread::post(QObject* context, std::function<Answer()> work)
{
    const QPointer<QObject> wanted(context);
    QMetaObject::invokeMethod(
        m_worker,
        [this, wanted, work = std::move(work)] {
            QMetaObject::invokeMethod(
                this,
                [wanted, answer = work()] {
                    if (wanted != nullptr && answer)
                        answer();
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void StoreThread::read(const QString& path, QObject* context, Reading work)
{
    post(context, [this, path, work = std::move(work)] {
        Result<RunStore> store = RunStore::openToRead(path.toStdString(), options());
        return work(store);
    });
}

void StoreThread::change(const QString& path, QObject* context,
                         std::function<Result<void>(RunStore&)> work,
                         std::function<void(const QString& why)> refused)
{
    post(context, [this, path, work = std::move(work), refused = std::move(refused)]() -> Answer {
        const Result<void> done = [&]() -> Result<void> {
            PW_TRY(RunStore store, RunStore::open(path.toStdString(), options()));
            return work(store);
        }();
        if (done)
            return {};
        return [refused, why = coreSentence(done.error().message)] { refused(why); };
    });
}

void StoreThread::changeAnswers(const QString& path, QObject* context,
                                std::function<Result<void>(AnswerStore&)> work,
                                std::function<void(const QString& why)> refused)
{
    // The store itself is made by whoever opens it to change runs.
    change(
        path, context,
        [this, path, work = std::move(work)](RunStore&) -> Result<void> {
            PW_TRY(AnswerStore store, AnswerStore::open(path.toStdString(), options()));
            return work(store);
        },
        std::move(refused));
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/background.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThread>
#include <QThreadPool>

#include <memory>

namespace pw::ui {

QThreadPool& workers()
{
    static const QPointer<QThreadPool> pool = [] {
        // Some searches are long, and a file is to be read meanwhile.
        constexpr int more = 4;
        auto* made = new QThreadPool(QCoreApplication::instance());
        made->setMaxThreadCount(QThread::idealThreadCount() + more);
        return made;
    }();
    return *pool;
}

void inBackground(QObject* context, std::function<std::function<void()>()> work)
{
    // Outlives both sides: the context may go while the work is done.
    const std::shared_ptr<QObject> letterBox(new QObject, [](QObject* box) {
        // An answer that is still in the queue goes while the application locks it to clear it:
        // nothing can be put there then.
        if (QCoreApplication::closingDown())
            delete box;
        else
            box->deleteLater();
    });
    const QPointer<QObject> wanted(context);
    workers().start([letterBox, wanted, work = std::move(work)] {
        QMetaObject::invokeMethod(
            letterBox.get(),
            [letterBox, wanted, answer = work()] {
                if (wanted != nullptr)
                    answer();
            },
            Qt::QueuedConnection);
    });
}

} // namespace pw::ui

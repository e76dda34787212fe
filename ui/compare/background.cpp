// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/background.h"

#include <QPointer>
#include <QThreadPool>

#include <memory>

namespace pw::ui {

void inBackground(QObject* context, std::function<std::function<void()>()> work)
{
    // Outlives both sides: the context may go while the work is done.
    const std::shared_ptr<QObject> letterBox(new QObject, [](QObject* box) { box->deleteLater(); });
    const QPointer<QObject> wanted(context);
    QThreadPool::globalInstance()->start([letterBox, wanted, work = std::move(work)] {
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

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/background.h"

#include "ui/plain_text.h"

#include <QApplication>
#include <QMessageBox>
#include <QPointer>
#include <QThread>
#include <QThreadPool>

#include <exception>
#include <memory>
#include <new>

namespace pw::ui {

namespace {

/// What the work gives; where it throws, an answer that says so. An exception that left its thread
/// would end the program.
std::function<void()> answerOf(const std::function<std::function<void()>()>& work)
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return [] { tellGivenUp(QCoreApplication::translate("Background", "out of memory")); };
    } catch (const std::exception& problem) {
        return [what = QString::fromUtf8(problem.what())] { tellGivenUp(what); };
    }
}

} // namespace

void tellGivenUp(const QString& why)
{
    qWarning("%s", qUtf8Printable(why));
    QMessageBox* box = plainBox(
        QApplication::activeWindow(), QCoreApplication::translate("Background", "Given up"),
        QCoreApplication::translate("Background", "What was being done was given up: %1.")
            .arg(why));
    box->setIcon(QMessageBox::Critical);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

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
            [letterBox, wanted, answer = answerOf(work)] {
                if (wanted != nullptr)
                    answer();
            },
            Qt::QueuedConnection);
    });
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QObject>
#include <QString>

#include <functional>

class QThreadPool;

namespace pw::ui {

/// Threads for long work. Qt's own pool is not for it: painting takes threads from there and waits
/// for them. Gone with the application, which waits for what is still at work.
QThreadPool& workers();

/// Says that something was not done, and why: a word or a part of a sentence.
void tellGivenUp(const QString& why);

/// Does work in another thread, and then in this one what the work returns.
///
/// @param context  without it the answer is dropped; lives in the calling thread
/// @param work     shares nothing that can change meanwhile; where it throws, that is said in place
///                 of its answer
void inBackground(QObject* context, std::function<std::function<void()>()> work);

} // namespace pw::ui

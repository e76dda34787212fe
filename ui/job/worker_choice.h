// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_views.h"

#include <QObject>

#include <optional>

namespace pw::ui {

/// The worker that all pictures of workers have in common. They tell it what a person does in them
/// and follow what is current; whoever listens has one place to do so.
class WorkerChoice : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    const std::optional<Worker>& current() const { return m_current; }
    void setCurrent(const std::optional<Worker>& worker);

    /// A person has clicked a worker, or gone to it by key. What is current does not change by it:
    /// the page shows the worker first.
    void choose(const Worker& worker) { Q_EMIT chosen(worker); }
    /// A double click, or Enter.
    void open(const Worker& worker) { Q_EMIT opened(worker); }
    void openCurrent();
    /// What is under the mouse; empty: nothing.
    void tell(const QString& sentence) { Q_EMIT told(sentence); }

Q_SIGNALS:
    void currentChanged();
    void chosen(const pw::Worker& worker);
    /// All of its rank is to be shown.
    void opened(const pw::Worker& worker);
    void told(const QString& sentence);

private:
    std::optional<Worker> m_current;
};

} // namespace pw::ui

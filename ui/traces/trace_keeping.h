// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/activity_store.h"

#include <QObject>
#include <QString>

#include <memory>

class QTimer;

namespace pw::ui {

/// A trace that is being written into the store in a worker: how far it is, and a way to stop it.
/// Where it goes away before the work is done, the work stops and keeps nothing.
class TraceKeeping : public QObject
{
    Q_OBJECT

public:
    explicit TraceKeeping(QObject* parent = nullptr);
    ~TraceKeeping() override;

    /// What the worker asks; any thread, and it may outlive this.
    KeepOn goOn() const;
    /// Nothing is to be kept; the worker answers when it has stopped.
    void stop();
    bool stopped() const;

    /// Of 1000.
    int thousandths() const;
    /// "312 MiB of about 690 MiB written".
    QString sentence() const;

Q_SIGNALS:
    /// Progress is new; several times a second.
    void progressed();

private:
    struct State;

    std::shared_ptr<State> m_state;
    QTimer* m_timer;
};

} // namespace pw::ui

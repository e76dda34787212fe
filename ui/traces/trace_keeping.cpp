// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/trace_keeping.h"

#include "core/base/text.h"
#include "ui/text.h"

#include <QTimer>

#include <atomic>

namespace pw::ui {

namespace {

constexpr int keptSteps = 1000;

} // namespace

/// What the worker and the window share; outlives both.
struct TraceKeeping::State
{
    std::atomic<bool> stop{false};
    std::atomic<bool> writing{false};
    std::atomic<double> part{0};
    std::atomic<Bytes> written{0};
};

TraceKeeping::TraceKeeping(QObject* parent)
    : QObject(parent)
    , m_state(std::make_shared<State>())
    , m_timer(new QTimer(this))
{
    constexpr int interval = 100; // milliseconds
    m_timer->setInterval(interval);
    connect(m_timer, &QTimer::timeout, this, &TraceKeeping::progressed);
    m_timer->start();
}

TraceKeeping::~TraceKeeping()
{
    m_state->stop = true;
}

KeepOn TraceKeeping::goOn() const
{
    return [state = m_state](const KeepProgress& now) {
        state->part = now.part;
        state->written = now.written;
        state->writing = true;
        return !state->stop;
    };
}

void TraceKeeping::stop()
{
    m_state->stop = true;
    Q_EMIT progressed();
}

bool TraceKeeping::stopped() const
{
    return m_state->stop;
}

int TraceKeeping::thousandths() const
{
    return static_cast<int>(keptSteps * m_state->part);
}

QString TraceKeeping::sentence() const
{
    if (m_state->stop)
        return tr("Stopping: what was written is taken back…");
    if (!m_state->writing)
        return tr("Putting the passes in order…");
    const double part = m_state->part;
    const Bytes written = m_state->written;
    if (part >= 1)
        return tr("%1 written; closing the store…").arg(text(byteText(written)));
    // How much it will be is a guess at first.
    constexpr double soonest = 0.02;
    if (part < soonest)
        return tr("%1 written").arg(text(byteText(written)));
    return tr("%1 of about %2 written")
        .arg(text(byteText(written)),
             text(byteText(static_cast<Bytes>(static_cast<double>(written) / part))));
}

} // namespace pw::ui

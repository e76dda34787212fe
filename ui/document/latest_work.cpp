// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/latest_work.h"

#include "ui/document/background.h"

namespace pw::ui {

LatestWork::LatestWork(QObject* parent)
    : QObject(parent)
{
    constexpr int tickMs = 120;
    m_timer.setInterval(tickMs);
    connect(&m_timer, &QTimer::timeout, this, &LatestWork::tick);
}

LatestWork::~LatestWork()
{
    if (m_flag)
        *m_flag = true;
}

void LatestWork::begin(Work work)
{
    if (m_flag)
        *m_flag = true;
    m_flag = std::make_shared<std::atomic<bool>>(false);
    m_timer.start();
    Q_EMIT changed();
    inBackground(this, [this, flag = m_flag, work = std::move(work)]() -> std::function<void()> {
        Answer answer;
        // Nobody waits any more for what begins after it was dropped.
        if (!*flag)
            answer = work(*flag);
        return [this, flag, answer = std::move(answer)] {
            if (m_flag != flag)
                return;
            m_flag = nullptr;
            m_timer.stop();
            if (answer)
                answer();
            Q_EMIT changed();
        };
    });
}

void LatestWork::stop()
{
    if (!m_flag || *m_flag)
        return;
    *m_flag = true;
    Q_EMIT changed();
}

void LatestWork::drop()
{
    if (!m_flag)
        return;
    *m_flag = true;
    m_flag = nullptr;
    m_timer.stop();
    Q_EMIT changed();
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/worker_choice.h"

namespace pw::ui {

void WorkerChoice::setCurrent(const std::optional<Worker>& worker)
{
    m_current = worker;
    Q_EMIT currentChanged();
}

void WorkerChoice::openCurrent()
{
    if (m_current)
        open(*m_current);
}

} // namespace pw::ui

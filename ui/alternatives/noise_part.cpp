// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/noise_part.h"

#include "ui/noise/noise_panel.h"

#include <QVBoxLayout>

namespace pw::ui {

NoisePart::NoisePart(QWidget* parent)
    : QWidget(parent)
    , m_study(this)
    , m_panel(new NoisePanel(m_study, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panel);
    connect(m_panel, &NoisePanel::modelChanged, this, [this] {
        look();
        Q_EMIT modelChanged();
    });
}

NoiseModel NoisePart::model() const
{
    return m_panel->model();
}

void NoisePart::set(const Alternative& row)
{
    m_schedule.reset();
    QString why = row.problem;
    const bool made = why.isEmpty();
    if (made && row.ranked != nullptr && row.ranked->schedule != nullptr) {
        m_schedule = row.ranked->schedule;
        m_costs = row.ranked->costs;
    } else if (made && row.ranked != nullptr && row.made()) {
        why = tr("%1 has too many passes to be looked at here; open it.").arg(row.name);
    } else if (made && row.timeline != nullptr && row.timeline->costs != nullptr) {
        m_schedule = row.timeline->schedule;
        m_costs = *row.timeline->costs;
    } else if (made && row.timeline != nullptr) {
        why = tr("%1 was measured: its noise is in it already. Choose a schedule.").arg(row.name);
    }
    m_panel->setProblem(why);
    look();
}

void NoisePart::look()
{
    m_study.set(m_schedule, m_costs, m_panel->model());
}

} // namespace pw::ui

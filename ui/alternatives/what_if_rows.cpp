// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/what_if_rows.h"

#include "ui/alternatives/what_if_part.h"

#include <utility>

namespace pw::ui {

WhatIfRows::WhatIfRows(AlternativeRows& rows, WhatIfPart& part, QObject* parent)
    : QObject(parent)
    , m_rows(rows)
    , m_part(part)
{
    connect(&part, &WhatIfPart::predicted, this, &WhatIfRows::take);
    connect(&part, &WhatIfPart::keepRequested, this, [this] {
        m_predicted = 0; // it stays as it is
        take();
    });
}

void WhatIfRows::whenWanted(std::function<void()> make)
{
    m_make = std::move(make);
    setWanted(m_wanted);
}

void WhatIfRows::setWanted(bool wanted)
{
    m_wanted = wanted;
    if (!wanted)
        return;
    if (m_make != nullptr)
        std::exchange(m_make, nullptr)();
    if (m_predicted != 0)
        Q_EMIT shown(m_base != 0 ? std::vector<int>{m_base, m_predicted}
                                 : std::vector<int>{m_predicted});
}

void WhatIfRows::setBase(std::shared_ptr<const WhatIfBase> base, ComparedPtr before)
{
    if (m_base == 0)
        m_base = m_rows.add(AlternativeKind::Schedule, before->title);
    m_rows.set(m_base, before);
    m_part.setBase(std::move(base), std::move(before));
}

void WhatIfRows::setProblem(const QString& why)
{
    m_part.setProblem(why);
    take();
}

void WhatIfRows::take()
{
    if (m_predicted == 0) {
        m_predicted = m_rows.add(AlternativeKind::WhatIf, tr("what if"));
        setWanted(m_wanted);
    }
    if (m_part.after() != nullptr)
        m_rows.set(m_predicted, m_part.after());
    else
        m_rows.setProblem(m_predicted, m_part.refusal());
}

Project WhatIfRows::project(const QString& name) const
{
    const Prediction& made = *m_part.prediction();
    Project project;
    project.draft = draftOf(made.schedule);
    project.costs = made.costs;
    project.title = tr("%1: %2").arg(name, m_part.after()->title).toStdString();
    project.notes = m_part.sentence().toStdString();
    return project;
}

} // namespace pw::ui

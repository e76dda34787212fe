// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/improve_part.h"

#include "ui/compare/compared_schedule.h"
#include "ui/document/schedule_document.h"
#include "ui/improve/improve_panel.h"

#include <QLabel>
#include <QVBoxLayout>

namespace pw::ui {

ImprovePart::ImprovePart(QWidget* parent)
    : QWidget(parent)
    , m_none(new QLabel(tr("Better orders are searched for an open schedule: open a row, and ask "
                           "for its alternatives."),
                        this))
{
    m_none->setWordWrap(true);
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_none);
}

void ImprovePart::set(Improver& improver, ScheduleDocument* document)
{
    m_improver = &improver;
    m_document = document;
    if (document == nullptr || m_panel != nullptr)
        return;
    m_none->hide();
    m_panel = new ImprovePanel(improver, this);
    m_panel->setDocument(document);
    layout()->addWidget(m_panel);
    connect(m_panel, &ImprovePanel::startAsked, this, &ImprovePart::start);
    connect(&improver, &Improver::changed, this, &ImprovePart::note);
    // Undone, edited, closed: what the button can do is another thing then.
    connect(document, &ScheduleDocument::resultChanged, m_panel,
            [this] { m_panel->setDocument(m_document); });
    connect(document, &QObject::destroyed, m_panel, [this] { m_panel->setDocument(nullptr); });
    note();
}

void ImprovePart::start()
{
    if (m_improver == nullptr || m_document == nullptr)
        return;
    if (const QString why = m_improver->whyNot(m_document); !why.isEmpty())
        m_panel->say(why, true);
    else
        m_improver->start(*m_document, keptWish());
}

void ImprovePart::note()
{
    if (m_document == nullptr || m_improver->document() != m_document)
        return;
    const std::vector<ImproveStep>& steps = m_improver->state().steps;
    if (steps.size() <= m_steps || m_document->schedule() == nullptr) {
        m_steps = steps.size(); // another search begins with none
        return;
    }
    m_steps = steps.size();
    const ComparedPtr order = comparedSchedule(
        *m_document, tr("found after %1 s").arg(QString::number(steps.back().seconds, 'f', 2)));
    if (order != nullptr)
        Q_EMIT found(order);
}

} // namespace pw::ui

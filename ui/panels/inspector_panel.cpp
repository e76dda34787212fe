// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/inspector_panel.h"

#include "ui/panels/pass_rows.h"
#include "ui/presentation.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QLabel* addHeading(QWidget* parent, const QString& title)
{
    auto* heading = new QLabel(title, parent);
    QFont bold = heading->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(bold);
    parent->layout()->addWidget(heading);
    return heading;
}

QLabel* addBody(QWidget* parent, const QString& name, const QString& accessibleName)
{
    auto* body = new QLabel(parent);
    body->setObjectName(name);
    body->setTextFormat(Qt::RichText);
    body->setWordWrap(true);
    body->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    body->setAccessibleName(accessibleName);
    parent->layout()->addWidget(body);
    return body;
}

} // namespace

InspectorPanel::InspectorPanel(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(4);
    m_heading = addHeading(this, tr("Selected pass"));
    m_pass = addBody(this, QStringLiteral("selected-pass"), tr("Selected pass"));
    layout->addSpacing(12);
    addHeading(this, tr("Against"));
    m_against = addBody(this, QStringLiteral("against"), tr("Against"));
    layout->addStretch(1);
    connect(&m_finder, &Finder::found, this, &InspectorPanel::showAll);
}

void InspectorPanel::setDocument(ScheduleDocument* document)
{
    if (document == m_document)
        return;
    disconnect(m_connection);
    m_document = document;
    m_spans.clear();
    if (document != nullptr)
        m_connection = connect(document, &ScheduleDocument::resultChanged, this, [this] {
            find();
            showAll();
        });
    find();
    showAll();
}

void InspectorPanel::setSelection(const std::vector<SpanRef>& spans)
{
    m_spans = spans;
    showPasses();
}

void InspectorPanel::pin(const ScheduleDocument* document)
{
    m_pinned.reset();
    if (document != nullptr && document->schedule() != nullptr)
        m_pinned = pinnedOf(*document);
    showAgainst();
}

void InspectorPanel::findAgain()
{
    find();
    showAll();
}

bool InspectorPanel::complete() const
{
    return !m_document || m_document->schedule() == nullptr || m_finder.findings() != nullptr;
}

void InspectorPanel::find()
{
    if (!m_document || m_document->schedule() == nullptr)
        m_finder.forget();
    else
        m_finder.find(m_document->schedule(), m_document->costs(), m_document->result());
}

void InspectorPanel::showAll()
{
    showPasses();
    showAgainst();
}

void InspectorPanel::showPasses()
{
    std::vector<SpanRef> spans;
    if (m_document)
        std::copy_if(m_spans.begin(), m_spans.end(), std::back_inserter(spans),
                     [this](SpanRef span) { return m_document->lanes()->holds(span); });
    const auto count = static_cast<int>(spans.size());
    m_heading->setText(count > 1 ? tr("%1 selected passes").arg(count) : tr("Selected pass"));
    if (!m_document)
        m_pass->setText(quiet(tr("No schedule is open.")));
    else if (spans.empty())
        m_pass->setText(quiet(tr("None. Click a pass, or walk with the arrow keys.")));
    else if (spans.size() == 1)
        m_pass->setText(tableOf(passRows(*m_document, spans.front(), m_finder.findings().get())));
    else
        m_pass->setText(tableOf(selectionRows(*m_document, spans, m_finder.findings().get())));
}

void InspectorPanel::showAgainst()
{
    if (!m_document) {
        m_against->clear();
        return;
    }
    if (m_document->schedule() == nullptr) {
        m_against->setText(quiet(m_document->times().ring.empty()
                                     ? tr("Known once every pass has its place.")
                                     : tr("Nothing ends: devices wait for each other in a "
                                          "ring.")));
        return;
    }
    const ScheduleFindings* found = m_finder.findings().get();
    std::vector<NumberRow> rows = againstRows(*m_document, found, m_pinned);
    const std::vector<NumberRow> rates = throughputRows(*m_document, found);
    rows.insert(rows.end(), rates.begin(), rates.end());
    m_against->setText(tableOf(rows));
}

void InspectorPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showAll();
    QWidget::changeEvent(event);
}

} // namespace pw::ui

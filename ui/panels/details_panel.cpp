// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/details_panel.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace pw::ui {

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("details"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 8);
    layout->setSpacing(4);
    layout->addStretch(1);
}

void DetailsPanel::setDetails(const PageDetails& details)
{
    m_details = details;
    write();
}

void DetailsPanel::write()
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    while (m_labels.size() < m_details.parts.size()) {
        Labels made{new QLabel(this), new QLabel(this)};
        QFont bold = made.heading->font();
        bold.setWeight(QFont::DemiBold);
        made.heading->setFont(bold);
        made.heading->setWordWrap(true);
        made.heading->setTextInteractionFlags(Qt::LinksAccessibleByMouse |
                                              Qt::LinksAccessibleByKeyboard);
        connect(made.heading, &QLabel::linkActivated, this, [this, i = m_labels.size()] {
            // A copy: what it opens writes the parts anew.
            if (const std::function<void()> open = m_details.parts[i].open)
                open();
        });
        if (!m_labels.empty())
            made.heading->setContentsMargins(0, 12, 0, 0);
        made.body->setTextFormat(Qt::RichText);
        made.body->setWordWrap(true);
        made.body->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                           Qt::TextSelectableByKeyboard);
        const int end = column->count() - 1; // before the stretch
        column->insertWidget(end, made.heading);
        column->insertWidget(end + 1, made.body);
        m_labels.push_back(made);
    }
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const bool shown = i < m_details.parts.size();
        m_labels[i].heading->setVisible(shown);
        m_labels[i].body->setVisible(shown);
        if (!shown)
            continue;
        const DetailsPart& part = m_details.parts[i];
        m_labels[i].heading->setTextFormat(part.open ? Qt::RichText : Qt::PlainText);
        m_labels[i].heading->setText(
            part.open ? QStringLiteral("<a href=\"#\">%1</a>").arg(part.heading.toHtmlEscaped())
                      : part.heading);
        m_labels[i].body->setText(part.rows.empty() ? quiet(part.none) : tableOf(part.rows));
        m_labels[i].body->setAccessibleName(part.heading);
    }
}

QString DetailsPanel::words() const
{
    QStringList lines;
    for (const DetailsPart& part : m_details.parts) {
        lines += part.heading;
        if (part.rows.empty())
            lines += part.none;
        for (const NumberRow& row : part.rows)
            lines += QStringLiteral("%1: %2 %3").arg(row.name, row.value, row.verdict).trimmed();
    }
    return lines.join(QLatin1Char('\n'));
}

void DetailsPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        write();
    QWidget::changeEvent(event);
}

} // namespace pw::ui

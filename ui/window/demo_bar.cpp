// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/demo_bar.h"

#include "ui/presentation.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace pw::ui {

DemoBar::DemoBar(QWidget* window)
    : QFrame(window)
    , m_part(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_next(new QPushButton(tr("&Next"), this))
    , m_stop(new QPushButton(tr("&Stop"), this))
    , m_studio(new QPushButton(tr("Start the &studio"), this))
    , m_close(new QPushButton(tr("&Close"), this))
{
    setObjectName(QStringLiteral("demo-bar"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setInk(m_part, Role::Accent);
    QFont bold = m_part->font();
    bold.setWeight(QFont::DemiBold);
    m_part->setFont(bold);
    m_sentence->setWordWrap(true);
    m_next->setObjectName(QStringLiteral("next"));
    m_stop->setObjectName(QStringLiteral("stop"));
    m_studio->setObjectName(QStringLiteral("studio"));
    m_close->setObjectName(QStringLiteral("close"));
    const int em = fontMetrics().height();
    auto* words = new QVBoxLayout;
    words->setSpacing(em / 4);
    words->addWidget(m_part);
    words->addWidget(m_sentence, 1);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(em, em / 2, em, em / 2);
    layout->setSpacing(em / 2);
    layout->addLayout(words, 1);
    // The keys stay with what is shown.
    for (QPushButton* button : {m_next, m_stop, m_studio, m_close}) {
        button->setFocusPolicy(Qt::NoFocus);
        layout->addWidget(button, 0, Qt::AlignVCenter);
    }
    m_studio->hide();
    m_close->hide();
    connect(m_next, &QPushButton::clicked, this, &DemoBar::nextAsked);
    connect(m_stop, &QPushButton::clicked, this, &DemoBar::stopAsked);
    connect(m_studio, &QPushButton::clicked, this, &DemoBar::studioAsked);
    connect(m_close, &QPushButton::clicked, this, &DemoBar::closeAsked);
    window->installEventFilter(this);
}

void DemoBar::tell(const QString& part, int number, int parts, const QString& sentence)
{
    m_part->setText(tr("%1 of %2 · %3").arg(number).arg(parts).arg(part));
    m_sentence->setText(sentence);
    place();
}

void DemoBar::tellEnd(const QString& sentence)
{
    m_part->setText(tr("The demonstration is over"));
    m_sentence->setText(sentence);
    m_next->hide();
    m_stop->hide();
    m_studio->show();
    m_close->show();
    place();
}

QString DemoBar::sentence() const
{
    return m_sentence->text();
}

void DemoBar::place()
{
    const int em = fontMetrics().height();
    const QSize room = parentWidget()->size();
    const int width = std::min(room.width() - 2 * em, 56 * em);
    const int height = std::max(heightForWidth(width), 4 * em);
    setGeometry((room.width() - width) / 2, room.height() - height - 3 * em, width, height);
    show();
    raise();
}

bool DemoBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace pw::ui

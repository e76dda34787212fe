// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_way.h"

#include "ui/lesson/lesson_panel.h"
#include "ui/presentation.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

namespace pw::ui {

LessonWay::LessonWay(QWidget* parent)
    : QWidget(parent)
    , m_back(button(LessonPanel::tr("‹ Back"), "lesson-back", &LessonWay::backAsked))
    , m_skip(button(LessonPanel::tr("Skip"), "lesson-skip", &LessonWay::skipAsked))
    , m_next(button(LessonPanel::tr("Next ›"), "lesson-next", &LessonWay::nextAsked))
{
    m_skip->setFlat(true);
    paintNext();
    auto* row = new QHBoxLayout(this);
    const int em = fontMetrics().height();
    row->setContentsMargins(em, em / 2, em, em / 2);
    row->addWidget(m_back);
    row->addStretch(1);
    row->addWidget(m_skip);
    row->addStretch(1);
    row->addWidget(m_next);
    for (QPushButton* one : {m_back, m_skip, m_next})
        one->hide();
}

QPushButton* LessonWay::button(const QString& words, const char* name, void (LessonWay::*asked)())
{
    auto* made = new QPushButton(words, this);
    made->setObjectName(QString::fromLatin1(name));
    connect(made, &QPushButton::clicked, this, asked);
    return made;
}

void LessonWay::showStep(bool first, bool last, bool level)
{
    m_last = last;
    m_back->show();
    m_back->setEnabled(!first);
    m_skip->setVisible(level && !last);
    m_next->show();
    m_next->setEnabled(!last && !level);
}

void LessonWay::open()
{
    if (!m_last)
        m_next->setEnabled(true);
}

/// What to press next has the colour of that, like the button that runs.
void LessonWay::paintNext()
{
    QPalette colours = palette();
    for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive}) {
        colours.setColor(group, QPalette::Button, color(Role::Accent));
        colours.setColor(group, QPalette::ButtonText, color(Role::Paper));
    }
    m_next->setPalette(colours);
}

void LessonWay::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        paintNext();
    QWidget::changeEvent(event);
}

} // namespace pw::ui

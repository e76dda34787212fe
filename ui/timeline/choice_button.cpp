// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/choice_button.h"

#include "ui/presentation.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>

namespace pw::ui {

ChoiceButton::ChoiceButton(QWidget* parent)
    : QToolButton(parent)
{
    setFocusPolicy(Qt::NoFocus);
    setArrowType(Qt::DownArrow);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setCursor(Qt::ArrowCursor);
    setToolTip(tr("Another pass here instead (Alt+Down)"));
    hide();
    connect(this, &QToolButton::clicked, this, &ChoiceButton::open);
}

void ChoiceButton::offer(const QStringList& choices, int chosen, const QRectF& below)
{
    m_choices = choices;
    m_chosen = chosen;
    if (choices.size() < 2 || !below.isValid()) {
        hide();
        return;
    }
    setText(choices.at(chosen));
    setAccessibleName(tr("Placed: %1; choose another pass").arg(choices.at(chosen)));
    resize(sizeHint().expandedTo({0, 24}));
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    QRect box(below.bottomLeft().toPoint() + QPoint(0, 4), size());
    // Above the pass where there is no room below it.
    if (box.bottom() > room.bottom())
        box.moveBottom(static_cast<int>(below.top()) - 4);
    box.moveLeft(std::max(room.left(), std::min(box.left(), room.right() - box.width())));
    box.moveTop(std::max(room.top(), box.top()));
    setGeometry(box);
    show();
    raise();
}

bool ChoiceButton::open()
{
    if (m_choices.size() < 2)
        return false;
    auto* list = new QMenu(this);
    list->setAttribute(Qt::WA_DeleteOnClose);
    auto* group = new QActionGroup(list);
    for (int i = 0; i < m_choices.size(); ++i) {
        QAction* action = list->addAction(m_choices.at(i));
        action->setCheckable(true);
        action->setChecked(i == m_chosen);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, i] { Q_EMIT chosen(i); });
    }
    m_list = list;
    list->popup(parentWidget()->mapToGlobal(geometry().bottomLeft()));
    list->setActiveAction(list->actions().at(m_chosen));
    return true;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QMenu>
#include <QPointer>
#include <QStringList>
#include <QToolButton>

namespace pw::ui {

/// Says which of several passes was placed, below it, and lets another one be chosen.
class ChoiceButton : public QToolButton
{
    Q_OBJECT

public:
    explicit ChoiceButton(QWidget* parent);

    /// Offers some choices below a rectangle of the parent; fewer than two: hides.
    void offer(const QStringList& choices, int chosen, const QRectF& below);
    /// Opens the list, for the keyboard. @return  false: there is nothing to choose
    bool open();
    /// The list while it is open; null else.
    QMenu* list() const { return m_list; }

Q_SIGNALS:
    void chosen(int choice);

private:
    QStringList m_choices;
    int m_chosen = 0;
    QPointer<QMenu> m_list;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/goal_list.h"

#include "ui/lesson/goal_words.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_words.h"
#include "ui/presentation.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace pw::ui {

namespace {

QString markOf(bool met)
{
    return met ? QStringLiteral("✓") : QStringLiteral("○");
}

} // namespace

GoalList::GoalList(const LessonLevel& level, QWidget* parent)
    : QWidget(parent)
    , m_asked(level.goals)
    , m_spec(level.start.draft.spec)
    , m_trouble(new QLabel(this))
{
    auto* layout = new QVBoxLayout(this);
    const int em = fontMetrics().height();
    layout->setContentsMargins(em, em / 2, em, 0);
    layout->setSpacing(em / 2);
    auto* title = new QLabel(LessonPanel::tr("Goal"), this);
    QFont font = title->font();
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    setInk(title, Role::Text);
    layout->addWidget(title);
    for (const LessonGoal& goal : level.goals)
        m_rows.push_back(addRow(goal));
    m_trouble->setTextFormat(Qt::PlainText);
    m_trouble->setWordWrap(true);
    m_trouble->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setInk(m_trouble, Role::Refusal);
    m_trouble->hide();
    layout->addWidget(m_trouble);
}

GoalList::Row GoalList::addRow(const LessonGoal& goal)
{
    auto* row = new QHBoxLayout;
    auto* mark = new QLabel(markOf(false), this);
    // What stands in the lanes where they are counted.
    const bool marked = goal.kind == GoalKind::Gathers;
    auto* what = new QLabel((marked ? QStringLiteral("▼ ") : QString()) + goalWords(goal), this);
    what->setTextFormat(Qt::PlainText);
    what->setWordWrap(true);
    auto* now = new QLabel(this);
    now->setTextFormat(Qt::PlainText);
    now->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setInk(now, Role::Secondary);
    row->addWidget(mark);
    row->addWidget(what, 1);
    row->addWidget(now);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    return {mark, now};
}

void GoalList::setStanding(const Standing& standing)
{
    for (std::size_t i = 0; i < m_rows.size() && i < standing.goals.size(); ++i) {
        const GoalStanding& goal = standing.goals[i];
        m_rows[i].mark->setText(markOf(goal.met));
        setInk(m_rows[i].mark, goal.met ? Role::Good : Role::Secondary);
        m_rows[i].now->setText(standingWords(m_asked[i], goal, standing));
    }
    m_trouble->setText(troubleWords(standing, m_spec));
    m_trouble->setVisible(standing.why != LevelTrouble::None);
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/goal_words.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/families/family.h"
#include "core/lesson/standing.h"
#include "ui/text.h"

#include <QCoreApplication>

namespace pw::ui {

namespace {

class Goals
{
    Q_DECLARE_TR_FUNCTIONS(Goals)
};

QString familyTitle(const std::string& id)
{
    const auto family = findFamily(id);
    return family ? text((*family)->title) : text(id);
}

} // namespace

QString goalWords(const LessonGoal& goal)
{
    const QString number = text(plainNumber(goal.limit));
    const QString share = text(plainNumber(goal.limit / static_cast<double>(shareOne)));
    const QString percent = text(percentText(goal.limit));
    switch (goal.kind) {
    case GoalKind::Complete:
        return Goals::tr("every pass in place, no deadlock");
    case GoalKind::Makespan:
        return Goals::tr("makespan at most %1").arg(text(timeText(static_cast<Ticks>(goal.limit))));
    case GoalKind::Peak:
        return Goals::tr("peak activation at most %1 mb").arg(share);
    case GoalKind::SpanBubble:
        return Goals::tr("span bubble at most %1").arg(percent);
    case GoalKind::WallBubble:
        return Goals::tr("wall bubble at most %1").arg(percent);
    case GoalKind::Messages:
        return Goals::tr("at most %1 messages").arg(number);
    case GoalKind::Gathers:
        return Goals::tr("weights gathered at most %1 times").arg(number);
    case GoalKind::Versions:
        return Goals::tr("weight versions on a device at most %1").arg(number);
    case GoalKind::MicroBatches:
        return Goals::tr("at most %1 micro-batches").arg(number);
    case GoalKind::Family:
        return Goals::tr("the order of %1").arg(familyTitle(goal.family));
    case GoalKind::Order:
        return Goals::tr("the order that is drawn");
    case GoalKind::Interval:
        return Goals::tr("interval at most %1, no collision").arg(number);
    case GoalKind::BlockPeak:
        return Goals::tr("peak of the repeated block at most %1 mb").arg(share);
    }
    return {};
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_words.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/families/family.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/plural.h"
#include "ui/text.h"

#include <QCoreApplication>

namespace pw::ui {

namespace {

class LessonWords
{
    Q_DECLARE_TR_FUNCTIONS(LessonWords)
};

QString lessonHeld(double share)
{
    return LessonWords::tr("%1 mb").arg(
        text(plainNumber(microBatchesFromShare(static_cast<Share>(share)))));
}

QString lessonDevice(DeviceId device)
{
    return LessonWords::tr("device %1").arg(device);
}

QString lessonRule(const std::string& rule)
{
    if (rule == "forward-first")
        return LessonWords::tr("forwards first");
    if (rule == "zero-bubble")
        return LessonWords::tr("W where a device would wait");
    return LessonWords::tr("backwards first");
}

} // namespace

QString standingWords(const LessonGoal& goal, const GoalStanding& now, const Standing& standing)
{
    const auto soFar = [&](const QString& what) {
        return now.soFar ? LessonWords::tr("%1 so far").arg(what) : what;
    };
    const QString yesOrNo = now.met ? LessonWords::tr("yes") : LessonWords::tr("not yet");
    if (goal.kind == GoalKind::Complete)
        return standing.wanted > 0
                   ? LessonWords::tr("%1 of %2")
                         .arg(QString::number(standing.passes), QString::number(standing.wanted))
                   : yesOrNo;
    if (now.now < 0)
        return QStringLiteral("–");
    switch (goal.kind) {
    case GoalKind::Makespan:
        return soFar(text(timeText(static_cast<Ticks>(now.now))));
    case GoalKind::Peak:
    case GoalKind::BlockPeak:
        return soFar(lessonHeld(now.now));
    case GoalKind::SpanBubble:
    case GoalKind::WallBubble:
        return text(percentText(now.now));
    case GoalKind::Messages:
    case GoalKind::Gathers:
    case GoalKind::Versions:
    case GoalKind::MicroBatches:
    case GoalKind::Interval:
        return text(plainNumber(now.now));
    case GoalKind::Complete:
    case GoalKind::Family:
    case GoalKind::Order:
        break;
    }
    return yesOrNo;
}

QString troubleWords(const Standing& standing, const PipelineSpec& spec)
{
    switch (standing.why) {
    case LevelTrouble::None:
        return {};
    case LevelTrouble::Unchosen:
        return LessonWords::tr("Choose one of the schedules of this level.");
    case LevelTrouble::NotListed:
        return LessonWords::tr("This schedule is not among those of the level.");
    case LevelTrouble::Times:
        return LessonWords::tr("The times of the passes have changed; they are locked here.");
    case LevelTrouble::Order:
        return LessonWords::tr("The order of the passes has changed; it is locked here.");
    case LevelTrouble::Shape:
        return LessonWords::tr("Devices and stages have changed; they are locked here.");
    case LevelTrouble::Count:
        return LessonWords::tr("The number of micro-batches has changed; it is locked here.");
    case LevelTrouble::Fixed:
        return LessonWords::tr("The first passes of %1 are locked here.")
            .arg(lessonDevice(standing.device));
    case LevelTrouble::Kind:
        return LessonWords::tr("%1 is not a pass of this level.")
            .arg(passText(standing.pass, spec));
    case LevelTrouble::BlockGone:
        return LessonWords::tr("The block of this level is gone.");
    case LevelTrouble::BlockPasses:
        return LessonWords::tr(
            "Passes of the block have changed; only their places are free here.");
    case LevelTrouble::Collision:
        return LessonWords::tr("Two passes meet: %1.").arg(coreSentence(standing.trouble));
    case LevelTrouble::Ring:
        return coreSentence(ringText(standing.ring, spec));
    case LevelTrouble::Other:
        break;
    }
    return coreSentence(standing.trouble);
}

QString readyWords(const ReadyRun& run, const PipelineSpec& spec)
{
    switch (run.end) {
    case ReadyEnd::Wrong:
        return LessonWords::tr("The order is not one that passes can be added to.");
    case ReadyEnd::Complete:
        return LessonWords::tr("Micro-batch %1 is complete.").arg(run.first.microBatch);
    case ReadyEnd::WasComplete:
        return LessonWords::tr("Micro-batch %1 was complete.").arg(run.first.microBatch);
    case ReadyEnd::Blocked:
        return LessonWords::tr("%1 cannot come yet: the goal on the peak, or what it waits for, "
                               "stands in its way.")
            .arg(passText(run.first, spec));
    case ReadyEnd::Whole:
        return LessonWords::tr("Every pass has its place.");
    case ReadyEnd::None:
        return LessonWords::tr("No pass can come next within the goals.");
    case ReadyEnd::Choice:
        return LessonWords::tr("A choice: %1 can run %2 or %3 next.")
            .arg(lessonDevice(run.device), passText(run.first, spec), passText(run.second, spec));
    case ReadyEnd::Many:
        return LessonWords::tr("Many passes were placed; ask again to go on.");
    }
    return {};
}

QString choiceWords(const FamilyChoice& choice)
{
    const auto family = findFamily(choice.id);
    QStringList parts{family ? text((*family)->title) : text(choice.id)};
    for (const auto& [name, value] : choice.options.parameters) {
        const Parameter* parameter = family ? findParameter(**family, name) : nullptr;
        QString words = parameter != nullptr ? text(describe(*parameter, value))
                                             : text(name + " " + plainNumber(value));
        // "group 2": the name in the language of the window, the value as it is.
        if (const QString known = text(name); words.startsWith(known))
            words.replace(0, known.size(), coreWords(name));
        parts << words;
    }
    if (choice.options.microBatches > 0)
        parts << plural(choice.options.microBatches, Noun::MicroBatch);
    return parts.join(QStringLiteral(", "));
}

QString actWords(const LessonAct& act)
{
    using Kind = LessonAct::Kind;
    const QString device = lessonDevice(act.device);
    const QString passes = text(act.passes);
    const QString from = QString::number(act.from + 1), from0 = QString::number(act.from);
    switch (act.kind) {
    case Kind::Place:
        return act.from < 0 ? LessonWords::tr("%1 at the end of %2").arg(passes, device)
                            : LessonWords::tr("%1 at place %2 of %3").arg(passes, from, device);
    case Kind::Move:
        return LessonWords::tr("entry %1 of %2 to place %3")
            .arg(from, device, QString::number(act.to + 1));
    case Kind::Remove:
        return LessonWords::tr("entry %1 of %2 goes").arg(from, device);
    case Kind::Clear:
        return LessonWords::tr("everything goes");
    case Kind::Finish:
        return LessonWords::tr("the rest, %1").arg(lessonRule(act.rule));
    case Kind::Reorder:
        return LessonWords::tr("warm-up and cool-down reordered");
    case Kind::Family:
        return choiceWords(act.family);
    case Kind::Shift: {
        const QString by = text(plainNumber(act.amount < 0 ? -act.amount : act.amount));
        return (act.amount < 0 ? LessonWords::tr("%1 earlier by %2")
                               : LessonWords::tr("%1 later by %2"))
            .arg(passes, by);
    }
    case Kind::Interval:
        return LessonWords::tr("interval %1").arg(text(plainNumber(act.amount)));
    case Kind::Block:
        return LessonWords::tr("every pass of the block to its place");
    case Kind::Layer:
        return LessonWords::tr("a layer from stage %1 to stage %2")
            .arg(from0, QString::number(act.to));
    case Kind::Toggle:
        return LessonWords::tr("%1 of %2").arg(passes, device);
    case Kind::Stamp:
        return LessonWords::tr("the block for %1").arg(plural(act.count, Noun::MicroBatch));
    }
    return {};
}

QString timesWords(const LessonLevel& level)
{
    const LevelTimes times = timesOf(level);
    if (times.plain)
        return {};
    QStringList lines;
    for (std::size_t s = 0; s < times.stages.size(); ++s) {
        const auto& [forward, backward, weight] = times.stages[s];
        QStringList parts{QStringLiteral("F ") + text(timeText(forward))};
        if (times.fused)
            parts << QStringLiteral("BW ") + text(timeText(backward + weight));
        else
            parts << QStringLiteral("B ") + text(timeText(backward))
                  << QStringLiteral("W ") + text(timeText(weight));
        const QString line = parts.join(QStringLiteral(" · "));
        lines << (times.stages.size() == 1 ? line
                                           : LessonWords::tr("Stage %1: %2").arg(s).arg(line));
    }
    if (times.hop > 0)
        lines << LessonWords::tr("A message: %1").arg(text(timeText(times.hop)));
    return lines.join(QLatin1Char('\n'));
}

QString solvedWords(const Standing& standing, bool shown)
{
    if (shown)
        return LessonWords::tr("Shown, not solved: it counts for nothing.");
    return standing.medals() == 0 ? LessonWords::tr("Solved.")
                                  : LessonWords::tr("Solved, medals: %1").arg(standing.medals());
}

} // namespace pw::ui

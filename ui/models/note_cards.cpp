// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/note_cards.h"

#include "ui/models/lanes.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw::ui {

namespace {

/// What a room reads while somebody speaks.
constexpr qsizetype longest = 420; ///< characters
constexpr qsizetype longestHeading = 120;
constexpr qsizetype highest = 7; ///< lines that the writer has broken

constexpr double latestMs = 1e12; ///< later than any schedule; ticks of it fit

/// Takes the mark of a time or step from the beginning of a paragraph.
void takeMark(QString& words, NoteCard& card)
{
    static const QRegularExpression mark(QStringLiteral(
        "^@\\s*(\\d{1,12}(?:[.,]\\d{1,9})?)[ \\t]*(us|\u00b5s|\u03bcs|ms|s)?(?![\\p{L}\\d]|[.,]\\d)"
        "[ \\t]*:?\\s*"));
    const QRegularExpressionMatch found = mark.match(words);
    if (!found.hasMatch())
        return;
    QString number = found.captured(1);
    const QString unit = found.captured(2);
    const bool whole = !number.contains(QLatin1Char('.')) && !number.contains(QLatin1Char(','));
    const double value = number.replace(QLatin1Char(','), QLatin1Char('.')).toDouble();
    if (unit.isEmpty()) {
        // A part of a step is none; a time would have its unit.
        if (!whole || value > 1e9)
            return;
        card.step = static_cast<int>(value);
    } else {
        const double ms = unit == QLatin1String("ms")  ? value
                          : unit == QLatin1String("s") ? value * 1e3
                                                       : value / 1e3;
        card.time = static_cast<Ticks>(std::llround(std::min(ms, latestMs) * 1e6));
    }
    words.remove(0, found.capturedLength());
}

/// Takes a first line that begins with `#`.
void takeHeading(QString& words, NoteCard& card)
{
    static const QRegularExpression heading(QStringLiteral("^#{1,6}[ \\t]+([^\\n]*)\\n?"));
    const QRegularExpressionMatch found = heading.match(words);
    if (!found.hasMatch() || found.capturedLength(1) > longestHeading)
        return;
    card.heading = found.captured(1).trimmed();
    words.remove(0, found.capturedLength());
}

/// Where a text that is too long is parted: behind a sentence, a line or a word; its length where
/// it is not too long.
qsizetype partOf(const QString& words)
{
    qsizetype lines = 0, line = -1;
    for (qsizetype i = 0; i < words.size() && lines < highest; ++i)
        if (words[i] == QLatin1Char('\n')) {
            ++lines;
            line = i;
        }
    const qsizetype most = lines == highest ? std::min(line, longest) : longest;
    if (words.size() <= most)
        return words.size();
    if (most == line)
        return line;
    static const QRegularExpression sentence(QStringLiteral("[.!?:;\u3002](?=\\s)|\\n"));
    qsizetype best = -1;
    QRegularExpressionMatchIterator ends = sentence.globalMatch(words.left(most + 1));
    while (ends.hasNext())
        best = ends.next().capturedEnd();
    if (best > most / 3)
        return best;
    const qsizetype blank = words.lastIndexOf(QLatin1Char(' '), most);
    if (blank > most / 3)
        return blank;
    return words[most].isLowSurrogate() ? most - 1 : most;
}

/// A card, and as many more as its words need.
void put(std::vector<NoteCard>& cards, NoteCard card)
{
    QString rest = card.body.trimmed();
    for (;;) {
        const qsizetype part = partOf(rest);
        card.body = rest.left(part).trimmed();
        cards.push_back(card);
        rest = rest.mid(part).trimmed();
        if (rest.isEmpty())
            return;
        card.time.reset(); // those that go on are asked for
        card.step.reset();
    }
}

} // namespace

std::vector<NoteCard> noteCards(const QString& notes)
{
    static const QRegularExpression between(QStringLiteral("\\n[ \\t]*\\n\\s*"));
    QString clean = notes;
    clean.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    const QStringList paragraphs = clean.split(between, Qt::SkipEmptyParts);
    std::vector<NoteCard> cards;
    std::optional<NoteCard> waiting; // a heading that has no words yet
    for (const QString& paragraph : paragraphs) {
        QString words = paragraph.trimmed();
        if (words.isEmpty())
            continue;
        NoteCard card;
        takeMark(words, card);
        takeHeading(words, card);
        // The mark may stand in the heading's line or behind it, too.
        if (!card.time && !card.step)
            takeMark(card.heading, card);
        if (!card.time && !card.step)
            takeMark(words, card);
        card.body = words;
        if (waiting && card.heading.isEmpty()) {
            card.heading = waiting->heading;
            if (!card.time && !card.step) {
                card.time = waiting->time;
                card.step = waiting->step;
            }
        } else if (waiting) {
            put(cards, *waiting);
        }
        waiting.reset();
        if (card.body.isEmpty() && !card.heading.isEmpty())
            waiting = std::move(card);
        else if (!card.body.isEmpty())
            put(cards, std::move(card));
    }
    if (waiting)
        put(cards, *waiting);
    return cards;
}

std::vector<Ticks> eventTimes(const Lanes& lanes)
{
    std::vector<Ticks> events;
    events.reserve(2 * lanes.spanCount());
    for (const Lane& lane : lanes.lanes()) {
        events.insert(events.end(), lane.start.begin(), lane.start.end());
        events.insert(events.end(), lane.end.begin(), lane.end.end());
    }
    std::sort(events.begin(), events.end());
    events.erase(std::unique(events.begin(), events.end()), events.end());
    events.erase(events.begin(), std::upper_bound(events.begin(), events.end(), lanes.begin()));
    return events;
}

NoteDeck::NoteDeck(std::vector<NoteCard> cards, const std::vector<Ticks>& events, Ticks begin)
    : m_cards(std::move(cards))
{
    for (const NoteCard& card : m_cards) {
        std::optional<Ticks> due;
        if (card.time)
            due = begin + *card.time;
        else if (card.step)
            due = *card.step == 0 || events.empty()
                      ? begin
                      : events[std::min(static_cast<std::size_t>(*card.step), events.size()) - 1];
        m_due.push_back(due);
    }
}

const std::optional<Ticks>& NoteDeck::due(int card) const
{
    return m_due[static_cast<std::size_t>(card)];
}

/// The card whose time has come last; −1: none.
int NoteDeck::reachedAt(Ticks now) const
{
    int reached = -1;
    for (int card = 0; card < static_cast<int>(m_due.size()); ++card)
        if (due(card) && *due(card) <= now && (reached < 0 || *due(card) >= *due(reached)))
            reached = card;
    return reached;
}

bool NoteDeck::follow(Ticks now)
{
    const int reached = reachedAt(now);
    if (reached == m_reached)
        return false;
    const bool back = m_reached >= 0 && (reached < 0 || *due(reached) < *due(m_reached));
    m_reached = reached;
    int show = std::max(reached, 0);
    if (back)
        // What was asked for before the next card came stands before it.
        for (int card = show + 1; card < static_cast<int>(m_due.size()) && !due(card); ++card)
            show = card;
    return std::exchange(m_shown, show) != show;
}

void NoteDeck::restart()
{
    m_shown = 0;
    m_reached = -1;
}

bool NoteDeck::walk(int by)
{
    const int to = m_shown + by;
    if (to < 0 || to >= static_cast<int>(m_cards.size()))
        return false;
    m_shown = to;
    // The play goes there, and its coming there calls for no other card.
    if (due(to))
        m_reached = reachedAt(*due(to));
    return true;
}

} // namespace pw::ui

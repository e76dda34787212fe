// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/medal_row.h"

#include "ui/lesson/lesson_cards.h"
#include "ui/lesson/lesson_panel.h"

#include <QHBoxLayout>

namespace pw::ui {

namespace {

std::array<const MedalStanding*, 3> medalsOf(const Standing& standing)
{
    return {&standing.time, &standing.memory, &standing.letters};
}

} // namespace

MedalRow::MedalRow(const Standing& before, QWidget* parent)
    : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    const QString names[] = {LessonPanel::tr("time"), LessonPanel::tr("memory"),
                             LessonPanel::tr("messages")};
    const QString par = LessonPanel::tr("Par is the best that can be had in this level; who "
                                        "reaches it has the medal.");
    const QString what[] = {
        LessonPanel::tr("The makespan: when the last pass ends."),
        LessonPanel::tr("The most that a device holds at a time, in micro-batches (mb)."),
        LessonPanel::tr("Messages from device to device.")};
    const auto medals = medalsOf(before);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i] = new MedalCard(names[i], *medals[i], this);
        m_cards[i]->setToolTip(what[i] + QLatin1Char('\n') + par);
        row->addWidget(m_cards[i]);
    }
}

void MedalRow::setStanding(const Standing& standing)
{
    const auto medals = medalsOf(standing);
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setStanding(*medals[i]);
}

void MedalRow::setParShown(bool shown)
{
    for (MedalCard* card : m_cards)
        card->setParShown(shown);
}

void MedalRow::setBest(const Standing& best)
{
    const auto medals = medalsOf(best);
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setBest(*medals[i]);
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/ranking.h"
#include "ui/compare/compared.h"

#include <QString>

#include <memory>
#include <vector>

namespace pw::ui {

/// Where an alternative comes from.
enum class AlternativeKind : std::uint8_t
{
    Family,   ///< a family under the question's costs
    Schedule, ///< that is open, was pinned or kept
    WhatIf,   ///< a prediction
    Found,    ///< an order that a search found
    Run,      ///< that was measured
    Plan      ///< of a run
};
constexpr int alternativeKinds = 6;

/// "family", "what if", … as a table says it.
QString kindWord(AlternativeKind kind);

/// One way to run the model, with its figures: a row of the page *Alternatives*.
struct Alternative
{
    int id = 0;
    AlternativeKind kind = AlternativeKind::Family;
    QString name;
    QString tip;           ///< a sentence about it
    QString problem;       ///< why it cannot be; empty: it can, or is awaited
    QString overCap;       ///< what the memory cap does not let run; empty: it fits
    Ticks makespan = 0;    ///< 0: it is awaited
    Ticks low = 0;         ///< with noise, what 5 % of many runs stay below
    Ticks high = 0;        ///< and 95 %; 0: without noise
    double wallBubble = 0; ///< idle part of the worst device, 0 … 1
    double peakMicroBatches = 0;
    Bytes peakBytes = 0; ///< with weights, gradients and states; 0: nothing has a size
    bool asynchronous = false;
    bool pareto = false; ///< of those that fit nothing beats it in both time and memory
    QString reason;      ///< why it does not stand first; empty for the first
    std::shared_ptr<const Ranked> ranked; ///< of a family; null: it is another thing
    ComparedPtr timeline;                 ///< null: not made or not read yet

    bool made() const { return problem.isEmpty() && makespan > 0; }
    bool fits() const { return made() && overCap.isEmpty(); }
    /// What time is compared by: with noise what 95 % of the runs stay below.
    Ticks time() const { return high > 0 ? high : makespan; }
    /// What memory is compared by: bytes where there are any, else micro-batches.
    double memory() const
    {
        return peakBytes > 0 ? static_cast<double>(peakBytes) : peakMicroBatches;
    }
};

/// A family's row, with its figures.
Alternative alternativeOf(std::shared_ptr<const Ranked> ranked);

/// Gives a row the figures of a timeline. @param timeline  not null
void takeTimeline(Alternative& row, ComparedPtr timeline);

/// The timeline of a family's row. @pre its schedule was kept
ComparedPtr timelineOf(const Ranked& ranked);

/// Those that fit by time, those above the cap, those that are awaited or cannot be; marks the
/// Pareto line, and says why each does not stand first.
void orderAlternatives(std::vector<Alternative>& all, const RankQuestion& question);

/// How much shorter and leaner a row is than another one, in words. @param good  in both
QString againstWords(const Alternative& row, const Alternative* base, bool& good);

/// Ids of what stands side by side before anybody has chosen: the schedule that is open and the row
/// that stands first. @param all  in their order
std::vector<int> firstSideBySide(const std::vector<Alternative>& all);

/// "33 ms · bubble 27.3 % · 4 mb"
QString figuresOf(const Alternative& row);

} // namespace pw::ui

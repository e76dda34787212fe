// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/family_runs.h"
#include "ui/alternatives/alternatives_page.h"
#include "ui/compare/compared.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/document/schedule_document.h"
#include "ui/models/lanes.h"

#include <QString>

#include <memory>

namespace pw::test {

/// A simulated schedule as one side of a comparison.
inline ui::ComparedPtr comparedOf(const FamilyRun& run, const QString& title)
{
    auto compared = std::make_shared<ui::Compared>();
    compared->title = title;
    compared->schedule = std::make_shared<const Schedule>(run.schedule);
    compared->times = run.result;
    compared->lanes = ui::lanesOf(compared->schedule, run.result);
    compared->memory = ui::wholePeak(run.schedule, run.costs, run.result);
    return compared;
}

/// The timelines below each other of a page of alternatives; null: it is none.
inline ui::StackedTimelines* picturesOf(ui::Page* page)
{
    auto* alternatives = qobject_cast<ui::AlternativesPage*>(page);
    return alternatives != nullptr ? &alternatives->pictures() : nullptr;
}

/// A page of alternatives that compares, with no row yet.
inline ui::AlternativesPage* comparingPage()
{
    return new ui::AlternativesPage(ui::projectOf("1f1b", FamilyOptions{}, UniformCosts{}),
                                    QStringLiteral("compared"),
                                    ui::AlternativesPage::Tab::SideBySide);
}

} // namespace pw::test

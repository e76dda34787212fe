// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"

#include <QMenu>

#include <functional>

namespace pw::ui {

/// What times and bytes of a block can be of, by name: units, own, model, schedule.
class BlockTimesMenu : public QMenu
{
    Q_OBJECT

public:
    /// @param model  outlives the menu
    explicit BlockTimesMenu(BenchModel& model, QWidget* parent = nullptr);

    /// The costs of a schedule, or why they are of no use here.
    void setScheduleCosts(std::function<Result<BenchCosts>()> costs);

Q_SIGNALS:
    /// Times of a model are wanted.
    void modelAsked();

private:
    void fill();
    void askOwnTimes();

    BenchModel& m_model;
    std::function<Result<BenchCosts>()> m_scheduleCosts;
};

/// The block in milliseconds and bytes, in a sentence; empty where neither is known.
QString blockTimesText(const BenchModel& model);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"

#include <QMenu>

#include <functional>
#include <vector>

namespace pw::ui {

/// What a block can be started from: families, the selected micro-batch, own blocks, nothing.
class BlockStartMenu : public QMenu
{
    Q_OBJECT

public:
    /// Hears that a block was started from, or why it cannot be.
    using Report = std::function<void(const Result<void>& done)>;

    /// @param model  outlives the menu
    BlockStartMenu(BenchModel& model, Report report, QWidget* parent = nullptr);

    /// Where else blocks come from. Both may be empty.
    /// @param own     blocks of a schedule
    /// @param strand  the selected micro-batch of its timeline as a block, or why there is none
    void setSources(std::function<std::vector<BuildingBlock>()> own,
                    std::function<Result<BuildingBlock>()> strand);

private:
    void fill();

    BenchModel& m_model;
    Report m_report;
    std::function<std::vector<BuildingBlock>()> m_own;
    std::function<Result<BuildingBlock>()> m_strand;
};

} // namespace pw::ui

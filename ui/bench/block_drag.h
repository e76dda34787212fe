// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/bench/bench_model.h"

#include <QString>

#include <vector>

namespace pw::ui {

/// Passes that are dragged over the bench, or the end of the interval: tried at every place that
/// the pointer comes to, and done once, when they are let go.
class BlockDrag
{
public:
    explicit BlockDrag(BenchModel& model)
        : m_model(model)
    {
    }

    /// Whether something is dragged.
    bool holds() const { return m_what != What::None; }
    bool movesPasses() const { return m_what == What::Passes; }
    void beginPasses(std::vector<Pass> passes);
    void beginInterval();

    /// Tries the passes so much later. @error  why they cannot be there; nothing is shown of it
    Result<void> tryPasses(Ticks by, InTheWay others);
    /// Tries an interval. @error  likewise
    Result<void> tryInterval(Ticks interval);
    /// Does what was tried last, unless that was refused.
    /// @param kept  false: nothing is done
    /// @error  of what is done
    Result<void> end(bool kept, InTheWay others);

    /// Why the last place was refused; empty: it was not.
    const QString& refusal() const { return m_refusal; }
    /// How much later the passes were tried.
    Ticks by() const { return m_tried; }

private:
    enum class What
    {
        None,
        Passes,
        Interval
    };

    Result<void> tell(Result<void> tried);

    BenchModel& m_model;
    What m_what = What::None;
    std::vector<Pass> m_passes;
    Ticks m_tried = 0; ///< by how much, or which interval
    QString m_refusal;
};

} // namespace pw::ui

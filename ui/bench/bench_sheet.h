// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"
#include "core/model/building_block.h"

#include <QUndoCommand>

#include <functional>
#include <optional>

namespace pw::ui {

/// What a bench shows, and its history keeps.
struct BenchSheet
{
    BuildingBlock block;
    int microBatches = 8;
    std::optional<FamilyChoice> source; ///< whose block it is, unchanged

    friend bool operator==(const BenchSheet&, const BenchSheet&) = default;
};

/// From one sheet to another, as a step of a history.
class BenchStep final : public QUndoCommand
{
public:
    using Show = std::function<void(const BenchSheet& sheet)>;

    /// @param merge  steps with the same words here become one; empty: it stays alone
    BenchStep(Show show, BenchSheet before, BenchSheet after, const QString& text,
              const QString& merge);

    void undo() override { m_show(m_before); }
    void redo() override { m_show(m_after); }
    int id() const override { return m_merge.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    Show m_show;
    BenchSheet m_before;
    BenchSheet m_after;
    QString m_merge;
};

} // namespace pw::ui

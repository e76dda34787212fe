// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "core/io/made_schedule.h"
#include "ui/document/schedule_identity.h"

#include <QUndoCommand>

#include <functional>

class QUndoStack;

namespace pw::ui {

/// The way from one state of a project to another.
struct ProjectWay
{
    Edit edit;
    SchedulePtr slow;          ///< of the project that it leads to, if a family needs long for it
    ScheduleIdentity identity; ///< of the project that it leads to
};

/// One step of a history that was done already: the way that takes it back, or does it again.
class EditStep final : public QUndoCommand
{
public:
    /// Goes a way, which then is the one back.
    using Go = std::function<void(ProjectWay& way)>;

    /// @param back   from the state that there is now
    /// @param merge  above 0: steps of the same number that come behind become part of this one
    EditStep(Go go, ProjectWay back, const QString& text, int merge);

    int id() const override { return m_merge > 0 ? m_merge : -1; }
    bool mergeWith(const QUndoCommand* other) override;
    void redo() override;
    void undo() override { m_go(m_way); }

private:
    Go m_go;
    ProjectWay m_way;
    int m_merge;
    bool m_fresh = true;
};

/// Whether a step of a number becomes part of the last one of a history.
bool mergesIntoLast(const QUndoStack& history, int merge);

} // namespace pw::ui

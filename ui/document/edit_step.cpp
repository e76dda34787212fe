// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/edit_step.h"

#include "ui/document/project_edits.h"

#include <QUndoStack>

#include <utility>

namespace pw::ui {

EditStep::EditStep(Go go, ProjectWay back, const QString& text, int merge)
    : QUndoCommand(text)
    , m_go(std::move(go))
    , m_way(std::move(back))
    , m_merge(merge)
{
}

bool EditStep::mergeWith(const QUndoCommand* other)
{
    Edit later = static_cast<const EditStep*>(other)->m_way.edit;
    if (replaces(m_way.edit, later))
        return true;
    later.changes.insert(later.changes.end(), m_way.edit.changes.begin(), m_way.edit.changes.end());
    m_way.edit = std::move(later);
    return true;
}

void EditStep::redo()
{
    // The stack does a step when it comes there; by then the document has done it.
    if (!std::exchange(m_fresh, false))
        m_go(m_way);
}

bool mergesIntoLast(const QUndoStack& history, int merge)
{
    const int count = history.count();
    return merge > 0 && count > 0 && history.index() == count &&
           history.command(count - 1)->id() == merge;
}

} // namespace pw::ui

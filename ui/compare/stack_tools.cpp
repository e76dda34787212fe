// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/stack_tools.h"

#include "ui/timeline/find_bar.h"
#include "ui/timeline/playback.h"

#include <QLayout>

#include <algorithm>
#include <utility>

namespace pw::ui {

StackTools::StackTools(QWidget* owner)
    : QObject(owner)
    , m_owner(owner)
{
}

void StackTools::detach()
{
    delete std::exchange(m_find, nullptr);
    delete std::exchange(m_playback, nullptr);
    m_searched = m_played = nullptr;
}

void StackTools::attach(const Rows& rows)
{
    if (rows.empty())
        return detach();
    if (TimelineWorkspace* top = rows.front()->board; top != m_searched) {
        delete m_find;
        m_searched = top;
        m_find = top->makeFindBar(m_owner);
        m_owner->layout()->addWidget(m_find);
    }
    const auto longest =
        std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
            return a->view->lanes()->end() < b->view->lanes()->end();
        });
    TimelineWorkspace* played = (*longest)->board;
    const bool there = std::any_of(rows.begin(), rows.end(),
                                   [this](const auto& row) { return row->board == m_played; });
    // A cursor that is there stays.
    if (there && (played == m_played || m_playback->time()))
        return;
    delete m_playback;
    m_played = played;
    m_playback = played->makePlayback(m_owner);
    m_owner->layout()->addWidget(m_playback);
    connect(m_playback, &Playback::moved, this, &StackTools::moved);
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/what_if.h"
#include "core/store/run_store.h"
#include "ui/improve/improver.h"
#include "ui/run/run_session.h"

#include <QObject>
#include <QPointer>

#include <cstdint>

namespace pw::ui {

class SchedulePage;
class Studio;

/// What can be made of a run: its times become the costs of its schedule; with them a better order
/// is looked for and run, and both runs are shown below each other. Every part is a step of the
/// history.
class RunAgain : public QObject
{
    Q_OBJECT

public:
    enum class Goal : std::uint8_t
    {
        Times, ///< only they are taken over
        Run    ///< a better order runs with them
    };

    /// @param studio, session  outlive this
    RunAgain(Studio& studio, RunSession& session);

    /// Why it cannot begin now, in a sentence; empty: it can.
    QString whyNot(Goal goal) const;
    /// Does not wait for it. What cannot be is told by the window.
    void begin(RunNumber run, Goal goal);

private:
    enum class Step : std::uint8_t
    {
        None,
        Reading,
        Improving,
        Asking, ///< the run is sent
        Running
    };

    void take(const WhatIfBase& base, Project project);
    SchedulePage& pageOf(const WhatIfBase& base, Project project);
    void improve();
    void run();
    void noticeImprover();
    void noticeSession();
    void show(RunNumber second);
    void giveUp(const QString& why);

    Studio& m_studio;
    RunSession& m_session;
    QPointer<SchedulePage> m_page;
    RunNumber m_first = 0;
    Goal m_goal = Goal::Times;
    Step m_step = Step::None;
    bool m_sent = false; ///< the session was asked to run it
};

/// Whether a run and its plan are so far apart that the plan's times say nothing of this machine.
bool farFromPlan(Ticks measured, Ticks planned);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/runs/run_timeline.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace pw::ui {

/// What stands above a run: its name and what is worth knowing of it, the choice of an iteration,
/// and switches of what is shown below.
class RunHeader : public QWidget
{
    Q_OBJECT

public:
    explicit RunHeader(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Shows an iteration. @param run  null: there is none
    void setRun(const RunTimelinePtr& run);
    /// Whether there are losses to be shown.
    void setLosses(bool any);
    /// The run is of one replica of several: the way to all of them is there.
    void setJob(bool several);
    /// The run is a stretch of a training whose k follows the network: its chart can be hidden.
    void setAdaptive();

    void setChainShown(bool shown);
    /// As it was last time.
    bool accountShown() const;

    /// Asks for the iteration before (−1) or behind (+1).
    void stepIteration(int direction);

Q_SIGNALS:
    void iterationAsked(std::int32_t iteration);
    void chainToggled(bool shown);
    void accountToggled(bool shown);
    void lossesToggled(bool shown);
    void adaptiveToggled(bool shown);
    void compareAsked();
    void jobAsked();
    /// The times of the run are to become the costs of its schedule; and a better one is to run.
    void timesAsked();
    void againAsked();

private:
    void showIterations(const RunTimeline& run);
    void showNotes(const RunTimeline& run);

    QLabel* m_name;
    QLabel* m_about;
    QLabel* m_note;
    QComboBox* m_iterations;
    QToolButton* m_before;
    QToolButton* m_behind;
    QToolButton* m_chain;
    QToolButton* m_account;
    QToolButton* m_losses;
    QToolButton* m_adaptive;
    QToolButton* m_compare;
    QToolButton* m_job;
    QToolButton* m_times;
    QToolButton* m_again;
};

/// "iteration 3", "warm-up 1"
QString iterationText(std::int32_t iteration);

/// How the times of an iteration are known, in words; empty where all were measured on the device.
QString trustText(const RunTimeline& run);

} // namespace pw::ui

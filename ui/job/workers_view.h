// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/job/shown_step.h"
#include "ui/job/worker_values.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QStackedWidget;

namespace pw::ui {

class WorkerChoice;
class WorkerMap;
class WorkerSpread;

/// One figure of all workers of a job, which is chosen: of a step, or in the median of all, as a
/// map or as a spread.
class WorkersView : public QWidget
{
    Q_OBJECT

public:
    explicit WorkersView(ShownJobPtr job, QWidget* parent = nullptr);

    WorkerMap& map() { return *m_map; }
    WorkerSpread& spread() { return *m_spread; }

    void setStep(const ShownStepPtr& step);
    /// What a person does in the map and the spread, and which worker both show.
    WorkerChoice& choice() { return *m_choice; }
    /// The times of a pass in all replicas are the last of the figures from now on; what stood
    /// there before goes. Of one replica there is nothing to be compared.
    void offerPass(const Pass& pass);
    /// Whether figures are of the step; else the median of all steps.
    bool ofStep() const;
    /// The work of the stages, of what the figures are of.
    std::vector<double> balance() const;

Q_SIGNALS:
    /// Figures are of another step, or of all.
    void stepChanged();

private:
    void refresh();

    ShownJobPtr m_job;
    QComboBox* m_measure;
    QComboBox* m_span;
    QStackedWidget* m_pictures; ///< the map, or the spread
    WorkerChoice* m_choice;
    WorkerMap* m_map;
    WorkerSpread* m_spread;
    ShownStepPtr m_step;        ///< null: there is none yet
    std::optional<Pass> m_pass; ///< whose times are the last figure
};

} // namespace pw::ui

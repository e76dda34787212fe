// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/latest_work.h"
#include "ui/plan/plan_fields.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace pw::ui {

class PlanPicture;
class SplitBars;

/// A plan as it runs, and its layers stage by stage, which can be dragged from one to another: what
/// that makes of it is said at once.
class PlanSplit : public QWidget
{
    Q_OBJECT

public:
    explicit PlanSplit(QWidget* parent = nullptr);

    /// @param asked  what the plan is an answer to
    void setPlan(const PlanAsked& asked, const plan::Evaluation& plan);
    void clear();
    /// The plan with its layers as they were dragged; none: there is no plan.
    const std::optional<plan::Evaluation>& shaped() const { return m_shaped; }
    SplitBars& bars() { return *m_bars; }
    PlanPicture& picture() { return *m_picture; }

Q_SIGNALS:
    /// The plan is to be opened with these layers.
    void openRequested();
    /// A sentence on what is under the pointer; empty: nothing.
    void told(const QString& sentence);

private:
    void reshape(const std::vector<int>& layers);
    void showShaped();
    void showStages();
    void askForPicture();
    QString shapedText() const;
    void tell(int stage);

    PlanAsked m_asked;
    std::optional<plan::Evaluation> m_plan;
    std::optional<plan::Evaluation> m_shaped;
    LatestWork m_pictureWork;
    PlanPicture* m_picture;
    SplitBars* m_bars;
    QLabel* m_words;
    QPushButton* m_open;
};

} // namespace pw::ui

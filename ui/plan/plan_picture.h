// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"
#include "ui/models/lanes.h"

#include <QWidget>

namespace pw::ui {

/// The pipeline of a plan as it runs, small: one lane a rank, the whole of an iteration.
class PlanPicture : public QWidget
{
    Q_OBJECT

public:
    explicit PlanPicture(QWidget* parent = nullptr);

    /// Null: nothing is shown, and the sentence stands there.
    void setLanes(LanesPtr lanes);
    const LanesPtr& lanes() const { return m_lanes; }
    void setSentence(const QString& sentence);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, 48}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LanesPtr m_lanes;
    QString m_sentence;
};

/// The lanes of a project's schedule; null where it has too many passes for a small picture, or
/// does not run. Takes a moment.
LanesPtr pictureLanes(const Project& project);

} // namespace pw::ui

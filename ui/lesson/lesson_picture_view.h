// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"
#include "ui/models/lanes.h"

#include <QWidget>

namespace pw::ui {

/// A picture of a lesson: the lanes of a schedule, made when the lesson is shown.
class LessonPictureView : public QWidget
{
    Q_OBJECT

public:
    LessonPictureView(const Project& project, const QString& caption, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int laneHeight() const;

    LanesPtr m_lanes;
    QString m_caption;
};

} // namespace pw::ui

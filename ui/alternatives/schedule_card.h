// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"

#include <QStringList>
#include <QWidget>

namespace pw::ui {

/// A schedule in small with a few words, beside the point that it is about; never in the pointer's
/// way.
class ScheduleCard : public QWidget
{
    Q_OBJECT

public:
    /// Moves within its parent.
    explicit ScheduleCard(QWidget* parent);

    struct Content
    {
        QString title;
        QString source;   ///< at the right of the title: whose it is
        LanesPtr lanes;   ///< null: no picture
        QString figures;  ///< a line
        QString verdict;  ///< a line below it; empty: none
        bool good = true; ///< the verdict is what one wants
    };
    /// Shows it beside a place of the parent.
    void show(const Content& content, QPointF place);
    using QWidget::show;
    const Content& content() const { return m_content; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Content m_content;
};

} // namespace pw::ui

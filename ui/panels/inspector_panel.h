// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"
#include "ui/models/lanes.h"

#include <QWidget>

class QLabel;

namespace pw::ui {

/// What is known of the selected pass, and the schedule's numbers beside what formulas and a pinned
/// schedule say.
class InspectorPanel : public QWidget
{
    Q_OBJECT

public:
    explicit InspectorPanel(QWidget* parent = nullptr);

    void show(const ScheduleDocument* document, SpanRef span);
    /// A schedule that others are held against; its figures are kept, not the document.
    void pin(const ScheduleDocument* document);

private:
    QString passText(const ScheduleDocument& document, SpanRef span) const;
    QString againstText(const ScheduleDocument& document) const;

    QLabel* m_pass;
    QLabel* m_against;
    QLabel* m_problems;
    QString m_pinnedTitle;
    Ticks m_pinnedMakespan = 0;
    double m_pinnedPeak = 0;
};

} // namespace pw::ui

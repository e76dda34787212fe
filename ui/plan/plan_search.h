// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/latest_work.h"
#include "ui/plan/plan_fields.h"

#include <QObject>
#include <QStringList>

namespace pw::ui {

/// Looks for plans in another thread, and then for what would help.
class PlanSearch : public QObject
{
    Q_OBJECT

public:
    explicit PlanSearch(QObject* parent = nullptr);

    /// In place of what is under way.
    void begin(const PlanAsked& asked);
    /// Ends with the best so far.
    void stop() { m_work.stop(); }
    bool busy() const { return m_work.busy(); }
    bool stopping() const { return m_work.stopping(); }
    /// What would help plans that were found, or make possible what is not: further searches.
    void askForHelp(const PlanAsked& asked, const plan::PlanTable& found);

Q_SIGNALS:
    /// A search for plans has begun, was asked to stop, or has ended.
    void changed();
    /// How far it is, several times a second.
    void progressed(const pw::plan::SearchProgress& now);
    void found(const pw::plan::PlanTable& table);
    /// Nothing can be planned so.
    void refused(const QString& why);
    /// Sentences on what would help.
    void helpFound(const QStringList& lines);

private:
    LatestWork m_work;
    LatestWork m_helpWork;
    QMetaObject::Connection m_progress; ///< of the search under way
};

} // namespace pw::ui

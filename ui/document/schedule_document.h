// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/project_file.h"
#include "core/sim/simulator.h"
#include "ui/models/lanes.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace pw::ui {

/// A project that is open: what a person edits, and what follows from it. Its schedule changes
/// through `change` alone.
class ScheduleDocument : public QObject
{
    Q_OBJECT

public:
    explicit ScheduleDocument(QObject* parent = nullptr);
    ~ScheduleDocument() override;

    const Project& project() const { return m_project; }
    /// Title of the project, or what it is: "ZB-V · 4 × 8".
    QString title() const;
    /// File that it was opened from or saved to; empty: none.
    const QString& path() const { return m_path; }
    bool modified() const { return !m_undo.isClean(); }
    QUndoStack& undoStack() { return m_undo; }

    /// The schedule and its times; null while the project has none, see `problem`.
    const std::shared_ptr<const Schedule>& schedule() const { return m_schedule; }
    const SimResult& result() const { return m_result; }
    const Costs& costs() const { return m_costs; }
    const LanesPtr& lanes() const { return m_lanes; }
    /// Why there is no schedule, in a sentence; empty where there is one.
    const QString& problem() const { return m_problem; }
    /// Nanoseconds that the last simulation took.
    qint64 simulationTime() const { return m_simulationTime; }

    /// Replaces the project as one step that can be undone.
    ///
    /// @param text    of the menu: "Devices 8"
    /// @param merge   consecutive changes of the same number above 0 become one step (a value that
    ///                is being typed)
    /// @error         the project has no schedule that runs; nothing has changed
    Result<void> change(Project next, const QString& text, int merge = 0);

    /// A new project in the place of this one, without history.
    void reset(Project project, const QString& path = {});
    /// @error as of `loadProject` and the readers of other formats
    Result<void> open(const QString& path);
    Result<void> save(const QString& path);

Q_SIGNALS:
    /// Schedule, times, lanes or problem are new.
    void resultChanged();
    /// Title, path or the mark of unsaved changes is new.
    void titleChanged();

private:
    class Change;

    struct Evaluation
    {
        std::shared_ptr<const Schedule> schedule;
        Costs costs;
        SimResult result;
        qint64 time = 0;
    };
    static Result<Evaluation> evaluate(const Project& project);
    void adopt(Project project, Result<Evaluation> evaluation);

    Project m_project;
    QString m_path;
    QUndoStack m_undo;
    std::shared_ptr<const Schedule> m_schedule;
    Costs m_costs;
    SimResult m_result;
    LanesPtr m_lanes;
    QString m_problem;
    qint64 m_simulationTime = 0;
};

/// A project with the schedule of a family.
Project projectOf(std::string_view family, const FamilyOptions& options, const UniformCosts& costs);

QString text(std::string_view utf8);

} // namespace pw::ui

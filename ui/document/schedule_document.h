// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/edit/edit.h"
#include "core/io/project_file.h"
#include "core/sim/draft_times.h"
#include "ui/models/lanes.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace pw::ui {

/// A project that is open: what a person edits, and what follows from it. It changes through `edit`
/// alone.
///
/// The draft may be unfinished, and in free edit also wrong: lanes and times are there for every
/// draft, a schedule only for one that is whole and runs.
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

    /// The orders in full, also those that a family makes; one list a device.
    const Draft& draft() const;
    /// Start and end of every entry of the draft.
    const DraftTimes& times() const { return m_times; }
    /// What is missing or wrong in the draft; a ring is told by `times().ring`.
    const Problems& problems() const { return m_problems; }
    const LanesPtr& lanes() const { return m_lanes; }
    const Costs& costs() const { return m_costs; }

    /// The draft as a schedule; null unless it is whole and runs.
    const std::shared_ptr<const Schedule>& schedule() const { return m_schedule; }
    /// Times of the draft, as `times().times`.
    const SimResult& result() const { return m_times.times; }
    /// Why there is no schedule, in a sentence; empty where there is one.
    const QString& problem() const { return m_problem; }
    /// Nanoseconds that the last simulation took.
    qint64 simulationTime() const { return m_simulationTime; }

    /// Whether an edit may break the rules; what it breaks is then listed in `problems`.
    bool freeEdit() const { return m_freeEdit; }
    void setFreeEdit(bool on);

    /// Changes the project as one step that can be undone.
    ///
    /// Passes may be missing afterwards. An edit that makes something else wrong, or a ring, is
    /// taken in free edit only.
    ///
    /// @param text    of the menu: "Move F of micro-batch 3"
    /// @param merge   consecutive edits of the same number above 0 become one step (a value that is
    ///                being typed)
    /// @error         of `apply`, of the family that cannot make its schedule, or the rule that is
    ///                broken; nothing has changed
    Result<void> edit(const Edit& edit, const QString& text, int merge = 0);

    /// Replaces the project by way of `edit`; what is equal stays. With a family the spec follows
    /// from its options.
    Result<void> change(Project next, const QString& text, int merge = 0);

    /// The edit of entries with what it needs before it: of a family's schedule, that it becomes an
    /// order of its own.
    Edit onOwnOrders(Edit edit) const;

    /// A new project in the place of this one, without history.
    void reset(Project project, const QString& path = {});
    /// @error as of `loadProject` and the readers of other formats
    Result<void> open(const QString& path);
    Result<void> save(const QString& path);

Q_SIGNALS:
    /// Draft, times, lanes or problems are new.
    void resultChanged();
    /// Title, path or the mark of unsaved changes is new.
    void titleChanged();
    void freeEditChanged(bool on);

private:
    class Step;

    /// What follows from a project.
    struct Evaluation
    {
        std::shared_ptr<const Schedule> schedule;
        std::optional<Draft> made; ///< of a family, where it does not run
        Costs costs;
        DraftTimes times;
        Problems problems;
        std::optional<Error> failure; ///< why the family makes nothing
        qint64 time = 0;
    };
    Evaluation evaluate();
    void simulate(Evaluation& evaluation);
    /// The rule that a draft breaks and the present one does not; empty: none.
    std::string broken(const Evaluation& evaluation) const;
    void adopt(Evaluation evaluation);
    /// Does an edit that is known to fit, for the history. @return the way back
    Edit replay(const Edit& edit);

    Project m_project;
    QString m_path;
    QUndoStack m_undo;
    mutable std::optional<Draft> m_made; ///< what the family makes, once it was asked for
    std::shared_ptr<const Schedule> m_schedule;
    Costs m_costs;
    DraftTimes m_times;
    Problems m_problems;
    LanesPtr m_lanes;
    QString m_problem;
    qint64 m_simulationTime = 0;
    bool m_freeEdit = false;
    Simulator m_simulator;
    DraftSimulator m_draftSimulator;
};

/// The edit that makes one project of another.
Edit editBetween(const Project& from, const Project& to);

/// A project with the schedule of a family.
Project projectOf(std::string_view family, const FamilyOptions& options, const UniformCosts& costs);

QString text(std::string_view utf8);

} // namespace pw::ui

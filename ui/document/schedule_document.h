// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/edit/edit.h"
#include "core/io/project_file.h"
#include "core/sim/draft_times.h"
#include "ui/document/edit_step.h"
#include "ui/document/pending_project.h"
#include "ui/document/project_edits.h"
#include "ui/document/project_evaluator.h"
#include "ui/document/schedule_identity.h"
#include "ui/models/lanes.h"
#include "ui/text.h"

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
///
/// A family that searches, or makes very many passes, is asked in another thread. Meanwhile what
/// there was stays, other changes of the schedule are refused, and `change` takes the place of the
/// one that is being computed.
class ScheduleDocument : public QObject
{
    Q_OBJECT

public:
    explicit ScheduleDocument(QObject* parent = nullptr);
    ~ScheduleDocument() override;

    const Project& project() const { return m_project; }
    /// The project as it is kept in a file: where it has no title, one tells where its orders come
    /// from.
    Project kept() const;
    /// Title of the project, or what it is: "ZB-V · 4 × 8", "ZB-V, edited · 4 × 8".
    QString title() const;
    /// The family that makes the schedule or that its orders were made from, and what was before.
    const ScheduleIdentity& identity() const { return m_identity; }
    /// File that it was opened from or saved to; empty: none.
    const QString& path() const { return m_path; }
    bool modified() const { return !m_undo.isClean(); }
    QUndoStack& undoStack() { return m_undo; }

    /// The orders in full, also those that a family makes; one list a device.
    const Draft& draft() const;
    /// Start and end of every entry of the draft.
    const DraftTimes& times() const { return m_present.times; }
    /// What is missing or wrong in the draft; a ring is told by `times().ring`.
    const Problems& problems() const { return m_present.problems; }
    const LanesPtr& lanes() const { return m_present.lanes; }
    const Costs& costs() const { return m_present.costs; }

    /// The draft as a schedule; null unless it is whole and runs.
    const SchedulePtr& schedule() const { return m_present.schedule; }
    /// Times of the draft, as `times().times`.
    const SimResult& result() const { return m_present.times.times; }
    /// Why there is no schedule, in a sentence; empty where there is one.
    const QString& problem() const { return m_problem; }
    /// Whether a family's schedule is being computed.
    bool computing() const { return m_pending.wanted().has_value(); }
    /// "V-Auto · 16 × 64" of what is being computed; else empty.
    QString computed() const;
    /// Drops what is being computed; what there was stays.
    void cancelComputing();
    /// Whether the family has made nothing yet: it is being computed, or that was cancelled.
    bool unmade() const { return m_present.unmade; }
    /// Computes the family's schedule where that was cancelled.
    void compute();
    /// The project as it will be once what is being computed is there.
    const Project& wanted() const;

    /// Nanoseconds that the last simulation took.
    std::int64_t simulationTime() const { return m_present.simulationTime; }

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
    /// @return        also where the family's schedule is being computed first: then the step is
    ///                done later, or `refused` says why not
    /// @error         of `apply`, of the family that cannot make its schedule, or the rule that is
    ///                broken; nothing has changed. Something else is being computed
    Result<void> edit(const Edit& edit, const QString& text, int merge = 0);

    /// `edit` of what a search has found.
    Result<void> improve(const Edit& edit, const QString& text);

    /// Replaces the project by way of `edit`; what is equal stays. With a family the spec follows
    /// from its options. Where something is being computed, it is replaced: make the next project
    /// of `wanted`.
    Result<void> change(Project next, const QString& text, int merge = 0);

    /// The edit of entries with what it needs before it: of a family's schedule, that it becomes an
    /// order of its own.
    Edit onOwnOrders(Edit edit) const;

    /// What a new project does whose family takes long.
    enum class Patience : std::uint8_t
    {
        None, ///< it is computed in another thread
        Full  ///< this call returns when it is there
    };
    /// A new project in the place of this one, without history.
    void reset(Project project, const QString& path = {}, Patience patience = Patience::None);
    /// @error as of `loadProject` and the readers of other formats
    Result<void> open(const QString& path);
    Result<void> save(const QString& path);

Q_SIGNALS:
    /// Draft, times, lanes or problems are new.
    void resultChanged();
    /// Title, path or the mark of unsaved changes is new.
    void titleChanged();
    void freeEditChanged(bool on);
    /// Something is being computed, something else is, or nothing more.
    void computingChanged();
    /// What was being computed cannot be, in a sentence.
    void refused(const QString& why);

private:
    /// As `edit`. @param ready  what follows from the edit, where it was computed
    Result<void> perform(const Edit& edit, const QString& text, int merge,
                         std::optional<ProjectEvaluation> ready = {});
    /// Goes a way of the history, which then is the one back.
    void go(ProjectWay& way);
    void begin(PendingProject::Wanted wanted);
    void end(const PendingProject::Wanted& done, ProjectEvaluation evaluation);
    void drop();
    void adopt(ProjectEvaluation evaluation);
    void adoptPresent();
    void showUnmade();
    void tellResult(const QString& titleBefore);
    QString titleOf(const Project& project) const;
    /// The present schedule, where it took long to make; for the history.
    SchedulePtr slowSchedule() const;
    ScheduleIdentity nextIdentity(const Edit& edit, const QString& title, int merge) const;

    Project m_project;
    QString m_path;
    QUndoStack m_undo;
    ProjectEvaluation m_present;
    mutable std::optional<Draft> m_made; ///< what the family makes, once it was asked for
    QString m_problem;
    bool m_freeEdit = false;
    ScheduleIdentity m_identity;
    bool m_improving = false; ///< the edit that is being done is of a search
    ProjectEvaluator m_evaluator;
    PendingProject m_pending;
};

} // namespace pw::ui

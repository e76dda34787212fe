// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/edit/edit.h"
#include "core/io/project_file.h"
#include "core/sim/draft_times.h"
#include "ui/document/schedule_identity.h"
#include "ui/models/lanes.h"
#include "ui/text.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <atomic>
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
    /// Whether a family's schedule is being computed.
    bool computing() const { return m_pending.has_value(); }
    /// "V-Auto · 16 × 64" of what is being computed; else empty.
    QString computed() const;
    /// Drops what is being computed; what there was stays.
    void cancelComputing();
    /// Whether the family has made nothing yet: it is being computed, or that was cancelled.
    bool unmade() const { return m_unmade; }
    /// Computes the family's schedule where that was cancelled.
    void compute();
    /// The project as it will be once what is being computed is there.
    const Project& wanted() const;

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
    class Step;
    using SchedulePtr = std::shared_ptr<const Schedule>;

    /// What follows from a project.
    struct Evaluation
    {
        SchedulePtr schedule;
        std::optional<Draft> made; ///< of a family, where it does not run
        Costs costs;
        DraftTimes times;
        Problems problems;
        std::optional<Error> failure; ///< why the family makes nothing
        bool unmade = false;          ///< the family was not asked yet
        LanesPtr lanes;
        qint64 time = 0;
    };
    /// Keep their buffers from one evaluation to the next.
    struct Simulators
    {
        Simulator schedule;
        DraftSimulator draft;
    };
    /// What is being computed.
    struct Pending
    {
        Project project;          ///< with the family that is asked
        std::optional<Edit> edit; ///< none: the project is the present one already
        QString text;
        int merge = 0;
        std::shared_ptr<std::atomic<bool>> stop;
    };
    static Evaluation evaluate(const Project& project, Simulators& simulators);
    static void simulate(const Project& project, Evaluation& evaluation, Simulators& simulators);
    /// What there is of a project whose family was not asked.
    static Evaluation unmade(const Project& project);
    Evaluation evaluate() { return evaluate(m_project, m_simulators); }
    /// As `edit`. @param ready  what follows from the edit, where it was computed
    Result<void> perform(const Edit& edit, const QString& text, int merge, Evaluation* ready);
    void begin(Pending pending);
    void end(const std::shared_ptr<std::atomic<bool>>& which, Evaluation evaluation);
    void drop();
    void showUnmade();
    void adoptPresent();
    QString titleOf(const Project& project) const;
    /// The rule that a draft breaks and the present one does not; empty: none.
    QString broken(const Evaluation& evaluation) const;
    void adopt(Evaluation evaluation);
    /// The present schedule, where it took long to make; for the history.
    SchedulePtr slowSchedule() const;
    /// Does an edit that is known to fit, for the history.
    /// @param slow  of the project then, and afterwards of the one before
    /// @return the way back
    Edit replay(const Edit& edit, SchedulePtr& slow, ScheduleIdentity& identity);
    ScheduleIdentity nextIdentity(const Edit& edit, const QString& title, int merge) const;

    Project m_project;
    QString m_path;
    QUndoStack m_undo;
    mutable std::optional<Draft> m_made; ///< what the family makes, once it was asked for
    SchedulePtr m_schedule;
    Costs m_costs;
    DraftTimes m_times;
    Problems m_problems;
    LanesPtr m_lanes;
    QString m_problem;
    qint64 m_simulationTime = 0;
    bool m_freeEdit = false;
    bool m_unmade = false; ///< the family was not asked yet, or that was cancelled
    ScheduleIdentity m_identity;
    bool m_improving = false; ///< the edit that is being done is of a search
    Simulators m_simulators;
    std::optional<Pending> m_pending;
};

/// The edit that makes one project of another.
Edit editBetween(const Project& from, const Project& to);

/// A project with the schedule of a family.
Project projectOf(std::string_view family, const FamilyOptions& options, const UniformCosts& costs);

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/schedule_document.h"

#include "core/base/assert.h"
#include "core/base/stop.h"
#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/edit/placing.h"
#include "core/families/family.h"
#include "core/io/made_schedule.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/plural.h"

#include <QElapsedTimer>
#include <QUndoCommand>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace pw::ui {

namespace {

/// Whether an edit leaves orders, spec and costs alone.
bool leavesSchedule(const Edit& edit)
{
    return std::all_of(edit.changes.begin(), edit.changes.end(), [](const Change& change) {
        return change.is<SetTitle>() || change.is<SetNotes>() || change.is<SetAnnotations>() ||
               change.is<InsertBlock>() || change.is<RemoveBlock>() || change.is<SetBlock>();
    });
}

/// Whether doing `last` alone gives what doing `first` and then `last` gives: both set the same
/// things as a whole.
bool replaces(const Edit& last, const Edit& first)
{
    const auto alike = [](const Change& a, const Change& b) {
        return a.sameKind(b) && (a.is<SetSchedule>() || a.is<SetCosts>() || a.is<SetOffload>() ||
                                 a.is<SetTitle>() || a.is<SetNotes>() || a.is<SetAnnotations>());
    };
    return std::equal(last.changes.begin(), last.changes.end(), first.changes.begin(),
                      first.changes.end(), alike);
}

/// That a search over few passes has before it goes on in another thread.
constexpr std::chrono::milliseconds shortWait(40);

/// Problems other than passes that are still missing; those come last in the list.
std::size_t wrongCount(const Problems& problems)
{
    return static_cast<std::size_t>(
        std::find_if(problems.list.begin(), problems.list.end(),
                     [](const Problem& one) { return one.code == ProblemCode::Missing; }) -
        problems.list.begin());
}

} // namespace

/// One step of the history: the edit that takes it back, or does it again.
class ScheduleDocument::Step : public QUndoCommand
{
public:
    Step(ScheduleDocument& document, Edit inverse, SchedulePtr slow, ScheduleIdentity identity,
         const QString& text, int merge)
        : QUndoCommand(text)
        , m_document(document)
        , m_edit(std::move(inverse))
        , m_slow(std::move(slow))
        , m_identity(std::move(identity))
        , m_merge(merge)
    {
    }

    int id() const override { return m_merge > 0 ? m_merge : -1; }

    bool mergeWith(const QUndoCommand* other) override
    {
        Edit later = static_cast<const Step*>(other)->m_edit;
        if (replaces(m_edit, later))
            return true;
        later.changes.insert(later.changes.end(), m_edit.changes.begin(), m_edit.changes.end());
        m_edit = std::move(later);
        return true;
    }

    void redo() override
    {
        // The stack does a step when it comes there; by then the document has done it.
        if (std::exchange(m_fresh, false))
            return;
        m_edit = m_document.replay(m_edit, m_slow, m_identity);
    }

    void undo() override { m_edit = m_document.replay(m_edit, m_slow, m_identity); }

private:
    ScheduleDocument& m_document;
    Edit m_edit;
    SchedulePtr m_slow;          ///< where the edit leads, if a family needs long for it
    ScheduleIdentity m_identity; ///< where the edit leads
    int m_merge;
    bool m_fresh = true;
};

ScheduleDocument::ScheduleDocument(QObject* parent)
    : QObject(parent)
    , m_lanes(std::make_shared<const Lanes>())
{
    m_times.begin.push_back(EntryId(0));
    connect(&m_undo, &QUndoStack::cleanChanged, this, &ScheduleDocument::titleChanged);
}

ScheduleDocument::~ScheduleDocument()
{
    // The history says that it is clean while it goes; nobody is left to hear of a new title.
    disconnect(&m_undo, nullptr, this, nullptr);
    if (m_pending)
        m_pending->stop->store(true);
}

QString ScheduleDocument::title() const
{
    return m_project.title.empty() ? titleOf(m_project) : text(m_project.title);
}

Project ScheduleDocument::kept() const
{
    Project project = m_project;
    keepIdentity(project, m_identity);
    return project;
}

QString ScheduleDocument::titleOf(const Project& project) const
{
    const PipelineSpec& spec = project.draft.spec;
    QString what =
        project.family ? ScheduleIdentity{project.family, {}, {}}.called() : m_identity.called();
    if (what.isEmpty())
        what = tr("Own order");
    return QStringLiteral("%1 · %2 × %3").arg(what).arg(spec.devices).arg(spec.microBatches);
}

const Draft& ScheduleDocument::draft() const
{
    if (!m_project.family)
        return m_project.draft;
    if (!m_made)
        m_made = draftOf(*m_schedule);
    return *m_made;
}

void ScheduleDocument::setFreeEdit(bool on)
{
    if (m_freeEdit == on)
        return;
    m_freeEdit = on;
    Q_EMIT freeEditChanged(on);
}

/// Times of a schedule, or of what there is of one.
void ScheduleDocument::simulate(const Project& project, Evaluation& evaluation,
                                Simulators& simulators)
{
    DraftTimes& times = evaluation.times;
    QElapsedTimer timer;
    timer.start();
    if (evaluation.schedule) {
        const Schedule& schedule = *evaluation.schedule;
        if (simulators.schedule.run(schedule, evaluation.costs, times.times)) {
            evaluation.time = timer.nsecsElapsed();
            for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
                times.begin.push_back(schedule.begin(device));
            times.begin.push_back(EntryId(schedule.entryCount()));
            evaluation.lanes = lanesOf(evaluation.schedule, times.times);
            return;
        }
        if (project.family)
            evaluation.made = draftOf(schedule);
        evaluation.schedule.reset();
    }
    const Draft& draft = evaluation.made ? *evaluation.made : project.draft;
    simulators.draft.run(draft, evaluation.costs, times);
    evaluation.time = timer.nsecsElapsed();
    evaluation.lanes = lanesOf(draft, times);
}

ScheduleDocument::Evaluation ScheduleDocument::evaluate(const Project& project,
                                                        Simulators& simulators)
{
    const Draft& own = project.draft;
    Result<SchedulePtr> schedule = madeSchedule(project);
    if (!schedule && project.family) {
        Evaluation evaluation = unmade(project);
        evaluation.failure = schedule.error();
        return evaluation;
    }
    Evaluation evaluation;
    if (schedule)
        evaluation.schedule = *std::move(schedule);
    else if (Result<Problems> wrong = pw::problems(own); wrong)
        evaluation.problems = *std::move(wrong);
    else
        evaluation.failure = wrong.error();
    evaluation.costs = costsOf(project);
    simulate(project, evaluation, simulators);
    return evaluation;
}

ScheduleDocument::Evaluation ScheduleDocument::unmade(const Project& project)
{
    Evaluation evaluation;
    evaluation.made = Draft{project.draft.spec, {}};
    evaluation.made->orders.resize(static_cast<std::size_t>(project.draft.spec.devices));
    evaluation.costs = costsOf(project);
    Simulators simulators;
    simulate(project, evaluation, simulators);
    return evaluation;
}

QString ScheduleDocument::broken(const Evaluation& evaluation) const
{
    const PipelineSpec& spec = m_project.draft.spec;
    const std::vector<Problem>& before = m_problems.list;
    const std::vector<Problem>& after = evaluation.problems.list;
    const std::size_t wrong = wrongCount(evaluation.problems);
    if (wrong > wrongCount(m_problems)) {
        for (std::size_t i = 0; i < wrong; ++i) {
            const bool known = std::any_of(before.begin(), before.end(), [&](const Problem& one) {
                return one.code == after[i].code && one.pass == after[i].pass;
            });
            if (!known)
                return coreSentence(placed(after[i]));
        }
        return coreSentence(placed(after.front()));
    }
    if (m_times.ring.empty() && !evaluation.times.ring.empty())
        return coreSentence(ringText(evaluation.times.ring, spec));
    return {};
}

void ScheduleDocument::adopt(Evaluation evaluation)
{
    m_made = std::move(evaluation.made);
    m_schedule = std::move(evaluation.schedule);
    m_costs = std::move(evaluation.costs);
    m_times = std::move(evaluation.times);
    m_problems = std::move(evaluation.problems);
    m_simulationTime = evaluation.time;
    m_lanes = std::move(evaluation.lanes);
    m_unmade = evaluation.unmade;
    m_problem.clear();
    if (evaluation.failure)
        m_problem = coreSentence(evaluation.failure->message);
    else if (const std::size_t wrong = wrongCount(m_problems); wrong > 0)
        m_problem = coreSentence(placed(m_problems.list.front()));
    else if (m_unmade)
        showUnmade();
    else if (!m_times.ring.empty())
        m_problem = coreSentence(ringText(m_times.ring, m_project.draft.spec));
    else if (!m_problems.none())
        m_problem = tr("%1 missing").arg(plural(m_problems.count, Noun::Pass));
}

ScheduleDocument::SchedulePtr ScheduleDocument::slowSchedule() const
{
    return makingOf(m_project) != Making::Quick ? m_schedule : nullptr;
}

Edit ScheduleDocument::replay(const Edit& edit, SchedulePtr& slow, ScheduleIdentity& identity)
{
    const bool same = leavesSchedule(edit);
    if (!same)
        drop();
    const QString before = title();
    SchedulePtr left = slowSchedule();
    Result<Edit> back = apply(m_project, edit);
    PW_ASSERT(back.has_value());
    std::swap(m_identity, identity);
    if (!same) {
        if (slow)
            rememberSchedule(m_project, slow);
        slow = std::move(left);
        adoptPresent();
    } else if (m_pending) {
        PW_ASSERT(apply(m_pending->project, edit).has_value());
    }
    Q_EMIT resultChanged();
    if (title() != before)
        Q_EMIT titleChanged();
    return *std::move(back);
}

/// Takes over what follows from the project, or has it computed.
void ScheduleDocument::adoptPresent()
{
    if (madeAtOnce(m_project, shortWait)) {
        adopt(evaluate());
    } else {
        Evaluation nothing = unmade(m_project);
        nothing.unmade = true;
        adopt(std::move(nothing));
        begin({m_project, std::nullopt, {}, 0, nullptr});
    }
}

Result<void> ScheduleDocument::edit(const Edit& edit, const QString& text, int merge)
{
    if (m_pending && !leavesSchedule(edit))
        return fail(ErrorCode::BadValue, tr("%1 is being computed: wait for it, or cancel it first")
                                             .arg(computed())
                                             .toStdString());
    return perform(edit, text, merge, nullptr);
}

Result<void> ScheduleDocument::perform(const Edit& edit, const QString& text, int merge,
                                       Evaluation* ready)
{
    if (edit.empty())
        return {};
    const QString before = title();
    SchedulePtr slow = leavesSchedule(edit) ? nullptr : slowSchedule();
    PW_TRY(Edit back, apply(m_project, edit));
    ScheduleIdentity identity = m_identity;
    if (!leavesSchedule(edit)) {
        if (ready == nullptr && !madeAtOnce(m_project, shortWait)) {
            Project wanted = m_project;
            PW_ASSERT(apply(m_project, back).has_value());
            begin({std::move(wanted), edit, text, merge, nullptr});
            return {};
        }
        Evaluation evaluation = ready != nullptr ? std::move(*ready) : evaluate();
        std::optional<Error> refusal = evaluation.failure;
        if (!refusal && !m_freeEdit)
            if (const QString rule = broken(evaluation); !rule.isEmpty())
                refusal = Error{ErrorCode::BadSchedule, rule.toStdString()};
        if (refusal) {
            PW_ASSERT(apply(m_project, back).has_value());
            return fail(*std::move(refusal));
        }
        identity = nextIdentity(edit, before, merge);
        drop();
        adopt(std::move(evaluation));
    } else if (m_pending) {
        PW_ASSERT(apply(m_pending->project, edit).has_value());
    }
    std::swap(m_identity, identity);
    m_undo.push(
        new Step(*this, std::move(back), std::move(slow), std::move(identity), text, merge));
    Q_EMIT resultChanged();
    if (title() != before)
        Q_EMIT titleChanged();
    return {};
}

Result<void> ScheduleDocument::change(Project next, const QString& text, int merge)
{
    if (next.family) {
        // The spec follows from the family and its options.
        PW_TRY(const Family* family, findFamily(next.family->id));
        PW_TRY(PipelineSpec spec, specOf(*family, next.family->options));
        next.draft.spec = std::move(spec);
        next.draft.orders.clear();
    }
    const Edit edit = editBetween(m_project, next);
    if (!edit.empty() || !m_pending || !m_pending->edit)
        return perform(edit, text, merge, nullptr);
    drop(); // back to what is shown
    return {};
}

Result<void> ScheduleDocument::improve(const Edit& edit, const QString& text)
{
    m_improving = true;
    Result<void> done = this->edit(edit, text);
    m_improving = false;
    return done;
}

/// The identity behind an edit that is applied and not yet adopted. @param title  of what was
ScheduleIdentity ScheduleDocument::nextIdentity(const Edit& edit, const QString& title,
                                                int merge) const
{
    ScheduleIdentity next = identityAfter(m_identity, edit, m_project, m_improving);
    const auto* last = m_undo.count() > 0 && m_undo.index() == m_undo.count()
                           ? m_undo.command(m_undo.count() - 1)
                           : nullptr;
    const bool goesOn =
        next.alike(m_identity) && (next.orders != ScheduleIdentity::Orders::Made ||
                                   (merge > 0 && last != nullptr && last->id() == merge));
    if (m_schedule != nullptr && !(goesOn && next.before != nullptr))
        next.before = std::make_shared<const Moment>(
            Moment{title, m_schedule, m_times.times, m_lanes, m_costs});
    return next;
}

Edit ScheduleDocument::onOwnOrders(Edit edit) const
{
    Edit whole = ownOrders(m_project, draft());
    whole.changes.insert(whole.changes.end(), std::make_move_iterator(edit.changes.begin()),
                         std::make_move_iterator(edit.changes.end()));
    return whole;
}

void ScheduleDocument::reset(Project project, const QString& path, Patience patience)
{
    drop();
    m_undo.clear();
    m_path = path;
    m_project = std::move(project);
    m_identity = takeIdentity(m_project);
    if (!m_project.family)
        m_project.draft.orders.resize(static_cast<std::size_t>(m_project.draft.spec.devices));
    if (patience == Patience::Full)
        adopt(evaluate());
    else
        adoptPresent();
    Q_EMIT resultChanged();
    Q_EMIT titleChanged();
}

Result<void> ScheduleDocument::open(const QString& path)
{
    PW_TRY(Project project, loadProject(path.toStdString()));
    reset(std::move(project), path);
    return {};
}

Result<void> ScheduleDocument::save(const QString& path)
{
    PW_DO(saveProject(kept(), path.toStdString()));
    m_path = path;
    m_undo.setClean();
    Q_EMIT titleChanged();
    return {};
}

} // namespace pw::ui

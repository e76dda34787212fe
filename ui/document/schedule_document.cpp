// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/schedule_document.h"

#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/io/made_schedule.h"
#include "ui/core_sentences.h"

#include <chrono>
#include <utility>

namespace pw::ui {

namespace {

/// That a search over few passes has before it goes on in another thread.
constexpr std::chrono::milliseconds shortWait(40);

} // namespace

ScheduleDocument::ScheduleDocument(QObject* parent)
    : QObject(parent)
    , m_pending([this](const PendingProject::Wanted& done, ProjectEvaluation evaluation) {
        end(done, std::move(evaluation));
    })
{
    m_present.lanes = std::make_shared<const Lanes>();
    m_present.times.begin.push_back(EntryId(0));
    connect(&m_undo, &QUndoStack::cleanChanged, this, &ScheduleDocument::titleChanged);
}

ScheduleDocument::~ScheduleDocument()
{
    // The history says that it is clean while it goes; nobody is left to hear of a new title.
    disconnect(&m_undo, nullptr, this, nullptr);
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
        m_made = draftOf(*m_present.schedule);
    return *m_made;
}

void ScheduleDocument::setFreeEdit(bool on)
{
    if (m_freeEdit == on)
        return;
    m_freeEdit = on;
    Q_EMIT freeEditChanged(on);
}

void ScheduleDocument::adopt(ProjectEvaluation evaluation)
{
    m_present = std::move(evaluation);
    m_made = std::exchange(m_present.made, std::nullopt);
    m_problem = problemOf(m_present, m_project.draft.spec);
    showUnmade();
}

/// Takes over what follows from the project, or has it computed.
void ScheduleDocument::adoptPresent()
{
    if (madeAtOnce(m_project, shortWait)) {
        adopt(m_evaluator.evaluate(m_project));
    } else {
        ProjectEvaluation nothing = m_evaluator.withoutFamily(m_project);
        nothing.unmade = true;
        adopt(std::move(nothing));
        begin({m_project, std::nullopt, {}, 0});
    }
}

void ScheduleDocument::tellResult(const QString& titleBefore)
{
    Q_EMIT resultChanged();
    if (title() != titleBefore)
        Q_EMIT titleChanged();
}

SchedulePtr ScheduleDocument::slowSchedule() const
{
    return makingOf(m_project) != Making::Quick ? m_present.schedule : nullptr;
}

// Editing

void ScheduleDocument::go(ProjectWay& way)
{
    const bool same = leavesSchedule(way.edit);
    if (!same)
        drop();
    const QString before = title();
    SchedulePtr left = slowSchedule();
    Edit back = applyFitting(m_project, way.edit);
    std::swap(m_identity, way.identity);
    if (!same) {
        if (way.slow)
            rememberSchedule(m_project, way.slow);
        way.slow = std::move(left);
        adoptPresent();
    } else {
        m_pending.follow(way.edit);
    }
    way.edit = std::move(back);
    tellResult(before);
}

Result<void> ScheduleDocument::edit(const Edit& edit, const QString& text, int merge)
{
    if (computing() && !leavesSchedule(edit))
        return fail(ErrorCode::BadValue, tr("%1 is being computed: wait for it, or cancel it first")
                                             .arg(computed())
                                             .toStdString());
    return perform(edit, text, merge);
}

Result<void> ScheduleDocument::perform(const Edit& edit, const QString& text, int merge,
                                       std::optional<ProjectEvaluation> ready)
{
    if (edit.empty())
        return {};
    const QString before = title();
    SchedulePtr slow = leavesSchedule(edit) ? nullptr : slowSchedule();
    PW_TRY(Edit back, apply(m_project, edit));
    ScheduleIdentity identity = m_identity;
    if (!leavesSchedule(edit)) {
        if (!ready && !madeAtOnce(m_project, shortWait)) {
            Project wanted = m_project;
            applyFitting(m_project, back);
            begin({std::move(wanted), edit, text, merge});
            return {};
        }
        if (!ready)
            ready = m_evaluator.evaluate(m_project);
        std::optional<Error> refusal = ready->failure;
        if (!refusal && !m_freeEdit)
            if (const QString rule = brokenRule(m_present, *ready, m_project.draft.spec);
                !rule.isEmpty())
                refusal = Error{ErrorCode::BadSchedule, rule.toStdString()};
        if (refusal) {
            applyFitting(m_project, back);
            return fail(*std::move(refusal));
        }
        identity = nextIdentity(edit, before, merge);
        drop();
        adopt(*std::move(ready));
    } else {
        m_pending.follow(edit);
    }
    std::swap(m_identity, identity);
    m_undo.push(new EditStep([this](ProjectWay& way) { go(way); },
                             {std::move(back), std::move(slow), std::move(identity)}, text, merge));
    tellResult(before);
    return {};
}

Result<void> ScheduleDocument::change(Project next, const QString& text, int merge)
{
    PW_DO(takeSpecOfFamily(next));
    const Edit edit = editBetween(m_project, next);
    if (!edit.empty() || !m_pending.wanted() || !m_pending.wanted()->edit)
        return perform(edit, text, merge);
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
    const bool goesOn = next.alike(m_identity) && (next.orders != ScheduleIdentity::Orders::Made ||
                                                   mergesIntoLast(m_undo, merge));
    if (m_present.schedule != nullptr && !(goesOn && next.before != nullptr))
        next.before = std::make_shared<const Moment>(
            Moment{title, m_present.schedule, result(), lanes(), costs()});
    return next;
}

Edit ScheduleDocument::onOwnOrders(Edit edit) const
{
    Edit whole = ownOrders(m_project, draft());
    whole.changes.insert(whole.changes.end(), std::make_move_iterator(edit.changes.begin()),
                         std::make_move_iterator(edit.changes.end()));
    return whole;
}

// While a family is asked in another thread

void ScheduleDocument::begin(PendingProject::Wanted wanted)
{
    m_pending.begin(std::move(wanted));
    showUnmade();
    Q_EMIT computingChanged();
}

void ScheduleDocument::end(const PendingProject::Wanted& done, ProjectEvaluation evaluation)
{
    if (!done.edit) {
        adopt(std::move(evaluation));
        Q_EMIT resultChanged();
        Q_EMIT computingChanged();
        return;
    }
    const Result<void> result = perform(*done.edit, done.text, done.merge, std::move(evaluation));
    showUnmade();
    Q_EMIT computingChanged();
    if (!result)
        Q_EMIT refused(coreSentence(result.error().message));
}

void ScheduleDocument::drop()
{
    if (!m_pending.drop())
        return;
    showUnmade();
    Q_EMIT computingChanged();
}

/// Says what has become of a family that has made nothing yet.
void ScheduleDocument::showUnmade()
{
    if (!unmade())
        return;
    m_problem = computing() ? tr("The schedule is being computed")
                            : tr("The schedule of the family was not computed");
}

void ScheduleDocument::cancelComputing()
{
    if (!computing())
        return;
    drop();
    Q_EMIT resultChanged();
}

void ScheduleDocument::compute()
{
    if (unmade() && !computing())
        begin({m_project, std::nullopt, {}, 0});
}

QString ScheduleDocument::computed() const
{
    return computing() ? titleOf(m_pending.wanted()->project) : QString();
}

const Project& ScheduleDocument::wanted() const
{
    const std::optional<PendingProject::Wanted>& wanted = m_pending.wanted();
    return wanted && wanted->edit ? wanted->project : m_project;
}

// Files

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
        adopt(m_evaluator.evaluate(m_project));
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

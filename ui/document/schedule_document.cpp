// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/schedule_document.h"

#include "core/base/assert.h"
#include "core/edit/compose.h"
#include "core/edit/placing.h"
#include "core/families/family.h"

#include <QElapsedTimer>
#include <QUndoCommand>

#include <algorithm>

namespace pw::ui {

namespace {

/// Whether an edit leaves orders, spec and costs alone.
bool leavesSchedule(const Edit& edit)
{
    return std::all_of(edit.changes.begin(), edit.changes.end(), [](const Change& change) {
        return std::holds_alternative<SetTitle>(change) ||
               std::holds_alternative<SetNotes>(change) ||
               std::holds_alternative<InsertBlock>(change) ||
               std::holds_alternative<RemoveBlock>(change) ||
               std::holds_alternative<SetBlock>(change);
    });
}

/// Whether doing `last` alone gives what doing `first` and then `last` gives: both set the same
/// things as a whole.
bool replaces(const Edit& last, const Edit& first)
{
    const auto alike = [](const Change& a, const Change& b) {
        return a.index() == b.index() &&
               (std::holds_alternative<SetSchedule>(a) || std::holds_alternative<SetCosts>(a) ||
                std::holds_alternative<SetTitle>(a) || std::holds_alternative<SetNotes>(a));
    };
    return std::equal(last.changes.begin(), last.changes.end(), first.changes.begin(),
                      first.changes.end(), alike);
}

/// Problems other than passes that are still missing; those come last in the list.
std::size_t wrongCount(const Problems& problems)
{
    return static_cast<std::size_t>(
        std::find_if(problems.list.begin(), problems.list.end(),
                     [](const Problem& one) { return one.code == ProblemCode::Missing; }) -
        problems.list.begin());
}

} // namespace

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// One step of the history: the edit that takes it back, or does it again.
class ScheduleDocument::Step : public QUndoCommand
{
public:
    Step(ScheduleDocument& document, Edit inverse, const QString& text, int merge)
        : QUndoCommand(text)
        , m_document(document)
        , m_edit(std::move(inverse))
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
        m_edit = m_document.replay(m_edit);
    }

    void undo() override { m_edit = m_document.replay(m_edit); }

private:
    ScheduleDocument& m_document;
    Edit m_edit;
    int m_merge;
    bool m_fresh = true;
};

ScheduleDocument::ScheduleDocument(QObject* parent)
    : QObject(parent)
    , m_lanes(std::make_shared<const Lanes>())
{
    m_times.begin.push_back(0);
    connect(&m_undo, &QUndoStack::cleanChanged, this, &ScheduleDocument::titleChanged);
}

ScheduleDocument::~ScheduleDocument()
{
    // The history says that it is clean while it goes; nobody is left to hear of a new title.
    disconnect(&m_undo, nullptr, this, nullptr);
}

QString ScheduleDocument::title() const
{
    if (!m_project.title.empty())
        return text(m_project.title);
    const PipelineSpec& spec = m_project.draft.spec;
    QString what = tr("Own order");
    if (m_project.family)
        if (const Result<const Family*> family = findFamily(m_project.family->id); family)
            what = text((*family)->title);
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
void ScheduleDocument::simulate(Evaluation& evaluation)
{
    DraftTimes& times = evaluation.times;
    QElapsedTimer timer;
    timer.start();
    if (evaluation.schedule) {
        const Schedule& schedule = *evaluation.schedule;
        if (m_simulator.run(schedule, evaluation.costs, times.times)) {
            evaluation.time = timer.nsecsElapsed();
            for (int device = 0; device < schedule.devices(); ++device)
                times.begin.push_back(schedule.begin(device));
            times.begin.push_back(schedule.entryCount());
            return;
        }
        if (m_project.family)
            evaluation.made = draftOf(schedule);
        evaluation.schedule.reset();
    }
    m_draftSimulator.run(evaluation.made ? *evaluation.made : m_project.draft, evaluation.costs,
                         times);
    evaluation.time = timer.nsecsElapsed();
}

ScheduleDocument::Evaluation ScheduleDocument::evaluate()
{
    Evaluation evaluation;
    const Draft& own = m_project.draft;
    Result<Schedule> schedule =
        m_project.family ? scheduleOf(m_project) : Schedule::make(own.spec, own.orders);
    if (schedule) {
        evaluation.schedule = std::make_shared<const Schedule>(*std::move(schedule));
    } else if (m_project.family) {
        evaluation.failure = schedule.error();
        evaluation.made = Draft{own.spec, {}};
        evaluation.made->orders.resize(static_cast<std::size_t>(own.spec.devices));
    } else if (Result<Problems> wrong = pw::problems(own); wrong) {
        evaluation.problems = *std::move(wrong);
    } else {
        evaluation.failure = wrong.error();
    }
    evaluation.costs = costsOf(m_project);
    simulate(evaluation);
    return evaluation;
}

std::string ScheduleDocument::broken(const Evaluation& evaluation) const
{
    const std::vector<Problem>& before = m_problems.list;
    const std::vector<Problem>& after = evaluation.problems.list;
    const std::size_t wrong = wrongCount(evaluation.problems);
    if (wrong > wrongCount(m_problems)) {
        for (std::size_t i = 0; i < wrong; ++i) {
            const bool known = std::any_of(before.begin(), before.end(), [&](const Problem& one) {
                return one.code == after[i].code && one.pass == after[i].pass;
            });
            if (!known)
                return placed(after[i]);
        }
        return placed(after.front());
    }
    if (m_times.ring.empty() && !evaluation.times.ring.empty())
        return ringText(evaluation.times, m_project.draft.spec);
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
    m_lanes = m_schedule ? lanesOf(m_schedule, m_times.times) : lanesOf(draft(), m_times);
    m_problem.clear();
    if (evaluation.failure)
        m_problem = text(evaluation.failure->message);
    else if (const std::size_t wrong = wrongCount(m_problems); wrong > 0)
        m_problem = text(placed(m_problems.list.front()));
    else if (!m_times.ring.empty())
        m_problem = text(ringText(m_times, m_project.draft.spec));
    else if (!m_problems.none())
        m_problem = tr("%n pass(es) missing", nullptr, static_cast<int>(m_problems.count));
}

Edit ScheduleDocument::replay(const Edit& edit)
{
    const QString before = title();
    Result<Edit> back = apply(m_project, edit);
    PW_ASSERT(back.has_value());
    if (!leavesSchedule(edit))
        adopt(evaluate());
    Q_EMIT resultChanged();
    if (title() != before)
        Q_EMIT titleChanged();
    return *std::move(back);
}

Result<void> ScheduleDocument::edit(const Edit& edit, const QString& text, int merge)
{
    if (edit.empty())
        return {};
    const QString before = title();
    Result<Edit> back = apply(m_project, edit);
    if (!back)
        return fail(back.error());
    if (!leavesSchedule(edit)) {
        Evaluation evaluation = evaluate();
        std::optional<Error> refusal = evaluation.failure;
        if (!refusal && !m_freeEdit)
            if (std::string rule = broken(evaluation); !rule.empty())
                refusal = Error{ErrorCode::BadSchedule, std::move(rule)};
        if (refusal) {
            PW_ASSERT(apply(m_project, *back).has_value());
            return fail(*std::move(refusal));
        }
        adopt(std::move(evaluation));
    }
    m_undo.push(new Step(*this, *std::move(back), text, merge));
    Q_EMIT resultChanged();
    if (title() != before)
        Q_EMIT titleChanged();
    return {};
}

Result<void> ScheduleDocument::change(Project next, const QString& text, int merge)
{
    if (next.family) {
        // The spec follows from the family and its options.
        const Result<const Family*> family = findFamily(next.family->id);
        if (!family)
            return fail(family.error());
        Result<PipelineSpec> spec = specOf(**family, next.family->options);
        if (!spec)
            return fail(spec.error());
        next.draft.spec = *std::move(spec);
        next.draft.orders.clear();
    }
    return edit(editBetween(m_project, next), text, merge);
}

Edit ScheduleDocument::onOwnOrders(Edit edit) const
{
    Edit whole = ownOrders(m_project, draft());
    whole.changes.insert(whole.changes.end(), std::make_move_iterator(edit.changes.begin()),
                         std::make_move_iterator(edit.changes.end()));
    return whole;
}

void ScheduleDocument::reset(Project project, const QString& path)
{
    m_undo.clear();
    m_path = path;
    m_project = std::move(project);
    if (!m_project.family)
        m_project.draft.orders.resize(static_cast<std::size_t>(m_project.draft.spec.devices));
    adopt(evaluate());
    Q_EMIT resultChanged();
    Q_EMIT titleChanged();
}

Result<void> ScheduleDocument::open(const QString& path)
{
    Result<Project> project = loadProject(path.toStdString());
    if (!project)
        return fail(project.error());
    reset(std::move(*project), path);
    return {};
}

Result<void> ScheduleDocument::save(const QString& path)
{
    if (const Result<void> saved = saveProject(m_project, path.toStdString()); !saved)
        return saved;
    m_path = path;
    m_undo.setClean();
    Q_EMIT titleChanged();
    return {};
}

Edit editBetween(const Project& from, const Project& to)
{
    Edit edit;
    const bool own = !from.family && !to.family;
    if (from.family != to.family || from.draft != to.draft) {
        if (own && from.draft.orders == to.draft.orders)
            edit.changes.emplace_back(SetSpec{to.draft.spec});
        else if (own && from.draft.spec == to.draft.spec)
            edit.changes.emplace_back(SetOrders{to.draft.orders});
        else
            edit.changes.emplace_back(SetSchedule{to.family, to.draft});
    }
    if (from.costs != to.costs || from.origin != to.origin) {
        // Equal stages come from no model.
        const bool tables = std::holds_alternative<Costs>(to.costs);
        edit.changes.emplace_back(SetCosts{to.costs, tables ? to.origin : std::nullopt});
    }
    if (from.title != to.title)
        edit.changes.emplace_back(SetTitle{to.title});
    if (from.notes != to.notes)
        edit.changes.emplace_back(SetNotes{to.notes});
    const std::size_t common = std::min(from.blocks.size(), to.blocks.size());
    for (std::size_t i = 0; i < common; ++i)
        if (from.blocks[i] != to.blocks[i])
            edit.changes.emplace_back(SetBlock{i, to.blocks[i]});
    for (std::size_t i = common; i < to.blocks.size(); ++i)
        edit.changes.emplace_back(InsertBlock{i, to.blocks[i]});
    for (std::size_t i = from.blocks.size(); i-- > common;)
        edit.changes.emplace_back(RemoveBlock{i});
    return edit;
}

Project projectOf(std::string_view family, const FamilyOptions& options, const UniformCosts& costs)
{
    Project project;
    project.family = FamilyChoice{std::string(family), options};
    project.costs = costs;
    if (const Result<const Family*> known = findFamily(family); known)
        if (Result<PipelineSpec> spec = specOf(**known, options); spec)
            project.draft.spec = std::move(*spec);
    return project;
}

} // namespace pw::ui

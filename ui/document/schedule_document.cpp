// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/schedule_document.h"

#include "core/families/family.h"

#include <QElapsedTimer>
#include <QUndoCommand>

namespace pw::ui {

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// One step of the history: the project before and after it.
class ScheduleDocument::Change : public QUndoCommand
{
public:
    Change(ScheduleDocument& document, Project before, Project after, Evaluation evaluation,
           const QString& text, int merge)
        : QUndoCommand(text)
        , m_document(document)
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_evaluation(std::move(evaluation))
        , m_merge(merge)
    {
    }

    int id() const override { return m_merge > 0 ? m_merge : -1; }

    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* later = static_cast<const Change*>(other);
        m_after = later->m_after;
        return true;
    }

    void redo() override
    {
        if (m_evaluation) {
            m_document.adopt(m_after, std::move(*m_evaluation));
            m_evaluation.reset();
        } else {
            m_document.adopt(m_after, evaluate(m_after));
        }
    }

    void undo() override { m_document.adopt(m_before, evaluate(m_before)); }

private:
    ScheduleDocument& m_document;
    Project m_before;
    Project m_after;
    std::optional<Evaluation> m_evaluation; ///< of `after`, until it is first used
    int m_merge;
};

ScheduleDocument::ScheduleDocument(QObject* parent)
    : QObject(parent)
    , m_lanes(std::make_shared<const Lanes>())
{
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

Result<ScheduleDocument::Evaluation> ScheduleDocument::evaluate(const Project& project)
{
    Result<Schedule> schedule = scheduleOf(project);
    if (!schedule)
        return fail(schedule.error());
    Evaluation evaluation;
    evaluation.schedule = std::make_shared<const Schedule>(std::move(*schedule));
    evaluation.costs = costsOf(project);
    QElapsedTimer timer;
    timer.start();
    Result<SimResult> result = simulate(*evaluation.schedule, evaluation.costs);
    if (!result)
        return fail(result.error());
    evaluation.time = timer.nsecsElapsed();
    evaluation.result = std::move(*result);
    return evaluation;
}

void ScheduleDocument::adopt(Project project, Result<Evaluation> evaluation)
{
    const QString before = title();
    m_project = std::move(project);
    if (evaluation) {
        m_schedule = std::move(evaluation->schedule);
        m_costs = std::move(evaluation->costs);
        m_result = std::move(evaluation->result);
        m_simulationTime = evaluation->time;
        m_lanes = lanesOf(m_schedule, m_result);
        m_problem.clear();
    } else {
        m_schedule.reset();
        m_result = {};
        m_lanes = std::make_shared<const Lanes>();
        m_problem = text(evaluation.error().message);
    }
    Q_EMIT resultChanged();
    if (title() != before)
        Q_EMIT titleChanged();
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
        next.draft.spec = std::move(*spec);
    }
    if (next == m_project)
        return {};
    Result<Evaluation> evaluation = evaluate(next);
    if (!evaluation)
        return fail(evaluation.error());
    m_undo.push(new Change(*this, m_project, std::move(next), std::move(*evaluation), text, merge));
    return {};
}

void ScheduleDocument::reset(Project project, const QString& path)
{
    m_undo.clear();
    m_path = path;
    Result<Evaluation> evaluation = evaluate(project);
    adopt(std::move(project), std::move(evaluation));
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

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/bench_page.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/compose.h"
#include "ui/bench/block_find.h"
#include "ui/bench/block_view.h"
#include "ui/bench/steps_view.h"
#include "ui/core_sentences.h"
#include "ui/document/exercise.h"
#include "ui/panels/model_dialog.h"
#include "ui/plural.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QLocale>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

BenchPage::BenchPage(MainWindow& window)
    : m_window(window)
    , m_panel(new BenchPanel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    // In a small window it is scrolled rather than that the window grows.
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_panel);
    layout->addWidget(scroll);
    setFocusProxy(m_panel);
    m_panel->setSources(
        [this] {
            return m_target ? m_target->document().project().blocks : std::vector<BuildingBlock>();
        },
        [this] { return strand(); });
    const auto report = [this](const Result<void>& done) {
        if (!done)
            m_panel->say(coreSentence(done.error().message), true);
    };
    connect(m_panel, &BenchPanel::useAsked, this,
            [this, report](bool newTab) { report(use(newTab)); });
    m_panel->setScheduleCosts([this] { return scheduleCosts(); });
    connect(m_panel, &BenchPanel::modelAsked, this, &BenchPage::askModel);
    connect(m_panel, &BenchPanel::keepAsked, this, [this, report] { report(keep()); });
    connect(&m_panel->model(), &BenchModel::changed, this, [this] {
        Q_EMIT titleChanged();
        Q_EMIT figuresChanged();
        carryToLevel();
    });
    connect(&m_panel->model().undoStack(), &QUndoStack::cleanChanged, this, &Page::titleChanged);
    connect(&m_panel->steps(), &StepsView::shown, this, &Page::figuresChanged);
}

BenchPage::~BenchPage()
{
    // A history says that it is clean when it goes; nobody is left who may hear that.
    m_panel->model().undoStack().disconnect(this);
    m_panel->model().disconnect(this);
}

Result<BenchCosts> BenchPage::scheduleCosts() const
{
    if (!m_target)
        return fail(ErrorCode::BadValue, tr("No schedule is open.").toStdString());
    const Project& project = m_target->document().project();
    const QString about = tr("the costs of %1").arg(m_target->title());
    if (project.origin)
        return BenchCosts{*project.origin, about};
    if (const auto* uniform = std::get_if<UniformCosts>(&project.costs))
        return BenchCosts{*uniform, about};
    return fail(
        ErrorCode::BadValue,
        tr("Its stages take different times, which other passes do not have.").toStdString());
}

/// Asks for a model and a machine. Does not wait for the answer.
void BenchPage::askModel()
{
    BenchModel& model = m_panel->model();
    Project project;
    project.draft.spec = specOf(model.block(), model.microBatches());
    if (model.costs())
        if (const auto* origin = std::get_if<CostOrigin>(&model.costs()->from))
            project.origin = *origin;
    auto* dialog = new ModelDialog(project, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CostDialog::applied, this, [this](const SetCosts& costs) {
        if (costs.origin)
            m_panel->model().setCosts(
                BenchCosts{*costs.origin, tr("%1 on %2")
                                              .arg(text(costs.origin->model.dense.name),
                                                   text(costs.origin->hardware))});
    });
    dialog->open();
}

void BenchPage::setTarget(SchedulePage* target)
{
    if (target != m_target) {
        m_kept.reset();
        m_bound = false;
        disconnect(m_levelChanges);
    }
    m_target = target;
    setExercise(*m_panel, false);
    m_panel->setTarget(target != nullptr ? target->title() : QString());
}

void BenchPage::bindTo(SchedulePage& level)
{
    setTarget(&level);
    if (!m_bound)
        m_levelChanges = connect(&level.document(), &ScheduleDocument::resultChanged, this,
                                 &BenchPage::takeFromLevel);
    m_bound = true;
    setExercise(*m_panel, true);
    takeFromLevel();
}

void BenchPage::takeFromLevel()
{
    if (!m_bound || m_carrying || !m_target)
        return;
    const std::vector<BuildingBlock>& blocks = m_target->document().project().blocks;
    if (blocks.empty() || blocks.front() == m_panel->model().block())
        return;
    m_carrying = true;
    if (const Result<void> taken = m_panel->model().start(blocks.front(), tr("Block of the level"));
        !taken)
        m_panel->say(coreSentence(taken.error().message), true);
    m_panel->model().undoStack().clear();
    m_kept = blocks.front();
    m_carrying = false;
}

/// A trial of a drag stays on the bench.
void BenchPage::carryToLevel()
{
    const BenchModel& model = m_panel->model();
    if (!m_bound || m_carrying || !m_target || model.trying())
        return;
    ScheduleDocument& document = m_target->document();
    const std::vector<BuildingBlock>& blocks = document.project().blocks;
    if (blocks.empty() || blocks.front() == model.block())
        return;
    m_carrying = true;
    const Result<void> done = document.edit({{SetBlock{0, model.block()}}}, tr("Change the block"));
    if (done)
        m_kept = model.block();
    else
        m_panel->say(coreSentence(done.error().message), true);
    m_carrying = false;
}

std::vector<TimelineView*> BenchPage::timelines()
{
    return {&m_panel->steps().timeline()};
}

std::vector<LaneView*> BenchPage::laneViews()
{
    return {&m_panel->blockView(), &m_panel->steps().timeline()};
}

QLineEdit* BenchPage::searchField()
{
    return &m_panel->find().field();
}

void BenchPage::findNext(int direction)
{
    m_panel->find().go(direction);
}

QString BenchPage::title() const
{
    const QString block = m_panel->model().title();
    return block.isEmpty() ? tr("Bench") : tr("Bench · %1").arg(block);
}

QString BenchPage::figures() const
{
    const BenchModel& model = m_panel->model();
    const BenchFindings& findings = model.findings();
    if (findings.lifespans.empty())
        return tr("%1, not whole yet")
            .arg(plural(static_cast<qint64>(model.block().passes.size()), Noun::Pass));
    Share peak = 0;
    for (const DeviceLifespans& device : findings.lifespans)
        peak = std::max(peak, device.peak);
    const double held = microBatchesFromShare(peak);
    return tr("interval %1     %2     predicted peak %3     %4")
        .arg(model.block().interval)
        .arg(plural(static_cast<qint64>(model.block().passes.size()), Noun::Pass),
             plural(held, text(plainNumber(held)), Noun::MicroBatch),
             plural(static_cast<qint64>(findings.collisions.size()), Noun::Collision));
}

Result<BuildingBlock> BenchPage::strand() const
{
    if (!m_target)
        return fail(ErrorCode::BadValue,
                    tr("There is no open schedule to take a micro-batch from.").toStdString());
    const SpanRef span = m_target->timeline().current();
    const ScheduleDocument& document = m_target->document();
    if (!document.lanes()->holds(span))
        return fail(ErrorCode::BadValue,
                    tr("Select a pass in the timeline of %1 first: its micro-batch is taken.")
                        .arg(m_target->title())
                        .toStdString());
    const Pass pass = document.lanes()->pass(span);
    if (pass.kind == PassKind::U)
        return fail(ErrorCode::BadValue,
                    tr("An optimizer update belongs to no micro-batch.").toStdString());
    Result<BuildingBlock> block =
        blockOfMicroBatch(document.draft(), document.times(), document.costs(), pass.microBatch);
    if (block)
        block->title =
            tr("Micro-batch %1 of %2").arg(pass.microBatch).arg(m_target->title()).toStdString();
    return block;
}

Result<void> BenchPage::use(bool newTab)
{
    PW_TRY(const Arrangement arrangement, m_panel->arrangement());
    const BuildingBlock& block = m_panel->model().block();
    if (newTab || !m_target) {
        m_panel->model().undoStack().setClean();
        m_window.openProject(projectOf(block, arrangement));
        return {};
    }
    ScheduleDocument& document = m_target->document();
    Result<Proposal> proposal = fillWithArrangement(document.project(), arrangement);
    // Times by stage of another shape do not fit: then those that the block is drawn with.
    if (!proposal)
        proposal = fillWithArrangement(document.project(), arrangement, drawnCosts(arrangement));
    if (!proposal)
        return fail(proposal.error());
    const QString name =
        m_panel->model().title().isEmpty() ? tr("building block") : m_panel->model().title();
    PW_DO(document.edit(proposal->edit, tr("Use %1").arg(name)));
    m_window.showPage(m_target);
    m_window.tell(tr("%1 is the schedule now; undo brings back what was there.").arg(name));
    return {};
}

Result<void> BenchPage::keep()
{
    if (!m_target)
        return fail(ErrorCode::BadValue,
                    tr("There is no open schedule to keep the block in: use it in a new tab.")
                        .toStdString());
    ScheduleDocument& document = m_target->document();
    const std::vector<BuildingBlock>& blocks = document.project().blocks;
    BuildingBlock block = m_panel->model().block();
    if (block.passes.empty())
        return fail(ErrorCode::BadValue, tr("The block has no passes yet.").toStdString());
    if (block.title.empty())
        block.title = tr("My block %1").arg(blocks.size() + 1).toStdString();
    const auto before = m_kept ? std::find(blocks.begin(), blocks.end(), *m_kept) : blocks.end();
    Edit edit;
    if (before != blocks.end())
        edit.changes.emplace_back(
            SetBlock{static_cast<std::size_t>(before - blocks.begin()), block});
    else
        edit.changes.emplace_back(InsertBlock{blocks.size(), block});
    const QString name = text(block.title);
    PW_DO(document.edit(edit, tr("Keep block %1").arg(name)));
    m_kept = std::move(block);
    m_panel->model().undoStack().setClean();
    m_panel->say(tr("Kept as %1 in %2.").arg(name, m_target->title()), false);
    return {};
}

bool BenchPage::save(bool)
{
    const Result<void> kept = keep();
    if (!kept)
        m_panel->say(coreSentence(kept.error().message), true);
    return kept.has_value();
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/bench_panel.h"

#include "core/base/text.h"
#include "ui/bench/block_find.h"
#include "ui/bench/block_start_menu.h"
#include "ui/bench/block_times_menu.h"
#include "ui/bench/block_view.h"
#include "ui/bench/flow_layout.h"
#include "ui/bench/residue_view.h"
#include "ui/bench/steps_view.h"
#include "ui/core_sentences.h"
#include "ui/one_line.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace pw::ui {

namespace {

QToolButton* menuButton(const QString& label, const QString& tip, QMenu& menu, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(label);
    button->setToolTip(tip);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setMenu(&menu);
    return button;
}

/// A number behind its name, at the end of a line.
QSpinBox* addCount(FlowLayout* line, const QString& label, int least, int most, const QString& tip)
{
    auto* pair = new QWidget(line->parentWidget());
    auto* box = new QSpinBox(pair);
    box->setRange(least, most);
    // As wide as usual numbers; the largest possible ones would take half of the line.
    const int usual = pair->fontMetrics().horizontalAdvance(QStringLiteral("0000"));
    box->setFixedWidth(std::min(box->sizeHint().width(), usual + 2 * box->sizeHint().height()));
    box->setAlignment(Qt::AlignRight);
    box->setKeyboardTracking(false);
    box->setToolTip(tip);
    auto* name = new QLabel(label, pair);
    name->setBuddy(box);
    box->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    auto* layout = new QHBoxLayout(pair);
    layout->setContentsMargins(0, 0, 6, 0);
    layout->setSpacing(6);
    layout->addWidget(name);
    layout->addWidget(box);
    line->addWidget(pair);
    return box;
}

/// Entries of the drawing's menu that choose all passes of a kind.
void addKindChoices(BlockView& view, const BenchModel& model)
{
    const auto add = [&](const QString& label, PassKind kind) {
        auto* action = new QAction(label, &view);
        QObject::connect(action, &QAction::triggered, &view, [&view, &model, kind] {
            std::vector<Pass> passes = passesOf(model.block());
            std::erase_if(passes, [kind](const Pass& pass) { return pass.kind != kind; });
            view.select(std::move(passes));
        });
        view.addAction(action);
    };
    auto* separator = new QAction(&view);
    separator->setSeparator(true);
    view.addAction(separator);
    add(BenchPanel::tr("Choose every F"), PassKind::F);
    add(BenchPanel::tr("Choose every B"), PassKind::B);
    add(BenchPanel::tr("Choose every W"), PassKind::W);
    add(BenchPanel::tr("Choose every BW"), PassKind::BW);
}

/// What a block that can be repeated does to its devices.
QString repeatsText(const BenchModel& model)
{
    const BenchFindings& findings = model.findings();
    int device = 0;
    Share most = 0;
    for (std::size_t i = 0; i < findings.lifespans.size(); ++i) {
        if (findings.lifespans[i].peak > most) {
            most = findings.lifespans[i].peak;
            device = static_cast<int>(i);
        }
    }
    const Ticks busiest =
        findings.work.empty() ? 0 : *std::max_element(findings.work.begin(), findings.work.end());
    return BenchPanel::tr(
               "Repeats every %1 without a collision. The busiest device works %2 of %1, "
               "device %3 keeps most: %4.")
        .arg(model.block().interval)
        .arg(busiest)
        .arg(device)
        .arg(plural(microBatchesFromShare(most), text(plainNumber(microBatchesFromShare(most))),
                    Noun::MicroBatch));
}

} // namespace

BenchPanel::BenchPanel(QWidget* parent)
    : QWidget(parent)
    , m_startMenu(new BlockStartMenu(
          m_model, [this](const Result<void>& done) { report(done); }, this))
    , m_timesMenu(new BlockTimesMenu(m_model, this))
    , m_block(new BlockView(m_model, m_units, this))
    , m_residues(new ResidueView(m_model, *m_block, this))
    , m_steps(new StepsView(m_model, this))
    , m_state(new OneLine(this))
    , m_times(new OneLine(this))
{
    auto* drawing = new QSplitter(Qt::Horizontal, this);
    drawing->addWidget(m_block);
    drawing->addWidget(m_residues);
    drawing->setStretchFactor(0, 3);
    drawing->setStretchFactor(1, 1);
    drawing->setChildrenCollapsible(false);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(drawing);
    parts->addWidget(m_steps);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setChildrenCollapsible(false);
    m_state->setObjectName(QStringLiteral("state"));
    // A long sentence is cut off, and its whole in the tip, rather than that the panel moves.
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_times->setObjectName(QStringLiteral("times"));
    m_times->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    // The parts share the room that there is; a low window scrolls them only where it must.
    parts->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 8);
    layout->setSpacing(8);
    layout->addWidget(fields());
    layout->addWidget(m_state);
    layout->addWidget(m_times);
    layout->addWidget(parts, 1);
    layout->addWidget(uses());
    setFocusProxy(m_block);

    connect(&m_model, &BenchModel::changed, this, &BenchPanel::showModel);
    connect(m_timesMenu, &BlockTimesMenu::modelAsked, this, &BenchPanel::modelAsked);
    connect(m_block, &BlockView::selectionChanged, this, &BenchPanel::showSelection);
    connect(m_block, &BlockView::told, this, &BenchPanel::say);
    connect(m_residues, &ResidueView::told, this, &BenchPanel::say);
    connect(m_residues, &ResidueView::chosen, m_block, &BlockView::select);
    connect(m_steps, &StepsView::told, this, &BenchPanel::say);
    connect(m_steps, &StepsView::shown, this, &BenchPanel::showModel);
    showModel();
    showSelection();
}

BenchPanel::~BenchPanel()
{
    // Fields that lose the focus while they go would still change the model.
    const QList<QWidget*> fields = findChildren<QWidget*>();
    for (QWidget* field : fields)
        field->disconnect(this);
    m_model.disconnect(this);
}

void BenchPanel::addName(QWidget* all, FlowLayout* line)
{
    m_name = new QLineEdit(all);
    m_name->setPlaceholderText(tr("Name of the block"));
    m_name->setAccessibleName(tr("Name of the block"));
    m_name->setFixedWidth(fontMetrics().horizontalAdvance(QLatin1Char('n')) * 15);
    line->addWidget(m_name);
    connect(m_name, &QLineEdit::editingFinished, this, [this] {
        if (m_name->text() != m_model.title())
            m_model.setTitle(m_name->text());
    });
}

QWidget* BenchPanel::fields()
{
    auto* all = new QWidget(this);
    auto* line = new FlowLayout(all);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(
        menuButton(tr("Start from"),
                   tr("A family's block, a micro-batch of the schedule, an own block, or none"),
                   *m_startMenu, all));
    addName(all, line);
    m_devices = addCount(line, tr("&Devices"), 1, BenchModel::mostDevices,
                         tr("A family's block is made anew for them; another becomes a plain one"));
    const auto follow = [this](QSpinBox* box, auto set) {
        connect(box, &QSpinBox::valueChanged, this, [this, set](int value) {
            if (!m_showing)
                report((m_model.*set)(value));
        });
    };
    follow(m_devices, &BenchModel::setDevices);
    auto* placing = new QWidget(all);
    m_placement = new QComboBox(placing);
    m_placement->addItems({tr("linear"), tr("V"), tr("looped"), tr("zigzag")});
    m_placement->setAccessibleName(tr("Placement"));
    m_placement->setToolTip(tr("Which device holds which stage; another placement begins with a "
                               "plain block"));
    auto* label = new QLabel(tr("&Placement"), placing);
    label->setBuddy(m_placement);
    auto* pair = new QHBoxLayout(placing);
    pair->setContentsMargins(0, 0, 6, 0);
    pair->setSpacing(6);
    pair->addWidget(label);
    pair->addWidget(m_placement);
    line->addWidget(placing);
    m_chunks = addCount(line, tr("Chun&ks"), 1, 16, tr("Stages of a device, of looped and zigzag"));
    const auto place = [this] {
        if (m_showing || m_placement->currentIndex() > static_cast<int>(PlacementShape::Zigzag))
            return;
        const auto shape = static_cast<PlacementShape>(m_placement->currentIndex());
        int chunks = m_chunks->value();
        if (shape != m_model.shape() && chunks < 2)
            chunks = 2; // one chunk would be linear
        if (shape == PlacementShape::Zigzag && chunks % 2 != 0)
            chunks += chunks > m_model.chunks() ? 1 : -1; // down and up
        report(m_model.setPlacement(shape, chunks));
    };
    connect(m_placement, &QComboBox::activated, this, place);
    connect(m_chunks, &QSpinBox::valueChanged, this, place);
    m_interval = addCount(line, tr("&Interval"), 1, std::numeric_limits<int>::max(),
                          tr("From one block to the next, in units; or drag its end in the ruler"));
    follow(m_interval, &BenchModel::setInterval);
    m_microBatches = addCount(line, tr("&Micro-batches"), 1, BenchModel::mostMicroBatches,
                              tr("That the block is repeated for"));
    follow(m_microBatches, &BenchModel::setMicroBatches);
    line->addWidget(menuButton(tr("Times"),
                               tr("What passes take and hold, in milliseconds and bytes: of a "
                                  "model, of the schedule, or your own"),
                               *m_timesMenu, all));
    addTools(all, line);
    return all;
}

QAction* BenchPanel::makeAction(const QString& name, const QString& label, const QKeySequence& key,
                                const QString& tip, const std::function<Result<void>()>& run)
{
    auto* action = new QAction(label, this);
    action->setObjectName(name);
    m_actions.insert(name, action);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    action->setToolTip(
        key.isEmpty() ? tip : tr("%1 (key %2)").arg(tip, key.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, [this, run] { report(run()); });
    m_block->addAction(action);
    return action;
}

void BenchPanel::addTools(QWidget* all, FlowLayout* line)
{
    const auto add = [&](QAction* action) {
        auto* button = new QToolButton(all);
        button->setDefaultAction(action);
        button->setFocusPolicy(Qt::StrongFocus);
        line->addWidget(button);
    };
    add(makeAction(QStringLiteral("complete"), tr("Complete"), QKeySequence(Qt::Key_C),
                   tr("Adds every missing pass at its first free place"),
                   [this] { return m_model.complete(); }));
    add(makeAction(QStringLiteral("fill"), tr("Fill weights"), QKeySequence(Qt::Key_G),
                   tr("Puts every W at the first free place behind its B"),
                   [this] { return m_model.fillWeights(); }));
    add(makeAction(QStringLiteral("split"), tr("Split BW"), QKeySequence(Qt::Key_X),
                   tr("A B with a W behind it instead of each chosen BW, or of all"),
                   [this] { return m_model.split(chosenOrAll()); }));
    add(makeAction(QStringLiteral("join"), tr("Join B and W"), QKeySequence(Qt::Key_J),
                   tr("A BW in the place of each chosen B, or of all"),
                   [this] { return m_model.join(chosenOrAll()); }));
    add(makeAction(QStringLiteral("remove"), tr("Remove"), QKeySequence(Qt::Key_Delete),
                   tr("Takes the chosen passes away"), [this]() -> Result<void> {
                       if (m_block->selection().empty())
                           return fail(ErrorCode::BadValue,
                                       tr("Choose passes first.").toStdString());
                       return m_model.remove(m_block->selection());
                   }));
    add(makeAction(QStringLiteral("least"), tr("Least interval"), QKeySequence(Qt::Key_I),
                   tr("The shortest interval without a collision"),
                   [this] { return m_model.setLeastInterval(); }));
    m_duration = addCount(line, tr("Lasts"), 1, std::numeric_limits<int>::max(),
                          tr("Units that the chosen passes take; what waits for them gives way"));
    connect(m_duration, &QSpinBox::valueChanged, this, [this](int value) {
        if (!m_showing && !m_block->selection().empty())
            report(m_model.resize(m_block->selection(), value));
    });
    addKindChoices(*m_block, m_model);
    line->addWidget(m_find = new BlockFind(*m_block, m_model, all));
}

QWidget* BenchPanel::uses()
{
    auto* all = new QWidget(this);
    auto* line = new FlowLayout(all);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    m_use = new QPushButton(tr("Use in the timeline"), all);
    auto* tab = new QPushButton(tr("Use in a new tab"), all);
    tab->setToolTip(tr("A new schedule with the chosen arrangement and the times that it is drawn "
                       "with, a unit being a millisecond"));
    auto* keep = new QPushButton(tr("Keep as my block"), all);
    keep->setToolTip(tr("Into the schedule's own blocks, which the palette shows"));
    for (QPushButton* button : {m_use, tab, keep}) {
        button->setAutoDefault(false);
        line->addWidget(button);
    }
    connect(m_use, &QPushButton::clicked, this, [this] { Q_EMIT useAsked(false); });
    connect(tab, &QPushButton::clicked, this, [this] { Q_EMIT useAsked(true); });
    connect(keep, &QPushButton::clicked, this, &BenchPanel::keepAsked);
    setTarget({});
    return all;
}

QMenu& BenchPanel::startMenu() const
{
    return *m_startMenu;
}

QMenu& BenchPanel::timesMenu() const
{
    return *m_timesMenu;
}

void BenchPanel::setSources(std::function<std::vector<BuildingBlock>()> own,
                            std::function<Result<BuildingBlock>()> strand)
{
    m_startMenu->setSources(std::move(own), std::move(strand));
}

void BenchPanel::setScheduleCosts(std::function<Result<BenchCosts>()> costs)
{
    m_timesMenu->setScheduleCosts(std::move(costs));
}

void BenchPanel::setTarget(const QString& title)
{
    m_use->setToolTip(title.isEmpty()
                          ? tr("There is no open schedule: a new tab is opened for it")
                          : tr("The chosen arrangement becomes the schedule of %1; it keeps its "
                               "times and can be undone there")
                                .arg(title));
}

std::vector<Pass> BenchPanel::chosenOrAll() const
{
    const std::vector<Pass>& chosen = m_block->selection();
    return chosen.empty() ? passesOf(m_model.block()) : chosen;
}

void BenchPanel::report(const Result<void>& done)
{
    showModel(); // fields show what is, also where a value was refused
    if (!done)
        say(coreSentence(done.error().message), true);
}

void BenchPanel::showModel()
{
    m_showing = true;
    const BuildingBlock& block = m_model.block();
    const PlacementShape shape = m_model.shape();
    if (!m_name->hasFocus() || !m_name->isModified())
        m_name->setText(m_model.title());
    m_devices->setValue(block.devices);
    const int own = static_cast<int>(PlacementShape::Own);
    if (shape == PlacementShape::Own && m_placement->count() == own)
        m_placement->addItem(tr("its own"));
    else if (shape != PlacementShape::Own && m_placement->count() > own)
        m_placement->removeItem(own);
    m_placement->setCurrentIndex(static_cast<int>(shape));
    m_chunks->setValue(m_model.chunks());
    m_chunks->setEnabled(shape == PlacementShape::Looped || shape == PlacementShape::Zigzag);
    m_chunks->setSingleStep(shape == PlacementShape::Zigzag ? 2 : 1);
    m_interval->setValue(
        static_cast<int>(std::min<Ticks>(block.interval, std::numeric_limits<int>::max())));
    m_interval->setSingleStep(
        static_cast<int>(std::min<Ticks>(m_model.grid(), std::numeric_limits<int>::max())));
    m_microBatches->setValue(m_model.microBatches());
    m_showing = false;
    if (!m_model.trying())
        m_said.clear();
    showSelection();
    showState();
}

void BenchPanel::showSelection()
{
    m_showing = true;
    const std::vector<Pass>& chosen = m_block->selection();
    m_duration->setEnabled(!chosen.empty());
    m_duration->setToolTip(chosen.empty()
                               ? tr("Choose a pass to change how long it takes")
                               : tr("Units that the chosen passes take; what waits for them "
                                    "gives way"));
    for (const BlockPass& placed : m_model.block().passes) {
        if (!chosen.empty() && placed.pass == chosen.back())
            m_duration->setValue(static_cast<int>(
                std::min<Ticks>(placed.duration, std::numeric_limits<int>::max())));
    }
    m_showing = false;
}

void BenchPanel::say(const QString& sentence, bool refusal)
{
    m_said = sentence;
    m_saidIsRefusal = refusal;
    showState();
}

void BenchPanel::showState()
{
    const BenchFindings& findings = m_model.findings();
    QString sentence = m_said;
    pw::Role ink = m_saidIsRefusal ? pw::Role::Refusal : pw::Role::Text;
    if (sentence.isEmpty() && !findings.refusal.isEmpty()) {
        sentence = findings.refusal;
        ink = pw::Role::Refusal;
    } else if (sentence.isEmpty()) {
        sentence = repeatsText(m_model);
        ink = pw::Role::Text;
    }
    setInk(m_state, ink);
    m_state->setText(sentence);
    m_times->setText(blockTimesText(m_model));
    m_times->setVisible(!m_times->text().isEmpty());
}

Result<Arrangement> BenchPanel::arrangement() const
{
    const Result<Assembly>& made = m_model.assembly();
    if (!made)
        return fail(made.error());
    const BenchStage stage = m_steps->reached() == 0 ? BenchStage::Reordered : m_steps->chosen();
    return stageOf(*made, stage).arrangement;
}

} // namespace pw::ui

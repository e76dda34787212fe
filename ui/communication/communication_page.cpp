// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/communication/communication_page.h"

#include "core/communication/buffers.h"
#include "core/communication/rearranging.h"
#include "core/io/model_file.h"
#include "core/sim/simulator.h"
#include "ui/charts/step_chart.h"
#include "ui/core_sentences.h"
#include "ui/panels/field_bar.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QUndoCommand>

#include <algorithm>

namespace pw::ui {

namespace comms = pw::communication;
using comms::ActionKind;
using comms::ActionPlace;

namespace {

/// The choice behind those of `comms::ReceivePlace`.
constexpr int asFile = 4;

} // namespace

/// A move of one action, there and back.
class CommunicationPage::Move : public QUndoCommand
{
public:
    Move(CommunicationPage& page, ListingPtr after, ActionPlace from, int to, const QString& words)
        : QUndoCommand(words)
        , m_page(page)
        , m_before(page.m_listing)
        , m_after(std::move(after))
        , m_from(from)
        , m_to{from.rank, to}
    {
    }

    void redo() override { m_page.adopt(m_after, m_to); }
    void undo() override { m_page.adopt(m_before, m_from); }

private:
    CommunicationPage& m_page;
    ListingPtr m_before;
    ListingPtr m_after;
    ActionPlace m_from;
    ActionPlace m_to;
};

CommunicationPage::CommunicationPage(const QString& name, std::shared_ptr<const Schedule> schedule,
                                     Costs costs, std::optional<comms::Listing> file,
                                     QWidget* parent)
    : Page(parent)
    , m_name(name)
    , m_schedule(std::move(schedule))
    , m_costs(std::move(costs))
    , m_given(m_costs)
    , m_file(file ? std::make_shared<const comms::Listing>(std::move(*file)) : nullptr)
    , m_fields(new FieldBar(6, this))
    , m_sentence(new QLabel(this))
    , m_timeline(new TimelineView(m_range, this))
    , m_buffers(new StepChart(m_range, tr("Buffers"), StepChart::Unit::Bytes, this))
{
    makeFields();
    m_sentence->setObjectName(QStringLiteral("communication-sentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setForegroundRole(QPalette::WindowText); // which its ink colours
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* words = new QWidget(this);
    auto* wordsLayout = new QHBoxLayout(words);
    wordsLayout->setContentsMargins(0, 0, 0, 0);
    wordsLayout->addWidget(m_sentence, 1);
    makeTools(words);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(12, 8, 12, 4);
    head->setSpacing(6);
    head->addWidget(m_fields);
    head->addWidget(words);
    auto* stack = new QSplitter(Qt::Vertical, this);
    stack->addWidget(m_timeline);
    stack->addWidget(m_buffers);
    stack->setStretchFactor(0, 4);
    stack->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(new TimeRuler(m_range, this));
    layout->addWidget(stack, 1);
    setFocusProxy(m_timeline);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    constexpr int readable = 13; // letters have room
    m_timeline->setLeastLaneHeight(readable);
    m_buffers->setMinimumHeight(m_buffers->fontMetrics().height() * 7);

    connect(m_timeline, &TimelineView::dragBegun, this, &CommunicationPage::beginDrag);
    connect(m_timeline, &TimelineView::dragMoved, this,
            [this](double ticks, int /*lane*/) { moveDrag(ticks); });
    connect(m_timeline, &TimelineView::dragEnded, this, &CommunicationPage::endDrag);
    connect(m_timeline, &TimelineView::hovered, this,
            [this](SpanRef span, int lane, double /*time*/) { tell(span, lane); });
    connect(m_timeline, &TimelineView::selectionChanged, this, [this] {
        showOverlay();
        showBuffers();
        Q_EMIT selectionChanged();
    });
    lowerAgain();
}

CommunicationPage::~CommunicationPage()
{
    // Steps know the page, and views of the stack may still look at it.
    m_undo.clear();
}

void CommunicationPage::makeFields()
{
    m_receives = m_fields->addChoice(tr("&Receives"),
                                     {tr("as sent"), tr("at use"), tr("early by"), tr("deferred")},
                                     QStringLiteral("receives"));
    m_receives->setToolTip(
        tr("Where a receive is posted: where the device has come to when the message leaves, as "
           "PyTorch does; directly before the pass that needs it; some passes before it; or as "
           "PyTorch's defer_pp_recv."));
    if (m_file) {
        m_receives->addItem(tr("as the file"));
        m_receives->setCurrentIndex(asFile);
    }
    m_early = m_fields->addCount(tr("Pa&sses"), 0, 999, 1, QStringLiteral("early"));
    m_early->setToolTip(tr("How many passes before its use a receive is posted."));
    m_sends =
        m_fields->addChoice(tr("Se&nds are awaited"),
                            {tr("at the end"), tr("at its backward"), tr("none"), tr("at once")},
                            QStringLiteral("send-waits"));
    m_sends->setToolTip(tr("Where a device waits for what it sends and gives its buffer back. "
                           "None: as soon as it has left."));
    m_communicators = m_fields->addChoice(
        tr("Co&mmunicators"), {tr("one"), tr("a direction"), tr("an edge"), tr("a pair")},
        QStringLiteral("communicators"));
    m_communicators->setToolTip(
        tr("Messages of a communicator travel one after the other, in the order of posting."));
    m_hop = m_fields->addNumber(tr("&Message"), tr("ms"), 4, 0, 1e6,
                                msFromTicks(m_given.link.latency), QStringLiteral("hop"));
    m_hop->setEnabled(m_given.links.empty());
    const Bytes known = m_given.forwardMessage.empty() ? 0 : m_given.forwardMessage.front();
    m_size =
        m_fields->addNumber(tr("Si&ze"), tr("KiB"), 1, 0, 1e9, static_cast<double>(known) / 1024,
                            QStringLiteral("size"), tr("not known"));
    m_size->setEnabled(known == 0);
    m_eager = m_fields->addNumber(tr("E&ager to"), tr("KiB"), 1, -1, 1e9, -1,
                                  QStringLiteral("eager"), tr("none"));
    m_eager->setToolTip(tr("Messages of at most this size leave before their receive is posted."));
    m_sharded = m_fields->addSwitch(tr("Weights"), tr("s&harded"), QStringLiteral("sharded"));
    m_sharded->setToolTip(tr("Stages are gathered before their passes, gradients are reduced."));
    m_lookAhead = m_fields->addCount(tr("&Look ahead"), 0, 64, 0, QStringLiteral("look-ahead"));
    m_lookAhead->setSpecialValueText(tr("full"));
    m_lookAhead->setToolTip(tr("Stages whose gather is started ahead."));
    m_gather =
        m_fields->addNumber(tr("&Gather"), tr("ms"), 4, 0, 1e6, 0.5, QStringLiteral("gather"));
    m_gather->setToolTip(tr("Time of one stage's gather, and of its reduction."));
    makeGradientAndExpertFields();

    for (QComboBox* box : {m_receives, m_sends})
        connect(box, &QComboBox::currentIndexChanged, this, &CommunicationPage::lowerAgain);
    for (QSpinBox* box : {m_early, m_lookAhead})
        connect(box, &QSpinBox::valueChanged, this, &CommunicationPage::lowerAgain);
    connect(m_sharded, &QCheckBox::toggled, this, &CommunicationPage::lowerAgain);
    connect(m_communicators, &QComboBox::currentIndexChanged, this, &CommunicationPage::playAgain);
    for (QDoubleSpinBox* box : {m_hop, m_size, m_eager, m_gather})
        connect(box, &QDoubleSpinBox::valueChanged, this, &CommunicationPage::playAgain);
}

void CommunicationPage::makeGradientAndExpertFields()
{
    if (m_schedule->spec().routeCount() > 1) {
        m_exchanges = m_fields->addChoice(
            tr("Gra&dients"), {tr("at the end"), tr("when done"), tr("own order"), tr("none")},
            QStringLiteral("exchanges"));
        m_exchanges->setToolTip(
            tr("When the copies of a stage exchange their gradients: at the end, as soon as those "
               "of a stage are done, or as each device comes to it."));
        connect(m_exchanges, &QComboBox::currentIndexChanged, this, &CommunicationPage::lowerAgain);
    }

    QStringList models = {tr("none")};
    for (const LanguageModel& model : modelPresets()) {
        if (model.experts.count > 0)
            models << text(model.dense.name);
    }
    m_experts = m_fields->addChoice(tr("E&xperts"), models, QStringLiteral("experts"));
    m_experts->setToolTip(
        tr("Passes of this model's layers on H100, in parts: attention and MLP computed, tokens "
           "dispatched and combined. Overlapped pairs hide the exchanges."));
    m_expertGroup =
        m_fields->addCount(tr("Spread o&ver"), 1, 4096, 8, QStringLiteral("expert-group"));
    m_expertGroup->setToolTip(tr("Accelerators that the experts are spread over."));
    connect(m_experts, &QComboBox::currentIndexChanged, this, &CommunicationPage::playAgain);
    connect(m_expertGroup, &QSpinBox::valueChanged, this, &CommunicationPage::playAgain);
}

void CommunicationPage::makeTools(QWidget* bar)
{
    const auto add = [&](const QString& words, const QString& keys, const char* name, int by) {
        auto* button = new QToolButton(bar);
        button->setText(words);
        button->setObjectName(QString::fromLatin1(name));
        button->setShortcut(QKeySequence(keys));
        button->setToolTip(tr("Moves the selected send, receive or gather by one place of its "
                              "device's order (%1). It can be dragged, too.")
                               .arg(keys));
        bar->layout()->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, by] { moveSelected(by); });
        return button;
    };
    m_earlier = add(tr("Earlier"), QStringLiteral("Alt+Left"), "move-earlier", -1);
    m_later = add(tr("Later"), QStringLiteral("Alt+Right"), "move-later", 1);
}

comms::Lowering CommunicationPage::lowering() const
{
    comms::Lowering chosen;
    chosen.receives = static_cast<comms::ReceivePlace>(m_receives->currentIndex());
    chosen.early = m_early->value();
    chosen.sends = static_cast<comms::SendWait>(m_sends->currentIndex());
    chosen.sharded = m_sharded->isChecked();
    chosen.lookAhead = m_lookAhead->value();
    if (m_exchanges != nullptr)
        chosen.exchanges = static_cast<comms::ExchangePlace>(m_exchanges->currentIndex());
    return chosen;
}

/// Places everything anew; what was moved by hand is gone, and its history with it.
void CommunicationPage::lowerAgain()
{
    m_early->setEnabled(m_receives->currentIndex() == static_cast<int>(comms::ReceivePlace::Early));
    m_lookAhead->setEnabled(m_sharded->isChecked());
    m_gather->setEnabled(m_sharded->isChecked());
    const bool own = m_receives->currentIndex() == asFile;
    m_sends->setEnabled(!own);
    m_sharded->setEnabled(!own);
    if (own) {
        m_fields->refuse({});
        m_undo.clear();
        m_listing = m_file;
        playAgain();
        return;
    }
    Result<comms::Listing> made = comms::listingOf(*m_schedule, lowering());
    if (!made) {
        m_fields->refuse(coreSentence(made.error().message));
        return;
    }
    m_fields->refuse({});
    m_undo.clear();
    m_listing = std::make_shared<const comms::Listing>(std::move(*made));
    playAgain();
}

void CommunicationPage::playAgain()
{
    m_costs = m_given;
    if (m_given.links.empty())
        m_costs.link.latency = ticksFromMs(m_hop->value());
    if (m_size->isEnabled() && m_size->value() > 0) {
        const auto bytes = static_cast<Bytes>(m_size->value() * 1024);
        m_costs.forwardMessage.assign(m_costs.forward.size(), bytes);
        m_costs.backwardMessage.assign(m_costs.forward.size(), bytes);
    }
    readExperts();
    m_transport.communicators = static_cast<comms::Communicators>(m_communicators->currentIndex());
    m_transport.eagerBytes = std::nullopt;
    if (m_eager->value() >= 0)
        m_transport.eagerBytes = static_cast<Bytes>(m_eager->value() * 1024);
    const auto stages = static_cast<std::size_t>(m_schedule->spec().stages());
    m_transport.gather.assign(stages, ticksFromMs(m_gather->value()));
    m_transport.reduce = m_transport.gather;
    const Result<SimResult> planned = simulate(*m_schedule, m_costs);
    m_planned = planned ? planned->makespan : 0;
    show();
}

void CommunicationPage::readExperts()
{
    m_layers.clear();
    m_expertGroup->setEnabled(m_experts->currentIndex() > 0);
    m_fields->refuse({});
    if (m_experts->currentIndex() <= 0)
        return;
    const PipelineSpec& spec = m_schedule->spec();
    const auto model = loadModel(m_experts->currentText().toStdString());
    const auto device = findAccelerator("h100");
    if (!model || !device)
        return;
    if (model->dense.layers < spec.stages()) {
        m_fields->refuse(tr("%1 has %2 layers, the schedule %3 stages.")
                             .arg(m_experts->currentText())
                             .arg(model->dense.layers)
                             .arg(spec.stages()));
        return;
    }
    plan::Configuration configuration;
    configuration.pipelineParallel = spec.devices;
    configuration.expertParallel = configuration.dataParallel = m_expertGroup->value();
    plan::Cluster cluster;
    cluster.device = *device;
    cluster.devices = configuration.devices();
    m_layers = comms::stageLayers(*model, configuration, cluster, spec.stages());
    comms::setInnerTimes(m_costs, spec, m_layers);
}

comms::Played CommunicationPage::playOf(const comms::Listing& listing) const
{
    return comms::play(listing, *m_schedule, m_costs, m_transport);
}

void CommunicationPage::adopt(ListingPtr listing, ActionPlace moved)
{
    m_listing = std::move(listing);
    show();
    m_timeline->select(m_shown.spanOf(moved));
}

QString CommunicationPage::moveAction(ActionPlace from, int to)
{
    if (to == from.action)
        return {};
    Result<comms::Listing> moved = comms::withMoved(*m_listing, *m_schedule, from, to);
    if (!moved)
        return coreSentence(moved.error().message);
    const QString words = tr("Move %1").arg(text(comms::actionText(
        m_listing->of(from.rank)[static_cast<std::size_t>(from.action)], *m_listing, *m_schedule)));
    m_undo.push(new Move(*this, std::make_shared<const comms::Listing>(std::move(*moved)), from, to,
                         words));
    return {};
}

void CommunicationPage::moveSelected(int by)
{
    const ActionPlace place = m_shown.placeOf(m_timeline->current());
    if (!place.valid())
        return;
    const QString refusal = moveAction(place, place.action + by);
    if (!refusal.isEmpty())
        Q_EMIT told(refusal);
}

void CommunicationPage::beginDrag(SpanRef span)
{
    const ActionPlace place = m_shown.placeOf(span);
    m_trial = Trial{place, place.action, nullptr};
}

/// The action goes to where its rank has come to at the time under the pointer.
void CommunicationPage::moveDrag(double ticks)
{
    if (!m_trial || !m_trial->from.valid())
        return;
    const ActionPlace from = m_trial->from;
    const auto& row = m_listing->of(from.rank);
    const comms::Action& action = row[static_cast<std::size_t>(from.action)];
    if (action.kind == ActionKind::Compute) {
        m_timeline->setHint(tr("A pass is moved on the schedule's own page."), true);
        return;
    }
    const auto& times = m_played.times[from.rank.index()];
    std::vector<Ticks> ends;
    for (std::size_t i = 0; i < row.size(); ++i)
        ends.push_back(row[i].kind == ActionKind::Compute ? times[i].end : times[i].posted);
    const Ticks posted = times[static_cast<std::size_t>(from.action)].posted;
    // What was never come to is where it is drawn.
    const SpanRef drawn = m_shown.spanOf(from);
    const Ticks before = posted >= 0 || !drawn.valid()
                             ? std::max<Ticks>(posted, 0)
                             : m_shown.lanes->lanes()[static_cast<std::size_t>(drawn.lane)]
                                   .start[static_cast<std::size_t>(drawn.index)];
    const auto wanted = static_cast<Ticks>(static_cast<double>(before) + ticks);
    const comms::MoveRange range = comms::moveRange(*m_listing, *m_schedule, from);
    const int asked = comms::placeAt(ends, from.action, wanted);
    const int to = std::clamp(asked, range.first, range.last);
    if (to == m_trial->to && m_trial->listing)
        return;
    m_trial->to = to;
    if (to == from.action) {
        m_trial->listing.reset();
        m_timeline->setPreview(nullptr);
        m_timeline->setHint({}, false);
        return;
    }
    const Result<comms::Listing> moved = comms::withMoved(*m_listing, *m_schedule, from, to);
    if (!moved) {
        m_trial->listing.reset();
        m_timeline->setHint(coreSentence(moved.error().message), true);
        return;
    }
    m_trial->listing = std::make_shared<const comms::Listing>(*moved);
    const comms::Played played = playOf(*moved);
    m_timeline->setPreview(lanesOf(m_schedule, *moved, played, m_layers, &m_shown).lanes);
    m_timeline->setHint(endWords(played), !played.whole || !played.mixed.empty());
    Q_EMIT figuresTried(endWords(played));
}

void CommunicationPage::endDrag(bool dropped)
{
    m_timeline->setPreview(nullptr);
    m_timeline->setHint({}, false);
    const std::optional<Trial> trial = std::exchange(m_trial, std::nullopt);
    if (dropped && trial && trial->listing)
        moveAction(trial->from, trial->to);
    Q_EMIT figuresChanged();
}

void CommunicationPage::show()
{
    m_played = playOf(*m_listing);
    m_shown = lanesOf(m_schedule, *m_listing, m_played, m_layers);
    m_timeline->setLanes(m_shown.lanes);
    showSentence();
    showOverlay();
    showBuffers();
    Q_EMIT figuresChanged();
}

} // namespace pw::ui

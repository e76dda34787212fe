// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/communication/communication_page.h"

#include "core/communication/buffers.h"
#include "core/communication/rearranging.h"
#include "core/sim/simulator.h"
#include "ui/charts/step_chart.h"
#include "ui/communication/buffer_series.h"
#include "ui/communication/communication_fields.h"
#include "ui/communication/listing_layers.h"
#include "ui/core_sentences.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_view.h"

#include <QBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace comms = pw::communication;
using comms::ActionKind;
using comms::ActionPlace;

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
    , m_file(file ? std::make_shared<const comms::Listing>(std::move(*file)) : nullptr)
    , m_fields(new CommunicationFields(m_schedule, m_costs, m_file != nullptr, this))
    , m_sentence(new QLabel(this))
    , m_timeline(new TimelineView(m_range, this))
    , m_buffers(new StepChart(m_range, tr("Buffers"), StepChart::Unit::Bytes, this))
{
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

    connect(m_fields, &CommunicationFields::placesChanged, this, &CommunicationPage::lowerAgain);
    connect(m_fields, &CommunicationFields::timesChanged, this, &CommunicationPage::playAgain);
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

/// Places everything anew; what was moved by hand is gone, and its history with it.
void CommunicationPage::lowerAgain()
{
    ListingPtr placed = m_file;
    if (!m_fields->asFile()) {
        Result<comms::Listing> made = comms::listingOf(*m_schedule, m_fields->lowering());
        if (!made) {
            m_fields->refuse(coreSentence(made.error().message));
            return;
        }
        placed = std::make_shared<const comms::Listing>(std::move(*made));
    }
    m_undo.clear();
    m_listing = std::move(placed);
    playAgain();
}

void CommunicationPage::playAgain()
{
    m_costs = m_fields->costs();
    m_layers = m_fields->layers();
    if (!m_layers.empty())
        comms::setInnerTimes(m_costs, m_schedule->spec(), m_layers);
    m_transport = m_fields->transport();
    const Result<SimResult> planned = simulate(*m_schedule, m_costs);
    m_planned = planned ? planned->makespan : 0;
    show();
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
    const PlayedWords words(*moved, *m_schedule, played, m_planned);
    m_timeline->setHint(words.end(), !played.whole || !played.mixed.empty());
    Q_EMIT figuresTried(words.end());
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

void CommunicationPage::showSentence()
{
    const PlayedWords::Sentence sentence = words().sentence();
    m_sentence->setText(sentence.words);
    setInk(m_sentence, sentence.bad ? Role::Refusal : Role::Text);
}

/// The other end of the selected message, and the ring.
void CommunicationPage::showOverlay()
{
    const ActionPlace chosen = m_shown.placeOf(m_timeline->current());
    m_timeline->setLayer(linksOf(chosen, *m_listing, m_shown));
    m_timeline->setLayer(wrongOf(m_played, m_shown));
    const bool movable = chosen.valid() &&
                         m_listing->of(chosen.rank)[static_cast<std::size_t>(chosen.action)].kind !=
                             ActionKind::Compute;
    m_earlier->setEnabled(movable);
    m_later->setEnabled(movable);
}

RankId CommunicationPage::rankShown() const
{
    const SpanRef current = m_timeline->current();
    if (current.valid() && static_cast<std::size_t>(current.lane) < m_shown.rankOfLane.size())
        return m_shown.rankOfLane[static_cast<std::size_t>(current.lane)];
    return RankId(0);
}

void CommunicationPage::showBuffers()
{
    const RankId rank = rankShown();
    BufferSeries buffers = bufferSeries(*m_listing, *m_schedule, m_costs, m_played, rank);
    m_buffers->setUnit(buffers.bytes ? StepChart::Unit::Bytes : StepChart::Unit::Whole);
    m_buffers->setSubtitle(buffers.bytes ? tr("of device %1").arg(rank)
                                         : tr("of device %1, counted").arg(rank));
    m_buffers->setSeries(std::move(buffers.series));
}

// What is said

QString CommunicationPage::title() const
{
    return tr("Communication · %1").arg(m_name);
}

QString CommunicationPage::whyNoFigure() const
{
    return {};
}

FigureContent CommunicationPage::figure() const
{
    FigureContent content;
    content.title = title();
    content.numbers = words().end();
    content.lanes = m_shown.lanes;
    return content;
}

QString CommunicationPage::figures() const
{
    return words().end();
}

void CommunicationPage::tell(SpanRef span, int lane)
{
    const ActionPlace place = m_shown.placeOf(span);
    if (const comms::PartSpan* part = m_shown.partOf(span))
        Q_EMIT told(words().of(*part));
    else
        Q_EMIT told(lane >= 0 && place.valid() ? words().of(place) : QString());
}

PageDetails CommunicationPage::details() const
{
    PageDetails details;
    details.kind = tr("Communication");
    const ActionPlace chosen = m_shown.placeOf(m_timeline->current());
    DetailsPart selected{tr("Selected"), {}, tr("Nothing is selected.")};
    if (chosen.valid())
        selected.rows.push_back({words().of(chosen), {}});
    details.parts.push_back(std::move(selected));
    DetailsPart ranks{tr("Receive buffers, by device"), {}, {}};
    for (const RankId rank : Ids<RankId>(m_listing->ranks.size())) {
        const auto slotsOf = [&](bool forward) {
            return comms::slotCount(comms::receiveSlots(*m_listing, *m_schedule, rank, forward));
        };
        NumberRow row;
        row.name = tr("device %1").arg(rank);
        row.value =
            tr("%1 for activations, %2 for gradients").arg(slotsOf(true)).arg(slotsOf(false));
        ranks.rows.push_back(std::move(row));
    }
    details.parts.push_back(std::move(ranks));
    return details;
}

} // namespace pw::ui

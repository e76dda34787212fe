// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/steps_view.h"

#include "core/base/text.h"
#include "core/model/schedule.h"
#include "core/sim/metrics.h"
#include "ui/bench/step_card.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/plural.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/value_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace pw::ui {

namespace {

/// More are not assembled again with every move of the mouse.
constexpr std::size_t mostWhileDragged = 6'000;

LanesPtr lanesOf(const Arrangement& arrangement)
{
    Result<Schedule> schedule = scheduleOf(arrangement);
    return schedule ? pw::ui::lanesOf(std::make_shared<const Schedule>(*std::move(schedule)),
                                      timesOf(arrangement))
                    : nullptr;
}

QString signedNumber(double value)
{
    const QString number = text(plainNumber(std::abs(value)));
    return value < 0 ? QStringLiteral("−") + number : QStringLiteral("+") + number;
}

/// @param run  the same in time and bytes; none: that is not known
std::vector<StepCard::Figure> figuresText(const ArrangementFigures& figures,
                                          const ArrangementFigures* before,
                                          const std::optional<SimResult>& run)
{
    const auto also = [](const QString& units, const QString& known) {
        return known.isEmpty() ? units : QStringLiteral("%1 · %2").arg(units, known);
    };
    const QString time = run ? text(timeText(run->makespan)) : QString();
    const QString bytes =
        run && peakActivation(*run) > 0 ? text(byteText(peakActivation(*run))) : QString();
    const auto bubble = [](const Bubble& one) {
        return QStringLiteral("%1 (%2)").arg(one.idle).arg(percentText(one.rate()));
    };
    const auto change = [&](StepCard::Figure figure, double now, double then) {
        if (before != nullptr) {
            figure.change = now == then ? QStringLiteral("=") : signedNumber(now - then);
            figure.better = now < then;
        }
        return figure;
    };
    const ArrangementFigures& old = before != nullptr ? *before : figures;
    const auto ticks = [](Ticks value) { return static_cast<double>(value); };
    const double peak = microBatchesFromShare(figures.peak());
    return {change({StepsView::tr("span bubble"), bubble(figures.spanBubble), {}},
                   ticks(figures.spanBubble.idle), ticks(old.spanBubble.idle)),
            change({StepsView::tr("wall bubble"), bubble(figures.wallBubble), {}},
                   ticks(figures.wallBubble.idle), ticks(old.wallBubble.idle)),
            change({StepsView::tr("makespan"), also(QString::number(figures.makespan), time), {}},
                   ticks(figures.makespan), ticks(old.makespan)),
            change({StepsView::tr("peak"),
                    also(StepsView::tr("%1 mb").arg(text(plainNumber(peak))), bytes),
                    {}},
                   peak, microBatchesFromShare(old.peak()))};
}

/// Start of every pass after the first of them.
std::map<Pass, Ticks> startsOf(const Arrangement& arrangement)
{
    std::map<Pass, Ticks> starts;
    const SimResult times = timesOf(arrangement);
    std::size_t entry = 0;
    for (const std::vector<BlockPass>& device : arrangement.devices)
        for (const BlockPass& placed : device)
            starts[placed.pass] = times.start[entry++];
    return starts;
}

} // namespace

StepsView::StepsView(BenchModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_timeline(new TimelineView(m_range, this))
    , m_change(new QLabel(this))
{
    auto* cards = new QHBoxLayout;
    cards->setSpacing(8);
    const std::array<std::pair<QString, QString>, benchStages> stages = {
        {{tr("1  Repeat"), tr("The block again at every interval, as it is drawn.")},
         {tr("2  Squeeze"), tr("Without idle time that nothing asks for; every device keeps its "
                               "order.")},
         {tr("3  Reorder"), tr("Passes of warm-up and cool-down move into free time, as long as "
                               "no device keeps more than before.")}}};
    for (std::size_t i = 0; i < stages.size(); ++i) {
        m_cards[i] = new StepCard(stages[i].first, stages[i].second, this);
        cards->addWidget(m_cards[i]);
        connect(m_cards[i], &StepCard::clicked, this,
                [this, i] { choose(static_cast<BenchStage>(i)); });
    }
    m_timeline->setAccessibleName(tr("The arrangement of the chosen stage"));
    m_change->setForegroundRole(QPalette::PlaceholderText);
    m_change->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(cards);
    layout->addWidget(m_change);
    layout->addWidget(m_timeline, 1);
    layout->addStretch();
    connect(&m_model, &BenchModel::changed, this, &StepsView::showModel);
    connect(m_timeline, &TimelineView::hovered, this,
            [this](SpanRef span, int, double) { tell(span); });
    showModel();
}

void StepsView::choose(BenchStage stage)
{
    m_chosen = stage;
    m_reached = std::max(m_reached, static_cast<int>(stage) + 1);
    showModel();
    m_range.fit();
    Q_EMIT shown();
}

void StepsView::showModel()
{
    const auto passes =
        m_model.block().passes.size() * static_cast<std::size_t>(m_model.microBatches());
    if (m_model.trying() && passes > mostWhileDragged)
        return;
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setChecked(m_reached > 0 && i == static_cast<std::size_t>(m_chosen));
    if (m_reached == 0 || !m_model.assembly()) {
        m_lanes = {};
        for (std::size_t i = 0; i < m_cards.size(); ++i)
            m_cards[i]->showNothing(m_reached > static_cast<int>(i)
                                        ? coreSentence(m_model.assembly().error().message)
                                        : QString());
    } else {
        const Assembly& made = *m_model.assembly();
        const Ticks whole = made.repeated.figures.makespan;
        for (int i = 0; i < benchStages; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (i >= m_reached) {
                m_cards[at]->showNothing();
                continue;
            }
            const AssemblyStage& stage = stageOf(made, static_cast<BenchStage>(i));
            m_lanes[at] = lanesOf(stage.arrangement);
            const ArrangementFigures* before =
                i == 0 ? nullptr : &stageOf(made, static_cast<BenchStage>(i - 1)).figures;
            if (m_lanes[at])
                m_cards[at]->showFigures(
                    m_lanes[at], whole,
                    figuresText(stage.figures, before, m_model.run(stage.arrangement)));
            else
                m_cards[at]->showNothing(tr("This has no order that runs."));
        }
    }
    showTimeline();
}

void StepsView::showTimeline()
{
    const LanesPtr& lanes = m_lanes[static_cast<std::size_t>(m_chosen)];
    m_timeline->setLanes(lanes ? lanes : std::make_shared<const Lanes>());
    m_timeline->setVisible(lanes != nullptr);
    m_change->setText(changeText());
}

QString StepsView::changeText() const
{
    if (m_reached == 0)
        return tr("Repeat the block to see what it becomes.");
    const Result<Assembly>& made = m_model.assembly();
    if (!made)
        return {};
    const AssemblyStage& stage = stageOf(*made, m_chosen);
    const QString shape = tr("%1 on %2")
                              .arg(plural(stage.arrangement.spec.microBatches, Noun::MicroBatch),
                                   plural(stage.arrangement.spec.devices, Noun::Device));
    if (m_chosen == BenchStage::Repeated)
        return tr("%1, as drawn: %2.").arg(shape, plural(stage.figures.makespan, Noun::Unit));
    const AssemblyStage& before =
        stageOf(*made, static_cast<BenchStage>(static_cast<int>(m_chosen) - 1));
    const auto then = startsOf(before.arrangement);
    const auto now = startsOf(stage.arrangement);
    const auto moved = std::count_if(
        now.begin(), now.end(), [&](const auto& one) { return then.at(one.first) != one.second; });
    if (moved == 0)
        return tr("%1: nothing moves, it is as before.").arg(shape);
    return tr("%1: %2 of %3 passes start at another time, %4 units instead of %5.")
        .arg(shape)
        .arg(moved)
        .arg(now.size())
        .arg(stage.figures.makespan)
        .arg(before.figures.makespan);
}

void StepsView::tell(SpanRef span)
{
    const LanesPtr& lanes = m_timeline->lanes();
    if (!lanes->holds(span) || !m_model.assembly()) {
        Q_EMIT told({}, false);
        return;
    }
    const AssemblyStage& stage = stageOf(*m_model.assembly(), m_chosen);
    const Pass pass = lanes->pass(span);
    const Lane& lane = lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const Ticks start = lane.start[static_cast<std::size_t>(span.index)];
    QString sentence = tr("%1: %2 to %3")
                           .arg(passText(pass, stage.arrangement.spec))
                           .arg(start)
                           .arg(lane.end[static_cast<std::size_t>(span.index)]);
    if (m_chosen != BenchStage::Repeated) {
        const AssemblyStage& before =
            stageOf(*m_model.assembly(), static_cast<BenchStage>(static_cast<int>(m_chosen) - 1));
        const auto then = startsOf(before.arrangement);
        const auto known = then.find(pass);
        if (known != then.end() && known->second != start)
            sentence += start < known->second
                            ? tr(", %1 earlier than before").arg(known->second - start)
                            : tr(", %1 later than before").arg(start - known->second);
    }
    Q_EMIT told(sentence, false);
}

StepsView::~StepsView()
{
    // The view looks at the range until it goes.
    delete m_timeline;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_split.h"

#include "core/base/text.h"
#include "core/plan/plan_words.h"
#include "ui/core_sentences.h"
#include "ui/plan/plan_page.h"
#include "ui/plan/plan_picture.h"
#include "ui/plan/split_bars.h"
#include "ui/plural.h"
#include "ui/text.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace pw::ui {

namespace {

constexpr double splitMsOfSecond = 1e3;

} // namespace

PlanSplit::PlanSplit(QWidget* parent)
    : QWidget(parent)
    , m_picture(new PlanPicture(this))
    , m_bars(new SplitBars(this))
    , m_words(new QLabel(this))
    , m_open(new QPushButton(PlanPage::tr("&Open as a schedule"), this))
{
    m_bars->setObjectName(QStringLiteral("split-bars"));
    m_words->setObjectName(QStringLiteral("split-words"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setMinimumWidth(80);
    m_open->setObjectName(QStringLiteral("open-shaped"));
    m_open->setToolTip(PlanPage::tr("Opens the plan with these layers as a schedule."));
    auto* line = new QHBoxLayout;
    line->addWidget(m_words, 1);
    line->addWidget(m_open);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    auto* pictures = new QHBoxLayout;
    pictures->setSpacing(12);
    pictures->addWidget(m_picture, 3);
    pictures->addWidget(m_bars, 2);
    layout->addLayout(pictures, 1);
    connect(m_bars, &SplitBars::splitAsked, this, &PlanSplit::reshape);
    connect(m_bars, &SplitBars::hovered, this, &PlanSplit::tell);
    connect(m_open, &QPushButton::clicked, this, &PlanSplit::openRequested);
    showShaped();
}

void PlanSplit::setPlan(const PlanAsked& asked, const plan::Evaluation& plan)
{
    m_asked = asked;
    m_plan = plan;
    m_shaped = plan;
    showShaped();
}

void PlanSplit::clear()
{
    m_plan.reset();
    m_shaped.reset();
    showShaped();
}

/// The plan with other layers, evaluated at once. What the plan itself has is the plan.
void PlanSplit::reshape(const std::vector<int>& layers)
{
    if (!m_plan)
        return;
    if (layers == m_plan->configuration.split) {
        m_shaped = m_plan;
        showShaped();
        return;
    }
    plan::Configuration changed = m_plan->configuration;
    changed.split = layers;
    // What is simulated whole in a moment is; of the rest a part says how long all takes.
    constexpr std::int64_t mostPasses = 20'000;
    const std::int64_t passes =
        std::int64_t{3} * changed.microBatches() * static_cast<std::int64_t>(layers.size());
    const Result<plan::Evaluation> found =
        plan::evaluate(m_asked.model, m_asked.cluster, changed,
                       plan::piecesOf(m_asked.model, m_asked.cluster, changed),
                       passes <= mostPasses ? plan::Exactness::All : plan::Exactness::Periodic);
    if (!found) {
        m_words->setText(coreSentence(found.error().message));
        return;
    }
    m_shaped = *found;
    showShaped();
}

void PlanSplit::showShaped()
{
    setVisible(m_shaped.has_value());
    askForPicture();
    showStages();
    if (m_shaped)
        m_words->setText(shapedText());
}

void PlanSplit::showStages()
{
    std::vector<SplitStage> stages;
    if (m_shaped) {
        const plan::Configuration& c = m_shaped->configuration;
        // A single stage has no layers to move.
        m_bars->setVisible(c.split.size() > 1);
        for (const plan::StageLoad& load :
             plan::stageLoads(m_asked.model, m_asked.cluster, *m_shaped)) {
            const double bytes = m_shaped->memory[static_cast<std::size_t>(load.rank)].total();
            const plan::Cluster& own = plan::clusterOfRank(m_asked.cluster, c, load.rank);
            SplitStage stage{load.layers, splitMsOfSecond * load.seconds, load.rank,
                             bytes / plan::gibibyte, bytes > own.usableMemory()};
            if (!m_asked.cluster.groups.empty()) {
                stage.kind = text(own.device.name);
                stage.shade = static_cast<int>(plan::kindOfRank(m_asked.cluster, c, load.rank));
            }
            stages.push_back(std::move(stage));
        }
    }
    m_bars->setStages(std::move(stages));
}

/// @pre there is a plan
QString PlanSplit::shapedText() const
{
    const QString dot = QStringLiteral(" · ");
    QString words = text(plan::rowName(*m_shaped)) + dot +
                    PlanPage::tr("Iteration %1 ms, fullest rank %2 GiB")
                        .arg(text(plainNumber(splitMsOfSecond * m_shaped->seconds(), 5)),
                             text(plainNumber(m_shaped->peakBytes() / plan::gibibyte, 4)));
    if (m_shaped->configuration.split != m_plan->configuration.split) {
        const double more = 100 * (m_shaped->seconds() / m_plan->seconds() - 1);
        words +=
            dot + (more > 0
                       ? PlanPage::tr("%1 % slower than the row").arg(text(plainNumber(more, 3)))
                       : PlanPage::tr("%1 % faster than the row").arg(text(plainNumber(-more, 3))));
    }
    if (!m_shaped->fits)
        words += dot + PlanPage::tr("does not fit: %1").arg(text(m_shaped->reason));
    return words;
}

/// The pipeline of what is chosen; drawn beside the window's work, which goes on.
void PlanSplit::askForPicture()
{
    m_pictureWork.drop();
    if (!m_shaped) {
        m_picture->setLanes(nullptr);
        return;
    }
    m_picture->setSentence(m_picture->lanes() == nullptr ? PlanPage::tr("Drawing the plan …")
                                                         : QString());
    m_pictureWork.begin([this, asked = m_asked, shaped = *m_shaped](const std::atomic<bool>&) {
        const Result<Project> project =
            plan::projectOf(asked.model, asked.cluster, asked.wish, shaped);
        const LanesPtr lanes = project ? pictureLanes(*project) : nullptr;
        return LatestWork::Answer([this, lanes] {
            m_picture->setSentence(PlanPage::tr("Open it as a schedule to see it run."));
            m_picture->setLanes(lanes);
        });
    });
}

void PlanSplit::tell(int stage)
{
    if (stage < 0 || stage >= static_cast<int>(m_bars->stages().size())) {
        Q_EMIT told(QString());
        return;
    }
    const SplitStage& one = m_bars->stages()[static_cast<std::size_t>(stage)];
    const QString rank = one.kind.isEmpty() ? QString::number(one.rank)
                                            : QStringLiteral("%1 (%2)").arg(one.rank).arg(one.kind);
    Q_EMIT told(PlanPage::tr("Stage %1 on rank %2: %3, %4 ms a micro-batch; the rank holds %5 GiB.")
                    .arg(QString::number(stage), rank, plural(one.layers, Noun::Layer),
                         text(plainNumber(one.milliseconds, 4)),
                         text(plainNumber(one.gibibytes, 4))));
}

} // namespace pw::ui

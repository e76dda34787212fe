// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Layers of the chosen row, dragged from stage to stage.
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

#include <algorithm>

namespace pw::ui {

namespace {

constexpr double shapeMs = 1e3;

} // namespace

void PlanPage::makeShape()
{
    m_bars->setObjectName(QStringLiteral("split-bars"));
    m_shapeWords->setObjectName(QStringLiteral("split-words"));
    m_shapeWords->setTextFormat(Qt::PlainText);
    m_shapeWords->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_shapeWords->setMinimumWidth(80);
    m_openShaped->setObjectName(QStringLiteral("open-shaped"));
    m_openShaped->setToolTip(tr("Opens the plan with these layers as a schedule."));
    auto* line = new QHBoxLayout;
    line->addWidget(m_shapeWords, 1);
    line->addWidget(m_openShaped);
    auto* layout = new QVBoxLayout(m_shape);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    auto* pictures = new QHBoxLayout;
    pictures->setSpacing(12);
    pictures->addWidget(m_picture, 3);
    pictures->addWidget(m_bars, 2);
    layout->addLayout(pictures, 1);
    connect(m_bars, &SplitBars::splitAsked, this, &PlanPage::reshape);
    connect(m_openShaped, &QPushButton::clicked, this, &PlanPage::openShaped);
    connect(m_bars, &SplitBars::hovered, this, [this](int stage) {
        if (stage < 0 || stage >= static_cast<int>(m_bars->stages().size())) {
            Q_EMIT told(QString());
            return;
        }
        const SplitStage& one = m_bars->stages()[static_cast<std::size_t>(stage)];
        const QString rank = one.kind.isEmpty()
                                 ? QString::number(one.rank)
                                 : QStringLiteral("%1 (%2)").arg(one.rank).arg(one.kind);
        Q_EMIT told(tr("Stage %1 on rank %2: %3, %4 ms a micro-batch; the rank holds %5 GiB.")
                        .arg(QString::number(stage), rank, plural(one.layers, Noun::Layer),
                             text(plainNumber(one.milliseconds, 4)),
                             text(plainNumber(one.gibibytes, 4))));
    });
    showShape();
}

/// The chosen row with other layers, evaluated at once. What the row itself has is the row.
void PlanPage::reshape(const std::vector<int>& layers)
{
    if (m_row < 0)
        return;
    const plan::Evaluation& row = m_rows[static_cast<std::size_t>(m_row)];
    if (layers == row.configuration.split) {
        m_shaped = row;
        showShape();
        return;
    }
    plan::Configuration changed = row.configuration;
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
        m_shapeWords->setText(coreSentence(found.error().message));
        return;
    }
    m_shaped = *found;
    showShape();
}

void PlanPage::showShape()
{
    m_shape->setVisible(m_shaped.has_value());
    askForPicture();
    if (!m_shaped) {
        m_bars->setStages({});
        return;
    }
    // A single stage has no layers to move.
    m_bars->setVisible(m_shaped->configuration.split.size() > 1);
    std::vector<SplitStage> stages;
    for (const plan::StageLoad& load :
         plan::stageLoads(m_asked.model, m_asked.cluster, *m_shaped)) {
        const double bytes = m_shaped->memory[static_cast<std::size_t>(load.rank)].total();
        const plan::Configuration& c = m_shaped->configuration;
        const plan::Cluster& own = plan::clusterOfRank(m_asked.cluster, c, load.rank);
        SplitStage stage{load.layers, shapeMs * load.seconds, load.rank, bytes / plan::gibibyte,
                         bytes > own.usableMemory()};
        if (!m_asked.cluster.groups.empty()) {
            stage.kind = text(own.device.name);
            stage.shade = static_cast<int>(plan::kindOfRank(m_asked.cluster, c, load.rank));
        }
        stages.push_back(std::move(stage));
    }
    m_bars->setStages(std::move(stages));
    const plan::Evaluation& row = m_rows[static_cast<std::size_t>(std::max(m_row, 0))];
    QString words = text(plan::rowName(*m_shaped)) + QStringLiteral(" · ") +
                    tr("Iteration %1 ms, fullest rank %2 GiB")
                        .arg(text(plainNumber(shapeMs * m_shaped->seconds(), 5)),
                             text(plainNumber(m_shaped->peakBytes() / plan::gibibyte, 4)));
    if (m_shaped->configuration.split != row.configuration.split) {
        const double more = 100 * (m_shaped->seconds() / row.seconds() - 1);
        words += QStringLiteral(" · ") +
                 (more > 0 ? tr("%1 % slower than the row").arg(text(plainNumber(more, 3)))
                           : tr("%1 % faster than the row").arg(text(plainNumber(-more, 3))));
    }
    if (!m_shaped->fits)
        words += QStringLiteral(" · ") + tr("does not fit: %1").arg(text(m_shaped->reason));
    m_shapeWords->setText(words);
}

/// The pipeline of what is chosen; drawn beside the window's work, which goes on.
void PlanPage::askForPicture()
{
    m_pictureWork.drop();
    if (!m_shaped) {
        m_picture->setLanes(nullptr);
        return;
    }
    m_picture->setSentence(m_picture->lanes() == nullptr ? tr("Drawing the plan …") : QString());
    m_pictureWork.begin([this, asked = m_asked, shaped = *m_shaped](const std::atomic<bool>&) {
        const Result<Project> project =
            plan::projectOf(asked.model, asked.cluster, asked.wish, shaped);
        const LanesPtr lanes = project ? pictureLanes(*project) : nullptr;
        return LatestWork::Answer([this, lanes] {
            m_picture->setSentence(tr("Open it as a schedule to see it run."));
            m_picture->setLanes(lanes);
        });
    });
}

void PlanPage::openShaped()
{
    if (!m_shaped)
        return;
    const Result<Project> project =
        plan::projectOf(m_asked.model, m_asked.cluster, m_asked.wish, *m_shaped);
    if (project)
        Q_EMIT openAsked(*project);
    else
        Q_EMIT refused(coreSentence(project.error().message));
}

} // namespace pw::ui

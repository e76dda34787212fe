// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/layer_row.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace pw::ui {

LayerRow::LayerRow(const std::vector<int>& layers, QWidget* parent)
    : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    const int em = fontMetrics().height();
    grid->setHorizontalSpacing(em / 2);
    grid->setVerticalSpacing(em / 4);
    const auto stages = static_cast<int>(layers.size());
    for (int stage = 0; stage < stages; ++stage) {
        auto* name = new QLabel(tr("Stage %1").arg(stage), this);
        auto* count = new QLabel(this);
        QFont strong = count->font();
        strong.setWeight(QFont::DemiBold);
        count->setFont(strong);
        grid->addWidget(name, stage, 0);
        grid->addWidget(count, stage, 1);
        if (stage > 0)
            grid->addWidget(addMove(QStringLiteral("↑"), stage, stage - 1), stage, 2);
        if (stage + 1 < stages)
            grid->addWidget(addMove(QStringLiteral("↓"), stage, stage + 1), stage, 3);
        m_counts.push_back(count);
    }
    grid->setColumnStretch(1, 1);
    setLayers(layers);
}

QPushButton* LayerRow::addMove(const QString& sign, int from, int to)
{
    auto* button = new QPushButton(sign, this);
    button->setObjectName(QStringLiteral("layer-%1-%2").arg(from).arg(to));
    const QString what = tr("A layer from stage %1 to stage %2").arg(from).arg(to);
    button->setToolTip(what);
    button->setAccessibleName(what);
    connect(button, &QPushButton::clicked, this, [this, from, to] { Q_EMIT moveAsked(from, to); });
    m_moves.emplace_back(button, from);
    return button;
}

void LayerRow::setLayers(const std::vector<int>& layers)
{
    for (std::size_t stage = 0; stage < m_counts.size() && stage < layers.size(); ++stage)
        m_counts[stage]->setText(layers[stage] == 1 ? tr("1 layer")
                                                    : tr("%1 layers").arg(layers[stage]));
    // A stage keeps one.
    for (const auto& [button, from] : m_moves)
        button->setEnabled(layers[static_cast<std::size_t>(from)] > 1);
}

} // namespace pw::ui

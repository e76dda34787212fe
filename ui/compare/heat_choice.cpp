// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/heat_choice.h"

#include "ui/compare/heat_legend.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace pw::ui {

HeatChoice::HeatChoice(QWidget* parent)
    : QWidget(parent)
    , m_colour(new QComboBox(this))
    , m_legend(new HeatLegend(this))
{
    auto* label = new QLabel(tr("&Colour"), this);
    label->setBuddy(m_colour);
    m_colour->addItem(tr("How much later a pass ends"));
    m_colour->addItem(tr("How much longer a pass takes"));
    m_colour->addItem(tr("Kind of pass"));
    m_colour->setMinimumHeight(std::max(26, fontMetrics().height() + 10));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(label);
    row->addWidget(m_colour);
    row->addSpacing(12);
    row->addWidget(m_legend);
    connect(m_colour, &QComboBox::currentIndexChanged, this, &HeatChoice::changed);
}

void HeatChoice::choose(Colour colour)
{
    m_colour->setCurrentIndex(static_cast<int>(colour));
}

std::vector<HeatShown> HeatChoice::heats(const std::vector<DifferencePtr>& differences)
{
    const auto colour = static_cast<Colour>(m_colour->currentIndex());
    std::vector<HeatShown> shown(differences.size());
    Ticks most = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        if (differences[i] == nullptr || colour == Colour::Kind)
            continue;
        shown[i].heat = colour == Colour::Moved ? differences[i]->moved : differences[i]->grown;
        most = std::max(most, shown[i].heat->most);
    }
    for (HeatShown& one : shown)
        one.most = most;
    m_legend->setVisible(colour != Colour::Kind && most > 0);
    m_legend->setScale(most, colour == Colour::Grown ? tr("shorter") : tr("sooner"),
                       colour == Colour::Grown ? tr("longer") : tr("later"));
    return shown;
}

} // namespace pw::ui

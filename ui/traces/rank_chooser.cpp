// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/rank_chooser.h"

#include "ui/presentation.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPalette>
#include <QStringList>

#include <algorithm>

namespace pw::ui {

std::optional<std::set<std::int32_t>> rankList(const QString& words)
{
    constexpr std::int32_t most = 1 << 20;
    std::set<std::int32_t> ranks;
    for (const QString& part : words.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QStringList ends = part.split(QLatin1Char('-'));
        bool good = ends.size() <= 2;
        bool alsoGood = true;
        const int first = good ? ends.first().trimmed().toInt(&good) : 0;
        const int last = ends.size() == 2 ? ends.last().trimmed().toInt(&alsoGood) : first;
        if (!good || !alsoGood || first < 0 || last < first || last >= most)
            return std::nullopt;
        for (int rank = first; rank <= last; ++rank)
            ranks.insert(ranks.end(), rank);
    }
    return ranks;
}

RankChooser::RankChooser(QWidget* parent)
    : QWidget(parent)
    , m_ranks(new QLineEdit(this))
    , m_group(new QComboBox(this))
{
    m_ranks->setObjectName(QStringLiteral("ranks"));
    m_ranks->setPlaceholderText(tr("all ranks"));
    m_ranks->setAccessibleName(tr("Ranks that have rows"));
    m_ranks->setToolTip(tr("Ranks that have rows, such as 0-7, 42; empty: all."));
    m_ranks->setClearButtonEnabled(true);
    constexpr int letters = 14;
    m_ranks->setFixedWidth(m_ranks->fontMetrics().averageCharWidth() * letters + 40);
    m_group->setObjectName(QStringLiteral("grouping"));
    m_group->setAccessibleName(tr("What rows are grouped by"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_ranks);
    layout->addWidget(m_group);
    connect(m_ranks, &QLineEdit::textChanged, this, &RankChooser::choose);
    connect(m_group, &QComboBox::currentIndexChanged, this, &RankChooser::choose);
    hide();
}

void RankChooser::setActivity(const ShownActivityPtr& activity)
{
    m_activity = activity;
    const auto several = [this](Group by) {
        std::set<int> places;
        for (const auto& [rank, group] : groups(by))
            places.insert(group.place);
        return places.size() > 1;
    };
    const QSignalBlocker quiet(m_group);
    const QVariant before = m_group->currentData();
    m_group->clear();
    m_group->addItem(tr("Rows: rank"), static_cast<int>(Group::None));
    if (several(Group::Stage))
        m_group->addItem(tr("Rows: stage"), static_cast<int>(Group::Stage));
    if (several(Group::Replica))
        m_group->addItem(tr("Rows: replica"), static_cast<int>(Group::Replica));
    m_group->setCurrentIndex(std::max(0, m_group->findData(before)));
    m_group->setVisible(m_group->count() > 1);
    setVisible(activity != nullptr && activity->trace.ranks.size() > 1);
    choose();
}

void RankChooser::showAll()
{
    m_ranks->clear();
}

void RankChooser::choose()
{
    const std::optional<std::set<std::int32_t>> ranks = rankList(m_ranks->text());
    QPalette ink;
    if (!ranks)
        ink.setColor(QPalette::Text, color(Role::Refusal));
    m_ranks->setPalette(ink);
    Q_EMIT told(ranks ? QString()
                      : tr("'%1' is not a list of ranks, such as 0-7, 42.").arg(m_ranks->text()));
    if (!ranks)
        return;
    m_chosen = {*ranks, groups(static_cast<Group>(m_group->currentData().toInt()))};
    Q_EMIT changed(m_chosen);
}

std::map<std::int32_t, RankGroup> RankChooser::groups(Group by) const
{
    std::map<std::int32_t, RankGroup> all;
    if (m_activity == nullptr || by == Group::None)
        return all;
    const std::vector<TraceRank>& ranks = m_activity->trace.ranks;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (by == Group::Replica) {
            all[ranks[i].number] =
                ranks[i].replica < 0
                    ? RankGroup{-1, tr("no replica")}
                    : RankGroup{ranks[i].replica, tr("replica %1").arg(ranks[i].replica)};
            continue;
        }
        std::set<std::int32_t> stages;
        if (i < m_activity->passes.size())
            for (const ShownActivity::PassTime& pass : m_activity->passes[i])
                if (pass.stage.valid())
                    stages.insert(pass.stage.value);
        QStringList words;
        for (const std::int32_t stage : stages)
            words += QString::number(stage);
        all[ranks[i].number] =
            stages.empty() ? RankGroup{-1, tr("no stage")}
                           : RankGroup{*stages.begin(),
                                       stages.size() == 1
                                           ? tr("stage %1").arg(words.first())
                                           : tr("stages %1").arg(words.join(QStringLiteral(", ")))};
    }
    return all;
}

} // namespace pw::ui

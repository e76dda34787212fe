// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/alternative_rows.h"

#include "core/families/default_family.h"
#include "ui/document/background.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

int AlternativeRows::add(AlternativeKind kind, const QString& name)
{
    Alternative row;
    row.id = m_nextId++;
    row.kind = kind;
    row.name = name;
    m_own.push_back(std::move(row));
    order();
    return m_own.back().id;
}

Alternative* AlternativeRows::own(int id)
{
    const auto found = std::find_if(m_own.begin(), m_own.end(),
                                    [id](const Alternative& row) { return row.id == id; });
    return found == m_own.end() ? nullptr : &*found;
}

void AlternativeRows::set(int id, ComparedPtr timeline)
{
    Alternative* row = own(id);
    if (row == nullptr || timeline == nullptr)
        return;
    takeTimeline(*row, std::move(timeline));
    addSpread(*row);
    order();
}

void AlternativeRows::setProblem(int id, const QString& why)
{
    if (Alternative* row = own(id); row != nullptr) {
        row->problem = why;
        order();
    }
}

void AlternativeRows::remove(int id)
{
    if (std::erase_if(m_own, [id](const Alternative& row) { return row.id == id; }) > 0)
        order();
}

void AlternativeRows::setFamilies(const FamilyRanking::Rows& families)
{
    m_families.clear();
    for (const std::shared_ptr<const Ranked>& ranked : families) {
        m_families.push_back(alternativeOf(ranked));
        const auto [known, fresh] = m_ids.emplace(ranked->candidate.name, m_nextId);
        m_nextId += fresh ? 1 : 0;
        m_families.back().id = known->second;
    }
    order();
}

void AlternativeRows::setQuestion(const RankQuestion& question)
{
    m_question = question;
    ++m_noise;
    for (Alternative& row : m_own) {
        row.low = row.high = 0;
        addSpread(row);
    }
    order();
}

/// A row that no ranking made has its own noisy runs.
void AlternativeRows::addSpread(const Alternative& row)
{
    if (!m_question.noise || row.timeline == nullptr || row.timeline->costs == nullptr)
        return;
    inBackground(this,
                 [this, id = row.id, timeline = row.timeline, noise = *m_question.noise,
                  asked = m_noise]() -> std::function<void()> {
                     const auto spread = spreadOf(*timeline->schedule, *timeline->costs, noise);
                     return [this, id, timeline, asked, spread] {
                         Alternative* still = own(id);
                         if (still == nullptr || asked != m_noise || still->timeline != timeline ||
                             !spread)
                             return;
                         still->low = spread->low;
                         still->high = spread->high;
                         order();
                     };
                 });
}

void AlternativeRows::order()
{
    m_all = m_own;
    m_all.insert(m_all.end(), m_families.begin(), m_families.end());
    orderAlternatives(m_all, m_question);
    Q_EMIT changed();
}

const Alternative* AlternativeRows::row(int id) const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(),
                                    [id](const Alternative& one) { return one.id == id; });
    return found == m_all.end() ? nullptr : &*found;
}

const Alternative* AlternativeRows::baseline() const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(), [](const Alternative& row) {
        return row.ranked != nullptr && row.made() && row.ranked->candidate.name == defaultFamily;
    });
    return found == m_all.end() ? nullptr : &*found;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/row_pictures.h"

#include "ui/compare/stacked_timelines.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

RowPictures::RowPictures(const AlternativeRows& rows, StackedTimelines& stack, QObject* parent)
    : QObject(parent)
    , m_rows(rows)
    , m_stack(stack)
{
    connect(&rows, &AlternativeRows::changed, this, &RowPictures::follow);
    connect(&stack, &StackedTimelines::removed, this, [this](int place) {
        const auto found = std::find_if(m_shown.begin(), m_shown.end(), [place](const auto& one) {
            return one.second.place == place;
        });
        if (found == m_shown.end())
            return;
        const int id = found->first;
        m_shown.erase(found);
        Q_EMIT closed(id);
    });
}

bool RowPictures::show(const std::vector<int>& ids)
{
    const std::vector<int> wanted(
        ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), most)));
    std::erase_if(m_shown, [&](const auto& one) {
        if (std::find(wanted.begin(), wanted.end(), one.first) != wanted.end())
            return false;
        m_stack.remove(one.second.place);
        return true;
    });
    for (const int id : wanted) {
        const Alternative* row = m_rows.row(id);
        if (row == nullptr || m_shown.count(id) > 0)
            continue;
        Shown& shown = m_shown[id];
        shown.place = m_stack.add(row->name);
        fill(id, shown);
    }
    return wanted.size() == ids.size();
}

void RowPictures::follow()
{
    for (auto& [id, shown] : m_shown)
        fill(id, shown);
}

/// Brings what is shown of a row up to date.
void RowPictures::fill(int id, Shown& shown)
{
    const Alternative* row = m_rows.row(id);
    if (row == nullptr)
        return;
    if (row->timeline != nullptr && row->timeline != shown.timeline) {
        shown.timeline = row->timeline;
        shown.problem.clear();
        m_stack.set(shown.place, row->timeline);
        if (const auto known = m_lengths.find(id); known != m_lengths.end())
            m_stack.setLengths(shown.place, known->second);
    } else if (row->ranked != nullptr && row->ranked != shown.ranked && row->made()) {
        shown.ranked = row->ranked;
        shown.problem.clear();
        make(id, shown);
    }
    if (!row->problem.isEmpty() && row->problem != shown.problem) {
        shown.problem = row->problem;
        m_stack.setProblem(shown.place, row->problem);
    }
}

void RowPictures::make(int id, Shown& shown)
{
    if (shown.ranked->schedule != nullptr) {
        shown.timeline = timelineOf(*shown.ranked);
        m_stack.set(shown.place, shown.timeline);
        return;
    }
    // A large one was not kept: made once more.
    inBackground(
        this,
        [this, id, ranked = shown.ranked, question = m_rows.question()]() -> std::function<void()> {
            RankQuestion quiet = question;
            quiet.noise.reset();
            const Ranked again = rankOf(quiet, ranked->candidate, RankKeep::Every);
            const ComparedPtr timeline = again.schedule != nullptr ? timelineOf(again) : nullptr;
            return [this, id, ranked, timeline, why = coreSentence(again.refusal)] {
                const auto still = m_shown.find(id);
                if (still == m_shown.end() || still->second.ranked != ranked)
                    return;
                still->second.timeline = timeline;
                if (timeline != nullptr)
                    m_stack.set(still->second.place, timeline);
                else
                    m_stack.setProblem(still->second.place, why);
            };
        });
}

void RowPictures::setLengths(int id, RunLengthsPtr lengths)
{
    m_lengths[id] = lengths;
    if (const auto shown = m_shown.find(id); shown != m_shown.end())
        m_stack.setLengths(shown->second.place, std::move(lengths));
}

} // namespace pw::ui

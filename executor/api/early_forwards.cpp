// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/early_forwards.h"

#include "core/base/try.h"

#include <algorithm>
#include <utility>

namespace pw::exec {

void EarlyForwards::add(EntryId index, const OrderEntry& entry, std::int32_t input)
{
    m_early.push_back({index, entry, input});
    m_recorder.holdBack();
}

Result<void> EarlyForwards::send(const Pass& producer, std::int32_t message)
{
    const auto early = std::find_if(m_early.begin(), m_early.end(), [&producer](const Early& one) {
        return one.entry.pass == producer;
    });
    PW_TRY(const bool left, m_messages.send(message, early != m_early.end()));
    if (left && early != m_early.end())
        early->sent.push_back(message);
    return {};
}

Result<void> EarlyForwards::resolve(bool takenBack)
{
    const std::vector<Early> all = std::exchange(m_early, {});
    m_begun += static_cast<std::int64_t>(all.size());
    m_recorder.release();
    return takenBack ? redo(all) : Result<void>();
}

Result<void> EarlyForwards::redo(const std::vector<Early>& all)
{
    for (const Early& early : all) {
        if (early.input >= 0)
            m_recorder.dropMessage(early.input);
        m_recorder.markInVain(early.index);
    }
    for (const Early& early : all) {
        if (auto forgotten = m_worker.forget(early.entry); !forgotten)
            return m_position.named(forgotten.error());
    }
    for (const Early& early : all)
        PW_DO(redo(early));
    return {};
}

Result<void> EarlyForwards::redo(const Early& early)
{
    m_position.enterEntry(early.index, early.entry);
    if (early.input >= 0) {
        PW_TRY(Arrival sure, m_messages.waitAgain(early.input));
        PW_DO(m_messages.accept(early.input, std::move(sure)));
    }
    PW_DO(m_passes.run(early.index, early.entry));
    ++m_doneAgain;
    for (const std::int32_t message : early.sent)
        PW_DO(m_messages.sendAgain(message));
    return {};
}

} // namespace pw::exec

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <map>

namespace pw::ui {

/// What a feature adds to every page of a schedule, and finds again by the page. The window owns
/// the list, each page what was added to it.
template<typename Added>
class PerPage : public QObject
{
public:
    /// @param make  called once a page, before the page is in front; what it makes has the page as
    ///              its parent
    PerPage(MainWindow& window, std::function<Added*(SchedulePage& page)> make)
        : QObject(&window)
        , m_make(std::move(make))
    {
        connect(&window, &MainWindow::pageAdded, this, [this](Page* page) {
            auto* schedule = qobject_cast<SchedulePage*>(page);
            if (schedule == nullptr)
                return;
            m_added[schedule] = m_make(*schedule);
            connect(schedule, &QObject::destroyed, this,
                    [this, schedule] { m_added.erase(schedule); });
        });
    }

    /// Null where the page is null, or has none.
    Added* of(const SchedulePage* page) const
    {
        const auto found = m_added.find(page);
        return found != m_added.end() ? found->second.data() : nullptr;
    }

private:
    std::function<Added*(SchedulePage& page)> m_make;
    std::map<const SchedulePage*, QPointer<Added>> m_added;
};

} // namespace pw::ui

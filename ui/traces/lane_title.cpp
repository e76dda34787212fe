// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/lane_title.h"

#include "ui/text.h"

#include <QObject>

#include <string_view>

namespace pw::ui {

QString laneTitle(const ActivityLane& lane)
{
    const std::string_view name = lane.name;
    constexpr std::string_view crossing = " (crossing)", thread = "thread ";
    if (name.size() > crossing.size() && name.substr(name.size() - crossing.size()) == crossing)
        return QObject::tr("… crossing");
    const std::size_t words = name.find(" (");
    if (name.substr(0, thread.size()) == thread && words != std::string_view::npos &&
        name.back() == ')')
        return text(std::string(name.substr(0, words)));
    return text(lane.name);
}

} // namespace pw::ui

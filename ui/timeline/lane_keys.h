// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

#include <vector>

namespace pw::ui {

class LaneView;

/// A key and what it does, for a sheet of keys.
struct KeyHelp
{
    QString keys;
    QString words;
};

/// What the keys do, the same in every timeline.
class LaneKeys
{
public:
    explicit LaneKeys(LaneView& view)
        : m_view(view)
    {
    }

    /// @return  false: it is no key of timelines
    bool press(int key, bool shift);
    /// All of them, and the gestures.
    static std::vector<KeyHelp> all();

private:
    double anchor() const;
    bool zoom(int key);
    bool walk(int key);
    bool mark(int key, bool shift);
    void focus();

    LaneView& m_view;
};

} // namespace pw::ui

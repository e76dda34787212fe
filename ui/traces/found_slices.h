// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/traces/shown_activity.h"

#include <QRegularExpression>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace pw::ui {

/// A slice with its lane.
struct ChosenSlice
{
    int lane = -1;
    ActivitySlice slice;

    friend bool operator==(const ChosenSlice&, const ChosenSlice&) = default;
};

/// The slices of a trace that a search means, in the order of the lanes and in time.
/// @complexity  of a search O(slices), of a question O(log slices)
class FoundSlices
{
public:
    void setActivity(ShownActivityPtr activity);

    /// By a part of the name, or by a pattern between slashes; empty: nothing is searched for.
    /// @return  why it cannot be; empty: it can
    QString search(const QString& words);
    /// Those of one name.
    void searchName(std::int32_t name);
    /// Whether anything is searched for.
    bool isSearching() const { return m_only >= 0 || m_pattern || !m_part.isEmpty(); }
    /// Whether a name is meant.
    bool matches(std::int32_t name) const;

    std::int64_t count() const { return static_cast<std::int64_t>(m_places.size()); }
    /// How many of the trace's names are meant.
    std::int64_t names() const;
    /// Which of them a slice is, from 0; −1: none.
    std::int64_t placeOf(const ChosenSlice& slice) const;
    /// The next one (+1) or the one before (−1), and around; −1: there is none.
    /// @param from  none: from the first or the last on
    std::int64_t beside(const std::optional<ChosenSlice>& from, int direction) const;
    /// Of `Trace::spans`. @pre 0 <= place < count()
    std::int32_t spanAt(std::int64_t place) const;

    /// The shortest, the middle and the longest of them, as spans; the lower of two in the middle,
    /// and of equally long ones the first. @pre count() > 0
    struct Lengths
    {
        std::int32_t shortest = -1;
        std::int32_t median = -1;
        std::int32_t longest = -1;
    };
    Lengths lengths() const;

private:
    void find();
    /// Where a slice stands in the order of all.
    std::size_t orderOf(const ChosenSlice& slice) const;

    ShownActivityPtr m_activity;
    QString m_part;
    std::optional<QRegularExpression> m_pattern;
    std::int32_t m_only = -1; ///< the one name; −1: by words
    std::vector<bool> m_names;
    std::vector<std::uint32_t> m_places; ///< in `ActivityLanes::spans`
};

} // namespace pw::ui

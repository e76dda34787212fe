// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/kept_answers.h"

#include <QString>

namespace pw::ui {

/// What a kept plan was answered, beside what it is answered now.
class EarlierPlan
{
public:
    EarlierPlan() = default;
    explicit EarlierPlan(const StoredAnswer& kept);

    /// When it was kept, and its best time; empty: there is no earlier plan.
    const QString& text() const { return m_text; }
    /// Says once how it stands to a best iteration of now.
    void compare(double milliseconds);

private:
    QString m_text;
    double m_best = 0; ///< milliseconds of an iteration; 0: not known, or said already
};

} // namespace pw::ui

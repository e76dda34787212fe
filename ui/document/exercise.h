// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

class QObject;

namespace pw::ui {

/// Says that a schedule, or the bench for its block, is an exercise, which a person is to solve
/// alone.
void setExercise(QObject& work, bool on);

/// Why the studio does not solve it by itself; empty: it is no exercise, or there is none.
QString whyNotSolved(const QObject* work);

} // namespace pw::ui

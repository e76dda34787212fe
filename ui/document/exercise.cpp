// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/exercise.h"

#include <QCoreApplication>
#include <QObject>
#include <QVariant>

namespace pw::ui {

namespace {

constexpr const char* exerciseProperty = "pw_exercise";

} // namespace

void setExercise(QObject& work, bool on)
{
    work.setProperty(exerciseProperty, on);
}

QString whyNotSolved(const QObject* work)
{
    return work != nullptr && work->property(exerciseProperty).toBool()
               ? QCoreApplication::translate(
                     "Exercise", "This is a level: you solve it. Hints are in the lesson.")
               : QString();
}

} // namespace pw::ui

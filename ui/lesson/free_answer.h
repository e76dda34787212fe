// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace pw::ui {

class LayerRow;

/// What is decided beside the lanes of a level: a schedule of a list, the layers of stages; or a
/// sentence that says what to do in the lanes. Without any of them it takes no room.
class FreeAnswer : public QWidget
{
    Q_OBJECT

public:
    explicit FreeAnswer(const LessonLevel& level, QWidget* parent = nullptr);

    /// Which of the level's schedules is there; −1: none of them.
    void setChosen(int choice);
    /// How many layers each stage has.
    void setLayers(const std::vector<int>& layers);
    /// How many of what is slow are mended.
    void setMended(int mended);

Q_SIGNALS:
    /// One of the level's schedules is wanted. @param choice  index in `LessonLevel::choices`
    void choiceAsked(int choice);
    /// A layer is to go from a stage to the one beside it.
    void layerAsked(int from, int to);

protected:
    /// The wheel scrolls the lesson: over the list it would choose, and so solve the level.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addChoices(const LessonLevel& level);
    QLabel* addSentence(const QString& sentence);

    QComboBox* m_choices = nullptr;
    LayerRow* m_layers = nullptr;
    QLabel* m_mended = nullptr; ///< of a level of repairs
    int m_repairs;              ///< that may be made
};

} // namespace pw::ui

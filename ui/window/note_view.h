// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/lesson/lesson_cards.h"
#include "ui/models/note_cards.h"

#include <vector>

class QLabel;
class QToolButton;

namespace pw::ui {

/// A card of notes on the stage, in letters as large as its room allows. All cards are as high as
/// the highest, so that nothing jumps from one to the next.
class NoteView : public LessonCard
{
    Q_OBJECT

public:
    /// @param cards  at least one
    explicit NoteView(std::vector<NoteCard> cards, QWidget* parent = nullptr);

    void showCard(int card);
    /// The most that it may have of the stage. @param height  pixels
    void setRoom(int height);
    /// What stands on the card.
    QString words() const;

Q_SIGNALS:
    /// Another card is asked for. @param by  1: the next one, −1: the one before
    void walkAsked(int by);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* addWay(const QString& sign, const QString& words, int by);
    int heightWith(double size, int width) const;
    void fit();

    std::vector<NoteCard> m_cards;
    int m_room = 0;
    int m_width = -1; ///< that it was fitted to
    QLabel* m_heading;
    QLabel* m_body;
    QLabel* m_place;
    LessonSteps* m_steps;
    QToolButton* m_back;
    QToolButton* m_next;
};

} // namespace pw::ui

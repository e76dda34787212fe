// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/improve/improver.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace pw::ui {

class GapBar;

/// What *Improve* is asked for, how far it is, and what it did: fields, figures, steps.
class ImprovePanel : public QWidget
{
    Q_OBJECT

public:
    /// @param improver  outlives the panel
    explicit ImprovePanel(Improver& improver, QWidget* parent = nullptr);

    /// What the fields say.
    ImproveWish wish() const;
    /// The document that the button is about; null: none.
    void setDocument(ScheduleDocument* document);
    /// A sentence below the figures.
    void say(const QString& sentence, bool refusal);

Q_SIGNALS:
    /// The button was pressed while nothing is searched for.
    void startAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeFields();
    QWidget* makeFigures();
    void makeSteps();
    void refresh();
    void showFigures();
    void showSteps();

    Improver& m_improver;
    QPointer<ScheduleDocument> m_document;
    QDoubleSpinBox* m_seconds = nullptr;
    QComboBox* m_aim = nullptr;
    QComboBox* m_backward = nullptr;
    QComboBox* m_offload = nullptr;
    QPushButton* m_button = nullptr;
    GapBar* m_bar = nullptr;
    QLabel* m_figures = nullptr;
    QLabel* m_sentence = nullptr;
    QTableWidget* m_steps = nullptr;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/free_answer.h"

#include "ui/lesson/layer_row.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_words.h"
#include "ui/presentation.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace pw::ui {

FreeAnswer::FreeAnswer(const LessonLevel& level, QWidget* parent)
    : QWidget(parent)
    , m_repairs(level.repairs)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    if (level.freedom == Freedom::Choice)
        addChoices(level);
    if (level.layers) {
        m_layers = new LayerRow(level.layers->split, this);
        connect(m_layers, &LayerRow::moveAsked, this, &FreeAnswer::layerAsked);
        layout->addWidget(m_layers);
    }
    if (level.freedom == Freedom::Offload)
        addSentence(LessonPanel::tr("Double-click a pass: its activation goes to the host's "
                                    "memory, or stays."));
    if (level.freedom == Freedom::Repair) {
        addSentence(LessonPanel::tr("Double-click a pass that takes longer than usual: what slows "
                                    "it down is mended, or is there again."));
        m_mended = addSentence(QString());
        setMended(0);
    }
    setVisible(layout->count() > 0);
}

void FreeAnswer::addChoices(const LessonLevel& level)
{
    m_choices = new QComboBox(this);
    m_choices->setObjectName(QStringLiteral("lesson-choice"));
    m_choices->setAccessibleName(LessonPanel::tr("Schedules of this level"));
    m_choices->setPlaceholderText(LessonPanel::tr("Choose a schedule"));
    m_choices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choices->setMinimumContentsLength(20);
    for (const FamilyChoice& choice : level.choices)
        m_choices->addItem(choiceWords(choice));
    m_choices->setCurrentIndex(-1);
    connect(m_choices, &QComboBox::activated, this, &FreeAnswer::choiceAsked);
    m_choices->installEventFilter(this);
    layout()->addWidget(m_choices);
}

bool FreeAnswer::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_choices || event->type() != QEvent::Wheel)
        return QWidget::eventFilter(watched, event);
    event->ignore();
    return true;
}

QLabel* FreeAnswer::addSentence(const QString& sentence)
{
    auto* label = new QLabel(sentence, this);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setInk(label, Role::Secondary);
    layout()->addWidget(label);
    return label;
}

void FreeAnswer::setChosen(int choice)
{
    if (m_choices != nullptr)
        m_choices->setCurrentIndex(choice);
}

void FreeAnswer::setLayers(const std::vector<int>& layers)
{
    if (m_layers != nullptr)
        m_layers->setLayers(layers);
}

void FreeAnswer::setMended(int mended)
{
    if (m_mended != nullptr)
        m_mended->setText(LessonPanel::tr("mended: %1 of %2").arg(mended).arg(m_repairs));
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/step_editor.h"

#include "ui/lesson/editor_form.h"
#include "ui/text.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace pw::ui {

StepEditor::StepEditor(const Lesson& lesson, std::size_t step, const QString& language,
                       QWidget* parent)
    : QWidget(parent)
    , m_title(new QLineEdit(this))
    , m_text(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("step-editor"));
    const std::string code = language.toStdString();
    const LessonStep& shown = lesson.steps[step];
    m_before.title = shown.title.writtenIn(code);
    m_before.text = shown.text.writtenIn(code);
    m_title->setText(text(*m_before.title));
    m_title->setObjectName(QStringLiteral("step-title"));
    m_text->setPlainText(text(*m_before.text));
    m_text->setObjectName(QStringLiteral("step-text"));
    m_text->setTabChangesFocus(true);
    m_text->setMinimumHeight(fontMetrics().lineSpacing() * 10 + 14);
    m_text->setToolTip(tr("An empty line parts paragraphs; **bold** and `code` are marks."));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    QFormLayout& form = addEditorForm(*layout);
    form.setRowWrapPolicy(QFormLayout::WrapAllRows); // words want the width
    form.addRow(tr("Title"), m_title);
    form.addRow(tr("Text"), m_text);
    if (shown.level) {
        m_before.task = shown.level->task.writtenIn(code);
        m_before.say = shown.level->hints.say.writtenIn(code);
        m_before.show = shown.level->hints.show.writtenIn(code);
        m_task = wordsField(QStringLiteral("step-task"), 3, this);
        m_task->setPlainText(text(*m_before.task));
        m_say = wordsField(QStringLiteral("step-say"), 3, this);
        m_say->setPlainText(text(*m_before.say));
        m_show = wordsField(QStringLiteral("step-show"), 3, this);
        m_show->setPlainText(text(*m_before.show));
        form.addRow(tr("Task"), m_task);
        form.addRow(tr("Hint 1 says"), m_say);
        form.addRow(tr("Hint 2 shows"), m_show);
    }
    auto* buttons = new QHBoxLayout;
    const int em = fontMetrics().height();
    buttons->setContentsMargins(em / 2, 0, em / 2, em / 2);
    auto* save = new QPushButton(tr("Save as…"), this);
    save->setObjectName(QStringLiteral("step-save"));
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("step-close"));
    buttons->addStretch(1);
    buttons->addWidget(save);
    buttons->addWidget(close);
    layout->addLayout(buttons);
    connect(save, &QPushButton::clicked, this, &StepEditor::saveAsked);
    connect(close, &QPushButton::clicked, this, &StepEditor::closeAsked);
}

StepWords StepEditor::words() const
{
    StepWords words;
    const auto take = [](std::optional<std::string>& word, const QString& now,
                         const std::optional<std::string>& before) {
        if (before && now.toStdString() != *before)
            word = now.toStdString();
    };
    take(words.title, m_title->text(), m_before.title);
    take(words.text, m_text->toPlainText(), m_before.text);
    if (m_task != nullptr) {
        take(words.task, m_task->toPlainText(), m_before.task);
        take(words.say, m_say->toPlainText(), m_before.say);
        take(words.show, m_show->toPlainText(), m_before.show);
    }
    return words;
}

} // namespace pw::ui

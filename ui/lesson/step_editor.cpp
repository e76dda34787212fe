// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/step_editor.h"

#include "ui/text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace pw::ui {

StepEditor::StepEditor(const Lesson& lesson, std::size_t step, const QString& language,
                       QWidget* parent)
    : QDialog(parent)
    , m_title(new QLineEdit(this))
    , m_text(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("step-editor"));
    setWindowTitle(tr("Edit the step"));
    const std::string code = language.toStdString();
    const LessonStep& shown = lesson.steps[step];
    m_before.title = shown.title.in(code);
    m_before.text = shown.text.in(code);
    m_title->setText(text(*m_before.title));
    m_title->setObjectName(QStringLiteral("step-title"));
    m_text->setPlainText(text(*m_before.text));
    m_text->setObjectName(QStringLiteral("step-text"));
    m_text->setTabChangesFocus(true);
    m_text->setToolTip(tr("An empty line parts paragraphs; **bold** and `code` are marks."));
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    layout->addLayout(form, 1);
    form->addRow(tr("T&itle"), m_title);
    form->addRow(tr("Te&xt"), m_text);
    if (shown.level) {
        m_before.task = shown.level->task.in(code);
        m_before.say = shown.level->hints.say.in(code);
        m_before.show = shown.level->hints.show.in(code);
        m_task = new QPlainTextEdit(text(*m_before.task), this);
        m_task->setTabChangesFocus(true);
        m_task->setFixedHeight(fontMetrics().lineSpacing() * 3 + 14);
        m_say = new QLineEdit(text(*m_before.say), this);
        m_show = new QLineEdit(text(*m_before.show), this);
        form->addRow(tr("Tas&k"), m_task);
        form->addRow(tr("Hint 1 sa&ys"), m_say);
        form->addRow(tr("Hint 2 s&hows"), m_show);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* save = buttons->addButton(tr("&Save as…"), QDialogButtonBox::ActionRole);
    save->setObjectName(QStringLiteral("step-save"));
    connect(save, &QPushButton::clicked, this, &StepEditor::saveAsked);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    resize(38 * fontMetrics().height(), 30 * fontMetrics().height());
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
        take(words.say, m_say->text(), m_before.say);
        take(words.show, m_show->text(), m_before.show);
    }
    return words;
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/answer_page.h"

#include "ui/core_words.h"
#include "ui/text.h"
#include "ui/timeline/value_text.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace pw::ui {

AnswerPage::AnswerPage(StoredAnswer kept, QWidget* parent)
    : Page(parent)
    , m_kept(std::move(kept))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* question = new QLabel(text(m_kept.question), this);
    question->setWordWrap(true);
    question->setTextInteractionFlags(Qt::TextSelectableByMouse);
    question->setForegroundRole(QPalette::PlaceholderText);
    question->setVisible(!m_kept.question.empty());
    auto* answer = new QPlainTextEdit(text(m_kept.text), this);
    answer->setReadOnly(true);
    answer->setFrameShape(QFrame::NoFrame);
    answer->setLineWrapMode(QPlainTextEdit::NoWrap);
    answer->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    answer->setAccessibleName(tr("What was answered"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 6);
    layout->setSpacing(8);
    layout->addWidget(question);
    layout->addWidget(answer, 1);
    setFocusProxy(answer);
}

QString AnswerPage::title() const
{
    return QStringLiteral("a%1 · %2").arg(m_kept.number).arg(text(m_kept.title));
}

QString AnswerPage::detail() const
{
    return text(m_kept.question);
}

QString AnswerPage::figures() const
{
    return tr("%1, kept %2")
        .arg(coreWords(name(m_kept.kind)),
             whenText(QDateTime::fromMSecsSinceEpoch(m_kept.madeMs), QDateTime::currentDateTime()));
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/explain_panel.h"

#include "ui/core_sentences.h"
#include "ui/help/marked_text.h"
#include "ui/presentation.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace pw::ui {

ExplainPanel::ExplainPanel(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
{
    setObjectName(QStringLiteral("explain-panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(8);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    layout->addWidget(m_title);
    for (int i = 0; i < 3; ++i) {
        m_sentences.push_back(new MarkedText(QString(), this));
        connect(m_sentences.back(), &MarkedText::wordAsked, this, &ExplainPanel::wordAsked);
        layout->addWidget(m_sentences.back());
    }
    layout->addStretch(1);
    auto* row = new QHBoxLayout;
    const auto ask = [&](const QString& words, const char* name, Topic topic) {
        auto* button = new QPushButton(words, this);
        button->setObjectName(QString::fromLatin1(name));
        connect(button, &QPushButton::clicked, this, [this, topic] { Q_EMIT topicAsked(topic); });
        row->addWidget(button);
    };
    ask(tr("Makespan"), "explain-makespan", Topic::Makespan);
    ask(tr("Idle time"), "explain-bubble", Topic::Bubble);
    ask(tr("Memory"), "explain-memory", Topic::Memory);
    layout->addLayout(row);
    showNote(tr("Select a pass or click idle time in a lane, or ask for a chart."));
}

void ExplainPanel::show(const Explanation& explanation)
{
    m_title->setText(coreSentence(explanation.title));
    for (std::size_t i = 0; i < m_sentences.size(); ++i) {
        m_sentences[i]->setMarked(coreSentence(explanation.sentences[i]));
        m_sentences[i]->show();
    }
}

void ExplainPanel::showNote(const QString& note)
{
    m_title->setText(tr("Explain"));
    m_sentences.front()->setMarked(note);
    for (std::size_t i = 1; i < m_sentences.size(); ++i)
        m_sentences[i]->hide();
}

QString ExplainPanel::words() const
{
    QStringList all{m_title->text()};
    for (const MarkedText* sentence : m_sentences)
        if (!sentence->isHidden())
            all << sentence->toPlainText();
    return all.join(QLatin1Char('\n'));
}

} // namespace pw::ui

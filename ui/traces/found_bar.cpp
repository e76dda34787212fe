// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/found_bar.h"

#include "core/base/text.h"
#include "ui/plural.h"
#include "ui/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace pw::ui {

namespace {

/// The first things that a log says; the rest is in the list of what was found.
QString logWords(const TrainingLog& log)
{
    constexpr std::size_t most = 3;
    const std::vector<std::string> sentences = logSentences(log);
    QStringList words;
    for (std::size_t i = 0; i < std::min(sentences.size(), most); ++i)
        words += text(sentences[i]);
    return words.join(QStringLiteral("; "));
}

QString foundSentence(const ImportedTrace& trace)
{
    QString words =
        trace.trace.log.any()
            ? FoundBar::tr("A log of a training tells sums over iterations and no single pass: %1.")
                  .arg(logWords(trace.trace.log))
        : trace.pipeline().passes == 0
            ? FoundBar::tr(
                  "No pass is labelled in this trace: it is shown as it was recorded. "
                  "Passes can be proposed, painted over a stretch, or read from its "
                  "names by a rule. The line import pipewright_torch.labels in the training "
                  "program labels them.")
            : FoundBar::tr("The order of the %1 passes that are labelled is not complete (%2), so "
                           "the trace is shown as it was recorded.")
                  .arg(text(groupedNumber(trace.pipeline().passes)),
                       text(whyNoOrder(trace.pipeline())));
    const std::int64_t mended = trace.trace.repairs.count;
    if (mended > 0)
        words += QLatin1Char(' ') +
                 FoundBar::tr("Mended places of its files: %1.").arg(text(groupedNumber(mended)));
    words = words.toHtmlEscaped();
    if (!trace.trace.warnings.empty())
        words += QStringLiteral(" <a href=\"found\">%1</a>")
                     .arg(FoundBar::tr("Warnings: %1.").arg(trace.trace.warnings.size()));
    return words;
}

} // namespace

FoundBar::FoundBar(const ImportedTracePtr& trace, QWidget* parent)
    : QFrame(parent)
    , m_words(new QLabel(foundSentence(*trace), this))
    , m_proposals(new QPushButton(tr("Looking for passes…"), this))
    , m_found(new QPushButton(tr("Names and rules…"), this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    m_words->setObjectName(QStringLiteral("found"));
    m_words->setTextFormat(Qt::RichText);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_proposals->setObjectName(QStringLiteral("seeProposals"));
    m_proposals->setEnabled(false);
    m_found->setObjectName(QStringLiteral("seeFound"));
    m_found->setToolTip(tr("What was found in the trace: ranks, warnings, repairs, its names, and "
                           "the rules that say which of them are passes."));
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Hide this line"));
    close->setAccessibleName(close->toolTip());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 8, 6);
    row->addWidget(m_words, 1);
    row->addWidget(m_proposals);
    row->addWidget(m_found);
    row->addWidget(close);
    connect(m_proposals, &QPushButton::clicked, this, &FoundBar::proposalsAsked);
    connect(m_found, &QPushButton::clicked, this, &FoundBar::foundAsked);
    connect(m_words, &QLabel::linkActivated, this, &FoundBar::foundAsked);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
}

void FoundBar::setProposed(std::int64_t passes)
{
    m_proposals->setEnabled(true);
    m_proposals->setText(passes == 0 ? tr("Passes…")
                                     : tr("Proposed: %1").arg(plural(passes, Noun::Pass)));
    m_proposals->setToolTip(passes == 0 ? tr("None is proposed: drag over a stretch and paint it.")
                                        : QString());
}

QString FoundBar::sentence() const
{
    return m_words->text();
}

} // namespace pw::ui

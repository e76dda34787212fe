// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/rule_parts.h"

#include "ui/presentation.h"
#include "ui/text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int longestText = 34; ///< letters of a piece that is shown

QString meaningWords(NumberMeaning meaning)
{
    switch (meaning) {
    case NumberMeaning::Itself:
        return RuleParts::tr("only this number");
    case NumberMeaning::Any:
        return RuleParts::tr("any");
    case NumberMeaning::MicroBatch:
        return RuleParts::tr("micro-batch");
    case NumberMeaning::Stage:
        return RuleParts::tr("stage");
    case NumberMeaning::Chunk:
        return RuleParts::tr("chunk");
    case NumberMeaning::Rank:
        return RuleParts::tr("rank");
    case NumberMeaning::Replica:
        return RuleParts::tr("replica");
    case NumberMeaning::Segment:
        return RuleParts::tr("segment");
    case NumberMeaning::Iteration:
        return RuleParts::tr("iteration");
    }
    return {};
}

QString kindWords(std::string_view kind)
{
    const QString id = QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size()));
    const QString words = kind == "F"        ? RuleParts::tr("forward")
                          : kind == "B"      ? RuleParts::tr("backward (input)")
                          : kind == "W"      ? RuleParts::tr("backward (weights)")
                          : kind == "BW"     ? RuleParts::tr("whole backward")
                          : kind == "R"      ? RuleParts::tr("recompute")
                          : kind == "U"      ? RuleParts::tr("update")
                          : kind == "send-F" ? RuleParts::tr("send forward")
                          : kind == "recv-F" ? RuleParts::tr("receive forward")
                          : kind == "send-B" ? RuleParts::tr("send backward")
                          : kind == "recv-B" ? RuleParts::tr("receive backward")
                          : kind == "step"   ? RuleParts::tr("step of the profiler")
                                             : RuleParts::tr("work beside passes");
    return QStringLiteral("%1 · %2").arg(id, words);
}

} // namespace

RuleParts::RuleParts(QWidget* parent)
    : QWidget(parent)
    , m_none(new QLabel(this))
    , m_kind(new QComboBox(this))
{
    m_none->setWordWrap(true);
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_none->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_kind->setObjectName(QStringLiteral("ruleKind"));
    m_kind->setAccessibleName(tr("What the name is"));
    m_kind->addItem(tr("is not said yet"), QString());
    for (const std::string_view kind : ruleKindNames)
        m_kind->addItem(kindWords(kind),
                        QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setSpacing(fontMetrics().height() / 4);
    layout->addWidget(m_none);
    layout->addWidget(m_kind);
    layout->addStretch(1);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        if (m_showing)
            return;
        m_draft.setKind(m_kind->currentData().toString().toStdString());
        Q_EMIT changed();
    });
    setNone({});
}

void RuleParts::setNone(const QString& sentence)
{
    m_draft = {};
    show();
    m_none->setText(sentence);
}

void RuleParts::setDraft(const RuleDraft& draft)
{
    m_draft = draft;
    m_none->setText(tr("Say what it is, and what each number stands for:"));
    show();
}

void RuleParts::show()
{
    m_showing = true;
    const bool any = !m_draft.sources().empty();
    m_kind->setVisible(any);
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(QString::fromStdString(m_draft.kind()))));
    // The button that asked may be among them.
    if (m_rows != nullptr) {
        m_rows->hide();
        m_rows->deleteLater();
        m_rows = nullptr;
    }
    if (any) {
        m_rows = new QWidget(this);
        auto* form = new QFormLayout(m_rows);
        form->setContentsMargins(0, 0, 0, 0);
        form->setVerticalSpacing(2);
        for (std::size_t i = 0; i < m_draft.sources().size(); ++i) {
            const RuleSource& source = m_draft.sources()[i];
            const bool number = std::any_of(source.pieces.begin(), source.pieces.end(),
                                            [](const RulePiece& piece) { return piece.number; });
            if (!number)
                continue;
            const QString title = source.argument             ? text(source.title)
                                  : source.title == "name"    ? tr("name")
                                  : source.title == "process" ? tr("process")
                                                              : tr("thread");
            auto* label = new QLabel(m_rows);
            label->setTextFormat(Qt::PlainText); // files say it
            label->setText(title);
            label->setForegroundRole(QPalette::PlaceholderText);
            form->addRow(label, rowOf(i));
        }
        static_cast<QVBoxLayout*>(layout())->insertWidget(2, m_rows);
    }
    m_showing = false;
}

QWidget* RuleParts::rowOf(std::size_t source)
{
    auto* row = new QWidget(m_rows);
    auto* pieces = new QHBoxLayout(row);
    pieces->setContentsMargins(0, 0, 0, 0);
    pieces->setSpacing(1);
    const RuleSource& from = m_draft.sources()[source];
    for (std::size_t i = 0; i < from.pieces.size(); ++i) {
        if (from.pieces[i].number) {
            pieces->addWidget(numberButton(source, i));
            continue;
        }
        QString words = text(from.pieces[i].text);
        if (words.size() > longestText)
            words = QChar(0x2026) + words.right(longestText);
        auto* label = new QLabel(words, row);
        label->setTextFormat(Qt::PlainText);
        pieces->addWidget(label);
    }
    pieces->addStretch(1);
    return row;
}

QWidget* RuleParts::numberButton(std::size_t source, std::size_t piece)
{
    const RulePiece& of = m_draft.sources()[source].pieces[piece];
    auto* button = new QToolButton(m_rows);
    const bool means = of.meaning > NumberMeaning::Any;
    button->setText(means ? QStringLiteral("%1 = %2").arg(meaningWords(of.meaning), text(of.text))
                          : text(of.text));
    button->setObjectName(QStringLiteral("number-%1-%2").arg(source).arg(piece));
    button->setAccessibleName(tr("%1: %2").arg(text(of.text), meaningWords(of.meaning)));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMinimumHeight(24);
    QFont bold = button->font();
    bold.setWeight(means ? QFont::DemiBold : QFont::Normal);
    button->setFont(bold);
    auto* menu = new QMenu(button);
    const bool argument = m_draft.sources()[source].argument;
    for (int i = 0; i < numberMeaningCount; ++i) {
        const auto meaning = static_cast<NumberMeaning>(i);
        if (argument && meaning == NumberMeaning::Itself)
            continue;
        QAction* action = menu->addAction(meaningWords(meaning));
        action->setCheckable(true);
        action->setChecked(meaning == of.meaning);
        connect(action, &QAction::triggered, this, [this, source, piece, meaning] {
            m_draft.setMeaning(source, piece, meaning);
            show();
            Q_EMIT changed();
        });
    }
    button->setMenu(menu);
    return button;
}

} // namespace pw::ui

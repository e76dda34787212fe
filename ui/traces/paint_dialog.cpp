// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/paint_dialog.h"

#include "ui/core_sentences.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <array>

namespace pw::ui {

namespace {

constexpr std::array<PassKind, 4> paintedKinds = {PassKind::F, PassKind::B, PassKind::W,
                                                  PassKind::BW};

} // namespace

PaintDialog::PaintDialog(ShownActivityPtr activity, Ticks from, Ticks to, QWidget* parent)
    : QDialog(parent)
    , m_activity(std::move(activity))
    , m_from(from)
    , m_to(to)
    , m_kind(new QComboBox(this))
    , m_stage(new QSpinBox(this))
    , m_rank(new QComboBox(this))
    , m_words(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Paint a pass"));
    for (const PassKind kind : paintedKinds)
        m_kind->addItem(text(name(kind)));
    m_kind->setObjectName(QStringLiteral("kind"));
    m_stage->setObjectName(QStringLiteral("stage"));
    constexpr int mostStages = 9999;
    m_stage->setRange(0, mostStages);
    m_rank->setObjectName(QStringLiteral("rank"));
    for (const TraceRank& rank : m_activity->trace.ranks)
        m_rank->addItem(rank.number < 0 ? tr("the only one") : QString::number(rank.number),
                        std::max(rank.number, 0));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setMinimumWidth(340);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Find others like it"));
    auto* form = new QFormLayout;
    form->addRow(tr("Kind"), m_kind);
    form->addRow(tr("Stage"), m_stage);
    form->addRow(tr("Rank"), m_rank);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_words);
    layout->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &PaintDialog::look);
    connect(m_rank, &QComboBox::currentIndexChanged, this, &PaintDialog::look);
    connect(m_stage, &QSpinBox::valueChanged, this, &PaintDialog::look);
    look();
}

void PaintDialog::look()
{
    ExamplePlace place;
    place.kind = paintedKinds[static_cast<std::size_t>(std::max(m_kind->currentIndex(), 0))];
    place.stage = StageId(m_stage->value());
    place.number = m_rank->currentData().toInt();
    place.from = m_from;
    place.to = m_to;
    const Result<PassExample> example = exampleAt(m_activity->trace, place);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(example.has_value());
    m_example.reset();
    if (!example) {
        m_words->setText(coreSentence(example.error().message));
        return;
    }
    m_example = *example;
    m_words->setText(tr("%1 kernels begin between %2. The example is kept with your rules, and "
                        "passes of other traces with the same kernels follow it too.")
                         .arg(example->names.size())
                         .arg(spanText(static_cast<double>(m_from), static_cast<double>(m_to))));
}

} // namespace pw::ui

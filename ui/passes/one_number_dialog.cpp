// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/passes/one_number_dialog.h"

#include "ui/panels/field_form.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace pw::ui {

OneNumberDialog::OneNumberDialog(const Words& words, double value, double most, int decimals,
                                 QWidget* parent)
    : QDialog(parent)
    , m_field(new QDoubleSpinBox(this))
{
    setWindowTitle(words.title);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* sentence = new QLabel(words.sentence, this);
    sentence->setTextFormat(Qt::PlainText);
    sentence->setWordWrap(true);
    sentence->setBuddy(m_field);
    m_field->setObjectName(QStringLiteral("number"));
    m_field->setAccessibleName(words.sentence);
    m_field->setLocale(QLocale::c());
    m_field->setDecimals(decimals);
    m_field->setRange(0, most);
    m_field->setSuffix(QStringLiteral(" ") + words.unit);
    m_field->setAlignment(Qt::AlignRight);
    m_field->setValue(value);
    calm(m_field);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Apply | QDialogButtonBox::Cancel, this);
    QPushButton* apply = buttons->button(QDialogButtonBox::Apply);
    apply->setDefault(true);
    connect(apply, &QPushButton::clicked, this, [this] {
        m_field->interpretText();
        const double number = m_field->value();
        accept();
        Q_EMIT chosen(number);
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (!words.none.isEmpty()) {
        QPushButton* none = buttons->addButton(words.none, QDialogButtonBox::ResetRole);
        none->setObjectName(QStringLiteral("none"));
        none->setAutoDefault(false);
        connect(none, &QPushButton::clicked, this, [this] {
            accept();
            Q_EMIT chosen(std::nullopt);
        });
    }
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(sentence);
    layout->addWidget(m_field);
    layout->addSpacing(8);
    layout->addWidget(buttons);
    m_field->selectAll();
    m_field->setFocus();
}

} // namespace pw::ui

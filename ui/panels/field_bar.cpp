// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/field_bar.h"

#include "ui/panels/field_form.h"
#include "ui/presentation.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

FieldBar::FieldBar(int columns, QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout)
    , m_refusal(new QLabel(this))
    , m_columns(columns)
{
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(2);
    m_refusal->setWordWrap(true);
    m_refusal->setObjectName(QStringLiteral("bar-refusal"));
    m_refusal->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_refusal->hide();
    setInk(m_refusal, Role::Refusal);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_grid);
    layout->addWidget(m_refusal);
}

void FieldBar::add(const QString& label, QWidget* editor)
{
    auto* name = new QLabel(label, this);
    name->setForegroundRole(QPalette::PlaceholderText);
    name->setBuddy(editor);
    QString plain = label;
    plain.remove(QLatin1Char('&'));
    if (!plain.isEmpty())
        editor->setAccessibleName(plain);
    calm(editor);
    const int row = m_next / m_columns;
    const int column = m_next % m_columns;
    m_grid->addWidget(name, 2 * row, column);
    m_grid->addWidget(editor, 2 * row + 1, column);
    m_grid->setColumnStretch(column, 1);
    ++m_next;
}

QSpinBox* FieldBar::addCount(const QString& label, int least, int most, int value,
                             const QString& name)
{
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setValue(value);
    box->setObjectName(name);
    box->setAlignment(Qt::AlignRight);
    box->setKeyboardTracking(false);
    box->setLocale(QLocale::c());
    add(label, box);
    return box;
}

QDoubleSpinBox* FieldBar::addNumber(const QString& label, const QString& unit, int decimals,
                                    double least, double most, double value, const QString& name,
                                    const QString& none)
{
    auto* box = new QDoubleSpinBox(this);
    box->setDecimals(decimals);
    box->setRange(least, most);
    box->setValue(value);
    box->setObjectName(name);
    box->setAlignment(Qt::AlignRight);
    box->setKeyboardTracking(false);
    box->setLocale(QLocale::c());
    if (!unit.isEmpty())
        box->setSuffix(QStringLiteral(" ") + unit);
    box->setSpecialValueText(none);
    add(label, box);
    return box;
}

QComboBox* FieldBar::addChoice(const QString& label, const QStringList& names, const QString& name)
{
    auto* box = new QComboBox(this);
    box->addItems(names);
    box->setObjectName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    constexpr qsizetype fewest = 4, most = 10;
    qsizetype longest = fewest;
    for (const QString& one : names)
        longest = std::max(longest, one.size());
    box->setMinimumContentsLength(static_cast<int>(std::min(longest, most)));
    add(label, box);
    return box;
}

QCheckBox* FieldBar::addSwitch(const QString& label, const QString& words, const QString& name)
{
    auto* box = new QCheckBox(words, this);
    box->setObjectName(name);
    add(label, box);
    return box;
}

QLineEdit* FieldBar::addLine(const QString& label, const QString& hint, const QString& name)
{
    auto* line = new QLineEdit(this);
    line->setPlaceholderText(hint);
    line->setObjectName(name);
    add(label, line);
    return line;
}

void FieldBar::refuse(const QString& reason)
{
    m_refusal->setText(reason);
    m_refusal->setVisible(!reason.isEmpty());
}

QString FieldBar::refusal() const
{
    return m_refusal->text();
}

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/field_form.h"

#include "core/model/longest_pass.h"
#include "ui/presentation.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>

#include <algorithm>

namespace pw::ui {

namespace {

enum GridColumn
{
    LabelColumn,
    EditorColumn,
    UnitColumn
};

class WheelGuard : public QObject
{
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const auto* field = static_cast<const QWidget*>(watched);
        if (event->type() == QEvent::Wheel && !field->hasFocus()) {
            event->ignore();
            return true;
        }
        return QObject::eventFilter(watched, event);
    }
};

/// Times in milliseconds to the nanosecond, with three decimals or as many as they need.
class TimeBox : public QDoubleSpinBox
{
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    QString textFromValue(double value) const override
    {
        QString text = QLocale::c().toString(value, 'f', decimals());
        const qsizetype point = text.indexOf(QLatin1Char('.'));
        while (point >= 0 && text.size() > point + 4 && text.endsWith(QLatin1Char('0')))
            text.chop(1);
        return text;
    }
};

void prepareNumber(QAbstractSpinBox* box, const QString& name)
{
    box->setObjectName(name);
    box->setAlignment(Qt::AlignRight);
    box->setKeyboardTracking(false);
    box->setLocale(QLocale::c());
    calm(box);
}

} // namespace

void calm(QWidget* field)
{
    field->setFocusPolicy(Qt::StrongFocus);
    field->installEventFilter(new WheelGuard(field));
    field->setMinimumHeight(std::max(24, field->fontMetrics().height() + 8));
}

void Field::setShown(bool shown)
{
    label->setVisible(shown);
    editor->setVisible(shown);
    if (unit != nullptr)
        unit->setVisible(shown);
    refusal->setVisible(shown && !refusal->text().isEmpty());
}

void Field::refuse(const QString& reason)
{
    refusal->setText(reason);
    refusal->setVisible(!reason.isEmpty() && !editor->isHidden());
    editor->setAccessibleDescription(reason);
}

FieldForm::FieldForm(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(LabelColumn, 1);
    m_grid->setColumnMinimumWidth(EditorColumn, editorWidth());
    m_grid->setColumnMinimumWidth(UnitColumn, fontMetrics().horizontalAdvance(tr("GiB")));
}

/// Fields of several forms stand below each other, so they are all as wide.
int FieldForm::editorWidth() const
{
    return fontMetrics().horizontalAdvance(QStringLiteral("00000.000")) + 36;
}

Field* FieldForm::add(const QString& label, QWidget* editor, const QString& unit, bool wide)
{
    const int row = m_grid->rowCount();
    auto field = std::make_unique<Field>();
    field->label = new QLabel(label, this);
    field->label->setBuddy(editor);
    field->label->setForegroundRole(QPalette::PlaceholderText);
    QString name = label;
    editor->setAccessibleName(name.remove(QLatin1Char('&')));
    field->editor = editor;
    field->refusal = new QLabel(this);
    field->refusal->setWordWrap(true);
    field->refusal->setTextInteractionFlags(Qt::TextSelectableByMouse);
    field->refusal->setObjectName(QStringLiteral("refusal"));
    field->refusal->hide();
    setInk(field->refusal, Role::Refusal);
    m_grid->addWidget(field->label, row, LabelColumn);
    m_grid->addWidget(editor, row, EditorColumn, 1, wide ? 2 : 1);
    const bool typed = qobject_cast<QAbstractSpinBox*>(editor) != nullptr ||
                       qobject_cast<QLineEdit*>(editor) != nullptr;
    if (typed && !wide)
        editor->setFixedWidth(editorWidth());
    if (!wide) {
        field->unit = new QLabel(unit, this);
        field->unit->setForegroundRole(QPalette::PlaceholderText);
        m_grid->addWidget(field->unit, row, UnitColumn);
    }
    m_grid->addWidget(field->refusal, row + 1, LabelColumn, 1, 3);
    m_fields.push_back(std::move(field));
    return m_fields.back().get();
}

QSpinBox* FieldForm::addCount(const QString& label, int most, const QString& name)
{
    auto* box = new QSpinBox(this);
    box->setRange(1, most);
    prepareNumber(box, name);
    add(label, box);
    return box;
}

QDoubleSpinBox* FieldForm::addTime(const QString& label, const QString& name)
{
    auto* box = new TimeBox(this);
    box->setRange(0, longestPassMs);
    box->setDecimals(6);
    box->setSingleStep(0.1);
    prepareNumber(box, name);
    add(label, box, tr("ms"));
    return box;
}

QDoubleSpinBox* FieldForm::addNumber(const QString& label, const QString& unit, int decimals,
                                     const QString& name)
{
    auto* box = new QDoubleSpinBox(this);
    box->setDecimals(decimals);
    prepareNumber(box, name);
    add(label, box, unit);
    return box;
}

QCheckBox* FieldForm::addCheck(const QString& label, const QString& name)
{
    auto* box = new QCheckBox(this);
    box->setObjectName(name);
    calm(box);
    add(label, box);
    return box;
}

QComboBox* FieldForm::addChoice(const QString& label, const QStringList& choices,
                                const QString& name)
{
    auto* box = new QComboBox(this);
    box->setObjectName(name);
    box->addItems(choices);
    calm(box);
    add(label, box);
    return box;
}

QLineEdit* FieldForm::addLine(const QString& label, const QString& unit, const QString& name,
                              bool wide)
{
    auto* line = new QLineEdit(this);
    line->setObjectName(name);
    line->setAlignment(Qt::AlignRight);
    calm(line);
    add(label, line, unit, wide);
    return line;
}

void FieldForm::clearRefusals()
{
    for (const auto& field : m_fields)
        field->refuse({});
}

} // namespace pw::ui

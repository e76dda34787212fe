// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/editor_form.h"

#include <QEvent>
#include <QFormLayout>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace pw::ui {

namespace {

/// Scrolls up and down alone, and is as wide as what is in it.
class TallScroll : public QScrollArea
{
public:
    using QScrollArea::QScrollArea;

    QSize minimumSizeHint() const override
    {
        const int inside = widget() != nullptr ? widget()->minimumSizeHint().width() : 0;
        return {inside + verticalScrollBar()->sizeHint().width(), 6 * fontMetrics().height()};
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
};

} // namespace

QFormLayout& addEditorForm(QVBoxLayout& layout)
{
    auto* scroll = new TallScroll(layout.parentWidget());
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(scroll);
    auto* form = new QFormLayout(content);
    const int em = scroll->fontMetrics().height();
    form->setContentsMargins(em / 2, em / 2, em / 2, em / 2);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    scroll->setWidget(content);
    layout.addWidget(scroll, 1);
    return *form;
}

QPlainTextEdit* wordsField(const QString& name, int lines, QWidget* parent)
{
    auto* field = new QPlainTextEdit(parent);
    field->setObjectName(name);
    field->setTabChangesFocus(true);
    field->setFixedHeight(field->fontMetrics().lineSpacing() * lines + 14);
    return field;
}

} // namespace pw::ui

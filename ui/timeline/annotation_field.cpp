// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/annotation_field.h"

#include "ui/text.h"
#include "ui/timeline/lane_view.h"

#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>

namespace pw::ui {

namespace {

/// Characters of a text: none has more than three bytes.
constexpr int longestWords = static_cast<int>(longestAnnotation) / 4;

} // namespace

AnnotationField::AnnotationField(LaneView& lanes, QObject* parent)
    : QObject(parent)
    , m_lanes(lanes)
{
}

AnnotationField::~AnnotationField()
{
    if (m_line)
        m_line->removeEventFilter(this);
}

void AnnotationField::open(const Annotation& annotation, const QRectF& label)
{
    m_line = new QLineEdit(m_lanes.viewport());
    m_line->setObjectName(QStringLiteral("annotation-words"));
    m_line->setAccessibleName(tr("Text of the annotation"));
    m_line->setPlaceholderText(annotation.kind == AnnotationKind::Text ? tr("Text")
                                                                       : tr("Text, or none"));
    m_line->setMaxLength(longestWords);
    QString words = text(annotation.text);
    m_line->setText(words.replace(QLatin1Char('\n'), QLatin1Char(' ')));
    m_line->selectAll();
    const QRectF room = m_lanes.room();
    const int em = m_line->fontMetrics().height();
    QRectF box(0, 0, std::min(std::max(label.width() + em, 16.0 * em), room.width()),
               m_line->sizeHint().height());
    box.moveCenter(label.center());
    box.moveLeft(std::clamp(box.left(), room.left(), room.right() - box.width()));
    box.moveTop(std::clamp(box.top(), 0.0, std::max(0.0, room.height() - box.height())));
    m_line->setGeometry(box.toRect());
    m_line->installEventFilter(this);
    m_line->show();
    m_line->setFocus();
}

void AnnotationField::close(bool kept)
{
    if (!m_line)
        return;
    const QString words = m_line->text().simplified();
    const bool typed = m_line->isModified();
    m_line->hide();
    drop();
    Q_EMIT closed(kept, typed, words);
}

void AnnotationField::drop()
{
    if (!m_line)
        return;
    // Nothing of what follows may come here again by the focus that is lost.
    QLineEdit* line = m_line;
    m_line = nullptr;
    line->removeEventFilter(this);
    line->deleteLater();
}

bool AnnotationField::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_line)
        return false;
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (enter || key == Qt::Key_Escape) {
            close(enter);
            m_lanes.setFocus();
            return true;
        }
    }
    if (event->type() == QEvent::FocusOut) {
        // Its own menu, and another window for a while, leave it open.
        const Qt::FocusReason why = static_cast<QFocusEvent*>(event)->reason();
        if (why != Qt::PopupFocusReason && why != Qt::ActiveWindowFocusReason)
            close(true);
    }
    return false;
}

} // namespace pw::ui

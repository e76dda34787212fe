// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_sentences.h"
#include "ui/document/placed_annotations.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/annotation_controller.h"

#include <QAction>
#include <QIcon>
#include <QLineEdit>
#include <QMenu>
#include <QPixmap>
#include <QScopedValueRollback>

#include <algorithm>

// What is done to an annotation that is there: its words, its colour, its end.

namespace pw::ui {

namespace {

/// Characters of a text: none has more than three bytes.
constexpr int longestWords = static_cast<int>(longestAnnotation) / 4;
constexpr int nudgeMerge = 0x4A07; ///< moves by keys in one go are one step

} // namespace

QString AnnotationController::nameOf(AnnotationTint tint)
{
    switch (tint) {
    case AnnotationTint::Ink:
        return tr("Ink");
    case AnnotationTint::Violet:
        return tr("Violet");
    case AnnotationTint::Orange:
        return tr("Orange");
    case AnnotationTint::Green:
        return tr("Green");
    }
    return {};
}

QString AnnotationController::whyNot() const
{
    return m_selected < 0 ? tr("No annotation is selected: click one, or ask for the next one.")
                          : QString();
}

bool AnnotationController::commit(std::vector<Annotation> annotations, const QString& text,
                                  int merge)
{
    const QScopedValueRollback committing(m_committing, true);
    Edit edit;
    edit.changes.emplace_back(SetAnnotations{std::move(annotations)});
    const Result<void> done = m_document.edit(edit, text, merge);
    if (!done)
        Q_EMIT refused(coreSentence(done.error().message));
    return done.has_value();
}

void AnnotationController::remove()
{
    if (m_selected < 0)
        return;
    letGo();
    std::vector<Annotation> annotations = all();
    annotations.erase(annotations.begin() + m_selected);
    m_selected = -1;
    commit(std::move(annotations), tr("Remove annotation"));
}

void AnnotationController::setTint(AnnotationTint tint)
{
    if (m_selected < 0)
        return;
    closeField(true);
    std::vector<Annotation> annotations = all();
    Annotation& own = annotations[static_cast<std::size_t>(m_selected)];
    if (own.tint == tint)
        return;
    own.tint = tint;
    commit(std::move(annotations), tr("Colour of annotation"));
}

/// Along the axis, or to the next lane.
void AnnotationController::nudge(int key)
{
    std::vector<Annotation> annotations = all();
    Annotation& own = annotations[static_cast<std::size_t>(m_selected)];
    const PlacedAnnotation placed = placedAnnotations(m_document, {own}).front();
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const int direction = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    moveBy(m_timeline, own, placed, sideways ? stepOf(m_timeline, placed, direction) : 0,
           sideways ? 0 : direction, 0);
    if (annotations != all())
        commit(std::move(annotations), tr("Move annotation"), nudgeMerge);
}

void AnnotationController::openMenu(QPoint at)
{
    auto* menu = new QMenu(m_timeline.window());
    menu->setObjectName(QStringLiteral("annotation-menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QAction* words = menu->addAction(tr("Edit &text…"));
    connect(words, &QAction::triggered, this, &AnnotationController::askText);
    menu->addSeparator();
    const AnnotationTint now = all()[static_cast<std::size_t>(m_selected)].tint;
    for (const AnnotationTint tint : allAnnotationTints) {
        QPixmap square(12, 12);
        square.fill(color(roleOf(tint)));
        QAction* action = menu->addAction(QIcon(square), nameOf(tint));
        action->setCheckable(true);
        action->setChecked(tint == now);
        connect(action, &QAction::triggered, this, [this, tint] { setTint(tint); });
    }
    menu->addSeparator();
    const QAction* gone = menu->addAction(tr("&Remove"));
    connect(gone, &QAction::triggered, this, &AnnotationController::remove);
    menu->popup(at);
}

void AnnotationController::askText()
{
    if (m_selected < 0)
        return;
    letGo();
    m_trial = all()[static_cast<std::size_t>(m_selected)];
    m_trialIsNew = false;
    openField();
}

/// A line to type the words of the trial in, where they will stand.
void AnnotationController::openField()
{
    const std::vector<PlacedAnnotation> placed = placedAnnotations(m_document, {*m_trial});
    m_field = new QLineEdit(m_timeline.viewport());
    m_field->setObjectName(QStringLiteral("annotation-words"));
    m_field->setAccessibleName(tr("Text of the annotation"));
    m_field->setPlaceholderText(m_trial->kind == AnnotationKind::Text ? tr("Text")
                                                                      : tr("Text, or none"));
    m_field->setMaxLength(longestWords);
    QString words = text(m_trial->text);
    m_field->setText(words.replace(QLatin1Char('\n'), QLatin1Char(' ')));
    m_field->selectAll();
    const QRectF label = painter().labelOf(placed.front());
    const QRectF room = m_timeline.room();
    const int em = m_field->fontMetrics().height();
    QRectF box(0, 0, std::min(std::max(label.width() + em, 16.0 * em), room.width()),
               m_field->sizeHint().height());
    box.moveCenter(label.center());
    box.moveLeft(std::clamp(box.left(), room.left(), room.right() - box.width()));
    box.moveTop(std::clamp(box.top(), 0.0, std::max(0.0, room.height() - box.height())));
    m_field->setGeometry(box.toRect());
    m_field->installEventFilter(this);
    m_field->show();
    m_field->setFocus();
}

/// Takes over what was typed, or leaves it as it was.
void AnnotationController::closeField(bool keep)
{
    if (!m_field || !m_trial)
        return;
    // Nothing of what follows may come here again by the focus that is lost.
    QLineEdit* field = m_field;
    m_field = nullptr;
    field->removeEventFilter(this);
    const QString words = field->text().simplified();
    const bool typed = field->isModified();
    field->hide();
    field->deleteLater();
    if (m_trialIsNew) {
        keepDrawn(keep ? words : QString());
        return;
    }
    m_trial.reset();
    std::vector<Annotation> annotations = all();
    Annotation& own = annotations[static_cast<std::size_t>(m_selected)];
    if (!keep || !typed || words.toStdString() == own.text) {
        show();
    } else if (words.isEmpty() && own.kind == AnnotationKind::Text) {
        remove(); // nothing of it would be left
    } else {
        own.text = words.toStdString();
        if (!commit(std::move(annotations), tr("Text of annotation")))
            show();
    }
}

/// What was drawn becomes part of the document, with its words; a text without words does not.
void AnnotationController::keepDrawn(const QString& words)
{
    Annotation made = *m_trial;
    m_trial.reset();
    m_trialIsNew = false;
    made.text = words.toStdString();
    if (made.kind == AnnotationKind::Text && words.isEmpty()) {
        show();
        return;
    }
    std::vector<Annotation> annotations = all();
    annotations.push_back(std::move(made));
    m_selected = static_cast<int>(annotations.size()) - 1;
    if (!commit(std::move(annotations), tr("Annotate"))) {
        m_selected = -1;
        show();
    } else if (m_timeline.current().valid()) {
        m_timeline.select({}); // keys are for what was drawn, not for the passes it is at
    }
}

} // namespace pw::ui

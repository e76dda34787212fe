// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/annotation_editor.h"

#include "ui/core_sentences.h"
#include "ui/document/placed_annotations.h"
#include "ui/timeline/annotation_anchors.h"

#include <QScopedValueRollback>

#include <memory>
#include <utility>

namespace pw::ui {

namespace {

constexpr int nudgeMerge = 0x4A07; ///< moves by keys in one go are one step

} // namespace

AnnotationEditor::AnnotationEditor(ScheduleDocument& document, TimelineView& timeline,
                                   QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_timeline(timeline)
    , m_field(timeline)
{
    connect(&document, &ScheduleDocument::resultChanged, this, &AnnotationEditor::takeDocument);
    connect(&timeline, &TimelineView::selectionChanged, this, [this] {
        if (m_selected >= 0 && m_timeline.current().valid())
            select(-1);
    });
    connect(&m_field, &AnnotationField::closed, this, &AnnotationEditor::closeField);
    show();
}

void AnnotationEditor::takeDocument()
{
    // Of an older list a place means another annotation.
    if (!m_committing) {
        Q_EMIT trialDropped();
        dropTrial();
        m_selected = -1;
    }
    show();
    Q_EMIT changed();
}

/// The document's, with the one that is just being changed as it would be.
std::vector<Annotation> AnnotationEditor::shownNow() const
{
    std::vector<Annotation> annotations = all();
    if (m_trial && m_trial->isNew)
        annotations.push_back(m_trial->annotation);
    else if (m_trial && m_selected >= 0 && m_selected < static_cast<int>(annotations.size()))
        annotations[static_cast<std::size_t>(m_selected)] = m_trial->annotation;
    return annotations;
}

PlacedAnnotation AnnotationEditor::placed(const Annotation& annotation) const
{
    return placedAnnotations(m_document, {annotation}).front();
}

AnnotationPainter AnnotationEditor::painter() const
{
    // The painter asks it for lanes later, too.
    const auto geometry = std::make_shared<const LaneGeometry>(m_timeline.laneGeometry());
    const auto lane = [geometry](DeviceId device) {
        const bool known = device < static_cast<int>(geometry->lanes().lanes().size());
        return known ? geometry->laneArea(device) : QRectF();
    };
    return {geometry->scale(), lane, geometry->room(), m_timeline.font()};
}

AnnotationHit AnnotationEditor::hitAt(QPointF point) const
{
    return painter().hit(m_timeline.overlay().annotations, m_selected, point);
}

void AnnotationEditor::show()
{
    AnnotationLayer layer;
    layer.annotations = placedAnnotations(m_document, shownNow());
    layer.annotation =
        m_trial && m_trial->isNew ? static_cast<int>(layer.annotations.size()) - 1 : m_selected;
    m_timeline.setLayer(std::move(layer));
}

// What is selected

void AnnotationEditor::select(int index)
{
    const int count = static_cast<int>(all().size());
    index = index < count ? index : -1;
    if (index == m_selected)
        return;
    m_selected = index;
    // Keys mean the annotation now, not the passes.
    if (index >= 0 && m_timeline.current().valid())
        m_timeline.select({});
    show();
    Q_EMIT changed();
}

void AnnotationEditor::selectNext()
{
    if (all().empty()) {
        Q_EMIT refused(tr("The schedule has no annotations."));
        return;
    }
    keepWords();
    select((m_selected + 1) % static_cast<int>(all().size()));
    const AnnotationPoint& at =
        m_timeline.overlay().annotations[static_cast<std::size_t>(m_selected)].from;
    m_timeline.range().reveal(at.time, at.time);
    m_timeline.setFocus();
    Q_EMIT told(tr("Annotation %1 of %2: arrow keys move it, Enter changes its text, Del removes "
                   "it, Esc leaves.")
                    .arg(m_selected + 1)
                    .arg(all().size()));
}

QString AnnotationEditor::whyNot() const
{
    return m_selected < 0 ? tr("No annotation is selected: click one, or ask for the next one.")
                          : QString();
}

// What is changed

bool AnnotationEditor::commit(std::vector<Annotation> annotations, const QString& text, int merge)
{
    const QScopedValueRollback committing(m_committing, true);
    Edit edit;
    edit.changes.emplace_back(SetAnnotations{std::move(annotations)});
    const Result<void> done = m_document.edit(edit, text, merge);
    if (!done)
        Q_EMIT refused(coreSentence(done.error().message));
    return done.has_value();
}

void AnnotationEditor::remove()
{
    if (m_selected < 0)
        return;
    Q_EMIT trialDropped();
    dropTrial();
    std::vector<Annotation> annotations = all();
    annotations.erase(annotations.begin() + m_selected);
    m_selected = -1;
    commit(std::move(annotations), tr("Remove annotation"));
}

void AnnotationEditor::setTint(AnnotationTint tint)
{
    if (m_selected < 0)
        return;
    keepWords();
    // A text that was emptied is gone now.
    if (m_selected < 0 || own().tint == tint)
        return;
    std::vector<Annotation> annotations = all();
    annotations[static_cast<std::size_t>(m_selected)].tint = tint;
    commit(std::move(annotations), tr("Colour of annotation"));
}

void AnnotationEditor::nudge(int key)
{
    if (m_selected < 0)
        return;
    std::vector<Annotation> annotations = all();
    Annotation& moved = annotations[static_cast<std::size_t>(m_selected)];
    const PlacedAnnotation at = placed(moved);
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const int direction = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    moveBy(m_timeline, moved, at, sideways ? stepOf(m_timeline, at, direction) : 0,
           sideways ? 0 : direction, 0);
    if (annotations != all())
        commit(std::move(annotations), tr("Move annotation"), nudgeMerge);
}

// What is tried

void AnnotationEditor::tryOut(Trial trial)
{
    m_trial = std::move(trial);
    show();
}

void AnnotationEditor::dropTrial()
{
    m_field.drop();
    if (std::exchange(m_trial, std::nullopt))
        show();
}

void AnnotationEditor::keepMoved()
{
    if (!m_trial)
        return;
    std::vector<Annotation> annotations = shownNow();
    m_trial.reset();
    if (!commit(std::move(annotations), tr("Move annotation")))
        show();
}

// Words

void AnnotationEditor::askText()
{
    if (m_selected < 0)
        return;
    Q_EMIT trialDropped();
    dropTrial();
    tryChanged(own());
    openField();
}

void AnnotationEditor::openField()
{
    m_field.open(m_trial->annotation, painter().labelOf(placed(m_trial->annotation)));
}

/// Takes over what was typed, or leaves it as it was.
void AnnotationEditor::closeField(bool kept, bool typed, const QString& words)
{
    if (!m_trial)
        return;
    Trial trial = *std::exchange(m_trial, std::nullopt);
    const std::string given = words.toStdString();
    if (trial.isNew) {
        trial.annotation.text = kept ? given : std::string();
        keepNew(std::move(trial.annotation));
        return;
    }
    std::vector<Annotation> annotations = all();
    Annotation& worded = annotations[static_cast<std::size_t>(m_selected)];
    if (!kept || !typed || given == worded.text) {
        show();
    } else if (given.empty() && worded.kind == AnnotationKind::Text) {
        remove(); // nothing of it would be left
    } else {
        worded.text = given;
        if (!commit(std::move(annotations), tr("Text of annotation")))
            show();
    }
}

/// What was drawn becomes part of the document; a text without words does not.
void AnnotationEditor::keepNew(Annotation made)
{
    if (made.kind == AnnotationKind::Text && made.text.empty()) {
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

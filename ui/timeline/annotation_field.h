// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/annotation.h"

#include <QObject>
#include <QPointer>
#include <QRectF>

class QLineEdit;

namespace pw::ui {

class LaneView;

/// A line over the lanes of a timeline, to type the words of an annotation in. It closes by Enter,
/// by Escape, and where something else gets the focus.
class AnnotationField : public QObject
{
    Q_OBJECT

public:
    /// @param lanes  outlive it
    explicit AnnotationField(LaneView& lanes, QObject* parent = nullptr);
    ~AnnotationField() override;

    /// @param label  where the words stand in the lanes, or would
    void open(const Annotation& annotation, const QRectF& label);
    bool isOpen() const { return m_line != nullptr; }
    /// Takes over what was typed, or leaves it; nothing where it is not open.
    void close(bool kept);
    /// Takes it away; nothing is heard of it.
    void drop();

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// @param typed  the words were changed
    void closed(bool kept, bool typed, const QString& words);

private:
    LaneView& m_lanes;
    QPointer<QLineEdit> m_line;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QLabel>

namespace pw::ui {

/// A sentence in one line, cut off with an ellipsis where there is too little room; the whole of it
/// is then the tool tip. Needs no width of its own, so it never takes that of others.
class OneLine : public QLabel
{
    Q_OBJECT

public:
    using QLabel::QLabel;

    void setText(const QString& text);
    /// As `setText`, without laying out anew what is around it where the text has room: for one
    /// that changes at every movement of the pointer.
    void setTextInPlace(const QString& text);

    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString shown() const;
    void setFixed(bool fixed);
};

} // namespace pw::ui

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
    /// As `setText`; behind the second time in a row nothing around it is laid out anew as long as
    /// the text has room. For one that changes at every movement of the pointer.
    void setTextInPlace(const QString& text);

    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString shown() const;
    void setFixed(bool fixed);

    bool m_inPlace = false;
};

} // namespace pw::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace pw::ui {

/// A card at the lower edge of a window that says what a demonstration shows, with what goes on and
/// what stops it. It stays where the window's edge is.
class DemoBar : public QFrame
{
    Q_OBJECT

public:
    explicit DemoBar(QWidget* window);

    /// @param part  "Design", @param number  of it, from 1
    void tell(const QString& part, int number, int parts, const QString& sentence);
    /// It is over: what leads on stands in the place of what stops it.
    void tellEnd(const QString& sentence);
    QString sentence() const;

Q_SIGNALS:
    void nextAsked();
    void stopAsked();
    void studioAsked();
    void closeAsked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QLabel* m_part;
    QLabel* m_sentence;
    QPushButton* m_next;
    QPushButton* m_stop;
    QPushButton* m_studio;
    QPushButton* m_close;
};

} // namespace pw::ui

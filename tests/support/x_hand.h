// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QEventLoop>
#include <QPoint>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <deque>
#include <functional>

class QWidget;

/// A person's hand at a real X server: xdotool moves the pointer and presses buttons and keys, and
/// the program under test sees what any program sees.
///
/// What is asked for is done by `go` while event loops run, those of drags and of modal dialogs
/// too; so looks can be taken while a button is down.
class XHand
{
public:
    using Place = std::function<QPoint()>; ///< on the screen; asked when it is needed

    /// @param window  that a window manager would give the keys to where no dialog is open
    explicit XHand(QWidget& window);
    ~XHand();

    /// Why there is no hand here; empty: there is one.
    static QString whyNot();
    /// The middle of a widget.
    static Place on(const QWidget* widget);

    /// On the straight way, in small steps as a hand makes them.
    XHand& moveTo(Place place);
    XHand& press();
    XHand& release();
    XHand& click(Place place);
    XHand& doubleClick(Place place);
    /// Names as of xdotool: "ctrl+z", "Escape".
    XHand& key(const QString& name);
    XHand& type(const QString& text);
    /// Waits until something is so. @param what  is said where it does not come to be
    XHand& until(const QString& what, std::function<bool()> so);
    /// A look that must hold now, as nothing else is awaited.
    XHand& see(const QString& what, std::function<bool()> so);
    XHand& then(std::function<void()> does);

    /// Does all that was asked for. @return  why it could not be done; empty: it is
    QString go();
    /// What is being done, in words.
    const QString& doing() const { return m_doing; }

private:
    struct Step
    {
        QString what;
        std::function<QStringList()> words{}; ///< of xdotool
        std::function<bool()> so{};
        bool waits = false;
    };

    XHand& command(const QString& what, std::function<QStringList()> words);
    QStringList focus() const;
    void next();
    void look();
    void fail(const QString& why);
    void finish();

    QWidget& m_window;
    std::deque<Step> m_steps;
    Step m_step;
    QProcess m_xdotool;
    QTimer m_looking;
    QTimer m_patience;
    QEventLoop m_loop;
    QString m_doing;
    QString m_problem;
};

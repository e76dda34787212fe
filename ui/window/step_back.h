// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QObject>
#include <QPointer>

#include <vector>

class QDockWidget;

namespace pw::ui {

class MainWindow;
class Page;

/// Panels that only serve a schedule step back while another kind of page is in front, and come
/// back with the next schedule; those below the pages do where the window is too low for both. One
/// that a person brings back meanwhile stays.
class StepBack : public QObject
{
public:
    explicit StepBack(MainWindow& window);

    /// While this dock is open it has the room of what is not taught yet.
    void setLesson(QDockWidget& lesson);

private:
    void followPage();
    bool followHeight(const Page* page);
    void followLesson(bool open);
    void stepBack(const char* id, std::vector<QPointer<QDockWidget>>& back);
    static void bringBack(std::vector<QPointer<QDockWidget>>& back);

    MainWindow& m_window;
    std::vector<QPointer<QDockWidget>> m_back;
    std::vector<QPointer<QDockWidget>> m_below;
    std::vector<QPointer<QDockWidget>> m_behindLesson;
    QPointer<QDockWidget> m_front; ///< of those below, before they stepped back
    QPointer<QDockWidget> m_lesson;
    bool m_away = false;
    bool m_low = false;
    bool m_notesInFront = false; ///< before they stepped back
};

} // namespace pw::ui

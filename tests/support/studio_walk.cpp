// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/studio_walk.h"

#include "core/io/schedule_text.h"
#include "ui/core_sentences.h"
#include "ui/panels/palette_model.h"
#include "ui/panels/palette_panel.h"
#include "ui/presentation.h"
#include "ui/window/session.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScreen>
#include <QTest>

using namespace pw;
using namespace pw::ui;

StudioWalk::StudioWalk()
    : m_hand(m_window)
    , m_watch([this] { return m_hand.doing(); })
{
    m_window.setGeometry(QGuiApplication::primaryScreen()->geometry());
    beginWelcome(m_window);
    m_window.show();
    if (!QTest::qWaitForWindowExposed(&m_window))
        qFatal("the window is not shown");
    m_watch.start();
}

StudioWalk::~StudioWalk()
{
    m_watch.stop();
    qInfo("the window's thread was away from its event loop for at most %lld ms (%s)",
          static_cast<long long>(m_watch.longest()), qPrintable(m_watch.during()));
}

QString StudioWalk::open(const char* orders, const UniformCosts& costs)
{
    Result<Draft> draft = readScheduleText(orders);
    if (!draft)
        return coreSentence(draft.error().message);
    Project project;
    project.costs = costs;
    project.draft = *std::move(draft);
    m_window.openProject(std::move(project));
    return {};
}

QString StudioWalk::order(std::size_t device)
{
    QStringList words;
    for (const OrderEntry& entry : document().draft().orders[device])
        words += text(name(entry.pass.kind)) + QString::number(entry.pass.microBatch);
    return words.join(QLatin1Char(' '));
}

QString StudioWalk::figures() const
{
    return m_window.findChild<QLabel*>(QStringLiteral("figures"))->text();
}

QString StudioWalk::told() const
{
    return m_window.findChild<QLabel*>(QStringLiteral("told"))->text();
}

bool StudioWalk::toldIsRefusal() const
{
    const auto* label = m_window.findChild<QLabel*>(QStringLiteral("told"));
    return label->palette().color(QPalette::WindowText) == color(Role::Refusal);
}

XHand::Place StudioWalk::lane(int device, double part)
{
    return [this, device, part] {
        const TimelineView& view = page()->timeline();
        const int left = TimeAxis::margin();
        const double width = view.room().width();
        int top = 0;
        while (top < view.viewport()->height() && view.laneAt(QPointF(left + 1, top)) != device)
            ++top;
        return view.viewport()->mapToGlobal(
            QPoint(left + static_cast<int>(part * width), top + view.laneHeight() / 2));
    };
}

XHand::Place StudioWalk::pass(SpanRef span, double later)
{
    return [this, span, later] {
        const TimelineView& view = page()->timeline();
        const double pixels = later * static_cast<double>(ticksPerMs) / view.scale().ticksPerPixel;
        const QPointF middle = view.rectangleOf(span).center() + QPointF(pixels, 0);
        return view.viewport()->mapToGlobal(middle.toPoint());
    };
}

XHand::Place StudioWalk::row(QAbstractItemView* view, const std::function<QModelIndex()>& index)
{
    return [view, index] {
        view->scrollTo(index());
        return view->viewport()->mapToGlobal(view->visualRect(index()).center());
    };
}

XHand::Place StudioWalk::inPalette(int kind, const QString& id)
{
    QListView* list = m_window.findChild<PalettePanel*>()->list();
    return row(list, [list, kind, id] {
        for (int i = 0; i < list->model()->rowCount(); ++i)
            if (const QModelIndex index = list->model()->index(i, 0);
                index.data(PaletteModel::KindRole).toInt() == kind &&
                index.data(PaletteModel::IdRole).toString() == id)
                return index;
        return QModelIndex();
    });
}

XHand::Place StudioWalk::paletteSearch()
{
    return XHand::on(m_window.findChild<PalettePanel*>()->findChild<QLineEdit*>());
}

void StudioWalk::picture(const QString& name)
{
    const QString folder = qEnvironmentVariable("PW_PICTURES");
    if (!folder.isEmpty())
        QGuiApplication::primaryScreen()->grabWindow(0).save(folder + QLatin1Char('/') + name +
                                                             QStringLiteral(".png"));
}

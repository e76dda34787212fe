// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/overview.h"
#include "ui/traces/activity_view.h"
#include "ui/traces/trace_source.h"
#include "ui/workspace/timeline_workspace.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

constexpr Ticks us = 1000;

/// A span of Kineto; times in microseconds.
std::string kernel(int stream, int start, int length)
{
    return R"({"ph": "X", "name": "gemm", "cat": "kernel", "pid": 0, "tid": )" +
           std::to_string(stream) + ", \"ts\": " + std::to_string(start) +
           ", \"dur\": " + std::to_string(length) + R"(, "args": {"device": 0, "stream": )" +
           std::to_string(stream) + "}}";
}

/// Two streams of a device and a thread of the host, which is at work all the time.
ShownActivityPtr activity()
{
    const std::string text =
        R"({"distributedInfo": {"rank": 3}, "traceEvents": [)" + kernel(7, 0, 300) + "," +
        kernel(7, 500, 500) + "," + kernel(20, 300, 300) +
        R"(,{"ph": "X", "name": "aten::mm", "cat": "cpu_op", "pid": 42, "tid": 1, "ts": 0, "dur": 1000}]})";
    Result<Trace> trace = importTraceText(text, "rank3.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return std::make_shared<ShownActivity>(std::move(*trace));
}

} // namespace

class TestTraceSource : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void theOverviewShowsWhenStreamsAreAtWork()
    {
        TraceSource source;
        source.setActivity(activity());
        QImage picture(1000, 20, QImage::Format_RGB32);
        picture.fill(Qt::white);
        {
            QPainter painter(&picture);
            source.paintOverview(painter, picture.size(), {0, us, 0});
        }
        const QColor busy = activityColor(ActivityKind::Compute), idle = color(Role::Lane);
        // The host's thread has no part in it.
        QCOMPARE(picture.pixelColor(150, 4), busy);
        QCOMPARE(picture.pixelColor(400, 4), idle);
        QCOMPARE(picture.pixelColor(800, 4), busy);
        QCOMPARE(picture.pixelColor(150, 14), idle);
        QCOMPARE(picture.pixelColor(450, 14), busy);
        QCOMPARE(picture.pixelColor(800, 14), idle);
    }

    void aWorkspaceShowsTheSourcesOwnView()
    {
        auto* source = new TraceSource;
        TimelineWorkspace workspace(source);
        workspace.resize(900, 500);
        workspace.show();
        source->setActivity(activity());
        auto* view = qobject_cast<ActivityView*>(&workspace.view());
        QVERIFY(view != nullptr);
        QVERIFY(!view->rows().rows().empty());
        QCOMPARE(workspace.range().wholeEnd(), 1000 * us);
        QVERIFY(workspace.findChild<Overview*>() != nullptr);
        QCOMPARE(workspace.findChild<FindBar*>(), nullptr); // it looks for passes
        QSignalSpy stretched(&workspace, &TimelineWorkspace::stretchChanged);
        workspace.view().setStretch(TimeStretch{100 * us, 300 * us});
        QCOMPARE(stretched.count(), 1);
        QCOMPARE(view->stretch(), std::optional(TimeStretch{100 * us, 300 * us}));
        QSignalSpy selected(&workspace, &TimelineWorkspace::selectionChanged);
        const QRectF box = view->boxOf({0, {0, 300 * us, 0, 0, 1, 0, ActivityKind::Compute}});
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, box.center().toPoint());
        QCOMPARE(selected.count(), 1);
        QVERIFY(view->chosen().has_value());
    }
};

PW_WINDOW_TEST(TestTraceSource)
#include "tst_trace_source.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/device_activity.h"
#include "core/reading/import_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

Trace traceOfText(const std::string& text, const std::string& name)
{
    const Result<Trace> trace = importTraceText(text, name);
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

/// A kernel as rocprofv3 records it.
std::string dispatch(int number, int agent, int stream, Ticks start, Ticks end)
{
    return "{\"kind\": 11, \"operation\": 2, \"thread_id\": 908, \"correlation_id\": "
           "{\"internal\": " +
           std::to_string(number) + "}, \"start_timestamp\": " + std::to_string(start) +
           ", \"end_timestamp\": " + std::to_string(end) +
           ", \"dispatch_info\": {\"agent_id\": {\"handle\": " + std::to_string(agent) +
           "}, \"queue_id\": {\"handle\": 16}, \"kernel_id\": 2}, \"stream_id\": {\"handle\": " +
           std::to_string(stream) + "}},\n";
}

/// @param numbered  the file says the numbers of its devices
std::string rocprof(bool numbered, const std::string& dispatches, const std::string& copies = {})
{
    const auto agent = [numbered](int handle, int type, int number) {
        return "{\"id\": {\"handle\": " + std::to_string(handle) +
               "}, \"type\": " + std::to_string(type) +
               (numbered ? ", \"logical_node_type_id\": " + std::to_string(number) : "") +
               ", \"name\": \"gfx942\"}";
    };
    const auto withoutComma = [](const std::string& list) {
        return list.substr(0, list.rfind(','));
    };
    // The second device stands before the first one.
    return "{\"rocprofiler-sdk-tool\": [{\"metadata\": {\"pid\": 908}, \"agents\": [" +
           agent(50, 1, 0) + ", " + agent(53, 2, numbered ? 1 : 0) + ", " + agent(52, 2, 0) +
           "], \"kernel_symbols\": [{\"kernel_id\": 2, \"formatted_kernel_name\": \"gemm\"}], "
           "\"buffer_records\": {\"kernel_dispatch\": [" +
           withoutComma(dispatches) + "], \"memory_copy\": [" + withoutComma(copies) + "]}}]}";
}

std::string metadata(const char* what, int of, int thread, const char* key, const char* value)
{
    return std::string("{\"ph\": \"M\", \"name\": \"") + what +
           "\", \"pid\": " + std::to_string(of) + ", \"tid\": " + std::to_string(thread) +
           ", \"args\": {\"" + key + "\": \"" + value + "\"}},\n";
}

std::string slice(const char* name, int of, int thread, double start, double length)
{
    return std::string("{\"ph\": \"X\", \"name\": \"") + name +
           "\", \"pid\": " + std::to_string(of) + ", \"tid\": " + std::to_string(thread) +
           ", \"ts\": \"" + std::to_string(start) + "\", \"dur\": " + std::to_string(length) +
           ", \"args\": {}},\n";
}

} // namespace

/// Which device an activity is of, where the process does not say it.
class TestTraceDevices : public QObject
{
    Q_OBJECT

private slots:
    void agentsOfRocprofAreDevices_data()
    {
        QTest::addColumn<bool>("numbered");
        QTest::newRow("by their numbers") << true;
        QTest::newRow("counted, where an older program does not say them") << false;
    }

    void agentsOfRocprofAreDevices()
    {
        QFETCH(const bool, numbered);
        const int first = numbered ? 52 : 53; // which of them is device 0
        const int second = numbered ? 53 : 52;
        // Each works half of its time, one after the other, on a stream of the same number.
        const Trace trace =
            traceOfText(rocprof(numbered, dispatch(1, first, 1, 1000, 6000) +
                                              dispatch(2, first, 1, 10'000, 11'000) +
                                              dispatch(3, second, 1, 6000, 9000) +
                                              dispatch(4, second, 1, 11'000, 13'000)),
                        "rank0_results.json");
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(figures.devices.size(), std::size_t{2});
        QCOMPARE(figures.devices[0].deviceNumber, 0);
        QCOMPARE(figures.devices[0].compute, Ticks{6000});
        QCOMPARE(figures.devices[0].idle.total(), Ticks{4000});
        QCOMPARE(figures.devices[1].deviceNumber, 1);
        QCOMPARE(figures.devices[1].compute, Ticks{5000});
        QCOMPARE(figures.devices[1].idle.total(), Ticks{2000});
    }

    void aCopyToTheHostIsOfItsDevice()
    {
        const Trace trace = traceOfText(
            rocprof(true, dispatch(1, 53, 1, 1000, 2000),
                    "{\"kind\": 2, \"operation\": 0, \"correlation_id\": {\"internal\": 8}, "
                    "\"start_timestamp\": 3000, \"end_timestamp\": 3500, "
                    "\"dst_agent_id\": {\"handle\": 50}, \"src_agent_id\": {\"handle\": 53}},\n"),
            "rank0_results.json");
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(figures.devices.size(), std::size_t{1});
        QCOMPARE(figures.devices[0].deviceNumber, 1);
        QCOMPARE(figures.devices[0].memory, Ticks{500});
    }

    void anAgentThatIsNotListedHasNoNumber()
    {
        const Trace trace =
            traceOfText(rocprof(true, dispatch(1, 99, 1, 1000, 2000)), "rank0_results.json");
        QCOMPARE(deviceFigures(trace).devices.front().deviceNumber, -1);
    }

    void ascendsHardwareAndItsCommunicationAreOneDevice_data()
    {
        QTest::addColumn<bool>("rows");
        QTest::addColumn<QString>("label");
        QTest::addColumn<int>("number");
        QTest::newRow("as torch_npu writes it") << true << QString("NPU") << -1;
        QTest::newRow("rows without names") << false << QString("NPU") << -1;
        QTest::newRow("a numbered device") << true << QString("NPU 3") << 3;
    }

    void ascendsHardwareAndItsCommunicationAreOneDevice()
    {
        QFETCH(const bool, rows);
        QFETCH(const QString, label);
        QFETCH(const int, number);
        const std::string npu = label.toStdString();
        // As torch_npu writes it: the device and HCCL are processes, work has no category.
        std::string text =
            "[" + metadata("process_name", 10, 0, "name", "Python") +
            metadata("process_labels", 10, 0, "labels", "CPU") +
            metadata("process_name", 11, 0, "name", "Ascend Hardware") +
            metadata("process_labels", 11, 0, "labels", npu.c_str()) +
            (rows ? metadata("thread_name", 11, 2, "name", "Stream 2") : std::string()) +
            metadata("process_name", 12, 0, "name", "HCCL") +
            metadata("process_labels", 12, 0, "labels", npu.c_str()) +
            (rows ? metadata("thread_name", 12, 0, "name", "Group 0 Communication")
                  : std::string()) +
            metadata("thread_name", 12, 1, "name", "Plane 0") +
            metadata("process_name", 13, 0, "name", "Overlap Analysis") +
            metadata("process_labels", 13, 0, "labels", npu.c_str()) +
            metadata("thread_name", 13, 1, "name", "Computing");
        for (int i = 0; i < 3; ++i)
            text += slice("aten::mm", 10, 10, 1000 * i, 20) +
                    slice("MatMulV2", 11, 2, 1000 * i + 100, 300) +
                    slice("EVENT_WAIT", 11, 2, 1000 * i + 400, 100) +
                    slice("MEMCPY_ASYNC", 11, 2, 1000 * i + 850, 50) +
                    slice("hcom_allReduce__868_0_1", 12, 0, 1000 * i + 500, 200) +
                    slice("Reduce_Inline", 12, 1, 1000 * i + 510, 100) +
                    slice("Computing", 13, 1, 1000 * i + 100, 300);
        text += "{\"ph\": \"i\", \"ts\": 1}]";
        const Trace trace = traceOfText(text, "trace_view.json");
        QCOMPARE(QString::fromStdString(trace.origin), QStringLiteral("torch_npu"));
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(figures.devices.size(), std::size_t{1});
        const DeviceActivity& one = figures.devices.front();
        QCOMPARE(one.deviceNumber, number);
        QCOMPARE(one.compute, Ticks{900'000});
        QCOMPARE(one.communication, Ticks{600'000});
        QCOMPARE(one.memory, Ticks{150'000});
        QCOMPARE(one.span(), Ticks{2'800'000});
    }
};

PW_TEST(TestTraceDevices)

#include "tst_trace_devices.moc"

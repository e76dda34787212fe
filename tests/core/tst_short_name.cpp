// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/short_name.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

class TestShortName : public QObject
{
    Q_OBJECT

private slots:
    void whatTellsItFromOthersComesFirst_data()
    {
        QTest::addColumn<QString>("whole");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* whole, const char* expected) {
            QTest::addRow("%s", expected)
                << QString::fromLatin1(whole) << QString::fromLatin1(expected);
        };
        row("void at::native::elementwise_kernel<4, at::native::Add<float> >(int, Add)",
            "elementwise_kernel<4, at::native::Add<float> >");
        row("void dpsk::ep::internode::combine<8, false>(int4*, float*)", "combine<8, false>");
        row("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "ncclDevKernel_SendRecv");
        row("void (anonymous namespace)::softmax_warp_forward<float, 8>(float*)",
            "softmax_warp_forward<float, 8>");
        row("at::native::(anonymous namespace)::fused_dropout<float>(A<1>) const",
            "fused_dropout<float>");
        row("void cutlass::Kernel2<cutlass_80_tensorop_bf16_128x128>(Params)",
            "Kernel2<cutlass_80_tensorop_bf16_128x128>");
        row("std::enable_if<!(a::b), void>::type internal::gemvx::kernel<int, 7>(A)",
            "kernel<int, 7>");
        row("void flash::kernel<Traits<64, 128>, true>", "kernel<Traits<64, 128>, true>");
        row("void a::b<c::{lambda(int)#1}>(c::{lambda(int)#1})", "b<c::{lambda(int)#1}>");
    }
    void whatTellsItFromOthersComesFirst()
    {
        QFETCH(const QString, whole);
        QFETCH(const QString, expected);
        QCOMPARE(QString::fromStdString(shortName(whole.toStdString())), expected);
    }

    void otherNamesStay_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"aten::mm", "cudaLaunchKernel", "sm80_xmma_gemm_bf16_128x128_tn", "", "(", ")", "()",
              "void ", "ProfilerStep#7", "Memcpy HtoD (Pinned -> Device)", "Memset (Device)", "a<b",
              "f)(", "nccl:send 0->1", "F3", "threading.py(1002): run", "<built-in method run>"})
            QTest::addRow("'%s'", name) << QString::fromLatin1(name);
    }
    void otherNamesStay()
    {
        QFETCH(const QString, name);
        QCOMPARE(QString::fromStdString(shortName(name.toStdString())), name);
    }
};

PW_TEST(TestShortName)
#include "tst_short_name.moc"

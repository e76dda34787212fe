// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/kineto_text.h"

#include <cstdio>

namespace pw::test {

std::size_t kinetoText(std::size_t bytes, const std::function<void(std::string& piece)>& put)
{
    constexpr std::size_t pieceSize = 1U << 20;
    std::size_t written = 0;
    std::string text = "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", "
                       "\"rank\": 0, \"world_size\": 8},\n\"traceEvents\": [\n";
    const auto flush = [&] {
        written += text.size();
        put(text);
        text.clear();
    };
    for (long long i = 0; written + text.size() < bytes; ++i) {
        char event[900];
        const long long time = i * 13;
        int length = 0;
        if (i % 400 == 0) {
            length = std::snprintf(
                event, sizeof event,
                "  {\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"PP:0F%lld\", \"pid\": "
                "4037, \"tid\": 4037,\n    \"ts\": %lld.125, \"dur\": 812.250,\n    \"args\": "
                "{\"External id\": %lld, \"Record function id\": 0, \"Ev Idx\": %lld}},\n",
                i / 400 % 64, time, i, i);
        } else if (i % 3 == 0) {
            length = std::snprintf(
                event, sizeof event,
                "  {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::addmm\", \"pid\": 4037, "
                "\"tid\": 4037,\n    \"ts\": %lld.125, \"dur\": 38.250,\n    \"args\": {\"External "
                "id\": %lld, \"Record function id\": 0, \"Sequence number\": %lld, \"Fwd thread "
                "id\": 0, \"Input Dims\": [[4096], [2048, 1024], [1024, 4096], [], []], \"Input "
                "type\": [\"float\", \"float\", \"float\", \"Scalar\", \"Scalar\"], \"Ev Idx\": "
                "%lld}},\n",
                time, i, i, i);
        } else if (i % 3 == 1) {
            length = std::snprintf(
                event, sizeof event,
                "  {\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", "
                "\"pid\": 4037, \"tid\": 4037,\n    \"ts\": %lld.500, \"dur\": 4.125,\n    "
                "\"args\": {\"External id\": %lld, \"cbid\": 211, \"correlation\": %lld}},\n",
                time, i, i);
        } else {
            length = std::snprintf(
                event, sizeof event,
                "  {\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void "
                "cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4>(int)\", "
                "\"pid\": 0, \"tid\": 7,\n    \"ts\": %lld.875, \"dur\": 31.000,\n    \"args\": "
                "{\"External id\": %lld, \"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": "
                "7, \"correlation\": %lld, \"registers per thread\": 90, \"shared memory\": 71680, "
                "\"blocks per SM\": 1.185185, \"warps per SM\": 9.481482, \"grid\": [16, 8, 1], "
                "\"block\": [256, 1, 1], \"est. achieved occupancy %%\": 15}},\n",
                time, i, i);
        }
        text.append(event, static_cast<std::size_t>(length));
        if (text.size() > pieceSize)
            flush();
    }
    text += "  {\"ph\": \"i\", \"name\": \"Record Window End\", \"pid\": \"\", \"tid\": \"\", "
            "\"ts\": 1}\n],\n\"baseTimeNanoseconds\": 1700000000000000000}\n";
    flush();
    return written;
}

} // namespace pw::test

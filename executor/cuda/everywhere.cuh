// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/kernel_tools.cuh"

// Work that is the same at every place of a matrix: a body says what happens at one place, a few
// columns wide, and one kernel calls it everywhere.
namespace pw::exec::cuda {

/// Calls a body for every place of a matrix, `Body::lanes` columns at a time.
template<typename Body>
__global__ void __launch_bounds__(blockThreads)
    everywhere(std::int64_t rows, std::int64_t columns, Body body)
{
    const std::int64_t firstColumn =
        (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * Body::lanes;
    const std::int64_t columnStride =
        static_cast<std::int64_t>(gridDim.x) * blockDim.x * Body::lanes;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
    for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
         row < rows; row += stride) {
        for (std::int64_t column = firstColumn; column < columns; column += columnStride)
            body(row, column);
    }
}

template<typename Body>
void launchEverywhere(std::int64_t rows, std::int64_t columns, Body body, cudaStream_t stream)
{
    constexpr std::int64_t mostBlocksX = 1 << 16; // longer rows are walked in strides
    const std::int64_t packs = ceilDivide(columns, Body::lanes);
    unsigned across = 1; // threads along a row: narrow matrices give the rest to further rows
    while (across < blockThreads && across < packs)
        across *= 2;
    const dim3 block(across, blockThreads / across);
    const dim3 grid(static_cast<unsigned>(least(ceilDivide(packs, block.x), mostBlocksX)),
                    static_cast<unsigned>(least(ceilDivide(rows, block.y), mostBlocksY)));
    everywhere<<<grid, block, 0, stream>>>(rows, columns, body);
}

/// Rows of one type with their stride, as a body holds them.
template<typename T>
struct Rows
{
    T* data;
    std::int64_t stride;

    Rows(const View& view)
        : data(static_cast<T*>(view.data))
        , stride(view.stride)
    {
    }
    __device__ T* at(std::int64_t row, std::int64_t column) const
    {
        return data + row * stride + column;
    }
};

/// One long row where all views lie densely, so that narrow matrices fill whole blocks.
template<typename... Views>
void flatten(View& first, Views&... others)
{
    if (!dense(first) || !(dense(others) && ...))
        return;
    const std::int64_t size = first.rows * first.columns;
    const auto flat = [size](View& view) {
        view.columns = size;
        view.stride = size;
        view.rows = 1;
    };
    flat(first);
    (flat(others), ...);
}

inline View viewOf(const FloatView& floats)
{
    return {floats.data, floats.rows, floats.columns, floats.columns, Type::Float32};
}

/// Launches Body<T, Lanes> with the widest lanes that `wide` allows.
template<template<typename, int> class Body, typename... Arguments>
void launchTyped(Type type, bool wideRows, std::int64_t rows, std::int64_t columns,
                 cudaStream_t stream, Arguments... arguments)
{
    const auto launch = [&](auto body) { launchEverywhere(rows, columns, body, stream); };
    using Half = __nv_bfloat16;
    if (type == Type::Float32) {
        if (wideRows)
            launch(Body<float, wideLanes<float>>{arguments...});
        else
            launch(Body<float, 1>{arguments...});
    } else if (wideRows) {
        launch(Body<Half, wideLanes<Half>>{arguments...});
    } else {
        launch(Body<Half, 1>{arguments...});
    }
}

} // namespace pw::exec::cuda

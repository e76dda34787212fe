// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/kernels.h"

#include <cstddef>
#include <cstdint>
#include <cuda_bf16.h>

// What the kernels share: vectors of 16 bytes, reductions over a row, and the choice between the
// kernel that reads vectors and the one that reads element by element.
namespace pw::exec::cuda {

constexpr int warpSize_ = 32;
constexpr int blockThreads = 256;
constexpr std::int64_t mostBlocksY = 65535; ///< limit of gridDim.y

/// Elements of T in an access of 16 bytes.
template<typename T>
constexpr int wideLanes = static_cast<int>(16 / sizeof(T));

/// Neighbouring elements that one thread loads and stores at once.
template<typename T, int Lanes>
struct alignas(sizeof(T) * Lanes < 16 ? sizeof(T) * Lanes : 16) Pack
{
    T lane[Lanes];
};

__device__ inline float toFloat(float value)
{
    return value;
}

__device__ inline float toFloat(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}

template<typename T>
__device__ inline T fromFloat(float value);

template<>
__device__ inline float fromFloat<float>(float value)
{
    return value;
}

template<>
__device__ inline __nv_bfloat16 fromFloat<__nv_bfloat16>(float value)
{
    return __float2bfloat16_rn(value);
}

/// Loads Lanes elements as floats.
template<int Lanes, typename T>
__device__ inline void load(const T* from, float (&value)[Lanes])
{
    const auto pack = *reinterpret_cast<const Pack<T, Lanes>*>(from);
#pragma unroll
    for (int i = 0; i < Lanes; ++i)
        value[i] = toFloat(pack.lane[i]);
}

/// Stores Lanes floats as elements.
template<int Lanes, typename T>
__device__ inline void store(T* to, const float (&value)[Lanes])
{
    Pack<T, Lanes> pack;
#pragma unroll
    for (int i = 0; i < Lanes; ++i)
        pack.lane[i] = fromFloat<T>(value[i]);
    *reinterpret_cast<Pack<T, Lanes>*>(to) = pack;
}

/// What is left of a number that is stored as an element.
template<typename T>
__device__ inline float roundedTo(float value)
{
    return toFloat(fromFloat<T>(value));
}

struct Sum
{
    static constexpr float none = 0.0F;
    __device__ static float of(float a, float b) { return a + b; }
};

/// Every lane of the warp gets the result. All lanes take part.
template<typename Rule>
__device__ inline float reduceWarp(float value)
{
#pragma unroll
    for (int distance = warpSize_ / 2; distance > 0; distance /= 2)
        value = Rule::of(value, __shfl_xor_sync(0xffffffffU, value, distance));
    return value;
}

/// Reduces over the Threads threads of a row, a warp or a whole block; every thread gets the
/// result, always combined in one order.
template<typename Rule, int Threads>
__device__ inline float reduceRow(float value)
{
    value = reduceWarp<Rule>(value);
    if constexpr (Threads > warpSize_) {
        constexpr int warps = Threads / warpSize_;
        __shared__ float ofWarp[warps];
        __syncthreads(); // the last reduction's values have been read
        if (threadIdx.x % warpSize_ == 0)
            ofWarp[threadIdx.x / warpSize_] = value;
        __syncthreads();
        value = ofWarp[0];
#pragma unroll
        for (int warp = 1; warp < warps; ++warp)
            value = Rule::of(value, ofWarp[warp]);
    }
    return value;
}

inline bool dividedBy16(const void* address)
{
    return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

/// Whether rows of the view can be read in vectors of 16 bytes.
inline bool wide(const View& view)
{
    const std::int64_t lanes = view.type == Type::Float32 ? 4 : 8;
    return view.data == nullptr || (dividedBy16(view.data) && view.columns % lanes == 0 &&
                                    (view.stride % lanes == 0 || view.rows <= 1));
}

inline bool dense(const View& view)
{
    return view.stride == view.columns || view.rows <= 1;
}

inline bool empty(const View& view)
{
    return view.rows <= 0 || view.columns <= 0;
}

inline std::int64_t ceilDivide(std::int64_t value, std::int64_t by)
{
    return (value + by - 1) / by;
}

inline std::int64_t least(std::int64_t a, std::int64_t b)
{
    return a < b ? a : b;
}

/// Row by row: narrow rows get a warp each, wide ones a block.
constexpr std::int64_t warpRowColumns = 1024;

struct RowLaunch
{
    dim3 grid;
    dim3 block;
    bool warpRows = false;
};

inline RowLaunch rowLaunch(std::int64_t rows, std::int64_t columns)
{
    constexpr std::int64_t mostBlocks = 1 << 20; // more rows are walked in strides
    RowLaunch launch;
    launch.warpRows = columns <= warpRowColumns;
    const int rowsOfBlock = launch.warpRows ? blockThreads / warpSize_ : 1;
    launch.block =
        launch.warpRows ? dim3(warpSize_, static_cast<unsigned>(rowsOfBlock)) : dim3(blockThreads);
    launch.grid = dim3(static_cast<unsigned>(least(ceilDivide(rows, rowsOfBlock), mostBlocks)));
    return launch;
}

/// Row at which a thread's walk begins, and its stride.
__device__ inline std::int64_t firstRow()
{
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
}

__device__ inline std::int64_t rowStride()
{
    return static_cast<std::int64_t>(gridDim.x) * blockDim.y;
}

} // namespace pw::exec::cuda

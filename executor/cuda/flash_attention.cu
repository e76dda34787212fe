// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/flash_backward.h"
#include "executor/cuda/flash_forward.h"
#include "executor/cuda/flash_tensor_backward.cuh"
#include "executor/cuda/flash_tensor_forward.cuh"
#include "executor/cuda/kernel_tools.cuh"

#include <type_traits>

// Attention that keeps no scores: on tensor cores where they can, else on CUDA cores, for which
// `flash_tiles.h` has what a block does.
namespace pw::exec::cuda {

namespace {

/// The threads of a block, and what each has of its own.
template<typename Own>
struct BlockThreads
{
    Own own;

    template<typename Work>
    __host__ __device__ void operator()(const Work& work)
    {
#if defined(__CUDA_ARCH__)
        work(static_cast<int>(threadIdx.x), own);
        __syncthreads();
#endif
    }
};

template<typename Tile, typename T>
__global__ void __launch_bounds__(Tile::threads) forwardTiles(FlashForwardCall<T> call, int tiles)
{
    __shared__ FlashForwardShared<Tile> shared;
    BlockThreads<FlashForwardOwn<Tile>> threads;
    flashForward<Tile>(call, FlashPlace::of(blockIdx.x, tiles, Tile::queryRows, call.heads), shared,
                       threads);
}

template<typename Tile, typename T>
__global__ void __launch_bounds__(Tile::threads) queryTiles(FlashBackwardCall<T> call, int tiles)
{
    __shared__ FlashBackwardShared<Tile> shared;
    BlockThreads<FlashQueryOwn<Tile>> threads;
    flashQueries<Tile>(call, FlashPlace::of(blockIdx.x, tiles, Tile::queryRows, call.heads), shared,
                       threads);
}

template<typename Tile, typename T>
__global__ void __launch_bounds__(Tile::threads) keyTiles(FlashBackwardCall<T> call, int tiles)
{
    __shared__ FlashBackwardShared<Tile> shared;
    BlockThreads<FlashKeyOwn<Tile>> threads;
    flashKeys<Tile>(call, FlashPlace::of(blockIdx.x, tiles, Tile::keyRows, call.heads), shared,
                    threads);
}

template<typename T>
FlashRows<T> rowsOf(const View& view)
{
    return {static_cast<T*>(view.data), view.stride};
}

template<typename T>
void setSides(const FlashAttention& what, FlashSides<T>& sides)
{
    sides.samples = what.samples;
    sides.heads = what.heads;
    sides.headSize = what.headSize;
    sides.queries = what.queries;
    sides.keys = what.keys;
    sides.before = what.before;
    sides.scale = what.scale;
    sides.first = what.first;
    sides.query = rowsOf<const T>(what.query);
    sides.key = rowsOf<const T>(what.key);
    sides.value = rowsOf<const T>(what.value);
    sides.logSum = what.logSum;
}

unsigned blocksOf(const FlashAttention& what, int tiles)
{
    return static_cast<unsigned>(tiles) * static_cast<unsigned>(what.heads) *
           static_cast<unsigned>(what.samples);
}

template<typename T>
FlashForwardCall<T> forwardCall(const FlashAttention& what, const View& out)
{
    FlashForwardCall<T> call;
    setSides(what, call);
    call.out = rowsOf<T>(out);
    return call;
}

template<typename T>
FlashBackwardCall<T> backwardCall(const FlashAttention& what, const FlashGradients& gradients)
{
    FlashBackwardCall<T> call;
    setSides(what, call);
    call.out = rowsOf<const T>(gradients.out);
    call.gradient = rowsOf<const T>(gradients.gradient);
    call.ofQuery = rowsOf<T>(gradients.ofQuery);
    call.ofKey = rowsOf<T>(gradients.ofKey);
    call.ofValue = rowsOf<T>(gradients.ofValue);
    call.adds = gradients.adds;
    call.slope = gradients.slope;
    return call;
}

template<int Depth, typename T>
void launchForward(const FlashAttention& what, View out, cudaStream_t stream)
{
    using Tile = typename FlashTiles<Depth>::Forward;
    const FlashForwardCall<T> call = forwardCall<T>(what, out);
    const int tiles = flashTileCount(what.queries, Tile::queryRows);
    forwardTiles<Tile, T><<<blocksOf(what, tiles), Tile::threads, 0, stream>>>(call, tiles);
}

template<int Depth, typename T>
void launchBackward(const FlashAttention& what, const FlashGradients& gradients,
                    cudaStream_t stream)
{
    using Tile = typename FlashTiles<Depth>::Backward;
    const FlashBackwardCall<T> call = backwardCall<T>(what, gradients);
    const int ofQueries = flashTileCount(what.queries, Tile::queryRows);
    const int ofKeys = flashTileCount(what.keys, Tile::keyRows);
    queryTiles<Tile, T><<<blocksOf(what, ofQueries), Tile::threads, 0, stream>>>(call, ofQueries);
    keyTiles<Tile, T><<<blocksOf(what, ofKeys), Tile::threads, 0, stream>>>(call, ofKeys);
}

/// Calls `launch` with the depth and a number of the type that fit.
template<typename Launch>
void byDepthAndType(const FlashAttention& what, Launch launch)
{
    const auto byType = [&](auto depth) {
        if (what.query.type == Type::Float32)
            launch(depth, float{});
        else
            launch(depth, __nv_bfloat16{});
    };
    if (what.headSize <= 64)
        byType(std::integral_constant<int, 64>{});
    else if (what.headSize <= 128)
        byType(std::integral_constant<int, 128>{});
    else
        byType(std::integral_constant<int, 256>{});
}

template<int Depth>
void launchTensorForward(const FlashAttention& what, View out, cudaStream_t stream)
{
    using Tile = TensorTile<Depth>;
    const FlashForwardCall<Half> call = forwardCall<Half>(what, out);
    const int tiles = flashTileCount(what.queries, Tile::ownRows);
    tensorForward<Depth><<<blocksOf(what, tiles), Tile::threads, 0, stream>>>(call, tiles);
}

template<int Depth>
void launchTensorBackward(const FlashAttention& what, const FlashGradients& gradients,
                          cudaStream_t stream)
{
    using Tile = TensorTile<Depth>;
    const FlashBackwardCall<Half> call = backwardCall<Half>(what, gradients);
    const int ofQueries = flashTileCount(what.queries, Tile::ownRows);
    const int ofKeys = flashTileCount(what.keys, Tile::ownRows);
    tensorQueries<Depth><<<blocksOf(what, ofQueries), Tile::threads, 0, stream>>>(call, ofQueries);
    tensorKeys<Depth><<<blocksOf(what, ofKeys), Tile::threads, 0, stream>>>(call, ofKeys);
}

/// Calls `launch` with the depth on tensor cores that fits.
template<typename Launch>
void byTensorDepth(int headSize, Launch launch)
{
    if (headSize <= 32)
        launch(std::integral_constant<int, 32>{});
    else if (headSize <= 64)
        launch(std::integral_constant<int, 64>{});
    else if (headSize <= 96)
        launch(std::integral_constant<int, 96>{});
    else
        launch(std::integral_constant<int, 128>{});
}

/// Whether the code that runs on the current GPU was compiled for one with tensor cores.
bool hasTensorKernels()
{
    constexpr int first = 80; // compute capability 8.0
    thread_local int asked = -1;
    thread_local bool has = false;
    int gpu = -1;
    if (cudaGetDevice(&gpu) != cudaSuccess)
        return false;
    if (gpu != asked) {
        cudaFuncAttributes attributes{};
        const auto* const kernel = reinterpret_cast<const void*>(&tensorForward<32>);
        has = cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess &&
              attributes.ptxVersion >= first;
        asked = gpu;
    }
    return has;
}

template<typename... Views>
bool onTensorCores(const FlashAttention& what, const Views&... views)
{
    return what.tensorCores && flashOnTensorCores(what.query.type, what.headSize) &&
           wide(what.query) && wide(what.key) && wide(what.value) && (wide(views) && ...);
}

} // namespace

bool flashOnTensorCores(Type type, int headSize)
{
    return type == Type::BFloat16 && headSize % 16 == 0 && headSize <= widestTensorHead &&
           hasTensorKernels();
}

void launchFlashAttention(const FlashAttention& what, View out, cudaStream_t stream)
{
    if (empty(out) || what.keys <= 0)
        return;
    if (onTensorCores(what, out)) {
        byTensorDepth(what.headSize, [&](auto depth) {
            launchTensorForward<decltype(depth)::value>(what, out, stream);
        });
        return;
    }
    byDepthAndType(what, [&](auto depth, auto number) {
        launchForward<decltype(depth)::value, decltype(number)>(what, out, stream);
    });
}

void launchFlashAttentionBackward(const FlashAttention& what, const FlashGradients& gradients,
                                  cudaStream_t stream)
{
    if (empty(gradients.ofQuery) || what.keys <= 0)
        return;
    if (onTensorCores(what, gradients.out, gradients.gradient, gradients.ofQuery, gradients.ofKey,
                      gradients.ofValue)) {
        byTensorDepth(what.headSize, [&](auto depth) {
            launchTensorBackward<decltype(depth)::value>(what, gradients, stream);
        });
        return;
    }
    byDepthAndType(what, [&](auto depth, auto number) {
        launchBackward<decltype(depth)::value, decltype(number)>(what, gradients, stream);
    });
}

} // namespace pw::exec::cuda

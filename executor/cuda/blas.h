// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/kernels.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <memory>

namespace pw::exec::cuda {

/// A factor of a product: rows of elements, `stride` apart, read as they are or transposed.
struct Factor
{
    const void* data = nullptr;
    std::int64_t stride = 0;
    bool transposed = false;
    std::int64_t next = 0; ///< elements to the same factor of the next of several products
};

/// Where a product goes: rows × columns, summed over `inner`.
struct Product
{
    void* data = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t inner = 0;
    std::int64_t stride = 0;
    Type type = Type::Float32;
    bool adds = false;     ///< to what stands there
    int count = 1;         ///< of products side by side
    std::int64_t next = 0; ///< elements to the next
};

/// How 32-bit factors are multiplied.
enum class Products : bool
{
    Full,
    Tf32 ///< factors rounded to 10 bits of mantissa, on tensor cores
};

/// cuBLAS on one stream, for matrices that lie row after row. Sums are 32-bit floats, whatever the
/// factors. Equal calls give equal bits.
class Blas
{
public:
    /// @param multiprocessors  that the stream's work runs on
    /// @throws DeviceError
    Blas(cudaStream_t stream, int multiprocessors, Products products);
    ~Blas();
    Blas(const Blas&) = delete;
    Blas& operator=(const Blas&) = delete;

    /// Leaves everything to the end of the process: the device may still be at work.
    void abandon() noexcept;

    /// out = a · b, or out += a · b; factors are of one type.
    /// @throws DeviceError
    void multiply(Type type, Factor a, Factor b, Product out);

private:
    struct HandleEnd
    {
        void operator()(cublasHandle_t handle) const noexcept;
    };
    struct MemoryEnd
    {
        void operator()(void* memory) const noexcept;
    };

    cudaStream_t m_stream;
    std::unique_ptr<void, MemoryEnd> m_workspace; ///< outlives the handle
    std::unique_ptr<cublasContext, HandleEnd> m_handle;
};

/// A product as a launch like others; the stream is the library's own.
inline void launchProduct(Blas* blas, Type type, Factor a, Factor b, Product out, cudaStream_t)
{
    blas->multiply(type, a, b, out);
}

} // namespace pw::exec::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_gemm.h"

#include "core/system/modules.h"
#include "core/system/process.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/cpu/vectors.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#if defined(PW_BLAS_DNNL)
#include <dnnl.h>
#include <mutex>
#include <new>
#elif defined(PW_BLAS_OPENBLAS)
#include <cblas.h>
#endif

namespace pw::exec {

namespace cpu {

namespace {

/// b as rows that lie one behind the other, so that loops run along them; itself where it does.
class UprightRows
{
public:
    UprightRows(Factor b, std::int64_t inner, std::int64_t columns)
        : m_data(b.data)
        , m_stride(b.stride)
    {
        if (b.transpose == Transpose::No)
            return;
        float* rows = m_small;
        if (inner * columns > smallest) {
            m_large.resize(static_cast<std::size_t>(inner * columns));
            rows = m_large.data();
        }
        for (std::int64_t j = 0; j < columns; ++j) {
            for (std::int64_t k = 0; k < inner; ++k)
                rows[k * columns + j] = b.data[j * b.stride + k];
        }
        m_data = rows;
        m_stride = columns;
    }
    UprightRows(const UprightRows&) = delete;
    UprightRows& operator=(const UprightRows&) = delete;

    const float* row(std::int64_t k) const { return m_data + k * m_stride; }

private:
    static constexpr std::int64_t smallest = 1024;

    const float* m_data = nullptr;
    std::int64_t m_stride = 0;
    std::vector<float> m_large;
    float m_small[smallest];
};

/// True where nothing is left to add up; then `out` is what it has to be.
bool settled(ProductShape shape, Into into, float* out, std::int64_t stride)
{
    if (shape.rows <= 0 || shape.columns <= 0)
        return true;
    if (shape.inner > 0)
        return false;
    for (std::int64_t i = 0; into == Into::Nothing && i < shape.rows; ++i)
        std::fill_n(out + i * stride, shape.columns, 0.0F);
    return true;
}

} // namespace

void multiplyPlain(ProductShape shape, float scale, Factor a, Factor b, Into into, float* out,
                   std::int64_t stride)
{
    if (settled(shape, into, out, stride))
        return;
    const UprightRows rows(b, shape.inner, shape.columns);
    const std::int64_t alongRow = a.transpose == Transpose::No ? a.stride : 1;
    const std::int64_t alongSum = a.transpose == Transpose::No ? 1 : a.stride;
    for (std::int64_t i = 0; i < shape.rows; ++i) {
        float* sums = out + i * stride;
        const float* factors = a.data + i * alongRow;
        if (into == Into::Nothing)
            std::fill_n(sums, shape.columns, 0.0F);
        std::int64_t k = 0;
        for (; k + 4 <= shape.inner; k += 4) {
            const float f0 = scale * factors[k * alongSum];
            const float f1 = scale * factors[(k + 1) * alongSum];
            const float f2 = scale * factors[(k + 2) * alongSum];
            const float f3 = scale * factors[(k + 3) * alongSum];
            const float* r0 = rows.row(k);
            const float* r1 = rows.row(k + 1);
            const float* r2 = rows.row(k + 2);
            const float* r3 = rows.row(k + 3);
            PW_INDEPENDENT
            for (std::int64_t j = 0; j < shape.columns; ++j)
                sums[j] += (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
        }
        for (; k < shape.inner; ++k) {
            const float factor = scale * factors[k * alongSum];
            const float* row = rows.row(k);
            PW_INDEPENDENT
            for (std::int64_t j = 0; j < shape.columns; ++j)
                sums[j] += factor * row[j];
        }
    }
}

#if defined(PW_BLAS_DNNL)

namespace {

/// Below so many multiplications a call of the library takes longer than the loops.
constexpr std::int64_t smallProduct = 512;

/// Keeps oneDNN on the calling thread. Its Debian package shares the work out among the threads of
/// the OpenMP library that it brings; how many is each thread's own setting there.
void stayOnThisThread()
{
    using SetThreads = void (*)(int);
    static const auto setThreads =
        reinterpret_cast<SetThreads>(sys::symbolOfAll("omp_set_num_threads"));
    if (setThreads != nullptr)
        setThreads(1);
}

} // namespace

Result<void> prepareProducts()
{
    static std::once_flag once;
    static std::atomic<bool> prepared{false};
    if (prepared)
        return {};
    constexpr std::int64_t room = 32 << 20; // of which oneDNN 2.6 takes a fifth
    if (const std::int64_t left = sys::addressesLeft(); left < room)
        return fail(ErrorCode::Fault,
                    "out of memory: the limit of this process (ulimit -v) leaves %1 KiB, and "
                    "products on the CPU need %2 KiB to begin with",
                    std::max<std::int64_t>(left, 0) / 1024, room / 1024);
    std::call_once(once, [] {
        // Not known to the compiler, which would make loops of this size alone, and warn of them.
        const volatile std::int64_t given = 64;
        const std::int64_t side = given;
        const std::vector<float> ones(static_cast<std::size_t>(side * side), 1.0F);
        std::vector<float> product(static_cast<std::size_t>(side * side));
        for (const Transpose first : {Transpose::No, Transpose::Yes})
            for (const Transpose second : {Transpose::No, Transpose::Yes})
                for (const Into into : {Into::Nothing, Into::Sum})
                    multiply({side, side, side}, 1.0F, {ones.data(), side, first},
                             {ones.data(), side, second}, into, product.data(), side);
    });
    prepared = true;
    return {};
}

void multiply(ProductShape shape, float scale, Factor a, Factor b, Into into, float* out,
              std::int64_t stride)
{
    if (shape.rows * shape.columns * shape.inner <= smallProduct)
        return multiplyPlain(shape, scale, a, b, into, out, stride);
    stayOnThisThread();
    const dnnl_status_t status = dnnl_sgemm(
        a.transpose == Transpose::No ? 'N' : 'T', b.transpose == Transpose::No ? 'N' : 'T',
        shape.rows, shape.columns, shape.inner, scale, a.data, a.stride, b.data, b.stride,
        into == Into::Sum ? 1.0F : 0.0F, out, stride);
    if (status == dnnl_out_of_memory)
        throw std::bad_alloc();
    if (status != dnnl_success)
        throw DeviceError("oneDNN's sgemm of " + std::to_string(shape.rows) + "×" +
                          std::to_string(shape.inner) + "×" + std::to_string(shape.columns) +
                          " returned status " + std::to_string(static_cast<int>(status)));
}

#elif defined(PW_BLAS_OPENBLAS)

Result<void> prepareProducts()
{
    return {};
}

void multiply(ProductShape shape, float scale, Factor a, Factor b, Into into, float* out,
              std::int64_t stride)
{
    if (settled(shape, into, out, stride))
        return;
    static const bool onThisThread = [] {
        openblas_set_num_threads(1);
        return true;
    }();
    static_cast<void>(onThisThread);
    auto turned = [](Factor factor) {
        return factor.transpose == Transpose::No ? CblasNoTrans : CblasTrans;
    };
    auto narrow = [](std::int64_t length) { return static_cast<int>(length); };
    cblas_sgemm(CblasRowMajor, turned(a), turned(b), narrow(shape.rows), narrow(shape.columns),
                narrow(shape.inner), scale, a.data, narrow(a.stride), b.data, narrow(b.stride),
                into == Into::Sum ? 1.0F : 0.0F, out, narrow(stride));
}

#else

Result<void> prepareProducts()
{
    return {};
}

void multiply(ProductShape shape, float scale, Factor a, Factor b, Into into, float* out,
              std::int64_t stride)
{
    multiplyPlain(shape, scale, a, b, into, out, stride);
}

#endif

} // namespace cpu

std::string_view cpuMathLibrary()
{
    static const std::string named = [] {
#if defined(PW_BLAS_DNNL)
        const dnnl_version_t* version = dnnl_version();
        return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) +
               "." + std::to_string(version->patch);
#elif defined(PW_BLAS_OPENBLAS)
        // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …": name and version are enough.
        const std::string config = openblas_get_config();
        return config.substr(0, config.find(' ', config.find(' ') + 1));
#else
        return std::string("own loops");
#endif
    }();
    return named;
}

} // namespace pw::exec

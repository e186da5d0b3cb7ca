// The same from OpenCL's source: from building the program on. The context, the
// queue and the buffers are there.
#include "first.h"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cstdlib>
#include <vector>

static const char *Source = R"(
kernel void saxpy(int n, float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  if (i < (size_t)n)
    y[i] += a * x[i];
}
)";

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  std::exit(1);
}

int main() {
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, nullptr), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr),
        "device");
  cl_context context =
      clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  std::vector<float> ones(Count, 1.0f);
  auto buffer = [&] {
    cl_mem made =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       Count * sizeof(float), ones.data(), &status);
    check(status, "buffer");
    return made;
  };
  cl_mem x = buffer(), y = buffer();
  measure([&] {
    cl_program program =
        clCreateProgramWithSource(context, 1, &Source, nullptr, &status);
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "build");
    cl_kernel kernel = clCreateKernel(program, "saxpy", &status);
    check(status, "kernel");
    const int n = Count;
    const float a = 2;
    clSetKernelArg(kernel, 0, sizeof(n), &n);
    clSetKernelArg(kernel, 1, sizeof(a), &a);
    clSetKernelArg(kernel, 2, sizeof(x), &x);
    clSetKernelArg(kernel, 3, sizeof(y), &y);
    const size_t global = Count, local = 256;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0,
                                 nullptr, nullptr),
          "launch");
    check(clFinish(queue), "finish");
  });
  check(clEnqueueReadBuffer(queue, y, CL_TRUE, 0, Count * sizeof(float),
                            ones.data(), 0, nullptr, nullptr),
        "read");
  return ones[Count - 1] != 3;
}

// std::pmr on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of <memory_resource> that libstdc++ defines in its library: the
// standard resources, and the buffers of monotonic resources. The layouts and
// the order of virtual functions are the header's. A buffer requests the same
// sizes from its upstream resource as on the host. Pools are missing.

using size_t = decltype(sizeof 0);

namespace std {
enum class align_val_t : size_t {};
[[noreturn]] void __throw_bad_alloc();
} // namespace std
void *operator new(size_t size, std::align_val_t alignment);
void operator delete(void *at, size_t size,
                     std::align_val_t alignment) noexcept;

namespace std::pmr {

// NOLINTNEXTLINE(readability-identifier-naming)
class memory_resource {
public:
  constexpr memory_resource() = default;
  virtual ~memory_resource();
  virtual void *do_allocate(size_t size, size_t alignment) = 0;
  virtual void do_deallocate(void *at, size_t size, size_t alignment) = 0;
  virtual bool do_is_equal(const memory_resource &other) const noexcept = 0;
};
memory_resource::~memory_resource() = default;

namespace {

class NewDelete final : public memory_resource {
  void *do_allocate(size_t size, size_t alignment) override {
    return ::operator new(size, align_val_t(alignment));
  }
  void do_deallocate(void *at, size_t size, size_t alignment) override {
    ::operator delete(at, size, align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return &other == this;
  }
};

class Null final : public memory_resource {
  void *do_allocate(size_t, size_t) override { __throw_bad_alloc(); }
  void do_deallocate(void *, size_t, size_t) override {}
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return &other == this;
  }
};

[[clang::no_destroy]] constinit NewDelete newDelete;
[[clang::no_destroy]] constinit Null null;
constinit memory_resource *chosen = nullptr; ///< null: newDelete

} // namespace

memory_resource *new_delete_resource() noexcept { return &newDelete; }
memory_resource *null_memory_resource() noexcept { return &null; }
memory_resource *get_default_resource() noexcept {
  memory_resource *now = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);
  return now ? now : &newDelete;
}
memory_resource *set_default_resource(memory_resource *wanted) noexcept {
  memory_resource *before =
      __atomic_exchange_n(&chosen, wanted, __ATOMIC_ACQ_REL);
  return before ? before : &newDelete;
}

// NOLINTNEXTLINE(readability-identifier-naming)
class monotonic_buffer_resource : public memory_resource {
public:
  ~monotonic_buffer_resource() override;

protected:
  void *do_allocate(size_t size, size_t alignment) override {
    size += !size;
    size_t at =
        (reinterpret_cast<size_t>(current) + alignment - 1) & -alignment;
    size_t lost = at - reinterpret_cast<size_t>(current);
    if (lost + size < size || lost + size > available) {
      _M_new_buffer(size, alignment);
      lost = 0;
    }
    char *result = static_cast<char *>(current) + lost;
    current = result + size;
    available -= lost + size;
    return result;
  }
  void do_deallocate(void *, size_t, size_t) override {}
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }

private:
  void _M_new_buffer(size_t size, size_t alignment);
  void _M_release_buffers() noexcept;

  /// Stands at the end of each buffer, whose size is a multiple of 64.
  class Chunk {
  public:
    size_t size : 58, logOfAlignment : 6; ///< size: in units of 64 bytes
    Chunk *next;
  };
  void *current;
  size_t available, nextSize;
  memory_resource *const upstream = nullptr;
  [[maybe_unused]] void *const firstBuffer = nullptr;
  [[maybe_unused]] const size_t firstSize = 0;
  Chunk *head;
};

monotonic_buffer_resource::~monotonic_buffer_resource() {
  _M_release_buffers();
}

void monotonic_buffer_resource::_M_new_buffer(size_t size, size_t alignment) {
  constexpr size_t least =
      alignof(long double) > 16 ? alignof(long double) : 16;
  size_t wanted = size > nextSize ? size : nextSize;
  const size_t aligned = (alignment + least - 1) & -least;
  size_t all = (wanted + sizeof(Chunk) + 63) & -size_t(64);
  if (all < wanted) // overflow: operator new reports it
    all = -size_t(64);
  void *made = upstream->do_allocate(all, aligned);
  auto *chunk = reinterpret_cast<Chunk *>(static_cast<char *>(made) + all) - 1;
  chunk->size = all / 64;
  chunk->logOfAlignment = size_t(__builtin_ctzll(aligned));
  chunk->next = head;
  head = chunk;
  current = made;
  available = all - sizeof(Chunk);
  nextSize = size_t(float(nextSize) * 1.5f);
}

void monotonic_buffer_resource::_M_release_buffers() noexcept {
  for (Chunk *next = head; next;) {
    const Chunk chunk = *next;
    upstream->do_deallocate(reinterpret_cast<char *>(next + 1) -
                                chunk.size * 64,
                            chunk.size * 64, size_t(1) << chunk.logOfAlignment);
    next = chunk.next;
  }
  head = nullptr;
}

} // namespace std::pmr

// The RPC server library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on a device calls functions of the host: a call has an opcode, the host
// registers a callback for it, and a server serves one device. What lies in
// between is rpc/protocol.h; docs/rpc.md explains both.
//
//     xcc_rpc_init();
//     xcc_rpc_register(XCC_RPC_OPCODE(0x1234, 0), answer, &state);
//     xcc_rpc_server_create(&options, &server);
//     xcc_rpc_server_start(server);
//     ... xcc_rpc_server_client(server, &info) is what the device needs ...
//     xcc_rpc_server_destroy(server);
//     xcc_rpc_shutdown();
//
// Every function may be called from any thread at any time unless its comment
// says otherwise, and says what went wrong by its status. A server's threads do
// not go along with a fork: in the child its functions are XCC_RPC_FORKED, and
// the child may create servers of its own.

#ifndef XCC_RPC_H
#define XCC_RPC_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define XCC_RPC_API __attribute__((visibility("default")))
#else
#define XCC_RPC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Statuses

/// What a call came to. The numbers are stable.
typedef enum xcc_rpc_status {
  XCC_RPC_SUCCESS = 0,
  XCC_RPC_NOT_INITIALIZED = 1, ///< xcc_rpc_init has not been called
  XCC_RPC_INVALID_VALUE = 2,   ///< an argument is not usable
  XCC_RPC_OUT_OF_MEMORY = 3,   ///< also: an allocation callback gave null
  XCC_RPC_OPCODE_TAKEN = 4,    ///< somebody has registered it
  XCC_RPC_NO_SUCH_OPCODE = 5,  ///< nobody has registered it
  XCC_RPC_BUSY = 6,            ///< in use; or all ports are taken
  XCC_RPC_CLOSED = 7,          ///< the other side has ended the call
  XCC_RPC_CUT = 8,             ///< the client kept the server waiting
  XCC_RPC_BAD_MESSAGE = 9,     ///< no lanes, or more bytes than allowed
  XCC_RPC_WRONG_MEMORY = 10,   ///< not a server's memory, or another version
  XCC_RPC_SYSTEM = 11,         ///< the operating system refused something
  XCC_RPC_FORKED = 12,         ///< it belongs to the process that forked
  XCC_RPC_STATUS_32_BITS = 0x7fffffff ///< none: fixes the type's range
} xcc_rpc_status;

/// A sentence about the status; a static string, for any number.
XCC_RPC_API const char *xcc_rpc_status_string(xcc_rpc_status status);

// Opcodes

/// 0 is no opcode; 1 to 0x7fff are xcc's own services. The others belong to
/// vendors, 65536 to each: choose a number above 0 for your library (its
/// name's checksum, say) and count within it. 0x8000 to 0xffff, vendor 0, are
/// for experiments.
#define XCC_RPC_OPCODE(vendor, number)                                         \
  ((uint32_t)(vendor) << 16 | (uint32_t)(number))
#define XCC_RPC_FIRST_USER_OPCODE 0x8000u

/// A call, as a callback sees it; valid until the callback returns.
typedef struct xcc_rpc_port xcc_rpc_port;

/// Serves one call. Runs outside of any lock, on a thread of the server or of
/// whoever calls xcc_rpc_server_handle, and at the same time as others. It may
/// block; it must not throw. When it returns the call is over.
typedef void (*xcc_rpc_callback)(xcc_rpc_port *port, void *user);

// The library

/// These count: the last shutdown forgets what was registered. It is refused
/// (XCC_RPC_BUSY) while there are servers.
XCC_RPC_API xcc_rpc_status xcc_rpc_init(void);
XCC_RPC_API xcc_rpc_status xcc_rpc_shutdown(void);

/// For all servers. Refused when somebody has the opcode (XCC_RPC_OPCODE_TAKEN),
/// and when it is below XCC_RPC_FIRST_USER_OPCODE (XCC_RPC_INVALID_VALUE).
XCC_RPC_API xcc_rpc_status xcc_rpc_register(uint32_t opcode,
                                            xcc_rpc_callback callback,
                                            void *user);
/// Calls that have begun still end in the callback; to be sure that none runs,
/// stop the servers first.
XCC_RPC_API xcc_rpc_status xcc_rpc_unregister(uint32_t opcode);

// Servers

/// Serves the calls of one device, or of the processes that share its memory.
typedef struct xcc_rpc_server xcc_rpc_server;

enum {
  /// The clients are threads of this machine and wake the server; without it,
  /// they are a GPU, and the server looks for calls while kernels run.
  XCC_RPC_CLIENTS_WAKE = 1,
  /// The memory is shared with other processes, which come and go
  /// (xcc_rpc_client_attach). Implies XCC_RPC_CLIENTS_WAKE.
  XCC_RPC_PROCESS_SHARED = 2
};

/// Zero is a good value for everything but the first three.
typedef struct xcc_rpc_server_options {
  size_t size;    ///< sizeof(xcc_rpc_server_options)
  uint32_t ports; ///< calls in progress at a time, 1 to 4096
  uint32_t lanes; ///< threads that may share a call: 1, 32 or 64
  uint32_t flags;
  uint32_t threads;     ///< that look for calls; 0: one
  uint32_t max_threads; ///< with those busy in callbacks; 0: 64
  uint32_t patience_ms; ///< how long others wait for a callback that waits for
                        ///< its client, and stop() for it; 0: 1000
  uint64_t max_stream;  ///< bytes one xcc_rpc_recv_n takes; 0: 256 MiB
  /// Memory visible to both sides, zeroed by the server: allocated by these
  /// functions, or given; aligned to 128 bytes. Null: malloc's. Of given memory
  /// that holds a server's state already, the server takes up the work.
  void *(*allocate)(size_t size, void *context);
  void (*free)(void *memory, size_t size, void *context);
  void *context;
  void *memory;
  size_t memory_size;
  /// Called by each thread that the server starts, first and last; null: by
  /// none.
  void (*thread_begins)(void *context);
  void (*thread_ends)(void *context);
  /// Called for each call before its callback; null: nothing is.
  void (*called)(void *context);
} xcc_rpc_server_options;

/// Bytes of shared memory for a server; 0 when it cannot be.
XCC_RPC_API size_t xcc_rpc_memory_size(uint32_t ports, uint32_t lanes);

/// Makes a server, which serves nothing before xcc_rpc_server_start or
/// xcc_rpc_server_handle. Needs xcc_rpc_init.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_create(
    const xcc_rpc_server_options *options, xcc_rpc_server **server);

/// Stops it, and serves on the calling thread what clients had sent before, for
/// the patience at most; given memory keeps that for the next server instead.
/// No client may use the memory any more, unless it was given; no other
/// function may be called with this server. Null is ignored. XCC_RPC_BUSY, and
/// nothing happens, in a callback of this server; in a forked child
/// XCC_RPC_FORKED: what the server has goes with the process.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_destroy(xcc_rpc_server *server);

/// Like xcc_rpc_register, for this server alone; looked up first.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_register(xcc_rpc_server *server,
                                                   uint32_t opcode,
                                                   xcc_rpc_callback callback,
                                                   void *user);
XCC_RPC_API xcc_rpc_status xcc_rpc_server_unregister(xcc_rpc_server *server,
                                                     uint32_t opcode);

/// Serves on threads of its own, until stopped. Clients may call before; they
/// wait. Starting twice is XCC_RPC_BUSY.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_start(xcc_rpc_server *server);
/// Returns when the calls being served have ended; others wait until the next
/// start. XCC_RPC_BUSY in a callback of this server, which could not end.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_stop(xcc_rpc_server *server);

/// Returns when everything that clients had sent is served, by the server's
/// threads or, started or not, by this one: also what nobody waits for. Calls
/// whose callbacks wait for their clients go on. XCC_RPC_BUSY in a callback of
/// this server.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_drain(xcc_rpc_server *server);

/// Serves what is pending now, on the calling thread. *handled (may be null)
/// is how many calls that was. A callback that waits for its client longer than
/// the patience is cut.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_handle(xcc_rpc_server *server,
                                                 uint32_t *handled);

/// Around each kernel that may call, for clients that cannot wake: outside, the
/// server sleeps. After end, it still serves what the kernel left.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_begin_kernel(xcc_rpc_server *server);
XCC_RPC_API xcc_rpc_status xcc_rpc_server_end_kernel(xcc_rpc_server *server);

/// What a client is made of: rpc::ClientDescriptor, and the size of the zeroed
/// memory that only the client touches (a device: in its own memory).
typedef struct xcc_rpc_client_info {
  void *shared;
  size_t shared_size;
  size_t local_size;
  uint32_t ports, lanes;
} xcc_rpc_client_info;

/// What the device needs to make calls: copy it there before kernels start.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_client(xcc_rpc_server *server,
                                                 xcc_rpc_client_info *info);

/// After the device was lost with calls in progress: the initial state again.
/// XCC_RPC_BUSY unless stopped; the client's memory is to be zeroed too.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_reset(xcc_rpc_server *server);

/// Takes back the ports of processes that died, and says how many (may be
/// null); what they had called is served. Servers with threads do this while
/// there are calls, and when a process finds no free ports.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_reclaim(xcc_rpc_server *server,
                                                  uint32_t *ports);

// In callbacks

/// What the call asks for.
XCC_RPC_API uint32_t xcc_rpc_port_opcode(const xcc_rpc_port *port);

/// Bit l: lane l takes part, and has a packet. Lanes can leave at a receive.
XCC_RPC_API uint64_t xcc_rpc_port_lanes(const xcc_rpc_port *port);

/// The server that the call came to.
XCC_RPC_API xcc_rpc_server *xcc_rpc_port_server(const xcc_rpc_port *port);

/// Called with each lane's packet, 64 bytes, in lane order.
typedef void (*xcc_rpc_packet_function)(void *packet, uint32_t lane,
                                        void *context);

/// Waits for the client's packets, first giving it the turn where that is due.
/// XCC_RPC_CLOSED when it has ended the call, XCC_RPC_CUT when it keeps others
/// waiting: return then. After the first failure all fail alike. The packets
/// are a copy, which stays as it is until the next receive.
XCC_RPC_API xcc_rpc_status xcc_rpc_recv(xcc_rpc_port *port,
                                        xcc_rpc_packet_function use,
                                        void *context);
/// Sends the packets, as they are but for what fill (may be null) does.
XCC_RPC_API xcc_rpc_status xcc_rpc_send(xcc_rpc_port *port,
                                        xcc_rpc_packet_function fill,
                                        void *context);
/// Receives, lets work change the packets in place, and sends them back.
XCC_RPC_API xcc_rpc_status xcc_rpc_recv_and_send(xcc_rpc_port *port,
                                                 xcc_rpc_packet_function work,
                                                 void *context);

/// Where to put the bytes of a lane; null fails with XCC_RPC_OUT_OF_MEMORY.
typedef void *(*xcc_rpc_allocate_function)(uint64_t size, uint32_t lane,
                                           void *context);
/// Receives what the client sends with send_n. data and sizes (may be null) are
/// indexed by lane; entries of lanes that take no part are left alone. On
/// failure, data holds what was allocated, for the caller to free.
XCC_RPC_API xcc_rpc_status xcc_rpc_recv_n(xcc_rpc_port *port, void **data,
                                          uint64_t *sizes,
                                          xcc_rpc_allocate_function allocate,
                                          void *context);
/// Sends what the client receives with recv_n; indexed by lane.
XCC_RPC_API xcc_rpc_status xcc_rpc_send_n(xcc_rpc_port *port,
                                          const void *const *data,
                                          const uint64_t *sizes);

/// Says that this thread is about to wait for something that may need the
/// server: another lock's owner, a kernel, a call. On a thread of a server, in
/// a callback, another one looks for calls meanwhile, at once instead of after
/// some milliseconds; anywhere else nothing happens. Calls that a callback
/// makes say so by themselves. Nonzero when calls were served here and now (in a
/// callback that xcc_rpc_server_handle runs, of a server without threads): look
/// again whether there is still something to wait for.
XCC_RPC_API int xcc_rpc_will_wait(void);

// Clients of this or another process

/// Makes calls of the host's own code, through ports of a server that it has.
typedef struct xcc_rpc_client xcc_rpc_client;

/// Takes 32 ports of a server (or as many as it has) until detached; when the
/// process dies, the server takes them back. A forked child attaches anew: what
/// it calls with its parent's client is XCC_RPC_FORKED. XCC_RPC_BUSY when all
/// are taken. memory is a server's with XCC_RPC_PROCESS_SHARED, and stays
/// mapped. Needs no xcc_rpc_init. Processes in one PID namespace.
XCC_RPC_API xcc_rpc_status xcc_rpc_client_attach(void *memory, size_t size,
                                                 xcc_rpc_client **client);
/// With no call in progress. Null is ignored.
XCC_RPC_API void xcc_rpc_client_detach(xcc_rpc_client *client);

/// One round trip of one lane: up to 64 bytes there, and back into reply (may
/// be null).
XCC_RPC_API xcc_rpc_status xcc_rpc_client_call(xcc_rpc_client *client,
                                               uint32_t opcode,
                                               const void *request, size_t size,
                                               void *reply, size_t reply_size);
/// send_n, then recv_n into what allocate (with lane 0) returns.
XCC_RPC_API xcc_rpc_status xcc_rpc_client_call_n(
    xcc_rpc_client *client, uint32_t opcode, const void *request, uint64_t size,
    xcc_rpc_allocate_function allocate, void *context);

#ifdef __cplusplus
}
#endif
#endif // XCC_RPC_H

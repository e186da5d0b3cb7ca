// The RPC server library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on a device calls functions of the host. A call has an opcode, the host
// registers a callback for each opcode, and a server serves one device.
// rpc/protocol.h is the protocol between them; docs/rpc.md explains both.
//
//     xcc_rpc_init();
//     xcc_rpc_register(XCC_RPC_OPCODE(0x1234, 0), answer, &state);
//     xcc_rpc_server_create(&options, &server);
//     xcc_rpc_server_start(server);
//     ... xcc_rpc_server_client(server, &info) is what the device needs ...
//     xcc_rpc_server_destroy(server);
//     xcc_rpc_shutdown();
//
// Errors. Functions return a status. After a fork the child has none of a
// server's threads: there the server's functions return XCC_RPC_FORKED, and the
// child may create servers of its own.
//
// Threads. Any thread may call any function at any time, unless its comment
// says otherwise.
//
// Parameters. Comments do not repeat the following.
// * server, client: an object of this library. The call that makes one returns
//   it to the caller, who destroys or detaches it.
// * port: the call that a callback serves; the library owns it.
// * opcode: a value of XCC_RPC_OPCODE.
// * user, context: passed on to the callback; it stays the caller's.
// * size, reply_size, sizes: bytes.
// * options: read before the call returns.

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

/// The result of a call. The numbers are stable.
typedef enum xcc_rpc_status {
  XCC_RPC_SUCCESS = 0,
  XCC_RPC_NOT_INITIALIZED = 1, ///< xcc_rpc_init has not been called
  XCC_RPC_INVALID_VALUE = 2,   ///< an argument is not usable
  XCC_RPC_OUT_OF_MEMORY = 3,   ///< also: an allocation callback gave null
  XCC_RPC_OPCODE_TAKEN = 4,    ///< the opcode is registered already
  XCC_RPC_NO_SUCH_OPCODE = 5,  ///< the opcode is not registered
  XCC_RPC_BUSY = 6,            ///< in use; or all ports are taken
  XCC_RPC_CLOSED = 7,          ///< the other side has ended the call
  XCC_RPC_CUT = 8,             ///< the client kept the server waiting
  XCC_RPC_BAD_MESSAGE = 9,     ///< no lanes, or too many bytes
  XCC_RPC_WRONG_MEMORY = 10,   ///< not a server's memory, or another version
  XCC_RPC_SYSTEM = 11,         ///< the operating system refused something
  XCC_RPC_FORKED = 12,         ///< the object belongs to the parent process
  XCC_RPC_STATUS_32_BITS = 0x7fffffff ///< not a status: fixes the type's range
} xcc_rpc_status;

/// Returns a sentence about the status: a static string, for any number.
XCC_RPC_API const char *xcc_rpc_status_string(xcc_rpc_status status);

// Opcodes

/// Makes an opcode. 0 is no opcode; 1 to 0x7fff are xcc's own services. Each
/// vendor has 65536 of the others: choose a vendor above 0 for your library (a
/// checksum of its name, for example) and count within it. 0x8000 to 0xffff, of
/// vendor 0, are for experiments.
#define XCC_RPC_OPCODE(vendor, number)                                         \
  ((uint32_t)(vendor) << 16 | (uint32_t)(number))
#define XCC_RPC_FIRST_USER_OPCODE 0x8000u

/// A call, as a callback sees it; valid until the callback returns.
typedef struct xcc_rpc_port xcc_rpc_port;

/// Serves one call. It runs without a lock, on a thread of the server or on the
/// one that calls xcc_rpc_server_handle, at the same time as others. It may
/// block, and must not throw. The call ends when it returns.
typedef void (*xcc_rpc_callback)(xcc_rpc_port *port, void *user);

// The library

/// Begin and end the use of the library. Calls are counted: the last shutdown
/// removes all registered callbacks. It fails (XCC_RPC_BUSY) while there are
/// servers.
XCC_RPC_API xcc_rpc_status xcc_rpc_init(void);
XCC_RPC_API xcc_rpc_status xcc_rpc_shutdown(void);

/// Registers a callback for all servers. Fails if the opcode is registered
/// (XCC_RPC_OPCODE_TAKEN) or below XCC_RPC_FIRST_USER_OPCODE
/// (XCC_RPC_INVALID_VALUE).
XCC_RPC_API xcc_rpc_status xcc_rpc_register(uint32_t opcode,
                                            xcc_rpc_callback callback,
                                            void *user);
/// Removes a callback of xcc_rpc_register. Calls that have begun still run it:
/// to be sure that none does, stop the servers first.
XCC_RPC_API xcc_rpc_status xcc_rpc_unregister(uint32_t opcode);

// Servers

/// Serves the calls of one device, or of the processes that share its memory.
typedef struct xcc_rpc_server xcc_rpc_server;

enum {
  /// The clients are threads of this machine and wake the server. Without this
  /// flag they are a GPU, and the server polls for calls while kernels run.
  XCC_RPC_CLIENTS_WAKE = 1,
  /// The memory is shared with other processes, which may attach and end at any
  /// time (xcc_rpc_client_attach). Implies XCC_RPC_CLIENTS_WAKE.
  XCC_RPC_PROCESS_SHARED = 2
};

/// The options of a new server. 0 is a good value for all fields but the first
/// three.
typedef struct xcc_rpc_server_options {
  size_t size;    ///< sizeof(xcc_rpc_server_options)
  uint32_t ports; ///< calls in progress at a time, 1 to 4096
  uint32_t lanes; ///< threads that may share a call: 1, 32 or 64
  uint32_t flags;
  uint32_t threads;     ///< threads that poll for calls; 0: one
  uint32_t max_threads; ///< the most threads, with those in callbacks; 0: 64
  uint32_t patience_ms; ///< milliseconds that other calls, and stop, wait for a
                        ///< callback that waits for its client; 0: 1000
  uint64_t max_stream;  ///< bytes that xcc_rpc_recv_n accepts; 0: 256 MiB
  /// Memory that both sides access, aligned to 128 bytes: from these functions,
  /// or `memory`, which stays the caller's. Null: malloc. The server clears it,
  /// unless `memory` holds the state of an earlier server: then it continues
  /// its work.
  void *(*allocate)(size_t size, void *context);
  void (*free)(void *memory, size_t size, void *context);
  void *context;
  void *memory;
  size_t memory_size;
  /// Each thread of the server calls these when it begins and ends; may be
  /// null.
  void (*thread_begins)(void *context);
  void (*thread_ends)(void *context);
  /// Called for each call, before its callback; may be null.
  void (*called)(void *context);
} xcc_rpc_server_options;

/// Returns the bytes of shared memory of a server with \p ports and \p lanes
/// (see xcc_rpc_server_options); 0 for invalid numbers.
XCC_RPC_API size_t xcc_rpc_memory_size(uint32_t ports, uint32_t lanes);

/// Makes a server. It serves calls after xcc_rpc_server_start, or when
/// xcc_rpc_server_handle is called. Needs xcc_rpc_init.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_create(
    const xcc_rpc_server_options *options, xcc_rpc_server **server);

/// Stops a server and frees it. First the calling thread serves what clients
/// had sent, for patience_ms at most; with memory of the caller's, that stays
/// there for the next server. After this call clients must not use the memory,
/// unless it is the caller's, and no function may be called with this server.
/// Null is ignored. In a callback of this server it does nothing but return
/// XCC_RPC_BUSY; in a forked child XCC_RPC_FORKED: the process frees the server
/// at its end.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_destroy(xcc_rpc_server *server);

/// Register and remove a callback for this server only. The server looks here
/// first.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_register(xcc_rpc_server *server,
                                                   uint32_t opcode,
                                                   xcc_rpc_callback callback,
                                                   void *user);
XCC_RPC_API xcc_rpc_status xcc_rpc_server_unregister(xcc_rpc_server *server,
                                                     uint32_t opcode);

/// Starts the server's threads, which serve calls until xcc_rpc_server_stop.
/// Clients that call before it wait. XCC_RPC_BUSY if the server is started.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_start(xcc_rpc_server *server);
/// Stops the server's threads and returns when the calls that they serve have
/// ended. Other calls wait until the next start. XCC_RPC_BUSY in a callback of
/// this server, which could not end.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_stop(xcc_rpc_server *server);

/// Returns when everything that clients had sent is served, including calls for
/// which no client waits. The server's threads serve it, or the calling thread,
/// even if the server is not started. Calls whose callbacks wait for their
/// clients go on. XCC_RPC_BUSY in a callback of this server.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_drain(xcc_rpc_server *server);

/// Serves pending calls on the calling thread, and returns their number in \p
/// handled, which may be null. A callback that waits for its client for more
/// than patience_ms is cut off.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_handle(xcc_rpc_server *server,
                                                 uint32_t *handled);

/// Call these before and after each kernel that may call the host, if the
/// clients cannot wake the server: outside of kernels it sleeps. After the end
/// it still serves the calls that the kernel has sent.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_begin_kernel(xcc_rpc_server *server);
XCC_RPC_API xcc_rpc_status xcc_rpc_server_end_kernel(xcc_rpc_server *server);

/// The data of an rpc::ClientDescriptor, and the size of the zeroed memory that
/// only the client uses (a device: in its own memory). Sizes are in bytes.
typedef struct xcc_rpc_client_info {
  void *shared;
  size_t shared_size;
  size_t local_size;
  uint32_t ports, lanes;
} xcc_rpc_client_info;

/// Writes to \p info what the device needs to make calls. Copy it to the device
/// before kernels start. The memory that it names stays the server's.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_client(xcc_rpc_server *server,
                                                 xcc_rpc_client_info *info);

/// Restores the initial state after the device was lost with calls in progress.
/// Zero the client's memory too. XCC_RPC_BUSY if the server is not stopped.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_reset(xcc_rpc_server *server);

/// Takes back the ports of processes that have died, and returns their number
/// in \p ports, which may be null. The calls of those processes are served.
/// Servers with threads do this by themselves while there are calls, and when a
/// process finds no free ports.
XCC_RPC_API xcc_rpc_status xcc_rpc_server_reclaim(xcc_rpc_server *server,
                                                  uint32_t *ports);

// In callbacks

/// Returns the opcode of the call.
XCC_RPC_API uint32_t xcc_rpc_port_opcode(const xcc_rpc_port *port);

/// Returns the lanes that take part: bit l is lane l, which has a packet. Lanes
/// can leave at a receive.
XCC_RPC_API uint64_t xcc_rpc_port_lanes(const xcc_rpc_port *port);

/// Returns the server that serves the call.
XCC_RPC_API xcc_rpc_server *xcc_rpc_port_server(const xcc_rpc_port *port);

/// Called with each lane's packet, 64 bytes, in lane order.
typedef void (*xcc_rpc_packet_function)(void *packet, uint32_t lane,
                                        void *context);

/// Waits for the client's packets and calls \p use, unless it is null, with
/// each. If it is the server's turn to send, it first sends the packets as they
/// are. XCC_RPC_CLOSED if the client has ended the call, XCC_RPC_CUT if it
/// keeps others waiting: return from the callback then. After the first failure
/// all functions fail alike. The packets are a copy, which is valid until the
/// next receive.
XCC_RPC_API xcc_rpc_status xcc_rpc_recv(xcc_rpc_port *port,
                                        xcc_rpc_packet_function use,
                                        void *context);
/// Sends the packets, after \p fill has changed them; it may be null.
XCC_RPC_API xcc_rpc_status xcc_rpc_send(xcc_rpc_port *port,
                                        xcc_rpc_packet_function fill,
                                        void *context);
/// Receives the packets, lets \p work change them in place, and sends them
/// back.
XCC_RPC_API xcc_rpc_status xcc_rpc_recv_and_send(xcc_rpc_port *port,
                                                 xcc_rpc_packet_function work,
                                                 void *context);

/// Allocates memory for the bytes of a lane. The call fails with
/// XCC_RPC_OUT_OF_MEMORY if it returns null.
typedef void *(*xcc_rpc_allocate_function)(uint64_t size, uint32_t lane,
                                           void *context);
/// Receives what the client sends with send_n, in memory of \p allocate. \p
/// data and \p sizes, which may be null, are indexed by lane. Entries of lanes
/// that take no part are not changed. The caller frees the memory, also on
/// failure: then \p data holds what was allocated.
XCC_RPC_API xcc_rpc_status xcc_rpc_recv_n(xcc_rpc_port *port, void **data,
                                          uint64_t *sizes,
                                          xcc_rpc_allocate_function allocate,
                                          void *context);
/// Sends what the client receives with recv_n. \p data and \p sizes are indexed
/// by lane and read before the call returns.
XCC_RPC_API xcc_rpc_status xcc_rpc_send_n(xcc_rpc_port *port,
                                          const void *const *data,
                                          const uint64_t *sizes);

/// Call this before this thread waits for something that may need the server: a
/// lock whose owner calls, a kernel, or a call. In a callback on a thread of a
/// server, another thread then polls for calls at once, and not only after some
/// milliseconds. Elsewhere this has no effect. Calls that a callback makes do
/// this by themselves. Returns nonzero if it has served calls (in a callback
/// that xcc_rpc_server_handle runs, of a server without threads): then check
/// again whether there is still something to wait for.
XCC_RPC_API int xcc_rpc_will_wait(void);

// Clients of this or another process

/// Makes calls from code of the host, through ports of a server.
typedef struct xcc_rpc_client xcc_rpc_client;

/// Takes 32 ports of a server (or as many as it has) until the client is
/// detached; if the process dies, the server takes them back. \p memory, of \p
/// size bytes, is that of a server with XCC_RPC_PROCESS_SHARED, and must stay
/// mapped. XCC_RPC_BUSY if all ports are taken. A forked child attaches again:
/// with its parent's client calls return XCC_RPC_FORKED. Needs no xcc_rpc_init.
/// Client and server must be in one PID namespace.
XCC_RPC_API xcc_rpc_status xcc_rpc_client_attach(void *memory, size_t size,
                                                 xcc_rpc_client **client);
/// Gives the ports back and frees the client. No call may be in progress. Null
/// is ignored.
XCC_RPC_API void xcc_rpc_client_detach(xcc_rpc_client *client);

/// Makes a call of one lane: sends \p request, up to 64 bytes, and waits for
/// the \p reply, up to 64 bytes, which may be null. Both stay the caller's.
XCC_RPC_API xcc_rpc_status xcc_rpc_client_call(xcc_rpc_client *client,
                                               uint32_t opcode,
                                               const void *request, size_t size,
                                               void *reply, size_t reply_size);
/// Makes a call of one lane that sends \p size bytes of \p request by send_n,
/// and receives by recv_n into what \p allocate returns for lane 0, which the
/// caller frees.
XCC_RPC_API xcc_rpc_status xcc_rpc_client_call_n(
    xcc_rpc_client *client, uint32_t opcode, const void *request, uint64_t size,
    xcc_rpc_allocate_function allocate, void *context);

#ifdef __cplusplus
}
#endif
#endif // XCC_RPC_H

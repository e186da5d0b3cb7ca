// port.pml - A model of the port protocol for spin
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rpc/client.h and rpc/src/{serve,threads}.cpp, one atomic operation per step:
// ports with their bits, the locks of both sides, calls that wait for an answer
// and calls that do not, and the three ways to sleep. Checked in all schedules:
//
//   - a packet is touched by one side, and there by one thread, at a time;
//   - each message is served once, and answered to whom it came from;
//   - nobody sleeps for ever: every call ends (no invalid end state).
//
// Numbers of ports, clients, servers, calls of a client: -DPORTS=... and so on.
// -DFORGET_LOOK and -DFORGET_TELL each leave one line out of the protocol; then
// spin has to find an error.

#ifndef PORTS
#define PORTS 2
#endif
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef SERVERS
#define SERVERS 1
#endif
#ifndef CALLS
#define CALLS 2
#endif

// Shared memory.
bit clientBit[PORTS], serverBit[PORTS];
byte packet[PORTS];     // the message: 1 + client; the answer: 101 + client
bit closed[PORTS];      // header: the client has ended this call
bit clientSleeps[PORTS];
bit serverSleeps;
byte doorbell, portWaiters, portFreed;

// Private memory of the sides.
bit clientLock[PORTS], owing[PORTS], serverLock[PORTS];
byte asleep;

// What is checked.
byte touching[PORTS];
byte served, ended;

// Futexes: those that sleep, and those of them that have been woken.
byte clientQueue[PORTS], clientWoken[PORTS];
byte bellQueue, bellWoken, freedQueue, freedWoken;

#define PENDING(p) (clientBit[p] != serverBit[p])

inline wake(queue, woken) {
  atomic {
    if
    :: queue > 0 -> queue--; woken++
    :: else
    fi
  }
}
// Sleeps if the condition still holds, which the kernel looks at.
inline sleepIf(condition, queue, woken) {
  atomic {
    if
    :: condition -> queue++; taken = 1
    :: else -> taken = 0
    fi
  }
  if
  :: taken -> atomic { woken > 0 -> woken-- }
  :: else
  fi
}

inline touch(p) {
  touching[p]++;
  assert(touching[p] == 1)
}

inline portFreedNow() {
  if
  :: portWaiters > 0 ->
    portFreed++;
    wake(freedQueue, freedWoken)
  :: else
  fi
}

// Sets got to a locked port in the client's turn, or to PORTS.
inline tryPort() {
  got = PORTS;
  p = 0;
  do
  :: p == PORTS -> break
  :: else ->
    atomic {
      if
      :: !clientLock[p] -> clientLock[p] = 1; mine = 1
      :: else -> mine = 0
      fi
    }
    if
    :: mine && owing[p] && PENDING(p) ->
      clientLock[p] = 0;
      if
      :: !PENDING(p) -> portFreedNow()
      :: else
      fi;
      p++
    :: mine && !(owing[p] && PENDING(p)) ->
      owing[p] = 0;
      got = p;
      break
    :: else -> p++
    fi
  od
}

proctype client(byte me) {
  byte calls = 0, p, got, seen;
  bit mine, taken;
  do
  :: calls == CALLS -> break
  :: else ->
    // A port.
    tryPort();
    do
    :: got != PORTS -> break
    :: else ->
      portWaiters++;
      seen = portFreed;
      tryPort();
      if
      :: got == PORTS -> sleepIf(portFreed == seen, freedQueue, freedWoken)
      :: else
      fi;
      portWaiters--;
      if
      :: got == PORTS -> tryPort()
      :: else
      fi
    od;
    // The message.
    closed[got] = 0;
    touch(got);
    packet[got] = 1 + me;
    touching[got]--;
    clientBit[got] = !clientBit[got];
    if
    :: serverSleeps ->
      atomic { taken = serverSleeps; serverSleeps = 0 }
      if
      :: taken ->
        doorbell++;
        wake(bellQueue, bellWoken)
      :: else
      fi
    :: else
    fi;
    if
    :: true -> // No answer is asked for.
      closed[got] = 1;
      owing[got] = 1
    :: true ->
      do
      :: !PENDING(got) -> break
      :: else ->
        clientSleeps[got] = 1;
        if
        :: !PENDING(got) -> break
        :: else ->
          sleepIf(clientSleeps[got], clientQueue[got], clientWoken[got])
        fi
      od;
      clientSleeps[got] = 0;
      touch(got);
      assert(packet[got] == 101 + me);
      touching[got]--;
      closed[got] = 1
    fi;
    clientLock[got] = 0;
    portFreedNow();
    calls++
  od;
  ended++
}

proctype server() {
  byte p, seen;
  bit mine, worked, taken;
  do
  :: worked = 0;
    p = 0;
    do
    :: p == PORTS -> break
    :: else ->
      if
      :: PENDING(p) && !serverLock[p] ->
        atomic {
          if
          :: !serverLock[p] -> serverLock[p] = 1; mine = 1
          :: else -> mine = 0
          fi
        }
        if
        :: mine && PENDING(p) ->
          touch(p);
          assert(packet[p] >= 1 && packet[p] <= CLIENTS);
          packet[p] = packet[p] + 100;
          touching[p]--;
          served++;
          serverBit[p] = !serverBit[p];
          if
          :: clientSleeps[p] ->
            atomic { taken = clientSleeps[p]; clientSleeps[p] = 0 }
            if
            :: taken -> wake(clientQueue[p], clientWoken[p])
            :: else
            fi
          :: else
          fi;
#ifndef FORGET_TELL
          if
          :: closed[p] -> portFreedNow()
          :: else
          fi;
#endif
          serverLock[p] = 0;
          worked = 1
        :: mine && !PENDING(p) -> serverLock[p] = 0
        :: else
        fi
      :: else
      fi;
      p++
    od;
    if
    :: worked -> skip
    :: else ->
      seen = doorbell;
      asleep++;
      serverSleeps = 1;
#ifndef FORGET_LOOK
      // A last look at all ports.
      p = 0;
      do
      :: p == PORTS -> break
      :: else ->
        if
        :: PENDING(p) && !serverLock[p] -> worked = 1
        :: else
        fi;
        p++
      od;
#endif
      if
      :: worked -> skip
      :: else ->
        atomic {
          if
          :: doorbell == seen -> bellQueue++; taken = 1
          :: else -> taken = 0
          fi
        }
        if
        :: taken ->
end_asleep:
          atomic { bellWoken > 0 -> bellWoken-- }
        :: else
        fi
      fi;
      asleep--;
      serverSleeps = 0;
      if
      :: asleep > 0 -> serverSleeps = 1
      :: else
      fi
    fi
  od
}

init {
  byte i = 0;
  atomic {
    do
    :: i == CLIENTS -> break
    :: else -> run client(i); i++
    od;
    i = 0;
    do
    :: i == SERVERS -> break
    :: else -> run server(); i++
    od
  };
  // Everything was served, once.
  (ended == CLIENTS && served == CLIENTS * CALLS);
}

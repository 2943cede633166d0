// Load generator for ROUTER/ROUTER brokers, on libzmq.
//   zload client -e ENDPOINT -c CLIENTS -w WINDOW -b BODY [-n COUNT] [-u WARM_S] [-d SECONDS]
//                [-p BROKER_PIDS] [-q WORKER_PIDS] [-B]
//   zload worker -e ENDPOINT -c WORKERS -s SLOTS [-R]
// client: CLIENTS DEALER sockets, WINDOW requests outstanding each: ["", body] out, ["", body] back.
// -B (backlog): send COUNT at once, print {"event":"sent"}, then take the replies.
// worker: WORKERS DEALER sockets; each says ["", "READY"] once per slot (-R: once per worker),
// then echoes every job ["", client_id, "", body] as it came.
#include "common.h"
#include <errno.h>
#include <sys/epoll.h>
#include <zmq.h>

static void die(const char *w) { fprintf(stderr, "%s: %s\n", w, zmq_strerror(zmq_errno())); exit(1); }

static void *dealer(void *ctx, const char *ep, int *fd) {
  void *s = zmq_socket(ctx, ZMQ_DEALER);
  int zero = 0;
  size_t fl = sizeof *fd;
  if (!s) die("socket");
  zmq_setsockopt(s, ZMQ_SNDHWM, &zero, sizeof zero);
  zmq_setsockopt(s, ZMQ_RCVHWM, &zero, sizeof zero);
  zmq_setsockopt(s, ZMQ_LINGER, &zero, sizeof zero);
  if (zmq_connect(s, ep)) die("connect");
  if (zmq_getsockopt(s, ZMQ_FD, fd, &fl)) die("fd");
  return s;
}

static void send_req(run_t *r, void *s, uint32_t c) {
  zmq_msg_t m;
  zmq_msg_init_size(&m, (size_t)r->o->size);
  char *d = zmq_msg_data(&m);
  memset(d, FILLER, (size_t)r->o->size);
  if (zmq_send(s, "", 0, ZMQ_SNDMORE) < 0) die("send");
  run_stamp(r, d, c);
  if (zmq_msg_send(&m, s, 0) < 0) die("send");
}

// Take every waiting reply (last frame is the body). Returns when the socket is empty,
// which also re-arms the edge-triggered ZMQ_FD.
static void drain_replies(run_t *r, void *s, uint32_t c) {
  for (;;) {
    zmq_msg_t m;
    int more = 1;
    zmq_msg_init(&m);
    while (more) {
      if (zmq_msg_recv(&m, s, ZMQ_DONTWAIT) < 0) {
        if (zmq_errno() == EAGAIN) { zmq_msg_close(&m); return; }
        if (zmq_errno() == EINTR) continue;
        die("recv");
      }
      more = zmq_msg_more(&m);
    }
    run_reply(r, zmq_msg_data(&m), zmq_msg_size(&m), c);
    zmq_msg_close(&m);
    if (run_may_send(r)) send_req(r, s, c);
  }
}

static int client(opts_t *o) {
  void *ctx = zmq_ctx_new();
  zmq_ctx_set(ctx, ZMQ_MAX_SOCKETS, o->peers + 16);
  void **s = calloc((size_t)o->peers, sizeof *s);
  int ep = epoll_create1(0);
  static run_t r;
  r.o = o;
  for (int i = 0; i < o->peers; i++) {
    int fd;
    s[i] = dealer(ctx, o->endpoint, &fd);
    struct epoll_event ev = { .events = EPOLLIN, .data.u32 = (uint32_t)i };
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev);
  }
  usleep(100000);
  r.start = now_ns();
  if (o->warm <= 0 || o->backlog) run_phase(&r, 1, r.start);
  if (o->backlog) {
    // Bounded send pipe, so that "sent" means "the broker took nearly all of it".
    int hwm = 1000;
    for (int i = 0; i < o->peers; i++) zmq_setsockopt(s[i], ZMQ_SNDHWM, &hwm, sizeof hwm);
    while (r.sent < o->count) { uint32_t c = (uint32_t)(r.sent % (uint64_t)o->peers); send_req(&r, s[c], c); }
    printf("{\"event\":\"sent\",\"seconds\":%.4f}\n", (double)(now_ns() - r.start) / 1e9);
    fflush(stdout);
  } else {
    for (int w = 0; w < o->window; w++)
      for (int i = 0; i < o->peers; i++) if (run_may_send(&r)) send_req(&r, s[i], (uint32_t)i);
  }
  for (int i = 0; i < o->peers; i++) drain_replies(&r, s[i], (uint32_t)i);
  uint64_t idle = now_ns();
  while (r.recvd < r.sent || run_may_send(&r)) {
    struct epoll_event ev[64];
    int n = epoll_wait(ep, ev, 64, 500);
    uint64_t before = r.recvd;
    for (int k = 0; k < n; k++) drain_replies(&r, s[ev[k].data.u32], ev[k].data.u32);
    if (n <= 0) for (int i = 0; i < o->peers; i++) drain_replies(&r, s[i], (uint32_t)i);
    if (r.recvd != before) idle = now_ns();
    else if (now_ns() - idle > (o->backlog ? 60ull : 8ull) * 1000000000ull) break;  // lost
  }
  run_report(&r, "zload");
  return 0;
}

static int worker(opts_t *o) {
  void *ctx = zmq_ctx_new();
  zmq_ctx_set(ctx, ZMQ_MAX_SOCKETS, o->peers + 16);
  void **s = calloc((size_t)o->peers, sizeof *s);
  int ep = epoll_create1(0);
  for (int i = 0; i < o->peers; i++) {
    int fd;
    s[i] = dealer(ctx, o->endpoint, &fd);
    struct epoll_event ev = { .events = EPOLLIN, .data.u32 = (uint32_t)i };
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev);
    for (int k = 0; k < (o->ready_once ? 1 : o->slots); k++) {
      zmq_send(s[i], "", 0, ZMQ_SNDMORE);
      zmq_send(s[i], "READY", 5, 0);
    }
  }
  printf("{\"event\":\"ready\"}\n");
  fflush(stdout);
  int first = 1;
  for (;;) {
    struct epoll_event ev[256];
    int n = first ? 0 : epoll_wait(ep, ev, 256, 500), all = n <= 0;
    first = 0;
    if (all) n = o->peers;
    for (int k = 0; k < n; k++) {
      void *w = s[all ? k : (int)ev[k].data.u32];
      zmq_msg_t m;
      zmq_msg_init(&m);
      while (zmq_msg_recv(&m, w, ZMQ_DONTWAIT) >= 0) {
        int more = zmq_msg_more(&m);
        if (zmq_msg_send(&m, w, more ? ZMQ_SNDMORE : 0) < 0) die("send");
        zmq_msg_init(&m);
      }
      if (zmq_errno() != EAGAIN && zmq_errno() != EINTR) die("recv");
      zmq_msg_close(&m);
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  opts_t o;
  if (argc < 2) { fprintf(stderr, "usage: zload client|worker ...\n"); return 2; }
  parse_opts(&o, argc, argv);
  return !strcmp(argv[1], "worker") ? worker(&o) : client(&o);
}

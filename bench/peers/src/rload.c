// Load generator on raw sockets, one thread, batched reads and writes: costs the machine far less
// than a client library, so more of it is left to the broker.
//   rload client|worker -P zmtp|gearman|nats -e tcp://127.0.0.1:PORT (options as in zload)
// zmtp:    ZMTP 3.0 NULL, DEALER, the dialogue of zload. A worker with -G registers its slots instead of saying READY:
//          ["", REGISTER, slots, address], after each batch of results ["", INCREMENT, count, address], PING every second.
// gearman: SUBMIT_JOB / GRAB_JOB ... WORK_COMPLETE; a worker keeps up to SLOTS jobs.
// nats:    request/reply through a queue group (no credit in NATS: SLOTS is ignored).
#include "common.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

typedef struct { char *b; size_t off, len, cap; } buf_t;
typedef struct {
  int fd, stage, idx, out_armed, grabs, asleep, frames, addressed, done;
  uint64_t pinged;
  uint64_t credit;  // requests this client may still send now
  buf_t in, out;
} conn_t;

static opts_t o;
static run_t r;
static int is_worker, ep, n_open, started;
static conn_t *cs;
static char *fill;
static void (*greet)(conn_t *), (*request)(conn_t *);
static size_t (*parse)(conn_t *, char *, size_t);  // returns bytes consumed

static void die(const char *w) { perror(w); exit(1); }

static char *room(buf_t *q, size_t n) {
  if (q->off && q->off == q->len) q->off = q->len = 0;
  if (q->len + n > q->cap) {
    if (q->off) { memmove(q->b, q->b + q->off, q->len - q->off); q->len -= q->off; q->off = 0; }
    while (q->len + n > q->cap) q->cap = q->cap ? q->cap * 2 : 65536;
    if (!(q->b = realloc(q->b, q->cap))) die("realloc");
  }
  return q->b + q->len;
}
static void put(conn_t *c, const void *d, size_t n) { memcpy(room(&c->out, n), d, n); c->out.len += n; }
static void puts_(conn_t *c, const char *s) { put(c, s, strlen(s)); }

static void arm(conn_t *c, int want_out) {
  if (want_out == c->out_armed) return;
  struct epoll_event ev = { .events = EPOLLIN | (want_out ? EPOLLOUT : 0), .data.ptr = c };
  epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &ev);
  c->out_armed = want_out;
}
static void flush_out(conn_t *c) {
  while (c->out.off < c->out.len) {
    ssize_t n = write(c->fd, c->out.b + c->out.off, c->out.len - c->out.off);
    if (n < 0) { if (errno == EAGAIN || errno == EWOULDBLOCK) break; die("write"); }
    c->out.off += (size_t)n;
  }
  arm(c, c->out.off < c->out.len);
}
// Turn send credit into requests: the whole window at once; a backlog at most 1 MiB ahead of the socket.
static void pump(conn_t *c) {
  for (;;) {
    while (c->credit && (!o.backlog || c->out.len - c->out.off < (1u << 20)) && run_may_send(&r)) { c->credit--; request(c); }
    flush_out(c);
    if (c->out.off < c->out.len || !c->credit || !run_may_send(&r)) return;
  }
}
static void opened(conn_t *c) { c->stage = 9; n_open++; }
static void reply(conn_t *c, const char *body, size_t len) { run_reply(&r, body, len, (uint32_t)c->idx); if (!o.backlog) c->credit++; }
static void put_body(conn_t *c) {
  char *d = room(&c->out, (size_t)o.size);
  memcpy(d, fill, (size_t)o.size);
  run_stamp(&r, d, (uint32_t)c->idx);
  c->out.len += (size_t)o.size;
}

// ---- ZMTP 3.0 ----
static void zmtp_greet(conn_t *c) {
  char g[64] = { (char)0xff };
  g[9] = 0x7f; g[10] = 3; memcpy(g + 12, "NULL", 4);
  put(c, g, 64);
}
static void zmtp_request(conn_t *c) {
  unsigned char h[11] = { 1, 0 };
  size_t n = 4;
  if (o.size < 256) { h[2] = 0; h[3] = (unsigned char)o.size; }
  else { h[2] = 2; for (int i = 0; i < 8; i++) h[3 + i] = (unsigned char)((uint64_t)o.size >> (56 - 8 * i)); n = 11; }
  put(c, h, n);
  put_body(c);
}
static void zmtp_words(conn_t *c, const char *words[], int n) {  // a message of short frames
  for (int i = 0; i < n; i++) {
    unsigned char h[2] = { i < n - 1, (unsigned char)strlen(words[i]) };
    put(c, h, 2); puts_(c, words[i]);
  }
}
static void zmtp_control(conn_t *c, const char *verb, int number) {  // ["", verb, number, address]
  char num[16], addr[32];
  snprintf(num, sizeof num, "%d", number);
  snprintf(addr, sizeof addr, "rload-%d-%d", (int)getpid(), c->idx);
  zmtp_words(c, (const char *[]){ "", verb, num, addr }, 4);
}
static void zmtp_register(conn_t *c) { zmtp_control(c, "REGISTER", o.slots); }
static void zmtp_turn_end(conn_t *c) {
  if (!o.reg || c->stage < 9) return;
  if (c->done) { zmtp_control(c, "INCREMENT", c->done); c->done = 0; }
  uint64_t t = now_ns();
  if (t - c->pinged > 1000000000ull) { c->pinged = t; zmtp_words(c, (const char *[]){ "", "PING" }, 2); }
}
static size_t zmtp_parse(conn_t *c, char *b, size_t n) {
  size_t used = 0, p = 0;
  c->frames = c->addressed = 0;
  if (c->stage == 0) {
    if (n < 64) return 0;
    static const char ready[] = "\x04\x1c\x05READY\x0bSocket-Type\0\0\0\x06" "DEALER";
    put(c, ready, sizeof ready - 1);
    c->stage = 1; used = p = 64;
  }
  for (;;) {  // p: next frame; used: start of the message it belongs to
    if (n - p < 2) return used;
    unsigned char fl = (unsigned char)b[p];
    uint64_t len; size_t hd;
    if (fl & 2) {
      if (n - p < 9) return used;
      len = 0; hd = 9;
      for (int i = 1; i < 9; i++) len = len << 8 | (unsigned char)b[p + (size_t)i];
    } else { len = (unsigned char)b[p + 1]; hd = 2; }
    if (n - p < hd + len) return used;
    if (fl & 4) {
      if (c->stage == 1) {
        opened(c);
        if (is_worker && o.reg) zmtp_register(c);
        else if (is_worker) for (int k = 0; k < (o.ready_once ? 1 : o.slots); k++) put(c, "\1\0\0\5READY", 9);
      }
      p += hd + len; used = p; continue;
    }
    if (!(fl & 1)) {
      if (!is_worker) reply(c, b + p + hd, len);
      else if (c->addressed) { put(c, b + used, p + hd + len - used); c->done++; }  // a job: echo it verbatim
      p += hd + len; used = p; c->frames = c->addressed = 0;
    } else {  // ["", return address, "", ...] is a job; with anything but an empty third frame it is control
      if (c->frames == 2 && len == 0) c->addressed = 1;
      p += hd + len; c->frames++;
    }
  }
}

// ---- Gearman ----
static void gm_head(conn_t *c, uint32_t type, uint32_t len) {
  uint32_t h[3];
  memcpy(h, "\0REQ", 4); h[1] = htonl(type); h[2] = htonl(len);
  put(c, h, 12);
}
static void gm_grab(conn_t *c) { while (c->grabs < o.slots) { gm_head(c, 9, 0); c->grabs++; } }
static void gm_greet(conn_t *c) {
  if (is_worker) { gm_head(c, 1, 4); put(c, "jobs", 4); gm_grab(c); }
  opened(c);
}
static void gm_request(conn_t *c) { gm_head(c, 7, 6 + (uint32_t)o.size); put(c, "jobs\0\0", 6); put_body(c); }
static size_t gm_parse(conn_t *c, char *b, size_t n) {
  size_t used = 0;
  while (n - used >= 12) {
    uint32_t type, len;
    memcpy(&type, b + used + 4, 4); memcpy(&len, b + used + 8, 4);
    type = ntohl(type); len = ntohl(len);
    if (n - used < 12 + (size_t)len) break;
    char *d = b + used + 12;
    if (type == 13) { size_t h = strnlen(d, len) + 1; reply(c, d + h, len - h); }
    else if (type == 11) {  // JOB_ASSIGN handle\0func\0data
      size_t h = strnlen(d, len) + 1, f = h + strnlen(d + h, len - h) + 1;
      gm_head(c, 13, (uint32_t)(h + len - f));
      put(c, d, h); put(c, d + f, len - f);
      c->grabs--; gm_grab(c);
    } else if (type == 10) { if (--c->grabs == 0) { gm_head(c, 4, 0); c->asleep = 1; } }
    else if (type == 6) { c->asleep = 0; gm_grab(c); }
    else if (type == 19 || type == 14) { fprintf(stderr, "gearman error %u\n", type); exit(1); }
    used += 12 + len;
  }
  return used;
}

// ---- NATS ----
static void nats_greet(conn_t *c) {
  char s[128];
  puts_(c, "CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":false}\r\n");
  if (is_worker) snprintf(s, sizeof s, "SUB jobs pool 1\r\nPING\r\n");
  else snprintf(s, sizeof s, "SUB _INBOX.peersload%d.* 1\r\nPING\r\n", c->idx);
  puts_(c, s);
}
static void nats_request(conn_t *c) {
  char s[96];
  put(c, s, (size_t)snprintf(s, sizeof s, "PUB jobs _INBOX.peersload%d.%llu %d\r\n", c->idx, (unsigned long long)r.sent, o.size));
  put_body(c);
  put(c, "\r\n", 2);
}
static size_t nats_parse(conn_t *c, char *b, size_t n) {
  size_t used = 0;
  for (;;) {
    char *nl = memchr(b + used, '\n', n - used);
    if (!nl) return used;
    size_t line = (size_t)(nl + 1 - (b + used));
    char *d = b + used;
    if (!strncmp(d, "MSG ", 4)) {
      char *f[5]; int nf = 0;
      size_t fl[5];
      for (char *p = d + 4; p < nl - 1 && nf < 5;) {
        char *e = p; while (e < nl - 1 && *e != ' ') e++;
        f[nf] = p; fl[nf++] = (size_t)(e - p); p = e + 1;
      }
      size_t len = strtoul(f[nf - 1], 0, 10);
      if (n - used < line + len + 2) return used;
      if (is_worker) {
        put(c, "PUB ", 4); put(c, f[2], fl[2]); put(c, " ", 1); put(c, f[3], fl[3]);
        put(c, "\r\n", 2); put(c, nl + 1, len + 2);
      } else reply(c, nl + 1, len);
      used += line + len + 2;
      continue;
    }
    if (!strncmp(d, "PING", 4)) puts_(c, "PONG\r\n");
    else if (!strncmp(d, "PONG", 4)) { if (c->stage < 9) opened(c); }
    else if (!strncmp(d, "-ERR", 4)) { fprintf(stderr, "nats %.*s", (int)line, d); exit(1); }
    used += line;
  }
}

// One look at all connections, at most that many milliseconds long.
static void turn(int wait) {
  struct epoll_event ev[256];
  int n = epoll_wait(ep, ev, 256, wait);
  for (int k = 0; k < n; k++) {
    conn_t *c = ev[k].data.ptr;
    if (ev[k].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
      ssize_t got = read(c->fd, room(&c->in, 262144), 262144);
      if (got == 0) {
        if (is_worker && started) exit(0);
        fprintf(stderr, "the broker closed connection %d of %d, %d are open\n", c->idx, o.peers, n_open);
        exit(1);
      }
      if (got < 0) { if (errno != EAGAIN) die("read"); }
      else {
        c->in.len += (size_t)got;
        c->in.off += parse(c, c->in.b + c->in.off, c->in.len - c->in.off);
      }
    }
    if (is_worker) { if (parse == zmtp_parse) zmtp_turn_end(c); flush_out(c); } else pump(c);
  }
}

// Connects everybody, a few at a time: a broker may limit how many haven't shaken hands.
static void connect_all(void) {
  const char *colon = strrchr(o.endpoint, ':');
  struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(colon + 1)),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  int one = 1;
  cs = calloc((size_t)o.peers, sizeof *cs);
  for (int i = 0; i < o.peers; i++) {
    conn_t *c = &cs[i];
    c->idx = i;
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(c->fd, (void *)&a, sizeof a)) die("connect");
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event ev = { .events = EPOLLIN, .data.ptr = c };
    epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &ev);
    greet(c);
    flush_out(c);
    while (n_open < i - 100) turn(100);
  }
  while (n_open < o.peers) turn(100);
}

// Everybody is there: workers say so, clients start to send.
static void start(void) {
  started = 1;
  if (is_worker) { printf("{\"event\":\"ready\"}\n"); fflush(stdout); return; }
  r.start = now_ns();
  if (o.warm <= 0 || o.backlog) run_phase(&r, 1, r.start);
  for (int i = 0; i < o.peers; i++) {
    cs[i].credit = o.backlog ? o.count / (uint64_t)o.peers + (i == 0 ? o.count % (uint64_t)o.peers : 0) : (uint64_t)o.window;
    pump(&cs[i]);
  }
}

// Idle workers must ping too.
static void ping_all(void) {
  static uint64_t swept;
  if (!o.reg || now_ns() - swept < 500000000ull) return;
  swept = now_ns();
  for (int i = 0; i < o.peers; i++) { zmtp_turn_end(&cs[i]); flush_out(&cs[i]); }
}

// Says once that the whole backlog is on its way.
static void tell_sent(void) {
  static int said;
  if (said || r.sent < o.count) return;
  for (int i = 0; i < o.peers; i++) if (cs[i].out.off < cs[i].out.len) return;
  said = 1;
  printf("{\"event\":\"sent\",\"seconds\":%.4f}\n", (double)(now_ns() - r.start) / 1e9);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 2) { fprintf(stderr, "usage: rload client|worker ...\n"); return 2; }
  is_worker = !strcmp(argv[1], "worker");
  parse_opts(&o, argc, argv);
  r.o = &o;
  if (!strcmp(o.proto, "gearman")) { greet = gm_greet; request = gm_request; parse = gm_parse; }
  else if (!strcmp(o.proto, "nats")) { greet = nats_greet; request = nats_request; parse = nats_parse; }
  else { greet = zmtp_greet; request = zmtp_request; parse = zmtp_parse; }
  fill = malloc((size_t)o.size + 1); memset(fill, FILLER, (size_t)o.size);
  ep = epoll_create1(0);
  connect_all();
  start();
  uint64_t idle = now_ns();
  for (;;) {
    uint64_t before = r.recvd + r.sent;
    turn(500);
    if (is_worker) { ping_all(); continue; }
    if (o.backlog) tell_sent();
    if (r.recvd >= r.sent && !run_may_send(&r)) break;
    if (r.recvd + r.sent != before) idle = now_ns();
    else if (now_ns() - idle > (o.backlog ? 60ull : 8ull) * 1000000000ull) break;  // lost
  }
  run_report(&r, "rload");
  return 0;
}

// Shared by the load generators and the observer: clock, latency histogram, what /proc says of CPU
// time, the stamp in a body, the report as a line of JSON.
#ifndef PEERS_COMMON_H
#define PEERS_COMMON_H
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/resource.h>

static inline uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

// Log-linear histogram of nanoseconds, 128 sub-buckets per power of two (<0.8 % error).
#define HIST_SIZE (58 * 128 + 256)
typedef struct { uint64_t n, max, b[HIST_SIZE]; } hist_t;

static inline void hist_add(hist_t *h, uint64_t v) {
  int e = v ? 63 - __builtin_clzll(v) : 0, shift = e > 7 ? e - 7 : 0;
  h->b[shift * 128 + (int)(v >> shift)]++;
  h->n++;
  if (v > h->max) h->max = v;
}

static inline double hist_us(const hist_t *h, double q) {
  uint64_t want = (uint64_t)(q * (double)h->n), seen = 0;
  if (want >= h->n) want = h->n ? h->n - 1 : 0;
  for (int i = 0; i < HIST_SIZE; i++) {
    seen += h->b[i];
    if (seen > want) {
      int shift = i < 256 ? 0 : i / 128 - 1;
      return (double)((uint64_t)(i - shift * 128) << shift) / 1000.0;
    }
  }
  return 0;
}

// user+sys CPU seconds of a comma separated list of pids (10 ms ticks).
static inline double cpu_of(const char *pids) {
  double total = 0;
  const char *p = pids;
  while (p && *p) {
    int pid = atoi(p);
    char path[64], buf[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (f) {
      size_t n = fread(buf, 1, sizeof buf - 1, f);
      buf[n] = 0;
      fclose(f);
      char *q = strrchr(buf, ')');
      unsigned long u = 0, s = 0;
      if (q && sscanf(q + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &u, &s) == 2)
        total += (double)(u + s) / (double)sysconf(_SC_CLK_TCK);
    }
    p = strchr(p, ',');
    if (p) p++;
  }
  return total;
}

// CPU seconds the whole machine spent: what[0] busy, what[1] stolen by the hypervisor.
static inline void cpu_machine(double what[2]) {
  unsigned long v[8] = { 0 };
  FILE *f = fopen("/proc/stat", "r");
  if (f) {
    if (fscanf(f, "cpu %lu %lu %lu %lu %lu %lu %lu %lu", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7) != 8) v[0] = 0;
    fclose(f);
  }
  double hz = (double)sysconf(_SC_CLK_TCK);
  what[0] = (double)(v[0] + v[1] + v[2] + v[5] + v[6]) / hz;
  what[1] = (double)v[7] / hz;
}

static inline double cpu_self(void) {
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
         (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

// The first 24 bytes of a body: send time, sequence number, client, magic; the rest is filled with
// one letter. A shorter body carries no stamp, so its latency isn't known.
typedef struct { uint64_t ts, seq; uint32_t client, magic; } stamp_t;
#define STAMP_MAGIC 0x5a4c5255u
#define STAMP (sizeof(stamp_t))
#define FILLER 'x'

// As many descriptors as the system allows.
static inline void many_files(void) {
  struct rlimit l;
  if (getrlimit(RLIMIT_NOFILE, &l) == 0) { l.rlim_cur = l.rlim_max; setrlimit(RLIMIT_NOFILE, &l); }
}

typedef struct {
  const char *endpoint, *pids, *wpids, *proto;
  int peers, window, slots, size, backlog, ready_once, reg;
  uint64_t count;
  double warm, secs;
} opts_t;

// Client-side run state: closed loop of window per client, warm-up, then measure.
typedef struct {
  opts_t *o;
  hist_t h;
  uint64_t start, m0, m1, sent, recvd, r0, r1, bad, first, last;
  double cpu0, cpu1, wcpu0, wcpu1, self0, self1, mach0[2], mach1[2];
  int phase;  // 0 warm-up, 1 measuring, 2 draining
} run_t;

static inline void run_phase(run_t *r, int phase, uint64_t t) {
  r->phase = phase;
  if (phase == 1) {
    memset(&r->h, 0, sizeof r->h);
    r->m0 = t; r->r0 = r->recvd;
    r->cpu0 = cpu_of(r->o->pids); r->wcpu0 = cpu_of(r->o->wpids); r->self0 = cpu_self();
    cpu_machine(r->mach0);
  } else if (phase == 2) {
    r->m1 = t; r->r1 = r->recvd;
    r->cpu1 = cpu_of(r->o->pids); r->wcpu1 = cpu_of(r->o->wpids); r->self1 = cpu_self();
    cpu_machine(r->mach1);
  }
}

// Whether a reply is what was sent: its length, its stamp, and each octet behind it.
static inline int is_whole(const run_t *r, const char *body, size_t len, uint32_t client, stamp_t *s) {
  if (len != (size_t)r->o->size) return 0;
  if (len < STAMP) return 1;
  memcpy(s, body, sizeof *s);
  if (s->magic != STAMP_MAGIC || s->client != client || s->seq >= r->sent) return 0;
  const char *rest = body + STAMP;
  size_t n = len - STAMP;
  return !n || (rest[0] == FILLER && !memcmp(rest, rest + 1, n - 1));
}

// Account one reply; moves the run to its next phase when it is time.
static inline void run_reply(run_t *r, const void *body, size_t len, uint32_t client) {
  uint64_t t = now_ns();
  stamp_t s = { 0 };
  r->recvd++;
  if (!r->first) r->first = t;
  r->last = t;
  if (!is_whole(r, body, len, client, &s)) { r->bad++; return; }
  if (len >= STAMP) hist_add(&r->h, t - s.ts);
  if (r->phase == 0) {
    if ((double)(t - r->start) / 1e9 >= r->o->warm) run_phase(r, 1, t);
  } else if (r->phase == 1) {
    if (r->o->count ? r->recvd - r->r0 >= r->o->count
                    : (double)(t - r->m0) / 1e9 >= r->o->secs)
      run_phase(r, 2, t);
  }
}

static inline int run_may_send(const run_t *r) {
  if (r->o->backlog || (r->o->count && r->o->warm <= 0)) return r->sent < r->o->count;
  return r->phase < 2;
}

static inline void run_stamp(run_t *r, void *body, uint32_t client) {
  stamp_t s = { now_ns(), r->sent++, client, STAMP_MAGIC };
  if ((size_t)r->o->size >= STAMP) memcpy(body, &s, sizeof s);
}

static inline void run_report(run_t *r, const char *loadgen) {
  if (r->phase != 2) run_phase(r, 2, r->last);
  double el = (double)(r->m1 - r->m0) / 1e9, cpu = r->cpu1 - r->cpu0;
  uint64_t n = r->r1 - r->r0;
  printf("{\"loadgen\":\"%s\",\"clients\":%d,\"window\":%d,\"size\":%d,\"requests\":%llu,"
         "\"seconds\":%.4f,\"rps\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f,"
         "\"broker_cpu_s\":%.3f,\"req_per_cpu_s\":%.1f,\"worker_cpu_s\":%.3f,\"client_cpu_s\":%.3f,"
         "\"other_cpu_s\":%.3f,\"steal_s\":%.3f,"
         "\"lost\":%lld,\"bad\":%llu,\"drain_s\":%.4f}\n",
         loadgen, r->o->peers, r->o->window, r->o->size, (unsigned long long)n, el,
         el > 0 ? (double)n / el : 0, hist_us(&r->h, .5), hist_us(&r->h, .99), hist_us(&r->h, .999),
         (double)r->h.max / 1000.0, cpu, cpu > 0 ? (double)n / cpu : 0, r->wcpu1 - r->wcpu0,
         r->self1 - r->self0,
         // what processes outside this run used meanwhile: near 0 on a quiet machine
         r->mach1[0] - r->mach0[0] - cpu - (r->wcpu1 - r->wcpu0) - (r->self1 - r->self0),
         r->mach1[1] - r->mach0[1], (long long)(r->sent - r->recvd), (unsigned long long)r->bad,
         (double)(r->last - r->first) / 1e9);
  fflush(stdout);
}

static inline void parse_opts(opts_t *o, int argc, char **argv) {
  *o = (opts_t){ .endpoint = "tcp://127.0.0.1:5555", .proto = "zmtp", .peers = 1, .window = 1,
                 .slots = 1, .size = 32, .warm = 1, .secs = 4 };
  for (int i = 2; i < argc; i++) {
    char *a = argv[i];
    if (!strcmp(a, "-B")) { o->backlog = 1; continue; }
    if (!strcmp(a, "-R")) { o->ready_once = 1; continue; }
    if (!strcmp(a, "-G")) { o->reg = 1; continue; }
    if (i + 1 >= argc || a[0] != '-') { fprintf(stderr, "bad option %s\n", a); exit(2); }
    char *v = argv[++i];
    switch (a[1]) {
      case 'e': o->endpoint = v; break;
      case 'P': o->proto = v; break;
      case 'c': o->peers = atoi(v); break;
      case 'w': o->window = atoi(v); break;
      case 's': o->slots = atoi(v); break;
      case 'b': o->size = atoi(v); break;
      case 'n': o->count = strtoull(v, 0, 10); break;
      case 'u': o->warm = atof(v); break;
      case 'd': o->secs = atof(v); break;
      case 'p': o->pids = v; break;
      case 'q': o->wpids = v; break;
      default: fprintf(stderr, "bad option %s\n", a); exit(2);
    }
  }
  many_files();
}
#endif

// Looks at other processes:  look
// Reads a line of pids, each list separated by commas, and answers with one line of JSON: CPU seconds
// of all of them together, resident memory now and at its peak, and what the whole machine was busy
// and robbed of by its host. Linux only.
#include "common.h"

static long kib(int pid, const char *field) {
  char path[64], line[256];
  long value = 0;
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  size_t n = strlen(field);
  while (fgets(line, sizeof line, f))
    if (!strncmp(line, field, n) && line[n] == ':') { value = atol(line + n + 1); break; }
  fclose(f);
  return value;
}

int main(void) {
  static char line[65536];
  while (fgets(line, sizeof line, stdin)) {
    double machine[2];
    long resident = 0, peak = 0;
    double cpu = cpu_of(line);
    cpu_machine(machine);
    for (char *p = line; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : 0) {
      resident += kib(atoi(p), "VmRSS");
      peak += kib(atoi(p), "VmHWM");
    }
    printf("{\"cpu\":%.3f,\"resident\":%ld,\"peak\":%ld,\"busy\":%.2f,\"steal\":%.2f,\"now\":%.6f}\n", cpu,
           resident * 1024, peak * 1024, machine[0], machine[1], (double)now_ns() / 1e9);
    fflush(stdout);
  }
  return 0;
}

struct timespec { long seconds, nanoseconds; };
int clock_gettime(int clock, struct timespec *time);

/* CPU time of the calling thread in ns. 3 is Linux's CLOCK_THREAD_CPUTIME_ID. */
double thread_cpu_ns(void) {
  struct timespec time;
  clock_gettime(3, &time);
  return time.seconds * 1e9 + time.nanoseconds;
}

static unsigned state = 1;

/* Computes something, xorshift32, that takes time in proportion to the turns. */
void spin(int turns) {
  for (int turn = 0; turn < turns; turn++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
  }
}

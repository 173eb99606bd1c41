// The time limit of every test, however it is called. The test runner's own, 5 s, is less than a
// server may take to start on a busy machine.
import { setDefaultTimeout } from 'bun:test';

setDefaultTimeout(300_000);

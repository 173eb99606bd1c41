import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { sampleKernel, samplesIn } from './kernel.ts';

/** As perf 6.1 prints it. */
const SCRIPT = `
	ffffffff8162caf6 allocate_slab
	ffffffff81d00001 exc_page_fault
	ffffffff8200ec5b tcp_sendmsg
	ffffffff81e2f330 __x64_sys_sendto
	ffffffff821ed511 do_syscall_64
	ffffffff81000130 entry_SYSCALL_64_after_hwframe

	ffffffff816b94b2 vfs_write
	ffffffff816b9856 ksys_write
	ffffffff821ed511 do_syscall_64

	ffff800080015a34 do_epoll_wait
	ffff800080015a94 __arm64_sys_epoll_pwait
	ffff800080016234 el0_svc

	ffffffff821ed4e6 do_syscall_64
	ffffffff81000130 entry_SYSCALL_64_after_hwframe

	ffffffff8162caf6 clear_page_erms
	ffffffff81d00001 asm_exc_page_fault

	ffffffff81000999 asm_sysvec_apic_timer_interrupt

`;

test('a sample belongs to what entered the kernel', () => {
  expect(samplesIn(SCRIPT)).toEqual({
    sendto: 1,
    write: 1,
    epoll_pwait: 1,
    'entry and exit of system calls': 1,
    'page faults': 1,
    interrupts: 1,
  });
});

test('without names nothing is claimed', () => {
  expect(samplesIn('\n\tffffffff8162caf6 [unknown]\n\n')).toBeNull();
  expect(samplesIn('')).toBeNull();
});

const mayLook = spawnSync('perf', ['record', '-e', 'cpu-clock:k', '-o', '/dev/null', 'true']).status === 0;
test.skipIf(!mayLook)('finds the system call that a process makes all the time', async () => {
  await using writer = Bun.spawn(['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1']);
  const samples = await sampleKernel(writer.pid, 1, () => Bun.sleep(1_000));
  const { write = 0, read = 0 } = samples ?? {};
  expect(write).toBeGreaterThan(10);
  expect(read).toBeGreaterThan(10);
});

test('a process that is not there, or no perf: nothing', async () => {
  expect(await sampleKernel(2 ** 30, 1, () => Promise.resolve())).toBeNull();
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    expect(await sampleKernel(process.pid, 1, () => Promise.reject(new Error('no work without perf')))).toBeNull();
  } finally {
    process.env.PATH = path;
  }
});

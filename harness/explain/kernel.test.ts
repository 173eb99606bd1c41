import { expect, test } from 'bun:test';
import { sampleKernel, samplesIn } from './kernel.ts';

/** As perf 6.1 prints it. */
const SCRIPT = `
	ffffffff8162caf6 allocate_slab
	ffffffff81d00001 exc_page_fault
	ffffffff8200ec5b tcp_sendmsg
	ffffffff81e2f330 __x64_sys_sendto
	ffffffff821ed511 do_syscall_64

	ffffffff816b94b2 vfs_write
	ffffffff816b9856 ksys_write
	ffffffff821ed511 do_syscall_64

	ffff800080015a94 __arm64_sys_epoll_pwait
	ffff800080016234 el0_svc

	ffffffff821ed4e6 do_syscall_64

	ffffffff81d00001 asm_exc_page_fault

	ffffffff81000999 asm_sysvec_apic_timer_interrupt

`;

test('a sample belongs to what entered the kernel; without names nothing is claimed', () => {
  const once = { sendto: 1, write: 1, epoll_pwait: 1, 'entry and exit of system calls': 1 };
  expect(samplesIn(SCRIPT)).toEqual({ ...once, 'page faults': 1, interrupts: 1 });
  expect(samplesIn('\n\tffffffff8162caf6 [unknown]\n\n')).toBeNull();
  expect(samplesIn('')).toBeNull();
});

const look = ['perf', 'record', '-e', 'cpu-clock:k', '-o', '/dev/null', 'true'];
test.skipIf(!Bun.which('perf') || !Bun.spawnSync(look).success)(
  'finds the system calls that a process makes all the time',
  async () => {
    await using writer = Bun.spawn([
      'dd',
      'if=/dev/zero',
      'of=/dev/null',
      'bs=1',
      'count=200000000',
    ]);
    const sampleOnce = () => sampleKernel(writer.pid, 1, () => Bun.sleep(1_000));
    // On a busy machine, a second may be too short for the writer to be seen in both.
    let samples = await sampleOnce();
    while (!(samples?.write && samples.read)) samples = await sampleOnce();
    expect(await sampleKernel(2 ** 30, 1, () => Promise.resolve())).toBeNull();
  },
  300_000,
);

import { expect, test } from 'bun:test';
import { processor, withoutDetails } from './processor.ts';

const INFO = `processor\t: 0
vendor_id\t: GenuineIntel
cpu family\t: 6
model\t\t: 143
model name\t: Intel(R) Xeon(R) Processor
stepping\t: 8
cpu MHz\t\t: 2099.998
`;

test('a processor is told from another of the same name', () => {
  expect(processor(INFO, 'KVM')).toEqual({
    name: 'Intel(R) Xeon(R) Processor (family 6, model 143, stepping 8, virtual by KVM)',
    mhz: 2_100,
  });
});

test('a processor without details has its name', () => {
  const { name, mhz } = processor('model name\t: Some CPU\n', null);
  expect({ name, mhz }).toEqual({ name: 'Some CPU', mhz: null });
});

test('a name without details is the one that the processor has', () => {
  expect(withoutDetails(processor(INFO, 'KVM').name)).toBe('Intel(R) Xeon(R) Processor');
  expect(withoutDetails(processor(INFO, null).name)).toBe('Intel(R) Xeon(R) Processor');
  const named = processor('model name\t: Some CPU\n', 'KVM').name;
  expect(withoutDetails(named)).toBe('Some CPU');
});

// What init writes is to be filled in before anything runs, and is never written over.
import { expect } from 'bun:test';
import { testConcurrently } from '../support/workplace.ts';

testConcurrently(
  'nothing runs before all is filled in, and nothing is written over',
  async (place) => {
    place.write('package.json', '{"scripts":{"start":"node ./bin/www"}}');
    expect(await place.run(['init'])).toMatchObject({ status: 0, stdout: '' });
    const schema = await Bun.file(place.path('bench/suite.schema.json')).json();
    expect(Object.keys(schema.properties)).toContain('scenarios');
    const run = await place.run(['--suite', './bench/suite.json', '--dry-run']);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toMatch(/^tracetax: .*bench\/suite\.json is not filled in\. .*\n$/);
    const suite = await Bun.file(place.path('bench/suite.json')).json();
    const scenarios = suite.scenarios.map((each: object) => ({
      ...each,
      env: { FILL_IN: 'OFF=1' },
    }));
    place.write('half.json', JSON.stringify({ ...suite, request: {}, scenarios }));
    const half = await place.run(['--suite', './half.json', '--dry-run']);
    expect(half).toMatchObject({ status: 2, stderr: expect.stringContaining('is not filled in') });
    for (const each of suite.scenarios) delete each.env;
    place.write('alike.json', JSON.stringify({ ...suite, request: {} }));
    const alike = await place.run(['--suite', './alike.json', '--dry-run']);
    expect(alike).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('starts the same server as "without"'),
    });
    const again = await place.run(['init']);
    expect(again).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('bench/suite.json exists already'),
    });
  },
);

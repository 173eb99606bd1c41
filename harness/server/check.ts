import type { PlannedServer } from '../suite/planned.ts';
import type { Exchange } from '../suite/suite-schema.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { ask } from './ask.ts';

const ANSWER_WITHIN_MS = 10_000;
/** What is wrong if no whole answer came in that time. */
export const NO_WHOLE_ANSWER = 'did not answer';

type Asked = Pick<PlannedServer, 'name' | 'answerHeaders'>;

/** Sends the request once. Returns the answer's body. @throws ScenarioProblem if it is not what the suite expects. */
export async function checkAnswer({ name, answerHeaders }: Asked, origin: string, exchange: Exchange): Promise<string> {
  const { request, answer: expected } = exchange;
  const { method, path } = request;
  const expectedBytes = Buffer.byteLength(expected.body ?? '');
  const { status, headers, body } = await ask(origin, request, expectedBytes, ANSWER_WITHIN_MS).catch(({ message }) => {
    throw new ScenarioProblem(name, NO_WHOLE_ANSWER, message, 'Fix the server');
  });
  const mediaType = headers['content-type']?.split(';')[0]?.trim() ?? 'none';
  const compare = (what: string, wanted: string | number | undefined, received: string | number) => {
    if (wanted === undefined || wanted === received) return;
    // What an answer says may be as secret as what it was asked.
    const found = `: expected ${quote(wanted)}, received ${quote(received)}`;
    const [kept, shown] = what === 'status' ? [found, ''] : ['', found];
    const asked = `${method} ${path.split('?')[0]}: ${what}${kept}`;
    const remedy = 'Fix the server, or the answer that the suite expects';
    throw new ScenarioProblem(name, 'gave a wrong answer', asked, remedy, shown);
  };
  compare('status', expected.status, status);
  compare('media type', expected.mediaType, mediaType);
  compare('body', expected.body, body);
  for (const [header, value] of Object.entries({ ...expected.headers, ...answerHeaders }))
    compare(`header ${header}`, value, String(headers[header.toLowerCase()] ?? 'no such header'));
  return body;
}

function quote(value: string | number): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

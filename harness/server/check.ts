import type { Exchange, Scenario } from '../suite/suite-schema.ts';
import { orProblem, Problem } from '../words/errors.ts';

const ANSWER_WITHIN_MS = 10_000;

/** Sends the request once. @throws Problem if the answer is not what the suite expects. */
export async function checkAnswer(scenario: Scenario, origin: string, exchange: Exchange): Promise<void> {
  const { name, answerHeaders } = scenario;
  const { request, answer: expected } = exchange;
  const { method, path, headers, bodyFile } = request;
  const ask = async () => {
    const response = await fetch(origin + path, {
      method,
      headers,
      body: bodyFile === undefined ? (request.body ?? null) : Bun.file(bodyFile),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return { response, body: await response.text() };
  };
  const { response, body } = await orProblem(ask, `Scenario ${name} did not answer`, 'Fix the server');
  const mediaType = response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'none';
  const compare = (what: string, wanted: string | number | undefined, received: string | number) => {
    if (wanted === undefined || wanted === received) return;
    const found = `expected ${what} ${quote(wanted)}, received ${quote(received)}`;
    throw new Problem(
      `Scenario ${name} gave a wrong answer to ${method} ${path}: ${found}`,
      'Fix the server, or the answer that the suite expects',
    );
  };
  compare('status', expected.status, response.status);
  compare('media type', expected.mediaType, mediaType);
  compare('body', expected.body, body);
  for (const [header, value] of Object.entries({ ...expected.headers, ...answerHeaders }))
    compare(`header ${header}`, value, response.headers.get(header) ?? 'no such header');
}

function quote(value: string | number): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

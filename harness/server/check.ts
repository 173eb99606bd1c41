import { Problem } from '../problem.ts';
import type { Answer, Request } from '../suite/schema.ts';

const ANSWER_WITHIN_MS = 10_000;

/**
 * Sends the request once and compares the answer with what the suite expects.
 * @throws Problem naming what was expected and what came: status, media type or body.
 */
export async function checkAnswer(
  scenario: string,
  url: string,
  request: Request,
  expected: Answer,
): Promise<void> {
  const response = await send(scenario, url, request);
  const mediaType = response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'none';
  const body = await response.text();
  const compare = (what: string, wanted: string | number | undefined, received: string | number) => {
    if (wanted === undefined || wanted === received) return;
    throw new Problem(
      `Scenario ${scenario} gave a wrong answer to ${request.method} ${request.path}: expected ${what} ${quote(wanted)}, received ${quote(received)}`,
      'Mend the server, or the answer that the suite expects',
    );
  };
  compare('status', expected.status, response.status);
  compare('media type', expected.mediaType, mediaType);
  compare('body', expected.body, body);
}

async function send(scenario: string, url: string, { method, headers, body }: Request): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  } catch (error) {
    throw new Problem(`Scenario ${scenario} did not answer: ${(error as Error).message}`, 'Mend the server');
  }
}

function quote(value: string | number): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

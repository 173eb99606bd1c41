import { describe, expect, test } from 'bun:test';
import { captureBytes, captureText, StreamCapture } from './captured.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('a text is cut between two characters', () => {
  const text = 'aä€😀';
  test.each([
    [0, ''],
    [1, 'a'],
    [2, 'a'],
    [3, 'aä'],
    [5, 'aä'],
    [6, 'aä€'],
    [9, 'aä€'],
    [10, 'aä€😀'],
    [99, 'aä€😀'],
  ])('after %i bytes', (limit, expected) => {
    expect(captureText(text, limit).text).toBe(expected);
    expect(captureBytes(bytesOf(text), limit).text).toBe(expected);
  });
});

test('bytes are copied, as their reader may change them', () => {
  const source = bytesOf('secret');
  const { text } = captureBytes(source, 100);
  source.fill(0);
  expect(text).toBe('secret');
});

describe('a stream', () => {
  const streamOf = (...chunks: Uint8Array[]) =>
    new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });

  test('is put together, also if chunks end within a character', async () => {
    const bytes = bytesOf('aä€😀');
    const capture = new StreamCapture(streamOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))), 10);
    await capture.reading;
    expect(capture.text).toBe('aä€😀');
    expect(capture).toMatchObject({ size: 10, isWhole: true });
  });

  test('that ends within a character says so, as bytes do', async () => {
    const part = bytesOf('ä').subarray(0, 1);
    const capture = new StreamCapture(streamOf(part), 10);
    await capture.reading;
    expect(capture.text).toBe(captureBytes(part, 10).text);
  });

  test('is read no further than needed', async () => {
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10).fill(97)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const capture = new StreamCapture(endless, 25);
    await capture.reading;
    expect(isCancelled).toBe(true);
    expect(capture).toMatchObject({ isWhole: false, size: undefined });
    expect(capture.text).toBe('a'.repeat(25));
  });

  test('that fails keeps what came before', async () => {
    let pulls = 0;
    const failing = new ReadableStream({
      pull(controller) {
        if (pulls++ > 0) throw new Error('gone');
        controller.enqueue(bytesOf('first'));
      },
    });
    const capture = new StreamCapture(failing, 100);
    await capture.reading;
    expect(capture.text).toBe('first');
    expect(capture).toMatchObject({ isWhole: false, size: undefined });
  });
});

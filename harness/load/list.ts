import { bombardier } from './bombardier.ts';
import { locust } from './locust.ts';
import { oha } from './oha.ts';
import type { LoadTool } from './tool.ts';
import { vegeta } from './vegeta.ts';
import { wrk } from './wrk.ts';

/**
 * Every load tool that tracetax can drive, in the order of preference. To add one, add a file that
 * implements `LoadTool`, and its entry here.
 */
export const TOOLS: readonly LoadTool[] = [bombardier, wrk, oha, vegeta, locust];

export const TOOL_NAMES = TOOLS.map(({ name }) => name);

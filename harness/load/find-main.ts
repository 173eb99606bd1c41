import { problemLine } from '../problem.ts';
import { findTool } from './find.ts';
import type { ToolName } from './tool.ts';

// Prints name and version of the load tool that is asked for, for scripts/setup.sh; fails if it is not there.
try {
  const { tool, version, program } = findTool(process.argv[2] as ToolName);
  console.log(`${tool.name} ${version} (${program})`);
} catch (error) {
  const line = problemLine(error);
  if (line === undefined) throw error;
  console.error(line);
  process.exitCode = 1;
}

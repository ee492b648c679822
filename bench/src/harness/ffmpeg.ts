import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs ffmpeg as it is, without any of the program's limits; throws with what it said. */
export async function runFfmpeg(args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.env.FFMPEG_PATH || 'ffmpeg', ['-v', 'error', '-y', ...args])
}

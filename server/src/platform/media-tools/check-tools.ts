import { StartError } from '#server/platform/start-error.ts'
import type { ToolPaths } from './ffmpeg.ts'
import { ToolFailed } from './media-errors.ts'
import { runTool } from './tool-process.ts'

const NEEDED_ENCODERS = ['libx264', 'aac', 'png']

/** Refuses to start without the tools that make variants: a video would be accepted and never be seen. */
export async function checkTools(tools: ToolPaths): Promise<void> {
  await ask(tools.ffprobePath, '-version', 'ffprobe', 'FFPROBE_PATH')
  const encoders = await ask(tools.ffmpegPath, '-encoders', 'ffmpeg', 'FFMPEG_PATH')
  const known = new Set(Array.from(encoders.matchAll(/^ [VAS]\S{5} (\S+)/gm), (match) => match[1]))
  const missing = NEEDED_ENCODERS.filter((encoder) => !known.has(encoder))
  if (missing.length > 0) {
    throw new StartError(
      `The ffmpeg at « ${tools.ffmpegPath} » was built without ${missing.join(', ')}: install a complete ffmpeg (for example « apt install ffmpeg ») or set FFMPEG_PATH to one.`,
    )
  }
}

async function ask(path: string, option: string, tool: string, variable: string): Promise<string> {
  try {
    const args = ['-hide_banner', option]
    return (await runTool({ path, args }, { timeoutMs: 20_000 })).toString()
  } catch (error) {
    const missing =
      error instanceof ToolFailed && (error.exitCode === 127 || error.exitCode === 126)
    const what = missing ? 'cannot be found or run' : 'does not work'
    throw new StartError(
      `${tool} ${what} at « ${path} »: install it (for example « apt install ffmpeg ») or set ${variable} to its path.`,
      { cause: error },
    )
  }
}

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { StartError } from '#server/platform/start-error.ts'
import { TOOLS } from '#testing/media-files.ts'
import { checkTools } from './ffmpeg.ts'

test('the tools of this machine will do', async () => {
  await checkTools(TOOLS)
})

test('a missing tool is one sentence that names it and its variable', async () => {
  const missing = checkTools({ ...TOOLS, ffmpegPath: '/nowhere/ffmpeg' })
  await expect(missing).rejects.toThrow(StartError)
  await expect(missing).rejects.toThrow(
    'ffmpeg cannot be found or run at « /nowhere/ffmpeg »: install it (for example « apt install ffmpeg ») or set FFMPEG_PATH to its path.',
  )
  await expect(checkTools({ ...TOOLS, ffprobePath: 'no-ffprobe' })).rejects.toThrow(/FFPROBE_PATH/)
})

test('a file that is not a program is refused', async () => {
  await expect(checkTools({ ...TOOLS, ffmpegPath: '/etc/hostname' })).rejects.toThrow(
    /cannot be found or run/,
  )
})

test('an ffmpeg without the encoders we need is refused by their names', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'check-tools-'))
  const ffmpegPath = path.join(folder, 'ffmpeg')
  await writeFile(ffmpegPath, "#!/bin/sh\nprintf ' A....D aac  AAC\\n VFS..D png  PNG\\n'\n")
  await chmod(ffmpegPath, 0o755)
  await expect(checkTools({ ...TOOLS, ffmpegPath })).rejects.toThrow(/built without libx264:/)
  await rm(folder, { recursive: true })
})

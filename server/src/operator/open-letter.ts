import { createWriteStream } from 'node:fs'
import { access, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { idSchema } from '#contract/text.ts'
import type { DownloadableFile } from '#server/features/media/file-views.service.ts'
import { openLetterAsOperator } from '#server/features/revelations/operator-letters.service.ts'
import type { WholeLetter } from '#server/features/revelations/whole-letters.service.ts'
import { StartError } from '#server/platform/start-error.ts'
import { parseDecision, runCommand } from './command-line.ts'
import { withOperatorContext } from './operator-context.ts'

const USAGE = `Opens a sealed letter, for whoever runs this server and has a reason that stays in the audit log:
  npm run open-letter -- <revelation id> --reason "…" [--file <path to save its file as>]
      [--voice <path to save the voice of its seal as>]
The second file of a letter with several is saved as <path>-2, and so on.
--operator <name> says who opens it, if not the account’s name.
`

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      reason: { type: 'string' },
      operator: { type: 'string' },
      file: { type: 'string' },
      voice: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (positionals.length === 0 || values.help) {
    process.stdout.write(USAGE)
    process.exitCode = values.help ? 0 : 1
    return
  }
  const id = idSchema.safeParse(positionals[0]).data
  if (!id || positionals.length > 1) throw new StartError('Give the whole id of one revelation.')
  const decision = parseDecision(values)
  const [target, voiceTarget] = [values.file, values.voice].map((one) => one && path.resolve(one))
  // Before the letter is opened: the entry in the audit log stays.
  for (const one of [target, voiceTarget]) if (one) await requireFree(one)
  await withOperatorContext(async (ctx) => {
    const letter = await openLetterAsOperator(ctx, id, decision)
    if (!letter) throw new StartError(`There is no revelation ${id}.`)
    process.stdout.write(formatLetter(letter))
    if (target) await saveAll(letter, target)
    if (voiceTarget) await save('voice', letter.sealVoice?.file, voiceTarget)
  })
})

async function requireFree(target: string): Promise<void> {
  const exists = await access(target).then(
    () => true,
    () => false,
  )
  if (exists) throw new StartError(`${target} is there already: choose another path.`)
}

function formatLetter({ envelope, content, files, fileWords, sealVoice }: WholeLetter): string {
  return [
    `${envelope.title}`,
    `by @${envelope.authorPseudo}, opens ${envelope.revealAt.toISOString()}, version ${envelope.version}`,
    ...files.flatMap(({ file, caption }) =>
      file
        ? [
            `with ${file.name} (${file.mimeType}, ${file.sizeBytes} bytes)${caption ? `: ${caption}` : ''}`,
          ]
        : [],
    ),
    ...(sealVoice
      ? [`with a voice as its seal breaks${sealVoice.words ? `: ${sealVoice.words}` : ''}`]
      : []),
    '',
    content ?? '(This letter is damaged and can no longer be opened.)',
    ...(fileWords === null ? [] : ['', 'What is said in its first file:', fileWords]),
    '',
  ].join('\n')
}

/** Those after the first beside it, under its name and their number. */
async function saveAll({ files }: WholeLetter, target: string): Promise<void> {
  for (const [at, { file }] of files.entries()) {
    await save('file', file, at === 0 ? target : `${target}-${at + 1}`)
  }
  if (files.length === 0) await save('file', undefined, target)
}

async function save(
  what: 'file' | 'voice',
  file: DownloadableFile | undefined,
  target: string,
): Promise<void> {
  if (!file?.read) throw new StartError(`This letter has no ${what} that can be opened.`)
  // The flag « x » never replaces a file that was created meanwhile.
  const written = createWriteStream(target, { flags: 'wx', mode: 0o600 })
  let isCreated = false
  written.once('open', () => {
    isCreated = true
  })
  try {
    await pipeline(await file.read(), written)
  } catch (error) {
    if (isCreated) await rm(target, { force: true })
    throw new StartError(`Its ${what} was not saved: ${(error as Error).message}.`)
  }
  process.stdout.write(`Its ${what} is ${target}.\n`)
}

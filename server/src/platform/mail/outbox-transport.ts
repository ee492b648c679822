import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { StartError } from '#server/platform/start-error.ts'
import { moveInto } from '#server/platform/storage/folders.ts'
import type { MailTransport } from './mail.ts'
import { messageOf } from './mail-message.ts'

/** Keeps each mail as an .eml file in `folder`, for machines without a mail server. Sent twice, it is one file. */
export function openOutbox(folder: string, from: string): MailTransport {
  requireWritable(folder)
  const transporter = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(email) {
      const { message } = await transporter.sendMail(messageOf(email, from))
      const draft = draftIn(folder)
      try {
        await writeFile(draft, message, { flag: 'wx', mode: 0o600, flush: true })
        await moveInto(folder, draft, join(folder, fileNameOf(email.messageId)))
      } finally {
        await rm(draft, { force: true })
      }
    },
    async forget(messageIds) {
      // The host may have been another when they left: the id alone names a mail.
      const ids = new Set(messageIds.map((messageId) => idOf(fileNameOf(messageId))))
      for (const name of await readdir(folder)) {
        if (ids.has(idOf(name))) await rm(join(folder, name), { force: true })
      }
    },
    async close() {},
  }
}

function fileNameOf(messageId: string): string {
  return `${messageId.replace(/[<>]/g, '').replace(/[^\w@.-]|^\./g, '_')}.eml`
}

function idOf(fileName: string): string {
  return fileName.slice(0, fileName.indexOf('@'))
}

function draftIn(folder: string): string {
  return join(folder, `.${randomUUID()}.draft`)
}

function requireWritable(folder: string): void {
  const probe = draftIn(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`Mails cannot be kept in "${folder}" (${code}).`)
  }
}

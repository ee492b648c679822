import { parseArgs } from 'node:util'
import pino from 'pino'
import { readConfig } from '#server/config.ts'
import { createContext } from '#server/create-context.ts'
import { findAccountByEmail } from '#server/features/auth/auth.service.ts'
import { hooks } from '#server/hooks.ts'
import { StartError } from '#server/platform/start-error.ts'
import { handlers } from '#server/worker.ts'
import { seedAlbum } from './seed-album.ts'
import { SEED_DOMAIN, SEED_PASSWORD, seedDatabase } from './seed-database.ts'

function parseCount(text: string, name: string, least: number): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count >= least && count <= 5_000_000) return count
  throw new StartError(`--${name} must be a whole number from ${least} to 5000000.`)
}

try {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '30' },
      revelations: { type: 'string', default: '200' },
    },
  })
  const users = parseCount(values.users, 'users', 1)
  const revelations = parseCount(values.revelations, 'revelations', 0)
  const jobs = handlers.map(({ job }) => job)
  const ctx = await createContext(readConfig(), { log: pino({ level: 'warn' }), jobs, hooks })
  try {
    await seedDatabase(ctx, { users, revelations })
    const first = await findAccountByEmail(ctx, `compte0@${SEED_DOMAIN}`)
    if (first) await seedAlbum(ctx, first.id)
  } finally {
    await ctx.close()
  }
  process.stdout.write(
    `${users} accounts and ${revelations} revelations are ready: sign in as compte0@${SEED_DOMAIN} with « ${SEED_PASSWORD} ».\n`,
  )
} catch (error) {
  const isMistake = error instanceof StartError || error instanceof TypeError
  process.stderr.write(`${isMistake ? error.message : (error as Error).stack}\n`)
  process.exit(1)
}

import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { StartError } from '#server/platform/start-error.ts'

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    url.search === ''
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

const environmentSchema = z.object({
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  PUBLIC_URL: z.string().refine(isOrigin, 'must be an http(s) origin without a path').optional(),
/** An address, or a network as `10.0.0.0/8`; never all of them. */
function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (length === undefined) return true
  return /^[1-9]\d{0,2}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128)
}

  DATABASE_URL: z
    .string()
    .refine((text) => /^postgres(ql)?:\/\//.test(text), 'must start with postgresql://')
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (networks) => networks.every(isNetwork),
      'must be IP addresses or networks such as 10.0.0.0/8, with commas between them',
    )
    .default([]),
  HEALTH_PORT: z.coerce.number('must be a port number').int().min(1).max(65_535).optional(),
    .optional(),
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:\/\/[^/]/.test(text), 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^<>\s,;"]+@[^<>\s,;"]+$/, 'must be one e-mail address')
    .default('revelations@localhost.localdomain'),
  MASTER_KEY_FILE: z.string().min(1).optional(),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
  FFPROBE_PATH: z.string().min(1).default('ffprobe'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export interface Config {
  role: 'all' | 'api' | 'worker'
  http: {
    host: string
    port: number
    publicUrl: string
    rateLimits: boolean
    /** Besides this machine, who may say whom they speak for. */
    trustedProxies: string[]
    /** Where a process that is a worker alone answers /health, and nothing else. */
    healthPort: number | undefined
  }
  dataDir: string
  databaseUrl: string | undefined
  masterKeyFile: string | undefined
  mail: { smtpUrl: string | undefined; from: string }
  tools: { ffmpegPath: string; ffprobePath: string }
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** Reads the environment. A value that cannot be used is a `StartError` with the variable's name and why. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable is how shells and compose files say "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0])
    // An address may hold a password: it is named, never repeated.
    const value = name.endsWith('_URL') ? '' : ` (« ${given[name]} »)`
    throw new StartError(`${name} cannot be used${value}: ${issue?.message}.`)
  }
  const env = parsed.data
  if (env.RATE_LIMITS === 'off' && !isLoopback(env.HOST)) {
    throw new StartError(
      `RATE_LIMITS cannot be off on HOST=${env.HOST}: it is for measurements on loopback only.`,
    )
  }
  return {
    role: env.ROLE,
    http: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
      rateLimits: env.RATE_LIMITS === 'on',
    },
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    masterKeyFile: env.MASTER_KEY_FILE,
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    tools: { ffmpegPath: env.FFMPEG_PATH, ffprobePath: env.FFPROBE_PATH },
    logLevel: env.LOG_LEVEL,
  }
}
      trustedProxies: env.TRUSTED_PROXIES,
      healthPort: env.HEALTH_PORT,

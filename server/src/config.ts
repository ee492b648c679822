import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { parseSender } from '#server/platform/mail/mail.ts'
import { StartError } from '#server/platform/start-error.ts'
import type { S3Facts } from '#server/platform/storage/s3-storage.ts'

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    url.search === ''
  )
}

function isPlainOrigin(text: string): boolean {
  return isOrigin(text) && URL.parse(text)?.username === ''
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** An address, or a network such as `10.0.0.0/8`; never all addresses. */
function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (length === undefined) return true
  return /^[1-9]\d{0,2}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128)
}

function isPushService(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !isPlainOrigin(text)) return false
  return url.protocol === 'https:' || isLoopback(url.hostname)
}

/** A line of the legal pages. */
const aboutOperator = z
  .string()
  .trim()
  .min(1)
  .max(300, 'must have at most 300 characters')
  .optional()

const environmentSchema = z.object({
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (networks) => networks.every(isNetwork),
      'must be IP addresses or networks such as 10.0.0.0/8, with commas between them',
    )
    .default([]),
  HEALTH_PORT: z.coerce.number('must be a port number').int().min(1).max(65_535).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  PUBLIC_URL: z.string().refine(isOrigin, 'must be an http(s) origin without a path').optional(),
  DISK_RESERVE_MB: z.coerce.number('must be a number of megabytes').int().min(0).default(1024),
  DATABASE_URL: z
    .string()
    .refine((text) => /^postgres(ql)?:\/\//.test(text), 'must start with postgresql://')
    .optional(),
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:\/\/[^/]/.test(text), 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z
    .string()
    .refine(
      (text) => parseSender(text) !== undefined,
      'must be one e-mail address, or a name and one: Name <address>',
    )
    .default('revelations@localhost.localdomain'),
  MASTER_KEY_FILE: z.string().min(1).optional(),
  S3_ENDPOINT: z
    .string()
    .refine(isPlainOrigin, 'must be an http(s) origin without a path or a password')
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, 'must be the name of a region')
    .optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  SIMULATED_PLANS: z.enum(['on', 'off']).default('on'),
  WEB_PUSH: z.enum(['on', 'off']).default('on'),
  PUSH_SERVICES: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (origins) => origins.every(isPushService),
      'must be https origins without a path, with commas between them (http on this machine only)',
    )
    .default([]),
  OPERATOR_NAME: aboutOperator,
  OPERATOR_ADDRESS: aboutOperator,
  OPERATOR_EMAIL: z
    .string()
    .regex(/^[^<>\s,;"]+@[^<>\s,;"]+$/, 'must be one e-mail address')
    .optional(),
  OPERATOR_NUMBER: aboutOperator,
  OPERATOR_HOSTING: aboutOperator,
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
  FFPROBE_PATH: z.string().min(1).default('ffprobe'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

const SEARCH_TIMEOUT_MS = 2_000

export interface Config {
  role: 'all' | 'api' | 'worker'
  http: {
    host: string
    port: number
    publicUrl: string
    rateLimits: boolean
    /** Proxies besides this machine whose X-Forwarded-For is trusted. */
    trustedProxies: string[]
    /** The port of /api/health in a process that is only a worker. */
    healthPort: number | undefined
  }
  dataDir: string
  /** Space on the disk that no file may use; 0 for no reserve. */
  diskReserveBytes: number
  databaseUrl: string | undefined
  masterKeyFile: string | undefined
  /** The bucket for files; undefined for the disk. */
  s3: S3Facts | undefined
  mail: { smtpUrl: string | undefined; from: string }
  /** Notifications in browsers: whether they are on, and origins of push services besides those of the browsers' makers. */
  push: { isOn: boolean; services: string[] }
  /** Whether anybody may choose any plan without paying; otherwise the operator grants plans. */
  simulatedPlans: boolean
  /** The operator of this installation, for the legal pages; null for a missing variable. */
  operator: {
    name: string | null
    address: string | null
    email: string | null
    companyNumber: string | null
    hosting: string | null
  }
  tools: { ffmpegPath: string; ffprobePath: string }
  /** The time limit of a statement of a search. */
  searchTimeoutMs: number
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** Reads the environment. A value that cannot be used is a `StartError` with the variable's name and why. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  // Shells and compose files pass an unset variable as an empty one.
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  )
  requireKnownVariables(variables)
  const parsed = environmentSchema.safeParse(variables)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0])
    // A URL may contain a password: the sentence names the variable and never repeats its value.
    const isSecret = /_(URL|KEY|ENDPOINT)$/.test(name)
    const value = isSecret ? '' : ` (« ${variables[name]} »)`
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
      trustedProxies: env.TRUSTED_PROXIES,
      healthPort: env.HEALTH_PORT,
    },
    dataDir: path.resolve(env.DATA_DIR),
    diskReserveBytes: env.DISK_RESERVE_MB * 1024 * 1024,
    databaseUrl: env.DATABASE_URL,
    masterKeyFile: env.MASTER_KEY_FILE,
    s3: readBucket(env),
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    push: {
      isOn: env.WEB_PUSH === 'on',
      services: env.PUSH_SERVICES.map((origin) => new URL(origin).origin),
    },
    simulatedPlans: env.SIMULATED_PLANS === 'on',
    operator: {
      name: env.OPERATOR_NAME ?? null,
      address: env.OPERATOR_ADDRESS ?? null,
      email: env.OPERATOR_EMAIL ?? null,
      companyNumber: env.OPERATOR_NUMBER ?? null,
      hosting: env.OPERATOR_HOSTING ?? null,
    },
    tools: { ffmpegPath: env.FFMPEG_PATH, ffprobePath: env.FFPROBE_PATH },
    searchTimeoutMs: SEARCH_TIMEOUT_MS,
    logLevel: env.LOG_LEVEL,
  }
}

/**
 * Refuses an unknown variable that looks like one of this program: the mistake would cost mails or files. The sentence
 * never repeats its value.
 */
function requireKnownVariables(variables: NodeJS.ProcessEnv): void {
  const known = Object.keys(environmentSchema.shape)
  for (const [name, value = ''] of Object.entries(variables)) {
    const prefix = /^(?:SMTP|MAIL|S3)_/.exec(name)?.[0]
    if (!prefix || known.includes(name) || isOfOrchestrator(name, value)) continue
    const candidates = known.filter((one) => prefix.startsWith('S3') === one.startsWith('S3_'))
    const suggestions = candidates.filter((one) => /^(?:SMTP|MAIL|S3)_/.test(one)).join(', ')
    throw new StartError(`${name} is not a variable of this program: it knows ${suggestions}.`)
  }
}

/** Kubernetes and Docker set such variables for a service named « smtp », « mail » or « s3 ». */
function isOfOrchestrator(name: string, value: string): boolean {
  return (
    /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP)(?:_|$)/.test(name) ||
    /^(?:tcp|udp):\/\//.test(value)
  )
}

/** The whole configuration of a bucket, or none: an incomplete one is a mistake, not a wish for the disk. */
function readBucket(env: z.infer<typeof environmentSchema>): S3Facts | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY } = env
  const required = { S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY }
  const missing = Object.entries(required).flatMap(([name, value]) => (value ? [] : [name]))
  if (S3_BUCKET && S3_ACCESS_KEY && S3_SECRET_KEY) {
    return {
      endpoint: S3_ENDPOINT,
      bucket: S3_BUCKET,
      region: S3_REGION ?? 'us-east-1',
      accessKey: S3_ACCESS_KEY,
      secretKey: S3_SECRET_KEY,
    }
  }
  if (missing.length === 3 && !S3_ENDPOINT && !S3_REGION) return undefined
  const verb = missing.length === 1 ? 'is' : 'are'
  throw new StartError(
    `${missing.join(' and ')} ${verb} missing: a bucket needs S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY; without any S3_ variable, files are kept in DATA_DIR.`,
  )
}

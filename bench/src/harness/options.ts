import { parseArgs } from 'node:util'

/** What the command line says, or the default. */
export interface Options {
  megabytes: number
  gigabytes: number
  /** How many rows, one program per number. */
  revelations: number[]
  items: number
  mails: number
  streams: number
  seconds: number
  minutes: number
  rounds: number
  /** A folder whose data outlives the run. */
  keep: string | undefined
  /** The file of an earlier run, to be compared with. */
  against: string | undefined
  /** Little of everything, in three minutes. */
  quick: boolean
}

export const DEFAULTS = {
  megabytes: '600',
  gigabytes: '2',
  revelations: '1000,100000,1000000',
  items: '100000',
  mails: '1000',
  streams: '10000',
  seconds: '2',
  minutes: '30',
  rounds: '5',
  keep: undefined,
  against: undefined,
} satisfies Record<Exclude<keyof Options, 'quick'>, string | undefined>

export function parseCommandLine(): { name: string | undefined; options: Options } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...(Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, { type: 'string' }])) as {
        [name in keyof typeof DEFAULTS]: { type: 'string' }
      }),
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  const { help, quick, ...given } = values
  const { revelations, keep, against, ...numbers } = { ...DEFAULTS, ...given }
  const parsed = Object.entries(numbers).map(([name, text]) => [name, Number(text)])
  const options = {
    ...(Object.fromEntries(parsed) as Omit<Options, 'revelations' | 'keep' | 'against' | 'quick'>),
    revelations: revelations.split(',').map(Number),
    keep,
    against,
    quick,
  }
  return { name: help ? undefined : positionals[0], options }
}

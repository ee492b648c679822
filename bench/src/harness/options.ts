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
} satisfies Record<keyof Options, string | undefined>

export function parseCommandLine(): { name: string | undefined; options: Options } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...(Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, { type: 'string' }])) as {
        [name in keyof Options]: { type: 'string' }
      }),
      help: { type: 'boolean' },
    },
  })
  const { help, ...given } = values
  const { revelations, keep, ...numbers } = { ...DEFAULTS, ...given }
  const parsed = Object.entries(numbers).map(([name, text]) => [name, Number(text)])
  const options = {
    ...(Object.fromEntries(parsed) as Omit<Options, 'revelations' | 'keep'>),
    revelations: revelations.split(',').map(Number),
    keep,
  }
  return { name: help ? undefined : positionals[0], options }
}

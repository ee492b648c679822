import { parseArgs } from 'node:util'
import { type AtEnd, withCleanUp } from './clean-up.ts'

interface Options {
  megabytes: string
  gigabytes: string
  revelations: string
  items: string
  mails: string
  streams: string
  minutes: string
  seconds: string
  rounds: string
  keep: string | undefined
}
type Run = (options: Options, atEnd: AtEnd) => Promise<void>

/** Each prints its tables and asserts nothing: a time is a fact about a machine, not a test. */
const benchmarks: Record<string, () => Promise<{ run: Run }>> = {
  media: async () => {
    const { run } = await import('./media.ts')
    return { run: ({ megabytes }, atEnd) => run(Number(megabytes), atEnd) }
  },
  upload: async () => {
    const { run } = await import('./upload.ts')
    return {
      run: (options, atEnd) => run(Number(options.megabytes), Number(options.rounds), atEnd),
    }
  },
  feed: () => import('./feed.ts'),
  events: () => import('./events.ts'),
  mails: () => import('./mails.ts'),
  export: async () => {
    const { run } = await import('./export.ts')
    return { run: ({ gigabytes }, atEnd) => run(Number(gigabytes), atEnd) }
  },
  backup: async () => {
    const { run } = await import('./backup.ts')
    return {
      run: ({ gigabytes, revelations }, atEnd) =>
        run({ gigabytes: Number(gigabytes), revelations: Number.parseInt(revelations, 10) }, atEnd),
    }
  },
  proofs: async () => {
    const { run } = await import('./proofs.ts')
    return { run: ({ items }, atEnd) => run(Number(items), atEnd) }
  },
  'sign-in': () => import('./sign-in.ts'),
  doors: () => import('./doors.ts'),
  'first-screen': () => import('./first-screen.ts'),
  'request-files': () => import('./request-files.ts'),
  scrolling: () => import('./scrolling.ts'),
  recording: () => import('./recording.ts'),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    megabytes: { type: 'string', default: '600' },
    gigabytes: { type: 'string', default: '2' },
    revelations: { type: 'string', default: '1000,100000,1000000' },
    items: { type: 'string', default: '100000' },
    mails: { type: 'string', default: '1000' },
    streams: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '5' },
    keep: { type: 'string' },
  },
})
const load = benchmarks[positionals[0] ?? '']
if (load) {
  const { run } = await load()
  await withCleanUp((atEnd) => run({ keep: undefined, ...values }, atEnd))
} else {
  console.log(`Say which benchmark to run: ${Object.keys(benchmarks).join(', ')}.`)
}

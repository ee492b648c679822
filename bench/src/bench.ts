import { type AtEnd, withCleanUp } from './harness/clean-up.ts'
import { DEFAULTS, type Options, parseCommandLine } from './harness/options.ts'

interface Benchmark {
  about: string
  options: (keyof typeof DEFAULTS)[]
  load: () => Promise<{ run: (options: Options, atEnd: AtEnd) => Promise<unknown> }>
}

/** Each prints its tables and asserts nothing: a time is a fact about a machine, not a test. */
const benchmarks: Record<string, Benchmark> = {
  all: {
    about:
      'one table: what requests, pages, files, mails, a start and memory cost, beside their goals (--quick: little of each)',
    options: ['keep', 'revelations', 'against'],
    load: () => import('./all.ts'),
  },
  feed: {
    about:
      'lists, pages, searches and comments beside a bare Fastify and PostgreSQL, at several sizes',
    options: ['revelations', 'seconds', 'rounds', 'keep'],
    load: () => import('./feed.ts'),
  },
  events: {
    about: 'streams of open pages, and the feed beside them',
    options: ['streams', 'seconds', 'rounds'],
    load: () => import('./events.ts'),
  },
  start: {
    about:
      'the first answer on a new folder and again, beside the least; memory idle and after load',
    options: ['rounds', 'seconds'],
    load: () => import('./start.ts'),
  },
  notifications: {
    about: 'ten thousand unread notifications of one account, beside twenty of another',
    options: ['rounds'],
    load: () => import('./notifications.ts'),
  },
  mails: {
    about: 'letters that open at one instant, beside the same bytes sent by a bare sender',
    options: ['mails', 'rounds'],
    load: () => import('./mails.ts'),
  },
  media: {
    about: 'a film on its way in and out, beside the same bytes moved plainly',
    options: ['megabytes'],
    load: () => import('./media.ts'),
  },
  variants: {
    about: 'what is made of a film, beside ffmpeg alone, and the feed meanwhile',
    options: ['rounds', 'seconds'],
    load: () => import('./variants.ts'),
  },
  upload: {
    about: 'a film in one piece and in parts, to a disk and to a bucket, and the memory it takes',
    options: ['megabytes', 'rounds'],
    load: () => import('./upload.ts'),
  },
  album: {
    about: 'thirty files of one letter over a line that is cut, and what they cost',
    options: ['megabytes'],
    load: () => import('./album.ts'),
  },
  export: {
    about: 'all that an account has, as one archive',
    options: ['gigabytes'],
    load: () => import('./export.ts'),
  },
  backup: {
    about:
      'a backup, its restore and the opening of everything, beside a copy (of the first number of revelations)',
    options: ['gigabytes', 'revelations'],
    load: () => import('./backup.ts'),
  },
  proofs: {
    about: 'a log of many seals, each of them verified',
    options: ['items'],
    load: () => import('./proofs.ts'),
  },
  'sign-in': {
    about: 'whether time reveals who has an account',
    options: [],
    load: () => import('./sign-in.ts'),
  },
  doors: {
    about: 'networks that flood, guess, lock and fill, and how others are served beside them',
    options: ['seconds'],
    load: () => import('./doors.ts'),
  },
  'first-screen': {
    about: 'public pages on a slow phone, beside static copies and copies with React alone',
    options: ['rounds'],
    load: () => import('./first-screen.ts'),
  },
  opening: {
    about: 'letters that open on a slow device: shifts, long tasks, and frames beside bare layers',
    options: ['rounds'],
    load: () => import('./opening.ts'),
  },
  sealing: {
    about: 'letters that are sealed on a slow device: how long it lasts, shifts and frames',
    options: ['rounds'],
    load: () => import('./sealing.ts'),
  },
  loading: {
    about: 'how far pages move while they load on a slow phone',
    options: ['rounds'],
    load: () => import('./loading.ts'),
  },
  instant: {
    about: 'browsers with wrong clocks that turn together, and when the last of many pages is told',
    options: ['rounds'],
    load: () => import('./instant.ts'),
  },
  'request-files': {
    about: 'which of our files run for one request',
    options: [],
    load: () => import('./request-files.ts'),
  },
  film: {
    about: 'the opening of a letter as pictures, each 50 ms, and contact sheets (measures nothing)',
    options: [],
    load: () => import('./film.ts'),
  },
  'long-film': {
    about:
      'an hour of film of 590 MB: requests of a jump and memory of its page, beside a bare player',
    options: ['minutes'],
    load: () => import('./long-film.ts'),
  },
  scrolling: {
    about: 'the frames of a phone in thousands of rows and in years of calendar',
    options: [],
    load: () => import('./scrolling.ts'),
  },
  recording: {
    about: 'a long recording on a phone whose line is cut',
    options: ['minutes'],
    load: () => import('./recording.ts'),
  },
}

const { name, options } = parseCommandLine()
const benchmark = benchmarks[name ?? '']
if (benchmark) {
  const { run } = await benchmark.load()
  await withCleanUp((atEnd) => run(options, atEnd))
} else {
  console.log('npm run bench -- <name> [options]\n')
  for (const [name, { about, options }] of Object.entries(benchmarks)) {
    console.log(`${name.padEnd(14)} ${about}`)
    const defaults = options.map((option) => `--${option} ${DEFAULTS[option] ?? '<path>'}`)
    if (defaults.length > 0) console.log(`${''.padEnd(14)} ${defaults.join(' ')}`)
  }
}

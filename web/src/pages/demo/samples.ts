import { useEffect, useMemo, useState } from 'react'
import type { Envelope, OpenRevelation, Revelation } from '#contract/revelations.ts'
import { serverNow } from '#web/lib/clock.ts'

// Samples and people are invented. The text of the live letter is in `live-letter.ts`, which loads when it opens.

const HOUR_MS = 3_600_000
const MEDIA = '/api/demo/local'
const THUMBNAILS = '/api/demo/thumbnails'
export const LIVE_ID = 'exemple-prenom'

const COMMON = {
  author_avatar: null,
  time_zone: 'Europe/Brussels',
  kind: 'letter',
  visibility: 'public',
  is_private: false,
  is_revealed: false,
  file_type: null,
  teaser_start: null,
  teaser_end: null,
  teaser_url: null,
  thumbnail_teaser: null,
  reactions_count: 0,
  comments_count: 0,
  views_count: 0,
  my_reactions: [],
  version: 1,
  commitment: '',
  opening: { needed: false, opened_at: null, tells_author: false },
  prediction: null,
  can: { edit: false, delete: false, react: false, comment: false, declare: false, vote: false },
} as const satisfies Partial<Envelope>

/** Sealed when the page opens, revealed within the minute. */
function liveSample(sealedAtMs: number, waitMs: number): Envelope {
  const sealedAt = new Date(sealedAtMs).toISOString()
  return {
    ...COMMON,
    id: LIVE_ID,
    title: 'Son prénom, dès qu’elle sera là',
    author_id: 'lou_et_sacha',
    author_pseudo: 'lou_et_sacha',
    target_email: '',
    target_name: null,
    reveal_date: new Date(sealedAtMs + waitMs).toISOString(),
    category: 'family',
    file_type: 'video',
    public_since: sealedAt,
    created_at: sealedAt,
    updated_at: sealedAt,
  }
}

function liveLetter(envelope: Envelope, content: string): OpenRevelation {
  return {
    ...envelope,
    is_revealed: true,
    content,
    file_url: `${MEDIA}/aurore.mp4`,
    file_is_sealed: true,
    file_mobile_url: null,
    file_name: 'aurore.mp4',
    file_size: null,
    duration: 8,
    thumbnail_complete: `${THUMBNAILS}/aurore.webp`,
    seal_voice_url: null,
    seal_voice_words: null,
    paper: 'wove',
    ink: 'black',
  }
}

/** Revealed last spring. */
function openSample(nowMs: number): OpenRevelation {
  const year = new Date(nowMs - 120 * 24 * HOUR_MS).getUTCFullYear()
  const sealedAt = `${year - 1}-12-12T19:30:00.000Z`
  return {
    ...COMMON,
    id: 'exemple-cerisier',
    title: 'À lire quand le cerisier sera en fleur',
    author_id: 'mamie_cerise',
    author_pseudo: 'mamie_cerise',
    target_email: '',
    target_name: null,
    reveal_date: `${year}-04-10T06:00:00.000Z`,
    is_revealed: true,
    category: 'love',
    file_type: 'image',
    public_since: sealedAt,
    created_at: sealedAt,
    updated_at: sealedAt,
    content:
      'Ma Jeanne, j’écris ceci en décembre, sous la neige. Quand tu le liras, la balançoire sera remise. Va t’y asseoir, pousse fort, et souviens-toi que l’hiver ne dure pas\u202F: il attend son jour, comme cette lettre.',
    file_url: `${MEDIA}/cerisier.webp`,
    file_is_sealed: true,
    file_mobile_url: null,
    file_name: 'cerisier.webp',
    file_size: null,
    duration: null,
    thumbnail_complete: `${THUMBNAILS}/cerisier.webp`,
    seal_voice_url: null,
    seal_voice_words: null,
    paper: 'wove',
    ink: 'black',
  }
}

/** Sealed for years, with a teaser of four seconds. */
function farSample(nowMs: number): Envelope {
  const year = new Date(nowMs).getUTCFullYear()
  const sealedAt = `${year - 1}-07-20T20:17:00.000Z`
  return {
    ...COMMON,
    id: 'exemple-mars',
    title: 'Le jour où quelqu’un marchera sur Mars',
    author_id: 'astre_curieux',
    author_pseudo: 'astre_curieux',
    target_email: '',
    target_name: null,
    reveal_date: `${year + 8}-12-31T23:00:00.000Z`,
    category: 'projects',
    file_type: 'video',
    teaser_start: 0,
    teaser_end: 4,
    teaser_url: `${MEDIA}/mars.mp4`,
    thumbnail_teaser: `${THUMBNAILS}/mars.webp`,
    public_since: sealedAt,
    created_at: sealedAt,
    updated_at: sealedAt,
  }
}

const FIRST_WAIT_MS = 40_000
const NEXT_WAIT_MS = 6_000

/** One cycle of the live sample, from seal to reveal. */
interface Run {
  number: number
  sealedAtMs: number
  waitMs: number
  /** Its text, once it is loaded. */
  letter?: string
}

/** The three samples. The live one is sealed when the page opens; `again` seals it again. */
export function useSamples() {
  const [run, setRun] = useState<Run>(() => ({
    number: 0,
    sealedAtMs: serverNow(),
    waitMs: FIRST_WAIT_MS,
  }))
  useEffect(() => {
    // The first screen was made a while ago, and the clock stands still until it is taken over (`freezeServerClock`).
    const timer = setTimeout(() => setRun((first) => ({ ...first, sealedAtMs: serverNow() })))
    return () => clearTimeout(timer)
  }, [])
  const [arrivedAtMs] = useState(run.sealedAtMs)
  const others = useMemo(() => [openSample(arrivedAtMs), farSample(arrivedAtMs)], [arrivedAtMs])
  const live = useMemo((): Revelation => {
    const envelope = liveSample(run.sealedAtMs, run.waitMs)
    return run.letter === undefined ? envelope : liveLetter(envelope, run.letter)
  }, [run])
  const refresh = async (id: string): Promise<Revelation> => {
    if (id !== LIVE_ID) return others.find((sample) => sample.id === id) ?? live
    const { LIVE_LETTER } = await import('./live-letter.ts')
    setRun((waiting) => ({ ...waiting, letter: LIVE_LETTER }))
    return live
  }
  const again = () =>
    setRun(({ number }) => ({
      number: number + 1,
      sealedAtMs: serverNow(),
      waitMs: NEXT_WAIT_MS,
    }))
  return { live, samples: [live, ...others], run: run.number, refresh, again }
}

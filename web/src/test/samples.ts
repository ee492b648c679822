import type { Comment } from '#contract/comments.ts'
import type { Delivery } from '#contract/deliveries.ts'
import type { UploadResult } from '#contract/media.ts'
import type { Prediction } from '#contract/predictions.ts'
import type { User } from '#contract/profiles.ts'
import type { ReceivedPage, ReceivedRevelation } from '#contract/received.ts'
import type {
  Envelope,
  LetterFile,
  OpenRevelation,
  OwnRevelation,
  Revelation,
  RevelationPage,
} from '#contract/revelations.ts'

const DAY_MS = 86_400_000
let lastId = 0

export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString()
}

export function aUser(overrides: Partial<User> = {}): User {
  return {
    id: 'user-camille',
    pseudo: 'camille',
    email: 'camille@exemple.be',
    avatar_url: null,
    bio: '',
    location: '',
    website: '',
    email_verified: true,
    onboarded: true,
    created_at: inDays(-90),
    ...overrides,
  }
}

/** What a visitor may do to a revelation. */
export function nothingAllowed(): Envelope['can'] {
  return {
    edit: false,
    delete: false,
    react: false,
    comment: false,
    declare: false,
    vote: false,
  }
}

/** What became of a public revelation, as nobody said yet. */
export function aPrediction(overrides: Partial<Prediction> = {}): Prediction {
  const votes = { fulfilled: 0, partly: 0, failed: 0, undecidable: 0 }
  return { declared: null, votes, my_vote: null, counts: true, ...overrides }
}

/** What anybody may see of a sealed revelation. */
export function anEnvelope(overrides: Partial<Envelope> = {}): Envelope {
  lastId += 1
  return {
    id: `revelation-${lastId}`,
    title: 'Ce que je pense de notre voyage',
    author_id: 'user-noemie',
    author_pseudo: 'noemie',
    author_avatar: null,
    target_email: 'd•••@g•••.com',
    target_name: null,
    reveal_date: inDays(3.2),
    time_zone: 'Europe/Brussels',
    kind: 'letter',
    category: 'travel',
    visibility: 'public',
    public_since: (overrides.visibility ?? 'public') === 'public' ? inDays(-10) : null,
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
    created_at: inDays(-10),
    updated_at: inDays(-10),
    version: 1,
    commitment: '0'.repeat(64),
    opening: { needed: false, opened_at: null, tells_author: false },
    prediction: null,
    can: nothingAllowed(),
    ...overrides,
  }
}

/** What its readers receive once it is open. */
export function anOpenLetter(overrides: Partial<OpenRevelation> = {}): OpenRevelation {
  return {
    ...anEnvelope({ reveal_date: inDays(-1), is_revealed: true }),
    content: 'Quand vous lirez ces lignes, un an aura passé.',
    file_url: null,
    file_is_sealed: null,
    file_mobile_url: null,
    file_name: null,
    file_size: null,
    duration: null,
    thumbnail_complete: null,
    seal_voice_url: null,
    seal_voice_words: null,
    paper: 'wove',
    ink: 'black',
    ...overrides,
  }
}

/** One of several files of an open letter: a photo with its three variants. */
export function aLetterFile(name: string, overrides: Partial<LetterFile> = {}): LetterFile {
  return {
    url: `/api/secure-file/images/${name}.jpg?token=un`,
    is_sealed: false,
    mobile_url: `/api/secure-file/images/mobile_${name}.webp?token=un`,
    type: 'image',
    name: `${name}.jpg`,
    size: 2048,
    duration: null,
    thumbnail: `/api/secure-file/images/thumbnail_${name}.webp?token=un`,
    caption: null,
    ...overrides,
  }
}

/** What its readers receive of a letter with these files. */
export function anAlbum(
  files: readonly LetterFile[],
  overrides: Partial<OpenRevelation> = {},
): OpenRevelation {
  const [first] = files
  return anOpenLetter({
    file_type: first?.type ?? null,
    file_url: first?.url ?? null,
    file_mobile_url: first?.mobile_url ?? null,
    file_name: first?.name ?? null,
    file_size: first?.size ?? null,
    duration: first?.duration ?? null,
    thumbnail_complete: first?.thumbnail ?? null,
    files: [...files],
    ...overrides,
  })
}

/** What its author reads of a delivery that waits for its instant. */
export function aDelivery(overrides: Partial<Delivery> = {}): Delivery {
  return {
    id: 'd1d1d1d1-0000-4000-8000-000000000001',
    address: 'maman@exemple.be',
    name: null,
    state: 'planned',
    due_at: inDays(3.2),
    sent_at: null,
    opened_at: null,
    error: null,
    notified_at: null,
    revoked_at: null,
    handed_at: null,
    journal: [],
    can: { resend: false, readdress: true, revoke: false, hand: true },
    ...overrides,
  }
}

/** What its author receives, sealed or not. */
export function anOwnRevelation({
  deliveries: several,
  ...overrides
}: Partial<OwnRevelation> = {}): OwnRevelation {
  const author = aUser()
  const delivery = overrides.delivery ?? several?.[0] ?? aDelivery()
  const deliveries = several ?? [delivery]
  return {
    ...anOpenLetter({ is_revealed: false, reveal_date: inDays(3.2) }),
    author_id: author.id,
    author_pseudo: author.pseudo,
    target_email: delivery.address,
    target_name: delivery.name,
    recipients: deliveries.map(({ address, name }) => ({ email: address, name })),
    recipients_see_each_other: false,
    can: { ...nothingAllowed(), edit: true, delete: true, react: true, comment: true },
    video_edit_url: null,
    processing_status: 'none',
    processing_progress: 100,
    processing_error: null,
    failed_jobs: [],
    deliveries,
    delivery,
    is_suspended: false,
    ...overrides,
  }
}

export function aPage(
  revelations: Revelation[],
  next_cursor: string | null = null,
): RevelationPage {
  const revealed = revelations.filter((revelation) => revelation.is_revealed).length
  const found = revelations.length
  return { revelations, next_cursor, counts: { found, revealed, pending: found - revealed } }
}

/** What the server answers to a video that has arrived. */
export function anUpload(overrides: Partial<UploadResult> = {}): UploadResult {
  const filename = '0b7f4c1e.mp4'
  return {
    url: `/api/secure-file/videos/${filename}`,
    path: `videos/${filename}`,
    filename,
    originalName: 'film.mp4',
    size: 5000,
    sizeMB: 0.01,
    mimetype: 'video/mp4',
    duration: 40,
    processing: { enabled: false, totalJobs: 0, jobs: [] },
    userExperience: { canProceed: true, message: 'Votre fichier est prêt.' },
    processingInfo: {
      status: 'completed',
      statusText: 'Upload terminé',
      mbLoaded: 0.01,
      mbTotal: 0.01,
    },
    ...overrides,
  }
}

/** A comment of somebody else, as any reader sees it. */
export function aComment(overrides: Partial<Comment> = {}): Comment {
  lastId += 1
  return {
    id: `comment-${lastId}`,
    revelation_id: 'revelation-1',
    author_id: 'user-paul',
    author_pseudo: 'paul',
    author_avatar: null,
    content: 'Quelle belle idée.',
    created_at: inDays(-1),
    can_delete: false,
    ...overrides,
  }
}

/** A letter as the list of received ones has it. */
export function aReceived(
  revelation: Revelation,
  received: Partial<ReceivedRevelation['received']> = {},
): ReceivedRevelation {
  const state = revelation.is_revealed ? ('waiting' as const) : ('upcoming' as const)
  return {
    ...revelation,
    received: {
      state,
      since: revelation.is_revealed ? revelation.reveal_date : revelation.created_at,
      opened_at: null,
      source: 'address',
      is_answered: false,
      ...received,
    },
  }
}

export function aReceivedPage(
  revelations: ReceivedRevelation[],
  next_cursor: string | null = null,
): ReceivedPage {
  const count = (wanted: string) =>
    revelations.filter(({ received }) => received.state === wanted).length
  const counts = {
    waiting: count('waiting'),
    upcoming: count('upcoming'),
    opened: count('opened'),
  }
  return { revelations, next_cursor, counts }
}

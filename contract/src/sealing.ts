import * as z from 'zod/mini'
import { albumFields, fileUrlSchema } from './albums.ts'
import { recipientNameSchema } from './deliveries.ts'
import { defineEndpoint } from './endpoint.ts'
import { KINDS } from './kinds.ts'
import { CATEGORIES, INKS, PAPERS, revelationSchema, VISIBILITIES } from './revelations.ts'
import { emailAddress, idSchema, renameAliases, typedText } from './text.ts'

/* What an author writes, and may write again: the other half of `revelations.ts`, which says what is read. */

export const TITLE_MIN_LENGTH = 3
export const TITLE_MAX_LENGTH = 120
export const CONTENT_MIN_LENGTH = 10
export const CONTENT_MAX_LENGTH = 20_000
export const TEASER_MIN_SECONDS = 1
export const TEASER_MAX_SECONDS = 30
export const TEASER_DEFAULT_SECONDS = 10
/** What an author is asked for, and what is accepted: recorders end a little late. */
export const SEAL_VOICE_SECONDS = 5
export const SEAL_VOICE_MAX_SECONDS = 6
export const SEAL_VOICE_WORDS_MAX_LENGTH = 200
/** The captions of three hours of talk. */
export const FILE_WORDS_MAX_LENGTH = 200_000
export const RECIPIENTS_MAX = 20
export const REVEAL_HORIZON_YEARS = 100
export const DEFAULT_TIME_ZONE = 'Europe/Brussels'

/** What an author adds to the mail that announces a letter, and to that of its opening. */
export const NOTE_KINDS = ['announcement', 'opening'] as const
export type NoteKind = (typeof NOTE_KINDS)[number]
export const NOTE_MAX_LENGTH = 300

const DOMAINS =
  'com|net|org|info|biz|name|app|dev|io|co|me|ly|gl|to|tv|cc|xyz|top|site|online|shop|link|click|club|live|fr|be|ch|ca|lu|eu|de|uk|es|it|nl|ru|cn|us'

// What mail programs turn into a link: a scheme, « www. », a name in a domain, the numbers of a machine.
const LINKED = new RegExp(
  `\\p{L}[\\w+.-]*://|(?<![\\p{L}\\p{N}])www\\.|xn--|[\\p{L}\\p{N}\\p{M}\\p{So}]\\.(?:${DOMAINS})(?![\\p{L}\\p{N}])`,
  'iu',
)
// « exemple.paris », « EXEMPLE.PARIS », « 例え.テスト »; « demain.Puis » and « M.Dupont » only lack a space.
const LIKE_A_DOMAIN =
  /[\p{L}\p{N}\p{M}\p{So}]\.(?!\p{Lu}\p{Ll}+(?!\p{L}))\p{L}{2,}|(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/u

/** Whether a text holds the address of a page, however its signs are written. */
export function hasPageAddress(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll('\u3002', '.')
  return LINKED.test(plain) || LIKE_A_DOMAIN.test(plain)
}

/** Words of an author that a mail to somebody else carries: nothing in them may lead anywhere. */
const noteSchema = z.optional(
  z.nullable(
    typedText({
      max: {
        length: NOTE_MAX_LENGTH,
        message: 'Ce mot ne peut pas dépasser 300 caractères',
      },
    }).check(z.refine((text) => !hasPageAddress(text), 'Pas d’adresse de page dans ce mot')),
  ),
)

const titleSchema = typedText({
  line: true,
  required: 'Le titre est requis',
  min: { length: TITLE_MIN_LENGTH, message: 'Le titre doit contenir au moins 3 caractères' },
  max: { length: TITLE_MAX_LENGTH, message: 'Le titre ne peut pas dépasser 120 caractères' },
})

const contentSchema = typedText({
  required: 'Le contenu est requis',
  min: { length: CONTENT_MIN_LENGTH, message: 'Le contenu doit contenir au moins 10 caractères' },
  max: {
    length: CONTENT_MAX_LENGTH,
    message: 'Le contenu ne peut pas dépasser 20\u00A0000 caractères',
  },
})

const REVEAL_DATE =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/

function isRevealDate(text: string): boolean {
  if (!REVEAL_DATE.test(text) || Number.isNaN(Date.parse(text))) return false
  // Date.parse rolls 30 February over to March; the day asked for must exist.
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

/** An instant with its offset, or a day (which opens at 00:00 in `time_zone`). */
export const revealDateSchema = z
  .string('La date de révélation est requise')
  .check(
    z.minLength(1, { error: 'La date de révélation est requise', abort: true }),
    z.refine(isRevealDate, 'La date de révélation n’est pas valide'),
  )

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('fr', { timeZone: name })
    return name.length <= 64 && /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

export const timeZoneSchema = z
  .string('Ce fuseau horaire n’existe pas')
  .check(z.refine(isTimeZone, 'Ce fuseau horaire n’existe pas'))

const secondsSchema = z.nullable(
  z
    .number('L’extrait n’est pas valide')
    .check(z.gte(0, 'L’extrait n’est pas valide'), z.lte(86_400, 'L’extrait n’est pas valide')),
)

const recipientsSchema = z
  .array(
    z.object({
      email: emailAddress("L'email du destinataire est requis"),
      name: recipientNameSchema,
    }),
    'Les destinataires ne sont pas valides',
  )
  .check(
    z.minLength(1, "L'email du destinataire est requis"),
    z.maxLength(RECIPIENTS_MAX, 'Une révélation a 20 destinataires au plus'),
  )

const revelationFields = {
  title: titleSchema,
  content: contentSchema,
  /** The first recipient, or the only one. */
  target_email: z.optional(emailAddress("L'email du destinataire est requis")),
  target_name: recipientNameSchema,
  /** All of them, the first one first: each has a link, an opening and a journal of their own. */
  recipients: z.optional(recipientsSchema),
  /** Whether each of them is told for whom else it is. */
  recipients_see_each_other: z.optional(z.boolean('Ce choix n’est pas valide')),
  reveal_date: revealDateSchema,
  time_zone: z.optional(timeZoneSchema),
  /** Absent on creation: `capsule` to oneself alone, else `letter`. Frozen once revealed. */
  kind: z.optional(z.enum(KINDS, 'Ce genre n’existe pas')),
  category: z.optional(z.enum(CATEGORIES, 'Cette catégorie n’existe pas')),
  /** Absent on creation: that of a kind that is named, else `public`. */
  visibility: z.optional(z.enum(VISIBILITIES, 'Cette visibilité n’existe pas')),
  is_private: z.optional(z.boolean('Cette visibilité n’existe pas')),
  /** The first file; with `file_urls`, the same one. */
  file_url: z.optional(z.nullable(fileUrlSchema)),
  ...albumFields,
  file_type: z.optional(z.nullable(z.string('Type de fichier non autorisé'))),
  /** What is said in the first file: a WebVTT text for a film, its words for a recording. Empty or null takes it away. */
  file_words: z.optional(
    z.nullable(
      typedText({
        max: {
          length: FILE_WORDS_MAX_LENGTH,
          message: 'Le texte du fichier ne peut pas dépasser 200\u00A0000 caractères',
        },
      }),
    ),
  ),
  teaser_start: z.optional(secondsSchema),
  teaser_end: z.optional(secondsSchema),
  /** The address of an uploaded voice; null takes it away with its words. */
  seal_voice: z.optional(z.nullable(fileUrlSchema)),
  /** For those who cannot hear it. */
  seal_voice_words: z.optional(
    z.nullable(
      typedText({
        line: true,
        max: {
          length: SEAL_VOICE_WORDS_MAX_LENGTH,
          message: 'Les mots de votre voix ne peuvent pas dépasser 200 caractères',
        },
      }),
    ),
  ),
  /** Other than the first of each only on a plan with `themes`; what is stored may stay. */
  paper: z.optional(z.enum(PAPERS, 'Ce papier n’existe pas')),
  ink: z.optional(z.enum(INKS, 'Cette encre n’existe pas')),
  /** For the mails to an addressee, of accounts with a proved address; null takes one away. */
  announcement_note: noteSchema,
  opening_note: noteSchema,
}

interface TeaserBounds {
  teaser_start?: number | null | undefined
  teaser_end?: number | null | undefined
}

function hasWholeTeaser(input: TeaserBounds): boolean {
  return (input.teaser_start == null) === (input.teaser_end == null)
}

function isTeaserLongEnough({ teaser_start, teaser_end }: TeaserBounds): boolean {
  if (teaser_start == null || teaser_end == null) return true
  return teaser_end - teaser_start >= TEASER_MIN_SECONDS
}

function isTeaserShortEnough({ teaser_start, teaser_end }: TeaserBounds): boolean {
  if (teaser_start == null || teaser_end == null) return true
  return teaser_end - teaser_start <= TEASER_MAX_SECONDS
}

const teaserChecks = [
  z.refine<TeaserBounds>(hasWholeTeaser, {
    error: 'L’extrait demande un début et une fin',
    path: ['teaser_end'],
  }),
  z.refine<TeaserBounds>(isTeaserLongEnough, {
    error: 'La fin de l’extrait doit être au moins 1\u00A0s après son début',
    path: ['teaser_end'],
  }),
  z.refine<TeaserBounds>(isTeaserShortEnough, {
    error: 'Le teaser dépasse la durée maximale autorisée',
    path: ['teaser_end'],
  }),
] as const

interface NamedRecipients {
  target_email?: string | undefined
  recipients?: readonly { email: string }[] | undefined
}

const hasRecipient = z.refine<NamedRecipients>(
  ({ target_email, recipients }) => target_email !== undefined || recipients !== undefined,
  { error: "L'email du destinataire est requis", path: ['target_email'] },
)

export const createRevelationInputSchema = z
  .object(revelationFields)
  .check(hasRecipient, ...teaserChecks)
export type CreateRevelationInput = z.infer<typeof createRevelationInputSchema>

/**
 * What is absent stays as it is; `file_url: null` takes the files away, `seal_voice: null` the voice. A `file_url` alone that
 * names the first file keeps all of them: older clients send back every field that they know.
 */
export const editRevelationInputSchema = z
  .partial(z.object(revelationFields))
  .check(...teaserChecks)
export type EditRevelationInput = z.infer<typeof editRevelationInputSchema>

const ALIASES = {
  targetEmail: 'target_email',
  targetName: 'target_name',
  revealDate: 'reveal_date',
  isPrivate: 'is_private',
  fileUrl: 'file_url',
  fileUrls: 'file_urls',
  fileType: 'file_type',
  teaserStart: 'teaser_start',
  teaserEnd: 'teaser_end',
  timeZone: 'time_zone',
} as const

/** Renames the camelCase aliases that older clients send; the wire name wins over its alias. */
export function normalizeAliases(body: unknown): unknown {
  return renameAliases(body, ALIASES)
}

const oneRevelation = z.object({ revelation: revelationSchema })
const tags = ['revelations'] as const

export const createRevelation = defineEndpoint({
  method: 'POST',
  url: '/api/revelations',
  scope: 'write',
  createsOnce: true,
  schema: {
    summary: 'Seal a revelation',
    tags,
    body: createRevelationInputSchema,
    response: { 201: oneRevelation },
  },
})

export const editRevelation = defineEndpoint({
  method: 'PUT',
  url: '/api/revelations/:id',
  scope: 'write',
  schema: {
    summary:
      'Seal a new version; frozen once revealed, but for a narrower audience and the category',
    tags,
    params: z.object({ id: idSchema }),
    body: editRevelationInputSchema,
    response: { 200: oneRevelation },
  },
})

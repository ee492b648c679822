import type { FieldValue } from './fields.ts'
import type { Facts, SealedVersion, Verdict } from './verdict.ts'
import { audienceInWords, kindInWords } from './verdict-in-words.ts'

type FormatInstant = (instant: string) => string

const count = new Intl.NumberFormat('fr')

/** What a proof says, name by name. Whether it is verified or only claimed stands over it. */
export function factsInWords(facts: Facts, formatInstant: FormatInstant): [string, string][] {
  const { id, authorId, title, content, revealAt, files, others, audiences, origin } = facts
  const { size, signedAt } = facts.checkpoint
  const state = `${origin}, ${entriesInWords(size)}`
  return [
    ...said('Titre', title),
    ...said('Texte', content),
    ...said('Date de dévoilement', revealAt && formatInstant(revealAt)),
    ...(files ?? []).map(({ sha256, label }, at): [string, string] => [
      `Fichier${(files ?? []).length > 1 ? ` ${at + 1}` : ''}${label ? ` (${label})` : ''}, SHA-256`,
      sha256,
    ]),
    ...others.map((field): [string, string] => [field.name, valueInWords(field, formatInstant)]),
    ...said('Audience', audiences.length > 0 ? audienceInWords(facts, formatInstant) : undefined),
    ...said('Genre', kindInWords(facts, formatInstant)[0]),
    ...said('Identifiant de la révélation', id),
    ...said('Identifiant de l’auteur', authorId),
    ...said('Journal', origin === '' ? undefined : state),
    ...said('Signé le', signedAt ? formatInstant(signedAt) : undefined),
  ]
}

function said(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]]
}

function valueInWords(field: FieldValue, formatInstant: FormatInstant): string {
  if (field.type === 'none') return 'rien'
  if (field.type === 'instant') return formatInstant(field.value)
  if (field.type === 'text') return field.value
  return field.value
    .map(({ sha256, label }) => (label ? `${label} (SHA-256 ${sha256})` : `SHA-256 ${sha256}`))
    .join(', ')
}

/** « 12 inscriptions ». */
export function entriesInWords(size: number): string {
  return `${count.format(size)}\u00A0${size < 2 ? 'inscription' : 'inscriptions'}`
}

/** The versions before the last, which format 1 does not bind to the letter: none where all are bound. */
export function assertedVersions({ facts, claims }: Verdict): readonly SealedVersion[] {
  return facts ? (claims?.versions ?? []).slice(0, -facts.versions.length) : []
}

const DONE = {
  create: 'scellée le',
  edit: 'modifiée le',
  change: 'audience ou genre changé le',
} as const satisfies Record<SealedVersion['kind'], string>

/** « Version 2, modifiée le … » and « Inscription n° 12 au journal ». */
export function versionInWords(
  { version, kind, sealedAt, index }: SealedVersion,
  formatInstant: FormatInstant,
): { done: string; place: string } {
  return {
    done: `Version ${version}, ${DONE[kind]} ${formatInstant(sealedAt)}`,
    place:
      index === null
        ? 'Pas encore inscrite au journal'
        : `Inscription n°\u00A0${count.format(index + 1)} au journal`,
  }
}

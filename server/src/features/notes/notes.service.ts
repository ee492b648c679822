import { type EditRevelationInput, NOTE_KINDS, type NoteKind } from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { grantAuthorNotes, grantMailNote } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { type ReadingRight, requireNoteRight } from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/sealed-format.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import { deleteNote, listSealedNotes, type SealedNote, upsertNote } from './notes.repository.ts'

/** What an author adds to the mail that announces a letter, and to that of its opening (behaviour.md 3.9). */
export type Notes = Record<NoteKind, string | null>

const NO_NOTES: Notes = { announcement: null, opening: null }

type NotesInput = Pick<EditRevelationInput, 'announcement_note' | 'opening_note'>

const FIELDS = { announcement: 'announcement_note', opening: 'opening_note' } as const

/** The notes after this input; what is absent stays. Refuses by name a new one of an account whose address is not proved. */
export function notesAfter(actor: Actor, input: NotesInput, stored: Notes = NO_NOTES): Notes {
  const after = { ...stored }
  for (const kind of NOTE_KINDS) {
    const typed = input[FIELDS[kind]]
    if (typed === undefined || (typed || null) === stored[kind]) continue
    if (typed && actor.verifiedEmailKey === null)
      throw fieldError(FIELDS[kind], 'Vérifiez d’abord votre adresse e-mail pour ajouter un mot')
    after[kind] = typed || null
  }
  return after
}

/** Stores the notes that are others than before. */
export async function storeNotes(
  tx: AppContext,
  revelationId: string,
  notes: Notes,
  stored: Notes = NO_NOTES,
): Promise<void> {
  for (const kind of NOTE_KINDS) {
    const words = notes[kind]
    if (words === stored[kind]) continue
    if (words === null) await deleteNote(tx.db, revelationId, kind)
    else await upsertNote(tx.db, sealNote(tx, { revelationId, kind }, words))
  }
}

function sealNote(
  ctx: AppContext,
  note: { revelationId: string; kind: NoteKind },
  words: string,
): SealedNote {
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(note))
  return { ...note, wrappedKey: wrapped, sealedWords: sealText(dataKey, 'note', words) }
}

function subjectOf({ revelationId, kind }: { revelationId: string; kind: NoteKind }): string {
  return `note:${kind}:${revelationId}`
}

/** Opens a note. Throws `SealBroken` for a damaged one. */
export function openNote(ctx: AppContext, right: ReadingRight, note: SealedNote): string {
  requireNoteRight(right, note)
  return openText(
    ctx.keyring.openDataKey(subjectOf(note), note.wrappedKey),
    'note',
    note.sealedWords,
  )
}

/** Null for a damaged note: the letter, or its mail, is there without it. */
function openUnlessBroken(ctx: AppContext, right: ReadingRight, note: SealedNote): string | null {
  try {
    return openNote(ctx, right, note)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    const { revelationId, kind } = note
    ctx.log.error({ revelationId, kind, err: error }, 'a note can no longer be opened')
    return null
  }
}

interface OwnLetter {
  id: string
  authorId: string
}

/** The notes of one’s own letters, by letter. */
export async function getOwnNotes(
  ctx: AppContext,
  actor: { userId: string },
  letters: readonly OwnLetter[],
): Promise<(id: string) => Notes> {
  const right = grantAuthorNotes(actor, letters)
  if (!right) throw new Error('A letter of somebody else is among one’s own')
  const ids = letters.map(({ id }) => id)
  const notes = new Map<string, Notes>()
  for (const sealed of await listSealedNotes(ctx.db, ids)) {
    const words = openUnlessBroken(ctx, right, sealed)
    const { revelationId, kind } = sealed
    notes.set(revelationId, { ...NO_NOTES, ...notes.get(revelationId), [kind]: words })
  }
  return (id) => notes.get(id) ?? NO_NOTES
}

/** The note that a mail carries to an addressee; none for an opening before its instant. */
export async function findMailNote(
  ctx: AppContext,
  kind: NoteKind,
  letter: { revelationId: string; revealAt: Date },
): Promise<string | null> {
  const right = grantMailNote(kind, letter, ctx.now())
  if (!right) return null
  const notes = await listSealedNotes(ctx.db, [letter.revelationId])
  const sealed = notes.find((note) => note.kind === kind)
  return sealed ? openUnlessBroken(ctx, right, sealed) : null
}

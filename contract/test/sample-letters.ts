import { kindsOf } from './hostile/corpus.ts'
import type { Sealed, World } from './hostile/world.ts'

function letterOf({ letters }: World, name: string, is: (letter: Sealed) => boolean): Sealed {
  const found = letters.find(is)
  if (!found) throw new Error(`No letter ${name}`)
  return found
}

const kinds = ({ leaves }: Sealed) =>
  leaves.map(({ kind, item }) => (item ? `${kind} 1` : kind)).join()

/** Letters of every sort, at the last checkpoint. */
export function sorts(site: World) {
  const isOf = (wanted: string) => (letter: Sealed) => kinds(letter) === wanted
  const hasField = (name: string) => (letter: Sealed) => name in (letter.leaves[0]?.fields ?? {})
  return {
    plain: letterOf(site, 'created', isOf('create')),
    changed: letterOf(
      site,
      'edited, and then for another audience',
      (one) => isOf('create,edit,change')(one) && 'audience' in (one.leaves[2]?.fields ?? {}),
    ),
    album: letterOf(site, 'of later', (one) => hasField('voice')(one) && filesOf(one).length > 2),
    immediate: letterOf(site, 'at once', ({ leaves: [first] }) => {
      const at = first?.fields.reveal_at
      return !first?.item && at?.type === 'instant' && at.value === first?.sealedAt
    }),
    relabelled: letterOf(
      site,
      'of another kind',
      ({ leaves }) => kindsOf(leaves.slice(0, 1)).length === 1 && kindsOf(leaves).length > 1,
    ),
    mixed: letterOf(site, 'of both formats', isOf('create 1,edit')),
    changedAlone: letterOf(site, 'of format 1, changed', isOf('create 1,change')),
    first: letterOf(site, 'of format 1', isOf('create 1')),
  }
}

/** SHA-256 of all files of its last leaf. */
export function filesOf(letter: Sealed): string[] {
  return Object.values(letter.leaves.at(-1)?.fields ?? {}).flatMap((field) =>
    field.type === 'files' ? field.value.map(({ sha256 }) => sha256) : [],
  )
}

/** The same of its last version. */
export function filesOfLast({ leaves, ...letter }: Sealed): string[] {
  return filesOf({ ...letter, leaves: leaves.filter(({ kind }) => kind !== 'change') })
}

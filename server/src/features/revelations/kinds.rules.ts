import { KIND_VISIBILITY, type Kind } from '#contract/kinds.ts'
import type { Visibility } from '#contract/revelations.ts'
import type { CreateRevelationInput } from '#contract/sealing.ts'
import { visibilityOf } from './revelations.rules.ts'

/** The kind of what is created without one: a capsule when it is for its author alone, else a letter. */
export function unnamedKindOf(
  recipients: readonly { addressKey: string }[],
  authorEmailKey: string,
): Kind {
  return recipients.every(({ addressKey }) => addressKey === authorEmailKey) ? 'capsule' : 'letter'
}

/** Who sees what is created: as asked for, else as its kind begins; everybody where a call names neither. */
export function newVisibilityOf(
  input: Pick<CreateRevelationInput, 'kind' | 'visibility' | 'is_private'>,
): Visibility {
  return visibilityOf(input) ?? (input.kind ? KIND_VISIBILITY[input.kind] : 'public')
}

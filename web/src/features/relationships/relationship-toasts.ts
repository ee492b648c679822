import type { Relationship } from '#contract/relationships.ts'
import { showToast } from '#web/ui/toasts.tsx'
import { TYPE_WORDS } from './relationship-words.ts'

/** Two people who ask each other are related at once: there is nothing left to wait for. */
export function announceAsked(pseudo: string, relationship: Relationship | undefined): void {
  if (relationship) announceRelated(pseudo, relationship)
  else showToast('success', `Demande envoyée à @${pseudo}`)
}

export function announceRelated(pseudo: string, { relationship_type }: Relationship): void {
  showToast('success', `@${pseudo} · ${TYPE_WORDS[relationship_type].one}`)
}

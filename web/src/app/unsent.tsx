import type { User } from '#contract/profiles.ts'
import { isWorthSaving } from '#web/features/revelations/drafts/draft-schema.ts'
import { listDrafts } from '#web/features/revelations/drafts/draft-store.ts'
import { abandonStoredUploads, listStoredUploads } from '#web/features/uploads/uploads-store.ts'
import { listRecordings } from '#web/features/voice-messages/recording-store.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** What is on this device alone, and would go with the session. */
export type Unsent = 'voice' | 'file' | { draftCount: number }

function questionOf(unsent: Unsent): { title: string; description: string } {
  if (unsent === 'voice') {
    return {
      title: 'Vous avez un message vocal non envoyé',
      description:
        'Il n’est que sur cet appareil\u202F: en vous déconnectant, vous l’effacez. Vous pouvez l’envoyer d’abord depuis vos messages vocaux.',
    }
  }
  if (unsent === 'file') {
    return {
      title: 'Vous avez un envoi en attente',
      description:
        'En vous déconnectant, vous l’abandonnez. Vous pouvez le terminer d’abord en créant votre révélation.',
    }
  }
  const { draftCount } = unsent
  return {
    title: draftCount > 1 ? `Vous avez ${draftCount} brouillons` : 'Vous avez un brouillon',
    description:
      draftCount > 1
        ? `${draftCount} brouillons seront effacés de cet appareil\u202F: ils n’existent nulle part ailleurs.`
        : 'Il sera effacé de cet appareil\u202F: il n’existe nulle part ailleurs.',
  }
}

interface UnsentQuestionProps {
  unsent: Unsent
  onStay: () => void
  onLeave: () => void
}

export function UnsentQuestion({ unsent, onStay, onLeave }: UnsentQuestionProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onStay}
      {...questionOf(unsent)}
      confirmLabel="Se déconnecter"
      onConfirm={onLeave}
    />
  )
}

/** Where it cannot be known, nobody is kept from leaving. */
export async function findUnsent({ id: userId, email }: User): Promise<Unsent | undefined> {
  try {
    const recordings = await listRecordings(userId)
    if (recordings.some(({ sizeBytes }) => sizeBytes > 0)) return 'voice'
    if ((await listStoredUploads(userId)).length > 0) return 'file'
  } catch {
    // A device without databases has neither.
  }
  try {
    const drafts = (await listDrafts(userId)).filter((draft) => isWorthSaving(draft, email))
    return drafts.length > 0 ? { draftCount: drafts.length } : undefined
  } catch {
    return undefined
  }
}

/** Gives the room back of what this device was sending; the server forgets by itself what cannot be told now. */
export async function abandonUploads(userId: string): Promise<void> {
  await abandonStoredUploads(userId).catch(() => undefined)
}

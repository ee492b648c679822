import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { User } from '#contract/profiles.ts'
import { useLogout } from '#web/features/auth/auth.queries.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { paths } from '#web/lib/paths.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog,
}))

export interface SignOut {
  signOut: () => void
  isPending: boolean
}

/** Signs out; asks first, with `question`, when a voice, a file or a draft would go with the session. */
export function useSignOut(): SignOut & { question: ReactNode } {
  const { user } = useSession()
  const { mutate: logOut, isPending } = useLogout()
  const navigate = useNavigate()
  const [unsent, setUnsent] = useState<Unsent>()
  const leave = async () => {
    setUnsent(undefined)
    navigate(paths.home)
    if (user && unsent) await abandonUploads(user.id)
    logOut()
  }
  const signOut = async () => {
    const found = user && (await findUnsent(user))
    if (found) setUnsent(found)
    else void leave()
  }
  const question = unsent && (
    <Suspense>
      <ConfirmDialog
        open
        onOpenChange={() => setUnsent(undefined)}
        {...questionOf(unsent)}
        confirmLabel="Se déconnecter"
        onConfirm={() => void leave()}
      />
    </Suspense>
  )
  return { signOut, isPending, question }
}

type Unsent = 'voice' | 'file' | { draftCount: number }

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

/** Where it cannot be known, nobody is kept from leaving. */
async function findUnsent({ id: userId, email }: User): Promise<Unsent | undefined> {
  try {
    const { listRecordings } = await import('#web/features/voice-messages/recording-store.ts')
    const recordings = await listRecordings(userId)
    if (recordings.some(({ sizeBytes }) => sizeBytes > 0)) return 'voice'
    const { listStoredUploads } = await import('#web/features/uploads/uploads-store.ts')
    if ((await listStoredUploads(userId)).length > 0) return 'file'
  } catch {
    // A device without databases has neither.
  }
  try {
    const { listDrafts } = await import('#web/features/revelations/drafts/draft-store.ts')
    const { isWorthKeeping } = await import('#web/features/revelations/drafts/draft-schema.ts')
    const drafts = (await listDrafts(userId)).filter((draft) => isWorthKeeping(draft, email))
    return drafts.length > 0 ? { draftCount: drafts.length } : undefined
  } catch {
    return undefined
  }
}

/** Gives the room back of what this device was sending; the server forgets by itself what cannot be told now. */
async function abandonUploads(userId: string): Promise<void> {
  const { abandonStoredUploads } = await import('#web/features/uploads/uploads-store.ts')
  await abandonStoredUploads(userId).catch(() => undefined)
}

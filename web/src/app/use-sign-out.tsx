import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useLogout } from '#web/features/auth/auth.queries.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { paths } from './paths.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog,
}))

export interface SignOut {
  signOut: () => void
  isPending: boolean
}

/** Signs out; asks first, with `question`, when a voice that was not sent would go with the session. */
export function useSignOut(): SignOut & { question: ReactNode } {
  const { user } = useSession()
  const { mutate: logOut, isPending } = useLogout()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const leave = () => {
    setAsking(false)
    navigate(paths.home)
    logOut()
  }
  const signOut = async () => {
    if (user && (await hasUnsent(user.id))) setAsking(true)
    else leave()
  }
  const question = isAsking && (
    <Suspense>
      <ConfirmDialog
        open
        onOpenChange={setAsking}
        title="Vous avez un message vocal non envoyé"
        description="Il n’est que sur cet appareil : en vous déconnectant, vous l’effacez. Vous pouvez l’envoyer d’abord depuis vos messages audio."
        confirmLabel="Se déconnecter"
        onConfirm={leave}
      />
    </Suspense>
  )
  return { signOut, isPending, question }
}

/** Where it cannot be known, nobody is kept from leaving. */
async function hasUnsent(userId: string): Promise<boolean> {
  try {
    const { listRecordings } = await import('#web/features/recordings/recording-store.ts')
    const recordings = await listRecordings(userId)
    return recordings.some(({ sizeBytes }) => sizeBytes > 0)
  } catch {
    return false
  }
}

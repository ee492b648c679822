import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useLogout } from '#web/features/auth/auth.queries.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { paths } from '#web/lib/paths.ts'
import type { Unsent } from './unsent.tsx'

const UnsentQuestion = lazy(async () => ({
  default: (await import('./unsent.tsx')).UnsentQuestion,
}))

/** Where it cannot come, nobody is kept from leaving. */
const loadUnsent = () => import('./unsent.tsx').catch(() => undefined)

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
    if (user && unsent) await (await loadUnsent())?.abandonUploads(user.id)
    logOut()
  }
  const signOut = async () => {
    const found = user && (await (await loadUnsent())?.findUnsent(user))
    if (found) setUnsent(found)
    else void leave()
  }
  const question = unsent && (
    <Suspense>
      <UnsentQuestion
        unsent={unsent}
        onStay={() => setUnsent(undefined)}
        onLeave={() => void leave()}
      />
    </Suspense>
  )
  return { signOut, isPending, question }
}

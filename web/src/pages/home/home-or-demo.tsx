import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { hasVisited } from '#web/lib/first-visit.ts'
import { HomePage } from './home-page.tsx'

/** The home page; for a visitor who never saw the demo, the demo first. */
export function HomeOrDemo() {
  const { user } = useSession()
  const { key, search } = useLocation()
  // The page that was loaded is judged by `before-paint.js`, before anything of it is seen. A search is what it names.
  const [isFirst] = useState(() => key !== 'default' && search === '' && !user && !hasVisited())
  return isFirst ? <Navigate to={paths.demo} replace /> : <HomePage />
}

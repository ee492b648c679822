import type { ReactNode } from 'react'

/** Received letters side by side, as many as fit. Each child is one card. */
export function LetterGrid({ children }: { children: ReactNode }) {
  return <ul className="mt-3 grid gap-4 md:grid-cols-2 lg:grid-cols-3 [&>li]:grid">{children}</ul>
}

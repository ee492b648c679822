import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'

interface PersonRowProps {
  person: { id: string; pseudo: string; avatar_url: string | null }
  /** Beside the name. */
  badge?: ReactNode
  /** Under the name, side by side where there is room. */
  details?: string[]
  /** Under the row: a message or an error. */
  below?: ReactNode
  actions?: ReactNode
}

/** One person in a list; the row wraps on a phone. */
export function PersonRow({ person, badge, details = [], below, actions }: PersonRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Link
        to={paths.profile(person.id)}
        className="group flex min-h-11 min-w-0 flex-1 basis-36 items-center gap-3"
      >
        <Avatar name={person.pseudo} src={person.avatar_url} className="size-11" />
        <span className="min-w-0 leading-snug">
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="font-semibold [overflow-wrap:anywhere] group-hover:underline">
              @{person.pseudo}
            </span>
            {badge}
          </span>
          {details.length > 0 && (
            <span className="flex flex-wrap gap-x-3 text-ink-soft text-sm">
              {details.map((detail) => (
                <span key={detail} className="[overflow-wrap:anywhere]">
                  {detail}
                </span>
              ))}
            </span>
          )}
        </span>
      </Link>
      {actions && (
        <div className="ml-auto flex flex-wrap justify-end gap-2 max-sm:order-last">{actions}</div>
      )}
      {below && <div className="w-full">{below}</div>}
    </li>
  )
}

export function PersonList({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line">{children}</ul>
}

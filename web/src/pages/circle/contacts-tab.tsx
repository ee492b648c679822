import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import type { CircleMember } from '#contract/circle.ts'
import { circleMembersQuery } from '#web/features/circle/circle.queries.ts'
import { paths } from '#web/lib/paths.ts'
import HouseAtNight from '#web/ui/art/house-at-night.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { MemberCard, RemoveMemberDialog } from './member-card.tsx'

export function ContactsTab() {
  const query = useQuery(circleMembersQuery)
  const { data: members, error } = query
  const [leaving, setLeaving] = useState<CircleMember>()
  const heading = useRef<HTMLHeadingElement>(null)
  if (error && !members) {
    return <QueryFailure query={query} title="Vos contacts n’ont pas pu être chargés" />
  }
  if (!members) return <MembersSkeleton />
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <h2
          ref={heading}
          tabIndex={-1}
          className={members.length === 0 ? 'sr-only' : 'mb-4 text-2xl'}
        >
          Contacts de confiance
        </h2>
        {members.length > 0 && (
          <ButtonLink
            variant="secondary"
            to={paths.ownRelations}
            icon={<UserPlus aria-hidden="true" className="size-5" />}
            className="mb-4 max-sm:hidden"
          >
            Ajouter un contact
          </ButtonLink>
        )}
      </div>
      {members.length === 0 ? (
        <NoContacts />
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {members.map((member) => (
            <MemberCard key={member.id} member={member} onRemove={() => setLeaving(member)} />
          ))}
        </ul>
      )}
      <p className="mt-6 text-ink-soft">
        Le cercle réunit votre famille. Vos amis n’en font pas partie&#8239;: ils sont dans{' '}
        <Link to={paths.ownRelations} className="font-semibold text-ink underline">
          vos relations
        </Link>
        .
      </p>
      <RemoveMemberDialog
        member={leaving}
        onClose={() => setLeaving(undefined)}
        returnTo={heading}
      />
    </>
  )
}

function NoContacts() {
  return (
    <EmptyState
      isUnderTabs
      art={HouseAtNight}
      title="Aucun contact de confiance"
      action={
        <ButtonLink
          to={paths.ownRelations}
          icon={<UserPlus aria-hidden="true" className="size-5" />}
          // On a phone it is at the bottom of the screen already.
          className="mb-4 max-sm:hidden"
        >
          Ajouter un contact
        </ButtonLink>
      }
    >
      Invitez une personne de votre famille&#8239;: elle verra vos livraisons, et vous les siennes.
    </EmptyState>
  )
}

function MembersSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement de vos contacts</span>
      <div aria-hidden="true">
        <Skeleton className="mb-4 h-8 w-56" />
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {['un', 'deux', 'trois'].map((place) => (
            <Skeleton key={place} className="h-40 rounded-card!" />
          ))}
        </div>
      </div>
    </div>
  )
}

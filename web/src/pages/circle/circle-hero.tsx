import { useQuery } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { paths } from '#web/app/paths.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { circleMembersQuery } from '#web/features/circle/circle.queries.ts'
import { FaceRow, FamilyRing } from '#web/features/circle/family-ring.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'

/** The family around its own light, and the one thing to do for it. */
export function CircleHero() {
  const me = useSignedInUser()
  const { data: members } = useQuery(circleMembersQuery)
  return (
    <div className="sky-night circle-sky relative overflow-hidden text-ink">
      <div className="content relative flex items-center justify-between gap-8 pt-7 pb-14 sm:pt-10 sm:pb-18">
        <div className="min-w-0 max-w-xl">
          <PageHeading className="text-[2.2rem] leading-[1.08] sm:text-5xl">
            Cercle Privé
          </PageHeading>
          <p className="mt-3 max-w-lg text-ink-soft text-lg leading-snug">
            Lettres, films et voix pour votre famille, chacun à son jour.
          </p>
          {/* Its place is kept while it is on its way; nobody is alone in a row. */}
          {members?.length !== 0 && <FaceRow me={me} members={members ?? []} />}
          {/* On a phone it stands at the bottom of the screen, under the thumb. */}
          <ButtonLink
            large
            to={paths.deliver}
            icon={<CalendarPlus aria-hidden="true" className="size-5" />}
            className="mt-6 max-sm:hidden"
          >
            Programmer une livraison
          </ButtonLink>
        </div>
        <FamilyRing me={me} members={members ?? []} />
      </div>
    </div>
  )
}

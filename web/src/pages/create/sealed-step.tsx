import { useQuery } from '@tanstack/react-query'
import { Eye, Mail, MailCheck, PencilLine } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { dayInWords } from '#contract/date-in-words.ts'
import { KIND_NOUNS } from '#contract/kinds.ts'
import { isOwn } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { peopleInWords } from '#web/features/revelations/for-whom.ts'
import { revelationQuery } from '#web/features/revelations/revelations.queries.ts'
import { VISIBILITY_HINTS } from '#web/features/revelations/visibility-hints.ts'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { isSameAddress } from '#web/lib/addresses.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { initialOf } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import type { Sealed } from './use-writing.ts'

const SealReceipt = lazy(async () => ({
  default: (await import('#web/features/proofs/seal-receipt.tsx')).SealReceipt,
}))

/** What was sealed before: its page was loaded again, or is come back to from the letter. */
export function SealedBefore({ id, skeleton }: { id: string; skeleton: ReactNode }) {
  const { data: revelation, isPending, isStale, isFetching } = useQuery(revelationQuery(id))
  // Who was told since would be wrong in an older copy.
  if (isPending || (isStale && isFetching)) return skeleton
  if (!revelation || !isOwn(revelation)) return <Navigate to={paths.revelation(id)} replace />
  const wasNotified = revelation.deliveries.some(({ notified_at }) => notified_at !== null)
  return <SealedStep sealed={{ revelation, wasLost: false, wasNotified }} />
}

/** It is sealed: who knows, what comes, and what its author keeps of it. */
export function SealedStep({ sealed }: { sealed: Sealed }) {
  const { revelation, wasLost } = sealed
  const { pseudo } = useSignedInUser()
  const navigate = useNavigate()
  useEffect(() => window.scrollTo(0, 0), [])
  return (
    <div className="container-page flex max-w-3xl flex-col gap-6 pt-4 sm:pt-8">
      <section className="theme-night bg-night-card -mx-4 flex flex-col items-center gap-5 border-line border-y px-5 py-10 text-center text-ink sm:mx-0 sm:rounded-card sm:border sm:px-10 sm:py-12">
        <WaxSeal initial={initialOf(pseudo)} className="size-28" />
        <PageHeading documentTitle="C’est scellé · Écrire">C’est scellé.</PageHeading>
        <p className="max-w-reading font-serif text-xl leading-snug [overflow-wrap:anywhere]">
          {revelation.title}
        </p>
        <WhatComes sealed={sealed} />
        <div className="flex flex-wrap items-center justify-center gap-2">
          <ButtonLink to={paths.revelation(revelation.id)} large>
            Voir {KIND_NOUNS[revelation.kind].the}
          </ButtonLink>
          {revelation.visibility !== 'private' && <ShareButton revelation={revelation} />}
        </div>
      </section>
      {wasLost && (
        <Notice tone="success">
          Elle était déjà scellée&#8239;: la réponse du site s’était perdue en route.
        </Notice>
      )}
      {isOwn(revelation) && !revelation.is_revealed && (
        <section
          aria-label="Le reçu du sceau"
          className="rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6"
        >
          <Suspense fallback={<Skeleton className="h-6 w-56" />}>
            <SealReceipt revelation={revelation} />
          </Suspense>
        </section>
      )}
      <div>
        <Button
          variant="secondary"
          icon={<PencilLine aria-hidden="true" className="size-5" />}
          onClick={() => {
            // At the same address nothing else turns the page.
            requestHeadingFocus()
            window.scrollTo(0, 0)
            navigate(paths.create, { state: { isNew: true } })
          }}
        >
          En écrire une autre
        </Button>
      </div>
    </div>
  )
}

/** Who was told, what they receive and when, and what its author may still do. */
function WhatComes({ sealed: { revelation, wasNotified } }: { sealed: Sealed }) {
  const { email } = useSignedInUser()
  if (!isOwn(revelation)) return null
  const { deliveries, reveal_date, time_zone, is_revealed } = revelation
  const others = deliveries.filter(({ address }) => !isSameAddress(address, email))
  const names = peopleInWords(others.map(({ name, address }) => name || address))
  const isOne = others.length === 1
  if (is_revealed) return <Line icon={MailCheck}>Elle est ouverte.</Line>
  return (
    <ul className="flex flex-col gap-2 text-left text-ink-soft">
      {others.length > 0 && (
        <Line icon={wasNotified ? MailCheck : Mail}>
          {wasNotified
            ? `Un e-mail est parti prévenir ${names}.`
            : 'Rien n’est parti\u202F: c’est une surprise.'}
        </Line>
      )}
      <Line icon={Mail}>
        Le {dayInWords(new Date(reveal_date), time_zone)},{' '}
        {others.length === 0 ? 'vous recevrez' : isOne ? `${names} recevra` : 'chacun recevra'} un
        lien personnel, qui l’ouvre.
      </Line>
      {revelation.visibility !== 'private' && (
        <Line icon={Eye}>{VISIBILITY_HINTS[revelation.visibility].hint}</Line>
      )}
      <Line icon={PencilLine}>
        {revelation.visibility === 'private'
          ? 'Vous pouvez encore la modifier jusque-là.'
          : 'Vous pouvez encore la modifier jusque-là\u202F: chaque version garde sa date, que chacun voit.'}
      </Line>
    </ul>
  )
}

function Line({ icon: Icon, children }: { icon: typeof Mail; children: React.ReactNode }) {
  return (
    <li className="flex items-start gap-2.5">
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ember" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </li>
  )
}

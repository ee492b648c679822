import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { MailLink } from '#contract/mail-links.ts'
import { paths } from '#web/app/paths.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { useLinkToken } from '#web/lib/use-link-token.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { mailLinkQuery } from './mail-links.queries.ts'

interface MailLinkPageProps {
  title: string
  intro: string
  children: (link: MailLink, token: string) => ReactNode
}

/** Where a link of a mail's footer leads, without an account. Nothing happens before a tap. */
export function MailLinkPage({ title, intro, children }: MailLinkPageProps) {
  const { token } = useLinkToken()
  return (
    <AuthPage title={title} intro={intro} aside={<WayHome />}>
      {token ? <WithLink token={token}>{children}</WithLink> : <NoLink />}
    </AuthPage>
  )
}

interface WithLinkProps {
  token: string
  children: MailLinkPageProps['children']
}

function WithLink({ token, children }: WithLinkProps) {
  const { data: link, error, isFetching, refetch } = useQuery(mailLinkQuery(token))
  if (link) return children(link, token)
  if (!error) return <LinkSkeleton />
  // An answer about the link stays what it is, however often it is asked.
  if (error instanceof ApiError && error.status === 400) return <NoLink />
  return (
    <LoadFailure isRetrying={isFetching} onRetry={refetch}>
      {errorSentence(error, 'Erreur API')}
    </LoadFailure>
  )
}

function NoLink() {
  return (
    <Notice tone="warning" title="Ce lien n’est pas valable">
      Il est peut-être coupé. Ouvrez-le depuis le bas du mail que vous avez reçu.
    </Notice>
  )
}

function LinkSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Lecture du lien</span>
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-13 w-full" />
    </div>
  )
}

function WayHome() {
  return (
    <Link
      to={paths.home}
      className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
    >
      Aller à l’accueil
    </Link>
  )
}

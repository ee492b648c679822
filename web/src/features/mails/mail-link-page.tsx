import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MailLink } from '#contract/mail-links.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { LinkSkeleton } from '#web/features/auth/link-skeleton.tsx'
import { WayHome } from '#web/features/auth/way-home.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { useLinkToken } from '#web/lib/use-link-token.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Notice } from '#web/ui/notice.tsx'
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

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MailLink } from '#contract/mail-links.ts'
import { AuthPage, HomeLink, LinkSkeleton } from '#web/features/auth/auth-page.tsx'
import { ApiError } from '#web/lib/api-client.ts'
import { useLinkToken } from '#web/lib/link-token.ts'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { mailLinkQuery } from './stop-mails.tsx'

interface MailLinkPageProps {
  title: string
  intro: string
  children: (link: MailLink, token: string) => ReactNode
}

/** The page of a link in the footer of a mail, without an account. Opening it changes nothing. */
export function MailLinkPage({ title, intro, children }: MailLinkPageProps) {
  const { token } = useLinkToken()
  return (
    <AuthPage title={title} intro={intro} aside={<HomeLink />}>
      {token ? <WithLink token={token}>{children}</WithLink> : <NoLink />}
    </AuthPage>
  )
}

interface WithLinkProps {
  token: string
  children: MailLinkPageProps['children']
}

function WithLink({ token, children }: WithLinkProps) {
  const query = useQuery(mailLinkQuery(token))
  const { data: link, error } = query
  if (link) return children(link, token)
  if (!error) return <LinkSkeleton />
  // An invalid link stays invalid: retrying would not help.
  if (error instanceof ApiError && error.status === 400) return <NoLink />
  return <QueryFailure query={query} />
}

function NoLink() {
  return (
    <Notice tone="warning" title="Ce lien n’est pas valable">
      Il est peut-être coupé. Ouvrez-le depuis le bas de l’e-mail que vous avez reçu.
    </Notice>
  )
}

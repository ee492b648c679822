import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readMailLink, resubscribe, unsubscribe } from '#contract/mail-links.ts'
import { callApi } from '#web/lib/api-client.ts'

/** What the link in a mail's footer is about; asking changes nothing. */
export function mailLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['mail-link', token],
    queryFn: ({ signal }) => callApi(readMailLink, { body: { token } }, { signal }),
  })
}

/** Stops the mails a link is about, or takes them again. */
export function useTurnMails(token: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: 'stop' | 'resume') =>
      action === 'stop'
        ? callApi(unsubscribe, { querystring: { token } })
        : callApi(resubscribe, { body: { token } }),
    onSuccess: (_, action) =>
      client.setQueryData(
        mailLinkQuery(token).queryKey,
        (known) => known && { ...known, is_stopped: action === 'stop' },
      ),
  })
}

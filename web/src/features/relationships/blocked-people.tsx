import { useQuery } from '@tanstack/react-query'
import { errorSentence } from '#web/lib/api-client.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { blocksQuery, useUnblockPerson } from './relationships.queries.ts'

/** The blocked people, without links: their profiles are hidden. */
export function BlockedPeople() {
  const { data: blocks, error } = useQuery(blocksQuery)
  const unblock = useUnblockPerson()
  if (error && !blocks) {
    return <Notice tone="error">{errorSentence(error, 'Erreur API')}</Notice>
  }
  if (!blocks) return <Skeleton className="h-11 w-full" />
  if (blocks.length === 0) return <p className="text-ink-soft">Vous n’avez bloqué personne.</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {blocks.map(({ id, pseudo, avatar_url }) => (
          <li key={id} className="flex items-center gap-3 py-2">
            <Avatar name={pseudo} src={avatar_url} />
            <span className="min-w-0 flex-1 truncate font-semibold">@{pseudo}</span>
            <Button
              variant="secondary"
              busy={unblock.isPending && unblock.variables === id}
              aria-label={`Débloquer @${pseudo}`}
              onClick={() => unblock.mutate(id)}
            >
              Débloquer
            </Button>
          </li>
        ))}
      </ul>
      {unblock.error && (
        <Notice tone="error" className="mt-3">
          {errorSentence(unblock.error, 'Erreur lors de la suppression')}
        </Notice>
      )}
    </>
  )
}

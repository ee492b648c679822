import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { KIND_NOUNS, type Kind } from '#contract/kinds.ts'
import { AuthorMenu } from '#web/features/revelations/author-menu.tsx'
import { KindFilter } from '#web/features/revelations/kind-filter.tsx'
import { RevelationCard } from '#web/features/revelations/revelation-card.tsx'
import {
  MoreButton,
  RevelationGrid,
  RevelationGridSkeleton,
} from '#web/features/revelations/revelation-grid.tsx'
import { revelationsOfUserQuery } from '#web/features/revelations/revelations.queries.ts'
import { paths } from '#web/lib/paths.ts'
import BlankPage from '#web/ui/art/blank-page.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'

interface RevelationsTabProps {
  userId: string
  isOwn: boolean
}

export function RevelationsTab(props: RevelationsTabProps) {
  const [kind, setKind] = useState<Kind>()
  return (
    <>
      <h2 className="sr-only">Révélations</h2>
      <KindFilter kind={kind} onChange={setKind} className="mb-4 sm:max-w-64" />
      <RevelationsOf {...props} kind={kind} />
    </>
  )
}

function RevelationsOf({ userId, isOwn, kind }: RevelationsTabProps & { kind: Kind | undefined }) {
  const list = useInfiniteQuery(revelationsOfUserQuery(userId, kind))
  if (!list.data && !list.isError) return <RevelationGridSkeleton />
  if (!list.data) {
    return <QueryFailure query={list} title="Les révélations n’ont pas pu être chargées" />
  }
  const revelations = list.data.pages.flatMap((page) => page.revelations)
  if (revelations.length === 0 && kind) return <NothingOfKind kind={kind} />
  if (revelations.length === 0) return isOwn ? <NothingOfMine /> : <NothingPublic />
  return (
    <>
      <RevelationGrid>
        {revelations.map((revelation) => (
          <li key={revelation.id}>
            <RevelationCard
              revelation={revelation}
              actions={isOwn && <AuthorMenu revelation={revelation} />}
            />
          </li>
        ))}
      </RevelationGrid>
      {list.hasNextPage && <MoreButton list={list} isPause />}
    </>
  )
}

function NothingOfKind({ kind }: { kind: Kind }) {
  return (
    <EmptyState art={BlankPage} artClassName="w-48" title={`Aucune ${KIND_NOUNS[kind].noun} ici`}>
      Choisissez un autre genre pour voir le reste.
    </EmptyState>
  )
}

function NothingOfMine() {
  return (
    <EmptyState
      art={BlankPage}
      artClassName="w-48"
      title="Rien de scellé pour l’instant"
      action={<ButtonLink to={paths.create}>Créer une révélation</ButtonLink>}
    >
      Une annonce, une prédiction, une lettre&#8239;: choisissez le jour, le sceau tient jusque-là.
    </EmptyState>
  )
}

function NothingPublic() {
  return (
    <EmptyState art={BlankPage} artClassName="w-48" title="Aucune révélation publique">
      Ce qui est scellé ou réservé à d’autres ne se montre pas ici.
    </EmptyState>
  )
}

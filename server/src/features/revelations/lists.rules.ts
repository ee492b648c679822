import type { Kind } from '#contract/kinds.ts'
import type { OutcomeFilter } from '#contract/predictions.ts'
import type { Category, ListQuery, Sort, Visibility } from '#contract/revelations.ts'
import type { RelatedIds, Relation } from '#server/features/relationships/relationships.rules.ts'

/** Whose list this is: the viewer with everyone tied to them. */
export interface ListViewer extends RelatedIds {
  userId: string | null
}

export interface ListFilter {
  viewer: ListViewer
  now: Date
  /** `all`: public, friends’ and own, never family (behaviour.md 6.1). `profile`: public and revealed only. */
  scope: 'all' | 'own' | 'profile' | Visibility
  status: 'all' | 'revealed' | 'pending'
  category: Category | undefined
  kind: Kind | undefined
  authorId: string | undefined
  /** Of predictions alone: public and revealed. */
  outcome?: OutcomeFilter | undefined
}

export interface ListCursor {
  value: Date | number
  id: string
}

export interface ListPage {
  sort: Sort
  after: ListCursor | undefined
  /** Where it ends at the latest. */
  until?: ListCursor | undefined
  limit: number
}

export interface ListCounts {
  found: number
  revealed: number
  pending: number
  /** Counting stopped: there are more. */
  is_capped?: boolean
}

/** What one person shows to one audience. */
export interface AudienceSlice {
  authorId: string
  visibility: Visibility
}

/** What a list is read from, nothing twice: everything public but of hidden people, and these shelves. */
export interface ListSources {
  isPublic: boolean
  hidden: string[]
  shelves: AudienceSlice[]
}

export function getListSources({ scope, viewer, authorId }: ListFilter): ListSources {
  const hidden = viewer.blocked
  const own = viewer.userId ? [viewer.userId] : []
  const family = viewer.family.filter((id) => !hidden.includes(id))
  const tied = [...viewer.friends.filter((id) => !hidden.includes(id)), ...family]

  function shelvesOf(visibility: Visibility, people: readonly string[]): AudienceSlice[] {
    const wanted = people.filter((id) => authorId === undefined || id === authorId)
    return wanted.map((id) => ({ authorId: id, visibility }))
  }
  function only(...shelves: AudienceSlice[][]): ListSources {
    return { isPublic: false, hidden, shelves: shelves.flat() }
  }
  function withPublic(...shelves: AudienceSlice[][]): ListSources {
    if (authorId === undefined) return { isPublic: true, hidden, shelves: shelves.flat() }
    return only(hidden.includes(authorId) ? [] : shelvesOf('public', [authorId]), ...shelves)
  }

  switch (scope) {
    case 'public':
    case 'profile':
      return withPublic()
    case 'friends':
      return only(shelvesOf('friends', [...own, ...tied]))
    case 'family':
      return only(shelvesOf('family', [...own, ...family]))
    case 'private':
      return only(shelvesOf('private', own))
    case 'own':
      return only(
        shelvesOf('public', own),
        shelvesOf('friends', own),
        shelvesOf('family', own),
        shelvesOf('private', own),
      )
    case 'all':
      return withPublic(shelvesOf('friends', [...own, ...tied]), shelvesOf('private', own))
  }
}

export function statusOf({ scope, status, outcome }: ListFilter): ListFilter['status'] {
  return scope === 'profile' || outcome !== undefined ? 'revealed' : status
}

/** The counts of a list narrowed to one status. */
export function countsOf(filter: ListFilter, all: { found: number; revealed: number }): ListCounts {
  const pending = all.found - all.revealed
  switch (statusOf(filter)) {
    case 'revealed':
      return { found: all.revealed, revealed: all.revealed, pending: 0 }
    case 'pending':
      return { found: pending, revealed: 0, pending }
    case 'all':
      return { ...all, pending }
  }
}

export function relationInList(viewer: ListViewer, userId: string): Relation | undefined {
  if (viewer.blocked.includes(userId)) return 'blocked'
  if (viewer.family.includes(userId)) return 'family'
  return viewer.friends.includes(userId) ? 'friend' : undefined
}

/** What an answer shows. */
export interface Shown {
  /** Ids of the revelations, files and accounts in it. */
  rows: readonly string[]
  /** How its rows were chosen: `row` by their ids, `list` by anything but reactions, `order` by those too, `search` by words. */
  chosenBy: 'row' | 'list' | 'order' | 'search'
}

/** What a change must be of to change which rows such a list has. */
export function chosenBy({ sort, q }: Pick<ListQuery, 'sort' | 'q'>): Shown['chosenBy'] {
  if (q) return 'search'
  return sort === 'popular' ? 'order' : 'list'
}

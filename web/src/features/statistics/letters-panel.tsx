import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  type LetterSort,
  type LetterStatistics,
  type Period,
  responsesOf,
} from '#contract/statistics.ts'
import { dayAt } from '#contract/zoned-time.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { MoreButton } from '#web/features/revelations/revelation-grid.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDay } from '#web/lib/dates.ts'
import { saveFile } from '#web/lib/device.ts'
import { formatCount } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { lettersAsCsv } from './letters-csv.ts'
import { fetchAllLetters, type LetterList, letterStatisticsQuery } from './statistics.queries.ts'

/** What became of each letter, in the order of a column. */
export function LettersPanel({ period }: { period: Period }) {
  const [sorting, setSorting] = useState<Pick<LetterList, 'sort' | 'order'>>({
    sort: 'date',
    order: 'desc',
  })
  const list = { period, ...sorting }
  const query = useInfiniteQuery({
    ...letterStatisticsQuery(list),
    placeholderData: keepPreviousData,
  })
  const letters = query.data?.pages.flatMap((page) => page.letters)
  const save = useMutation({
    mutationFn: () => fetchAllLetters(list),
    onSuccess: (all) => {
      const day = dayAt(new Date(serverNow()), personTimeZone())
      const csv = new Blob([lettersAsCsv(all)], { type: 'text/csv;charset=utf-8' })
      saveFile(csv, `statistiques-${day}.csv`)
    },
  })
  return (
    <Panel
      title="Lettre par lettre"
      aside={
        <Button
          variant="ghost"
          className="-mt-1.5 -mr-2"
          aria-label="Télécharger le tableau (CSV)"
          busy={save.isPending}
          busyLabel="Préparation"
          icon={<Download aria-hidden="true" className="size-5" />}
          onClick={() => save.mutate()}
        >
          <span className="max-xs:hidden">CSV</span>
        </Button>
      }
    >
      {save.error && (
        <Notice tone="error" className="mb-4">
          {errorSentence(save.error, 'Le tableau n’a pas pu être préparé. Réessayez.')}
        </Notice>
      )}
      {letters && (
        <LettersTable
          letters={letters}
          {...sorting}
          isLate={query.isPlaceholderData}
          onSort={(sort) => setSorting((before) => nextSorting(before, sort))}
        />
      )}
      {!letters && query.error && (
        <QueryFailure query={query} title="Vos lettres n’ont pas pu être chargées" />
      )}
      {!letters && !query.error && (
        <div role="status" className="flex flex-col gap-3">
          <span className="sr-only">Chargement de vos lettres</span>
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </div>
      )}
      {query.hasNextPage && <MoreButton list={query} isPause label="Afficher plus de lettres" />}
    </Panel>
  )
}

/** Titles begin with A, all else with the latest or the most; the same column again turns its order. */
function nextSorting(before: Pick<LetterList, 'sort' | 'order'>, sort: LetterSort) {
  const first = sort === 'title' ? 'asc' : 'desc'
  const turned = before.order === 'asc' ? 'desc' : 'asc'
  return { sort, order: before.sort === sort ? turned : first } as const
}

const FIGURES = [
  { sort: 'views', label: 'Vues' },
  { sort: 'openings', label: 'Ouvertures' },
  { sort: 'responses', label: 'Retours' },
] as const

interface LettersTableProps extends Pick<LetterList, 'sort' | 'order'> {
  letters: readonly LetterStatistics[]
  /** Those of the former order, until the others come. */
  isLate: boolean
  onSort: (sort: LetterSort) => void
}

function LettersTable({ letters, sort, order, isLate, onSort }: LettersTableProps) {
  const sortedBy = (...sorts: LetterSort[]) => {
    if (!sorts.includes(sort)) return undefined
    return order === 'asc' ? 'ascending' : 'descending'
  }
  const headOf = (name: LetterSort, label: string) => (
    <SortButton
      label={label}
      order={sort === name ? order : undefined}
      onClick={() => onSort(name)}
    />
  )
  return (
    <table aria-busy={isLate} className="w-full border-collapse text-sm sm:text-base">
      <caption className="sr-only">
        Vues, ouvertures et retours de chaque lettre. Les titres des colonnes les trient.
      </caption>
      <thead>
        <tr className="border-line-strong border-b max-sm:text-xs">
          <th scope="col" aria-sort={sortedBy('title', 'date')} className="text-left">
            <span className="flex gap-3 sm:gap-4">
              {headOf('title', 'Titre')}
              {headOf('date', 'Date')}
            </span>
          </th>
          {FIGURES.map((figure) => (
            <th
              key={figure.sort}
              scope="col"
              aria-sort={sortedBy(figure.sort)}
              className="pl-2 sm:pl-5"
            >
              <span className="flex justify-end">{headOf(figure.sort, figure.label)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={classNames(isLate && 'opacity-60')}>
        {letters.map((letter) => (
          <LetterRow key={letter.id} letter={letter} />
        ))}
      </tbody>
    </table>
  )
}

interface SortButtonProps {
  label: string
  /** Of the rows, where this column orders them. */
  order: LetterList['order'] | undefined
  onClick: () => void
}

function SortButton({ label, order, onClick }: SortButtonProps) {
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      aria-pressed={order !== undefined}
      onClick={onClick}
      className="inline-flex min-h-11 items-center gap-0.5 rounded-field font-semibold hover:underline"
    >
      {label}
      {order && (
        <>
          <Arrow aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="sr-only">{order === 'asc' ? ', croissant' : ', décroissant'}</span>
        </>
      )}
    </button>
  )
}

function LetterRow({ letter }: { letter: LetterStatistics }) {
  const { id, title, reveal_date, time_zone } = letter
  const isRevealed = Date.parse(reveal_date) <= serverNow()
  const figures = [letter.views, letter.openings, responsesOf(letter)]
  return (
    <tr className="border-line border-b last:border-0">
      <th scope="row" className="w-full py-1 pr-2 text-left font-normal">
        <Link
          to={paths.revelation(id)}
          className="flex min-h-11 flex-col justify-center leading-snug hover:underline"
        >
          <span className="line-clamp-2 font-semibold [overflow-wrap:anywhere]">{title}</span>
          <span className="text-ink-soft text-sm">
            {isRevealed ? 'Dévoilée le ' : 'S’ouvre le '}
            <time dateTime={reveal_date}>{formatDay(reveal_date, time_zone)}</time>
          </span>
        </Link>
      </th>
      {FIGURES.map((figure, at) => (
        <td key={figure.sort} className="tabular-digits pl-2 text-right sm:pl-5">
          {formatCount(figures[at] ?? 0)}
        </td>
      ))}
    </tr>
  )
}

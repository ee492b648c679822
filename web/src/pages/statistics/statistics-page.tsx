import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import {
  type Figures,
  PERIODS,
  type Period,
  responsesOf,
  type Statistics,
} from '#contract/statistics.ts'
import { hasFeature } from '#contract/subscriptions.ts'
import { LettersPanel } from '#web/features/statistics/letters-panel.tsx'
import { statisticsQuery } from '#web/features/statistics/statistics.queries.ts'
import { PlansLink } from '#web/features/subscriptions/plans-link.tsx'
import { subscriptionQuery } from '#web/features/subscriptions/subscriptions.queries.ts'
import { formatDay } from '#web/lib/dates.ts'
import { counted, formatCount } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import BlankPage from '#web/ui/art/blank-page.svg?react'
import Telescope from '#web/ui/art/telescope.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { isYear, monthNames, type Series } from '#web/ui/months-chart.tsx'
import { MonthsPanel, QuietMonths } from '#web/ui/months-panel.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Statistic } from '#web/ui/statistic.tsx'

/** What became of my letters, for whose plan counts it. */
export function StatisticsPage() {
  const query = useQuery(subscriptionQuery)
  const { data: subscription, error } = query
  return (
    <div className="container-page flex min-h-dvh flex-col gap-5 pt-6 pb-10 sm:pt-10">
      <header>
        <PageHeading>Statistiques</PageHeading>
        <p className="mt-2 max-w-reading text-ink-soft text-lg">
          Ce que deviennent vos lettres, sans jamais dire qui, au-delà de ce que chacun a permis.
        </p>
      </header>
      {!subscription && error && (
        <QueryFailure query={query} title="Erreur lors du chargement de l'abonnement" fallback="" />
      )}
      {!subscription && !error && <StatisticsSkeleton />}
      {subscription &&
        (hasFeature(subscription.subscription_type, 'statistics') ? (
          <OwnStatistics />
        ) : (
          <StatisticsOffer />
        ))}
    </div>
  )
}

/** What a plan with statistics would show here. */
function StatisticsOffer() {
  return (
    <EmptyState art={Telescope} title="Avec les plans Pro et Illimité" action={<PlansLink />}>
      <p>
        Cette page montre, mois par mois et lettre par lettre, combien de fois vos lettres ont été
        vues et ouvertes, et les réponses, les commentaires et les réactions qu’elles ont reçus.
      </p>
      <p className="mt-3">
        Les chiffres de votre profil et de chaque lettre restent là pour tout le monde.
      </p>
    </EmptyState>
  )
}

const PERIOD_LABELS: Record<Period, string> = {
  '12-months': '12 mois',
  'this-year': 'Cette année',
  all: 'Tout',
}

const INTROS: Record<Period, string> = {
  '12-months': 'Les douze derniers mois',
  'this-year': 'Depuis janvier',
  all: 'Depuis votre première lettre',
}

function OwnStatistics() {
  const [params, setParams] = useSearchParams()
  const period = PERIODS.find((name) => name === params.get('periode')) ?? '12-months'
  const query = useQuery(statisticsQuery(period))
  const { data: statistics, error } = query
  if (statistics?.letters === 0) return <NothingYet />
  return (
    <>
      <div className="max-w-md">
        <ChoiceTiles
          legend="Période"
          hideLegend
          name="period"
          layout="row"
          choices={PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
          value={period}
          onChange={(next) =>
            setParams(next === '12-months' ? {} : { periode: next }, {
              replace: true,
              preventScrollReset: true,
            })
          }
        />
      </div>
      {statistics && <Months period={period} statistics={statistics} />}
      {!statistics && error && (
        <QueryFailure query={query} title="Les statistiques n’ont pas pu être chargées" />
      )}
      {!statistics && !error && <StatisticsSkeleton />}
      <LettersPanel period={period} />
      <WhatCounts statistics={statistics} />
    </>
  )
}

function NothingYet() {
  return (
    <EmptyState
      art={BlankPage}
      title="Rien à compter encore"
      action={<ButtonLink to={paths.create}>Créer une révélation</ButtonLink>}
    >
      Dès que vous aurez scellé une lettre, ce qu’elle devient s’écrira ici.
    </EmptyState>
  )
}

interface MonthsProps {
  period: Period
  statistics: Statistics
}

function Months({ period, statistics }: MonthsProps) {
  const { totals } = statistics
  const months = inYearsIfMany(statistics.months)
  const seriesOf = (
    style: Pick<Series, 'label' | 'tone'>,
    figureOf: (figures: Figures) => number,
  ): Series => {
    const values = months.map(figureOf)
    return {
      ...{ form: 'bars', values, total: figureOf(totals), ...style },
      summary: summaryOf(values, (at) => months[at]?.month ?? ''),
    }
  }
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 *:last:max-sm:col-span-2 sm:grid-cols-3">
        <Statistic place="tile" value={totals.views} one="vue" many="vues" />
        <Statistic place="tile" value={totals.openings} one="ouverture" many="ouvertures" />
        <Statistic
          place="tile"
          value={responsesOf(totals)}
          one="retour"
          many="retours"
          detail={responsesInWords(totals)}
        />
      </dl>
      <MonthsPanel
        title={months.some(({ month }) => isYear(month)) ? 'Année par année' : 'Mois par mois'}
        intro={INTROS[period]}
        caption="Vues, ouvertures et retours de vos lettres"
        months={months.map(({ month }) => month)}
        series={[
          seriesOf({ label: 'Vues', tone: 'ink' }, ({ views }) => views),
          seriesOf({ label: 'Ouvertures', tone: 'ember' }, ({ openings }) => openings),
          seriesOf({ label: 'Retours', tone: 'leaf' }, responsesOf),
        ]}
        nothing={<QuietMonths>Rien encore sur cette période.</QuietMonths>}
      />
    </>
  )
}

/** « 2 réponses · 1 commentaire · 4 réactions ». */
function responsesInWords({ replies, comments, reactions }: Figures): string {
  return [
    counted(replies, 'réponse', 'réponses'),
    counted(comments, 'commentaire', 'commentaires'),
    counted(reactions, 'réaction', 'réactions'),
  ].join(' · ')
}

const MONTHS_MAX = 24

/** So many months that nobody would read them become years. */
function inYearsIfMany(months: Statistics['months']): Statistics['months'] {
  if (months.length <= MONTHS_MAX) return months
  const years = Map.groupBy(months, ({ month }) => month.slice(0, 4))
  return [...years].map(([year, ofYear]) => ({
    month: year,
    views: sumOf(ofYear, ({ views }) => views),
    openings: sumOf(ofYear, ({ openings }) => openings),
    replies: sumOf(ofYear, ({ replies }) => replies),
    comments: sumOf(ofYear, ({ comments }) => comments),
    reactions: sumOf(ofYear, ({ reactions }) => reactions),
  }))
}

function sumOf(months: Statistics['months'], figureOf: (figures: Figures) => number): number {
  return months.reduce((sum, month) => sum + figureOf(month), 0)
}

/** What one would read off the bars first. */
function summaryOf(values: readonly number[], monthAt: (at: number) => string): string {
  const highest = Math.max(...values)
  if (highest === 0) return 'rien sur cette période'
  const when = monthNames(monthAt(values.lastIndexOf(highest))).long
  return `le plus en ${when}\u202F: ${formatCount(highest)}`
}

/** How each figure is counted, and what is in none. */
function WhatCounts({ statistics }: { statistics: Statistics | undefined }) {
  const { undated_views = 0, views_dated_from = null } = statistics ?? {}
  return (
    <Panel title="Ce qui est compté">
      <dl className="grid gap-x-4 gap-y-3 sm:grid-cols-[7rem_1fr]">
        <dt className="font-semibold">Vues</dt>
        <dd className="text-ink-soft">
          Une par personne, par lettre et par jour. Jamais les vôtres, ni celles de vos
          destinataires sur ce qui n’est pas public.{' '}
          {undated_views > 0 && undatedInWords(undated_views, views_dated_from)}
        </dd>
        <dt className="font-semibold">Ouvertures</dt>
        <dd className="text-ink-soft">
          Celles que dit le suivi de vos livraisons. Qui a préféré ne pas le dire n’y est pas.
        </dd>
        <dt className="font-semibold">Retours</dt>
        <dd className="text-ink-soft">
          Les réponses, les commentaires et les réactions des autres, tels que vous les voyez sous
          vos lettres. Une lettre supprimée n’est plus comptée.
        </dd>
      </dl>
    </Panel>
  )
}

function undatedInWords(views: number, from: string | null): string {
  const before = from ? ` d’avant le ${formatDay(`${from}T12:00:00Z`, 'UTC')}` : ''
  return `${counted(views, 'vue', 'vues')}${before} n’${views > 1 ? 'ont' : 'a'} pas de date connue\u202F: «\u202FTout\u202F» les compte, aucun mois ne les montre.`
}

function StatisticsSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-5">
      <span className="sr-only">Chargement des statistiques</span>
      <Skeleton className="h-50 rounded-card! sm:h-28" />
      <Skeleton className="h-120 rounded-card!" />
    </div>
  )
}

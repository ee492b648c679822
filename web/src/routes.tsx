import type { ComponentType } from 'react'
import type { LoaderFunction, RouteObject } from 'react-router'
import { RouteFailure } from '#web/app/error-boundary.tsx'
import { loadQuery, type PageHandle, queryClientContext } from '#web/app/page-handle.ts'
import { Initialising, PERSONAL_PAGES_ID, RequireSession, Root } from '#web/app/root.tsx'
import { UnknownAddress } from '#web/app/unknown-address.tsx'
import { hasAlbum, loadAlbum } from '#web/features/revelations/album-code.ts'
import { revelationQuery, revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { keyInFragment } from '#web/lib/delivery-key.ts'
import { readToken } from '#web/lib/session-token.ts'
import { siteQuery } from '#web/lib/site.queries.ts'
import { headOfRevelation } from '#web/pages/detail/head-of-revelation.ts'
import { filtersIn, toQuery } from '#web/pages/home/use-feed-filters.ts'
import {
  predictionFiltersIn,
  toPredictionsQuery,
} from '#web/pages/predictions/use-prediction-filters.ts'
import { paths } from './lib/paths.ts'

interface Page<Name extends string> extends Partial<PageHandle> {
  path: string
  /** The name of its file, by which the server knows what code to announce with the page. */
  id: string
  lazy: () => Promise<Record<Name, ComponentType>>
  component: Name
  /** Asks for what it shows first. */
  loader?: LoaderFunction
}

function page<Name extends string>({
  path,
  id,
  lazy,
  component,
  loader,
  isServerRendered = false,
  ...handle
}: Page<Name>): RouteObject {
  return {
    path,
    id,
    lazy: async () => ({ Component: (await lazy())[component] }),
    ...(loader && { loader }),
    handle: { isServerRendered, ...handle } satisfies PageHandle,
  }
}

const loadSite: LoaderFunction = ({ context }) =>
  loadQuery(context, siteQuery, (client, query) => client.fetchQuery(query))

/** The pages that anybody may read. Those that read the fragment of their address are made by the browser, which alone has it. */
const PUBLIC_PAGES = [
  page({
    path: paths.home,
    id: 'home-page',
    lazy: () => {
      if (readToken()) {
        import('#web/pages/home/own-place.tsx').catch(() => undefined)
        import('#web/pages/home/own-feed.tsx').catch(() => undefined)
      }
      return import('#web/pages/home/home-page.tsx')
    },
    component: 'HomePage',
    loader: ({ context, url }) =>
      loadQuery(context, revelationsQuery(toQuery(filtersIn(url.searchParams))), (client, query) =>
        client.fetchInfiniteQuery(query),
      ),
    isServerRendered: true,
    head: { title: 'Pour dire les choses à leur heure', canonical: paths.home },
  }),
  page({
    path: paths.demo,
    id: 'demo-page',
    lazy: () => import('#web/pages/demo/demo-page.tsx'),
    component: 'DemoPage',
    isServerRendered: true,
    head: {
      title: 'Démonstration',
      canonical: paths.demo,
      description:
        'Voyez une lettre scellée s’ouvrir sous vos yeux, en moins d’une minute, et comment sceller la vôtre.',
    },
  }),
  page({
    path: paths.predictions,
    id: 'predictions-page',
    lazy: () => import('#web/pages/predictions/predictions-page.tsx'),
    component: 'PredictionsPage',
    loader: ({ context, url }) =>
      loadQuery(
        context,
        revelationsQuery(toPredictionsQuery(predictionFiltersIn(url.searchParams))),
        (client, query) => client.fetchInfiniteQuery(query),
      ),
    isServerRendered: true,
    head: { title: 'Prédictions Publiques', canonical: paths.predictions },
  }),
  page({
    path: paths.revelation(':id'),
    id: 'detail-page',
    lazy: () => import('#web/pages/detail/detail-page.tsx'),
    component: 'DetailPage',
    loader: async ({ context, params: { id = '' } }) => {
      // A personal key that has just come in the address goes with the question: the page takes it out first.
      if (!import.meta.env.SSR && keyInFragment(window.location.hash)) return null
      await loadQuery(context, revelationQuery(id), (client, query) => client.fetchQuery(query))
      const shown = context.get(queryClientContext).getQueryData(revelationQuery(id).queryKey)
      // What was tapped before is done again once the page is taken over whole.
      if (hasAlbum(shown)) await loadAlbum().catch(() => undefined)
      return null
    },
    isServerRendered: true,
    head: ({ id = '' }, client) => {
      const state = client.getQueryState(revelationQuery(id).queryKey)
      if (state?.data) return headOfRevelation(state.data)
      // Nobody knows yet what it is: nothing was asked, or nothing answered.
      return state?.error instanceof ApiError && state.error.status === 404
        ? { title: 'Rien à cette adresse' }
        : {}
    },
  }),
  page({
    path: paths.proof,
    id: 'proof-page',
    lazy: () => import('#web/pages/proof/proof-page.tsx'),
    component: 'ProofPage',
    isServerRendered: true,
    head: {
      title: 'La preuve',
      canonical: paths.proof,
      description:
        'Comment chacun peut vérifier qu’une révélation a été scellée quand elle le dit, et que rien n’y a changé depuis.',
    },
  }),
  page({
    path: paths.login,
    id: 'login-page',
    lazy: () => import('#web/pages/auth/login-page.tsx'),
    component: 'LoginPage',
    isServerRendered: true,
    head: {
      title: 'Connexion',
      canonical: paths.login,
      description:
        'Connectez-vous pour retrouver vos révélations, votre cercle et ce qui vous attend.',
    },
  }),
  page({
    path: paths.register,
    id: 'register-page',
    lazy: () => import('#web/pages/auth/register-page.tsx'),
    component: 'RegisterPage',
    isServerRendered: true,
    head: {
      title: 'Inscription',
      canonical: paths.register,
      description:
        'Créez votre compte et scellez votre première révélation\u202F: une lettre, une prédiction ou une vidéo, jusqu’à la date de votre choix.',
    },
  }),
  page({
    path: paths.forgottenPassword,
    id: 'forgotten-password-page',
    lazy: () => import('#web/pages/auth/forgotten-password-page.tsx'),
    component: 'ForgottenPasswordPage',
    isServerRendered: true,
    head: { title: 'Mot de passe oublié' },
  }),
  page({
    path: paths.verification,
    id: 'verification-page',
    lazy: () => import('#web/pages/auth/verification-page.tsx'),
    component: 'VerificationPage',
    head: { title: 'Confirmer votre adresse' },
  }),
  page({
    path: paths.newPassword,
    id: 'new-password-page',
    lazy: () => import('#web/pages/auth/new-password-page.tsx'),
    component: 'NewPasswordPage',
    head: { title: 'Nouveau mot de passe' },
  }),
  page({
    path: paths.deviceLetters,
    id: 'device-letters-page',
    lazy: () => import('#web/pages/device-letters/device-letters-page.tsx'),
    component: 'DeviceLettersPage',
    head: { title: 'Mes lettres sur cet appareil' },
  }),
  page({
    path: paths.unsubscribe,
    id: 'unsubscribe-page',
    lazy: () => import('#web/pages/mail-links/unsubscribe-page.tsx'),
    component: 'UnsubscribePage',
  }),
  page({
    path: paths.reportMail,
    id: 'report-mail-page',
    lazy: () => import('#web/pages/mail-links/report-mail-page.tsx'),
    component: 'ReportMailPage',
  }),
  page({
    path: paths.legal,
    id: 'legal-page',
    lazy: () => import('#web/pages/legal/legal-page.tsx'),
    component: 'LegalPage',
    loader: loadSite,
    isServerRendered: true,
    head: { title: 'Mentions légales', canonical: paths.legal },
  }),
  page({
    path: paths.privacy,
    id: 'privacy-page',
    lazy: () => import('#web/pages/legal/privacy-page.tsx'),
    component: 'PrivacyPage',
    loader: loadSite,
    isServerRendered: true,
    head: { title: 'Confidentialité', canonical: paths.privacy },
  }),
  page({
    path: paths.terms,
    id: 'terms-page',
    lazy: () => import('#web/pages/legal/terms-page.tsx'),
    component: 'TermsPage',
    loader: loadSite,
    isServerRendered: true,
    head: { title: 'Conditions d’utilisation', canonical: paths.terms },
  }),
  page({
    path: paths.accessibility,
    id: 'accessibility-page',
    lazy: () => import('#web/pages/legal/accessibility-page.tsx'),
    component: 'AccessibilityPage',
    loader: loadSite,
    isServerRendered: true,
    head: { title: 'Accessibilité', canonical: paths.accessibility },
  }),
]

/** The pages of signed-in people: their session lives in the browser, so that the server knows nothing of them. */
const PERSONAL_PAGES = [
  page({
    path: paths.received,
    id: 'received-page',
    lazy: () => import('#web/pages/received/received-page.tsx'),
    component: 'ReceivedPage',
    head: { title: 'Lettres reçues' },
  }),
  page({
    path: paths.circle,
    id: 'circle-page',
    lazy: () => import('#web/pages/circle/circle-page.tsx'),
    component: 'CirclePage',
    head: { title: 'Cercle Privé' },
  }),
  page({
    path: paths.sounds,
    id: 'voice-messages-page',
    lazy: () => import('#web/pages/voice-messages/voice-messages-page.tsx'),
    component: 'VoiceMessagesPage',
    head: { title: 'Messages Audio' },
  }),
  page({
    path: paths.notifications,
    id: 'notifications-page',
    lazy: () => import('#web/pages/notifications/notifications-page.tsx'),
    component: 'NotificationsPage',
    head: { title: 'Notifications' },
  }),
  page({
    path: paths.subscription,
    id: 'subscription-page',
    lazy: () => import('#web/pages/subscription/subscription-page.tsx'),
    component: 'SubscriptionPage',
    head: { title: 'Abonnements' },
  }),
  page({
    path: paths.statistics,
    id: 'statistics-page',
    lazy: () => import('#web/pages/statistics/statistics-page.tsx'),
    component: 'StatisticsPage',
    head: { title: 'Statistiques' },
  }),
  page({
    path: paths.create,
    id: 'create-page',
    lazy: () => import('#web/pages/create/create-page.tsx'),
    component: 'CreatePage',
    head: { title: 'Créer une révélation' },
  }),
  page({
    path: paths.edit(':id?'),
    id: 'edit-page',
    lazy: () => import('#web/pages/edit/edit-page.tsx'),
    component: 'EditPage',
    head: { title: 'Modifier la révélation' },
  }),
  page({
    path: paths.profile(':id?'),
    id: 'profile-page',
    lazy: () => import('#web/pages/profile/profile-page.tsx'),
    component: 'ProfilePage',
    head: { title: 'Profil' },
  }),
]

/** Every page of the site: to add one is to add its entry above. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteFailure,
    HydrateFallback: Initialising,
    children: [
      {
        // What breaks in a page leaves the header and the footer standing.
        ErrorBoundary: RouteFailure,
        children: [
          ...PUBLIC_PAGES,
          { id: PERSONAL_PAGES_ID, Component: RequireSession, children: PERSONAL_PAGES },
          { path: '*', Component: UnknownAddress },
        ],
      },
    ],
  },
]

import { screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  buyStorage,
  getSubscription,
  listPlans,
  type Subscription,
  upgradePlan,
} from '#contract/subscriptions.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { aPlan, aSubscription } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'

const PLANS = [
  aPlan(),
  aPlan({
    id: 'standard',
    name: 'Standard',
    price: 2.99,
    storage: 5120,
    recommended: true,
    features: ['5 Go d’espace', 'Thèmes personnalisés'],
  }),
  aPlan({ id: 'pro', name: 'Pro', price: 9.99, storage: 51_200 }),
  aPlan({ id: 'unlimited', name: 'Illimité', price: 19.99, storage: -1 }),
]
const OPTIONS = [
  { amount: 1024, label: '1 Go', price: 0.99 },
  { amount: 5120, label: '5 Go', price: 2.49 },
]
const standard = aSubscription({
  subscription_type: 'standard',
  subscription_expires: '2030-01-15T12:00:00.000Z',
  total_storage: 5120,
})

// The page's code, once, so that no test waits for it.
beforeAll(() => import('./subscription-page.tsx'))
afterEach(() => vi.useRealTimers())

function openPlans(mine: Partial<Subscription> = {}, api: RequestHandler[] = []) {
  return renderPage('/subscription', {
    user: aUser(),
    api: [
      ...api,
      answer(getSubscription, aSubscription(mine)),
      answer(listPlans, { plans: PLANS, storageOptions: OPTIONS, simulated: true }),
    ],
  })
}

async function card(name: string) {
  return within(await screen.findByRole('article', { name }))
}

const current = async () => within(await screen.findByRole('region', { name: 'Votre abonnement' }))

describe('the page of the plans', () => {
  test('is for signed-in people', async () => {
    renderPage('/subscription')
    expect(await screen.findByLabelText('Mot de passe')).toBeTruthy()
    expect(window.location.pathname).toBe('/login')
  })

  test('says that it is a demo, the plan one is on and the four there are', async () => {
    openPlans()
    const mine = await current()
    expect(await screen.findByText('Mode démo activé')).toBeTruthy()
    expect(mine.getByText('Gratuit')).toBeTruthy()
    expect(mine.getByText('500 Mo')).toBeTruthy()
    expect(mine.getByText('Jamais')).toBeTruthy()
    const free = await card('Gratuit')
    expect(free.getByText('0 €')).toBeTruthy()
    expect(free.getByRole<HTMLButtonElement>('button', { name: 'Plan actuel' }).disabled).toBe(true)
    const recommended = await card('Standard')
    expect(recommended.getByText('Recommandé')).toBeTruthy()
    expect(recommended.getByText('2,99 €')).toBeTruthy()
    expect(recommended.getByText('par mois')).toBeTruthy()
    expect(recommended.getByText('Thèmes personnalisés')).toBeTruthy()
    expect(recommended.getByRole('button', { name: /^Simuler upgrade/ })).toBeTruthy()
    expect(screen.getAllByText('Recommandé')).toHaveLength(1)
    expect(screen.getAllByRole('article')).toHaveLength(4)
  })

  test('says what was bought and how long a plan still lasts', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T18:00:00Z') })
    openPlans({ ...standard, total_storage: 6144, extra_storage: 1024 })
    const mine = await current()
    expect(mine.getByText('6,0 Go')).toBeTruthy()
    expect(mine.getByText('(+1,0 Go acheté)')).toBeTruthy()
    expect(mine.getByText('15 janvier 2030')).toBeTruthy()
    expect(mine.getByText('encore 14 jours')).toBeTruthy()
    const free = await card('Gratuit')
    expect(free.getByText('Plan gratuit')).toBeTruthy()
    expect(free.queryByRole('button')).toBeNull()
  })

  test('says which plan has ended, and offers it again', async () => {
    openPlans({ subscription_expires: '2020-01-15T12:00:00.000Z', expired_plan: 'standard' })
    const mine = await current()
    expect(mine.getByText('Votre plan Standard a expiré')).toBeTruthy()
    expect(mine.getByText('Expiré le')).toBeTruthy()
    expect((await card('Standard')).getByRole('button', { name: /^Simuler upgrade/ })).toBeTruthy()
  })

  test('offers no storage to whom nothing limits', async () => {
    openPlans({ subscription_type: 'unlimited', total_storage: -1 })
    expect((await current()).getByText('Illimité', { selector: 'dd' })).toBeTruthy()
    await card('Illimité')
    expect(screen.queryByText('Stockage supplémentaire')).toBeNull()
  })

  test('where the operator grants plans, says so and offers no button that would fail', async () => {
    const api = [answer(listPlans, { plans: PLANS, storageOptions: OPTIONS, simulated: false })]
    openPlans({}, api)
    expect(await screen.findByText('Ici, les plans ne s’achètent pas')).toBeTruthy()
    const offered = await card('Standard')
    expect(offered.getByText('Accordé par la personne qui gère ce site.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Simuler/ })).toBeNull()
    expect(screen.queryByText('Stockage supplémentaire')).toBeNull()
    expect(screen.queryByText('Mode démo activé')).toBeNull()
  })

  test('says how much room there is until the address is verified, and the way out', async () => {
    openPlans({ subscription_type: 'unlimited', total_storage: 100, awaits_verification: true })
    const mine = await current()
    expect(mine.getByText(/vos fichiers ont 100\sMo/)).toBeTruthy()
    const link = mine.getByRole('link', { name: 'Vérifier mon adresse' })
    expect(link.getAttribute('href')).toBe('/verification')
  })

  test('says what could not be loaded, each in its place', async () => {
    openPlans({}, [
      answer(getSubscription, { used_storage: 'x' } as never),
      answer(listPlans, { plans: 1 } as never),
    ])
    expect(await screen.findByText("Erreur lors du chargement de l'abonnement")).toBeTruthy()
    expect(await screen.findByText('Erreur lors du chargement des plans')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'Réessayer' })).toHaveLength(2)
  })
})

describe('a simulated upgrade', () => {
  test('is asked once more, happens once, is said, and shows', async () => {
    const requests: { plan: string; idempotency_key: string }[] = []
    const user = openPlans({}, [
      answer(upgradePlan, ({ body }) => {
        requests.push(body as (typeof requests)[number])
        return standard
      }),
    ])
    await user.click((await card('Standard')).getByRole('button', { name: /^Simuler upgrade/ }))
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Passer au plan Standard\u202F?' }),
    )
    expect(dialog.getByText('Mode démo : rien n’est prélevé')).toBeTruthy()
    expect(dialog.getByText('0 €')).toBeTruthy()
    expect(requests).toEqual([])
    await user.dblClick(dialog.getByRole('button', { name: 'Simuler le changement' }))
    expect(await screen.findByText('Plan Standard activé jusqu’au 15 janvier 2030')).toBeTruthy()
    expect(requests).toEqual([{ plan: 'standard', idempotency_key: expect.any(String) }])
    const mine = await current()
    expect(mine.getByText('Standard')).toBeTruthy()
    await waitFor(() =>
      expect(document.activeElement).toBe(mine.getByRole('heading', { name: 'Votre abonnement' })),
    )
    expect((await card('Standard')).getByRole('button', { name: 'Plan actuel' })).toBeTruthy()
  })

  test('that fails is told for five seconds, and is the same purchase when tried again', async () => {
    const keys: string[] = []
    const user = openPlans({}, [
      answer(upgradePlan, ({ body }) => {
        keys.push((body as { idempotency_key: string }).idempotency_key)
        return keys.length === 1 ? ({ nothing: true } as never) : standard
      }),
    ])
    const pro = await card('Pro')
    const attempt = async () => {
      await user.click(pro.getByRole('button', { name: /^Simuler upgrade/ }))
      await user.click(await screen.findByRole('button', { name: 'Simuler le changement' }))
    }
    await attempt()
    expect(await screen.findByText('Erreur lors de la mise à jour du plan')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() =>
      expect(screen.queryByText('Erreur lors de la mise à jour du plan')).toBeNull(),
    )
    await attempt()
    await screen.findByText(/^Plan Pro activé/)
    expect(keys).toHaveLength(2)
    expect(keys[1]).toBe(keys[0])
  })

  test('that the server refuses is told in its words, and the page shows what is', async () => {
    let isElsewhere = false
    const user = openPlans({}, [
      answer(upgradePlan, () => {
        isElsewhere = true
        return refusal('plan_current')
      }),
      answer(getSubscription, () => (isElsewhere ? standard : aSubscription())),
    ])
    await user.click((await card('Standard')).getByRole('button', { name: /^Simuler upgrade/ }))
    await user.click(await screen.findByRole('button', { name: 'Simuler le changement' }))
    expect(await screen.findByText('Ce plan est déjà le vôtre')).toBeTruthy()
    expect(await (await current()).findByText('Standard')).toBeTruthy()
  })

  test('to a smaller plan says what it means', async () => {
    const user = openPlans({ subscription_type: 'pro', total_storage: 51_200, used_storage: 6000 })
    await user.click((await card('Standard')).getByRole('button', { name: /^Simuler upgrade/ }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/Votre plan Pro s’arrête au même moment/)).toBeTruthy()
    expect(dialog.getByText(/Rien n’est effacé, mais rien ne pourra être/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Annuler' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('more storage', () => {
  test('is simulated, and added to what there was', async () => {
    const requests: unknown[] = []
    const user = openPlans({}, [
      answer(buyStorage, ({ body }) => {
        requests.push(body)
        return aSubscription({ total_storage: 5620, extra_storage: 5120 })
      }),
    ])
    await user.click(await screen.findByRole('button', { name: /^5\sGo\s2,49\s€$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Ajouter 5 Go\u202F?' }))
    expect(dialog.getByText('5,5 Go')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Simuler l’achat' }))
    expect(await screen.findByText('5 Go de plus dans votre espace')).toBeTruthy()
    expect(requests).toEqual([{ storage_amount: 5120, idempotency_key: expect.any(String) }])
    expect((await current()).getByText('(+5,0 Go acheté)')).toBeTruthy()
  })

  test('that fails says so', async () => {
    const user = openPlans({}, [answer(buyStorage, { nothing: true } as never)])
    await user.click(await screen.findByRole('button', { name: /^1\sGo\s0,99\s€$/ }))
    await user.click(await screen.findByRole('button', { name: 'Simuler l’achat' }))
    expect(await screen.findByText("Erreur lors de l'achat de stockage")).toBeTruthy()
  })
})

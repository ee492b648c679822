import { screen, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { describe, expect, test } from 'vitest'
import { getUser } from '#contract/profiles.ts'
import { getSubscription, listPlans } from '#contract/subscriptions.ts'
import { answer } from '#web/test/fake-api.ts'
import { aPlan, aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'

const plans = answer(listPlans, {
  plans: [aPlan(), aPlan({ id: 'pro', features: ['Révélations sans limite'] })],
  storageOptions: [],
  simulated: true,
})

function openSubscription(api: RequestHandler[]) {
  return renderPage('/profile?onglet=abonnements', {
    user: aUser(),
    api: [
      ...api,
      answer(getUser, myProfile({ total_revelations: 9, pending_revelations: 3 })),
      plans,
    ],
  })
}

describe('the subscription', () => {
  test('shows the free plan, its room and how much of it is used', async () => {
    openSubscription([answer(getSubscription, aSubscription())])
    const plan = within(await screen.findByRole('region', { name: 'Votre plan' }))
    expect(plan.getByRole('heading', { name: 'Gratuit' })).toBeTruthy()
    expect(plan.getByText('500 Mo')).toBeTruthy()
    expect(plan.getByText('Jamais')).toBeTruthy()
    const storage = within(screen.getByRole('region', { name: 'Stockage' }))
    expect(storage.getByText('125 Mo / 500 Mo')).toBeTruthy()
    expect(storage.getByText('Aucun')).toBeTruthy()
    const usage = within(screen.getByRole('region', { name: 'Utilisation' }))
    expect(usage.getByText('3 sur 5')).toBeTruthy()
    expect(await screen.findByText('5 révélations scellées à la fois')).toBeTruthy()
    expect(screen.queryByText('Révélations sans limite')).toBeNull()
    const link = screen.getByRole('link', { name: 'Gérer mon abonnement' })
    expect(link.getAttribute('href')).toBe('/subscription')
  })

  test('shows what was bought besides, and until when', async () => {
    openSubscription([
      answer(
        getSubscription,
        aSubscription({
          subscription_type: 'pro',
          subscription_expires: '2030-01-15T12:00:00.000Z',
          total_storage: 52_224,
          extra_storage: 1024,
          additional_storage: 1024,
        }),
      ),
    ])
    const plan = within(await screen.findByRole('region', { name: 'Votre plan' }))
    expect(plan.getByText('15 janvier 2030')).toBeTruthy()
    expect(plan.getByText('(+1,0 Go acheté)')).toBeTruthy()
    expect(screen.getByText('+1,0 Go')).toBeTruthy()
    expect(screen.getByText('50,0 Go')).toBeTruthy()
    expect(await screen.findByText('Révélations sans limite')).toBeTruthy()
  })

  test('says what an expired plan changes', async () => {
    openSubscription([
      answer(
        getSubscription,
        aSubscription({
          subscription_expires: '2020-01-15T12:00:00.000Z',
          expired_plan: 'pro',
        }),
      ),
    ])
    expect(await screen.findByText('Votre plan Pro a expiré')).toBeTruthy()
    expect(screen.getByText('Expiré le')).toBeTruthy()
    expect(screen.getByText('3 sur 5')).toBeTruthy()
  })

  test('says what failed', async () => {
    openSubscription([answer(getSubscription, { used_storage: 'x' } as never)])
    expect(await screen.findByText("Erreur lors du chargement de l'abonnement")).toBeTruthy()
  })

  test('says when the plans are missing', async () => {
    openSubscription([
      answer(getSubscription, aSubscription()),
      answer(listPlans, { plans: 1 } as never),
    ])
    expect(await screen.findByText('Erreur lors du chargement des plans')).toBeTruthy()
  })
})

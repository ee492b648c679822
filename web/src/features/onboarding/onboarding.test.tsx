import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { markOnboarded, type User } from '#contract/profiles.ts'
import { listRevelations } from '#contract/revelations.ts'
import { answer } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

beforeAll(() => import('./onboarding.tsx'))
beforeEach(() => standInForMedia({ duration: 1 }))
afterEach(() => vi.unstubAllGlobals())

function arrive(person: Partial<User>, path = '/') {
  const marked: string[] = []
  const user = renderPage(path, {
    user: aUser(person),
    api: [
      answer(listRevelations, aPage([])),
      answer(markOnboarded, () => {
        marked.push('marked')
        return { success: true as const }
      }),
    ],
  })
  return { user, marked }
}

const dialog = (name: string) => screen.findByRole('dialog', { name })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('somebody new is shown around by keyboard, and led to a first letter', async () => {
  const { user, marked } = arrive({ onboarded: false })
  await dialog('Bienvenue')
  await waitFor(() => expect(marked).toEqual(['marked']))
  const next = screen.getByRole('button', { name: 'Suivant' })
  await waitFor(() => expect(document.activeElement).toBe(next))
  await user.keyboard('{Enter}')
  await dialog('Prédictions publiques')
  expect(screen.getByText('Étape 2 sur 7 : Prédictions publiques')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Retour' }))
  await dialog('Bienvenue')
  expect(document.activeElement).toBe(next)
  await user.keyboard('{ArrowLeft}{ArrowRight}{ArrowRight}')
  await dialog('Livraisons privées')
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}')
  await dialog('À vous')
  await user.keyboard('{Enter}')
  await noDialog()
  await waitFor(() => expect(window.location.pathname).toBe('/create'))
})

test('« Passer » ends it, and coming back home does not bring it again', async () => {
  const { user, marked } = arrive({ onboarded: false })
  await dialog('Bienvenue')
  await user.click(screen.getByRole('button', { name: 'Passer' }))
  await noDialog()
  await user.click(screen.getAllByText('Mentions légales')[0] as HTMLElement)
  await screen.findByText('Mentions légales complètes')
  await user.click(screen.getAllByText('Accueil')[0] as HTMLElement)
  await screen.findByText('Aucune révélation trouvée')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(marked).toEqual(['marked'])
})

test('Escape ends it, and the page has the focus', async () => {
  const { user } = arrive({ onboarded: false })
  await dialog('Bienvenue')
  await user.keyboard('{Escape}')
  await noDialog()
  await waitFor(() => expect(document.activeElement).toBe(document.querySelector('main')))
})

test('it waits for the home page', async () => {
  const { user, marked } = arrive({ onboarded: false }, '/legal')
  await screen.findByText('Mentions légales complètes')
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getAllByText('Accueil')[0] as HTMLElement)
  await dialog('Bienvenue')
  await waitFor(() => expect(marked).toEqual(['marked']))
})

test('whoever was shown around is left in peace', async () => {
  const { marked } = arrive({ onboarded: true })
  await screen.findByText('Aucune révélation trouvée')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(marked).toEqual([])
})

import { screen, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { getSite } from '#contract/site.ts'
import { answer } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'

beforeAll(() =>
  Promise.all([
    import('./legal-page.tsx'),
    import('./privacy-page.tsx'),
    import('./terms-page.tsx'),
    import('./accessibility-page.tsx'),
  ]),
)

test('the legal pages lead to each other, and so does the footer of every page', async () => {
  const user = renderPage('/legal')
  const pages = [
    ['Confidentialité', 'Confidentialité'],
    ['Conditions', 'Conditions d’utilisation'],
    ['Accessibilité', 'Accessibilité'],
    ['Mentions légales', 'Mentions légales complètes'],
  ] as const
  for (const [link, title] of pages) {
    const footer = within(await screen.findByRole('contentinfo'))
    expect(footer.getByRole('link', { name: link })).toBeTruthy()
    const navigation = within(await screen.findByRole('navigation', { name: 'Pages légales' }))
    await user.click(navigation.getByRole('link', { name: link }))
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
  }
})

test('the legal pages name the operator, or say that none is named', async () => {
  const operator = {
    name: 'Maison Aube',
    address: 'Rue de l’Aube 12, 1000 Bruxelles',
    email: 'bonjour@exemple.be',
    company_number: null,
    hosting: null,
  }
  renderPage('/confidentialite', { api: [answer(getSite, { operator })] })
  expect(await screen.findByText('Maison Aube')).toBeTruthy()
  const [contact] = screen.getAllByRole('link', { name: 'bonjour@exemple.be' })
  expect(contact?.getAttribute('href')).toBe('mailto:bonjour@exemple.be')
  expect(screen.getByText('Non renseigné par l’exploitant de ce site')).toBeTruthy()
  expect(screen.queryByText('N° d’entreprise')).toBeNull()
})

import { expect } from '@playwright/test'
import { installSite, shareAs } from './installed.ts'
import { test } from './journey.ts'
import { openNetwork } from './network.ts'
import { fillSignIn, newPseudo, origin, PASSWORD, postJson, signIn } from './people.ts'

// Everywhere else the worker would answer what a journey wants to see leave.
test.use({ serviceWorkers: 'allow' })

const TITLE = 'Une lettre du train'
const CONTENT = 'Pas de réseau entre les deux vallées, mais beaucoup à dire.'

test('a letter drafted without network outlives the browser, and is sealed when the network is back', {
  tag: '@phone',
}, async ({ page, context }) => {
  const author = await signIn(page)
  const network = await openNetwork()
  await installSite(page, network.origin)
  await network.cut()
  await page.goto(`${network.origin}/create?vue=tout`)
  await expect(page.getByText('Vous êtes hors ligne')).toBeVisible()
  await page.getByLabel('Titre').fill(TITLE)
  await page.getByLabel('Contenu').fill(CONTENT)
  await page.getByLabel('E-mail du destinataire').fill(author.email)
  await page.getByRole('button', { name: 'Relire avant de sceller' }).click()
  await expect(page.getByText('La lettre n’est pas encore scellée.')).toBeVisible()
  await page.getByRole('button', { name: 'Sceller au retour du réseau' }).click()
  await expect(page.getByText('Pas encore scellée', { exact: true })).toBeVisible()

  // The browser is closed: only its stored data is left.
  await page.close()
  const again = await context.newPage()
  await again.addInitScript((token) => localStorage.setItem('auth_token', token), author.token)
  await again.goto(`${network.origin}/create?vue=tout`)
  await expect(again.getByText('Votre lettre n’est pas encore scellée')).toBeVisible()
  await expect(again.getByLabel('Titre')).toHaveValue(TITLE)
  await expect(again.getByLabel('Contenu')).toHaveValue(CONTENT)
  await again.getByRole('button', { name: 'Relire avant de sceller' }).click()
  await again.getByRole('button', { name: 'Sceller au retour du réseau' }).click()
  await expect(again.getByText('Pas encore scellée', { exact: true })).toBeVisible()
  await network.mend()
  await expect(again.getByRole('heading', { name: 'C’est scellé.' })).toBeVisible()
  await expect(again.getByText(TITLE)).toBeVisible()
  expect(await sealedTitles(author)).toEqual([TITLE])
  await again.goto(`${network.origin}/create?vue=tout`)
  await expect(again.getByLabel('Titre')).toHaveValue('')
})

test('nothing of the API is ever in a cache, nor a page that the server rendered', async ({
  page,
}) => {
  const author = await signIn(page)
  const secret = `mot${Date.now()}`
  const { revelation } = await postJson(
    '/api/revelations',
    {
      title: 'Visible tout de suite',
      content: secret,
      target_email: author.email,
      reveal_date: new Date(Date.now() - 1000).toISOString(),
    },
    author.token,
  )
  await installSite(page, origin())
  for (const path of ['/', `/revelation/${revelation.id}`, '/profile', '/create']) {
    await page.goto(origin() + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  const cached = await page.evaluate(async () => {
    const found: { path: string; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        found.push({ path: new URL(request.url).pathname, text: (await response?.text()) ?? '' })
      }
    }
    return found
  })
  expect(cached.length).toBeGreaterThan(20)
  const others = cached.filter(({ path }) => !path.startsWith('/assets/')).map(({ path }) => path)
  expect(others).toEqual(['/index.html'])
  expect(cached.filter(({ text }) => text.includes(secret) || text.includes(author.id))).toEqual([])
})

test('a photo shared by a phone waits through signing in, and becomes the file of a letter', {
  tag: '@phone',
}, async ({ page }) => {
  const pseudo = newPseudo()
  const email = `${pseudo}@exemple.test`
  await postJson('/api/auth/register', { pseudo, email, password: PASSWORD })
  await installSite(page, origin())
  await shareAs(page, { title: 'Le phare', text: 'Vu du large.', fileName: 'phare.png' })
  await expect(page).toHaveURL(/\/login$/)
  await fillSignIn(page, email)
  await expect(page.getByText('Ce que vous avez partagé est dans cette lettre')).toBeVisible()
  await page.getByRole('radio', { name: /^Une capsule/ }).check({ force: true })
  await page.getByRole('button', { name: 'Continuer' }).click()
  await expect(page.getByLabel('Titre')).toHaveValue('Le phare')
  await expect(page.getByRole('textbox', { name: 'Votre capsule' })).toHaveValue('Vu du large.')
  await expect(page.getByText('phare.png')).toBeVisible()
  await expect(page.getByText('Upload terminé')).toBeVisible()
  // It is given once.
  await page.reload()
  await expect(page.getByLabel('Titre')).toHaveValue('Le phare')
  await expect(page.getByText('Ce que vous avez partagé est dans cette lettre')).toBeHidden()
})

test('without network every page says so, and opens by itself once it is back', {
  tag: '@all',
}, async ({ page }) => {
  const network = await openNetwork()
  await installSite(page, network.origin)
  await network.cut()
  await page.goto(network.origin)
  await expect(page.getByText('Impossible de joindre le site')).toBeVisible()
  await page.goto(`${network.origin}/confidentialite`)
  await expect(page.getByRole('heading', { name: 'Cette page attend le réseau' })).toBeVisible()
  await network.mend()
  await expect(page.getByRole('heading', { name: 'Confidentialité', exact: true })).toBeVisible()
})

test('the browser finds all that it needs to install the site', async ({ page, request }) => {
  await page.goto(origin())
  const address = await page.locator('link[rel="manifest"]').getAttribute('href')
  const answer = await request.get(origin() + address)
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = await answer.json()
  expect(manifest).toMatchObject({ lang: 'fr', display: 'standalone', start_url: '/', scope: '/' })
  for (const { src, sizes } of manifest.icons) {
    const icon = await request.get(origin() + src)
    const header = await icon.body()
    expect(`${header.readUInt32BE(16)}x${header.readUInt32BE(20)}`, src).toBe(sizes)
  }
  const worker = await request.get(`${origin()}/service-worker.js`)
  expect(worker.headers()['cache-control']).toBe('no-cache')
  const session = await page.context().newCDPSession(page)
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual([])
})

async function sealedTitles({ id, token }: { id: string; token: string }): Promise<string[]> {
  const answer = await fetch(`${origin()}/api/revelations/user/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { revelations } = (await answer.json()) as { revelations: { title: string }[] }
  return revelations.map(({ title }) => title)
}

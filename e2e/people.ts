import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { makePatient } from './journey.ts'

export const PASSWORD = 'mot de passe de test'

export function origin(): string {
  return process.env.E2E_ORIGIN ?? ''
}

/** A name nobody else in the run has. */
export function newPseudo(): string {
  return `voyageur_${randomUUID().slice(0, 8)}`
}

export async function postJson(url: string, body: unknown, token?: string) {
  return sendJson('POST', url, body, token)
}

export async function putJson(url: string, body: unknown, token: string) {
  return sendJson('PUT', url, body, token)
}

async function sendJson(method: 'POST' | 'PUT', url: string, body: unknown, token?: string) {
  const response = await fetch(origin() + url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a wrong shape fails the journey
  return (await response.json()) as any
}

/** Marks this browser as a returning one, which the home page does not redirect to the demo. */
export async function cameBefore(page: Page): Promise<void> {
  const visited = JSON.stringify({ state: { hasVisited: true }, version: 0 })
  await page.addInitScript((value) => localStorage.setItem('demo-store', value), visited)
}

export interface Person {
  id: string
  token: string
  email: string
  pseudo: string
}

/** Registers through the API as somebody who was shown around, and opens the session in the browser directly. */
export async function signIn(page: Page): Promise<Person> {
  const pseudo = newPseudo()
  const email = `${pseudo}@exemple.test`
  const { token, user } = await postJson('/api/auth/register', {
    pseudo,
    email,
    password: PASSWORD,
  })
  await postJson('/api/auth/onboarded', undefined, token)
  await page.addInitScript((value) => localStorage.setItem('auth_token', value), token)
  return { id: user.id, token, email, pseudo }
}

/** Signs in by the form of the page where one is. */
export async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await page.locator('form').getByRole('button', { name: 'Se connecter' }).click()
}

/** A second person, with a browser of their own, until the journey ends. */
export async function openBeside(page: Page): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('This page has no browser')
  const { viewport, hasTouch, isMobile, locale, timezoneId } = test.info().project.use
  const context = await browser.newContext({ viewport, hasTouch, isMobile, locale, timezoneId })
  await makePatient(context)
  return context.newPage()
}

/** Relates two people as family or friends: both send a request, which accepts the other’s. */
export async function tie(one: Person, other: Person, type: 'family' | 'friend'): Promise<void> {
  const request = (from: Person, to: Person) =>
    postJson('/api/relationships/request', { receiver_id: to.id, type, confirm: true }, from.token)
  await request(one, other)
  await request(other, one)
}

/** Seals what is written on one page, and goes to it. */
export async function sealWritten(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Relire avant de sceller' }).click()
  await page.getByRole('button', { name: 'Sceller' }).click()
  await page.getByRole('link', { name: /^Voir l[a’]/ }).click()
  await expect(page).toHaveURL(/\/revelation\/[0-9a-f-]{36}$/)
}

/** Seals something through the API: tomorrow, addressed to its author, by default. */
export async function sealThrough(
  { token, email }: Person,
  changes: Record<string, unknown> = {},
): Promise<{ id: string; title: string }> {
  const body = {
    title: 'Une annonce',
    content: 'Des mots que personne ne lit encore.',
    target_email: email,
    reveal_date: new Date(Date.now() + 86_400_000).toISOString(),
    ...changes,
  }
  return (await postJson('/api/revelations', body, token)).revelation
}

/** What a person is answered through the API. */
export async function getJson(url: string, person?: Person) {
  const headers: Record<string, string> = person ? { authorization: `Bearer ${person.token}` } : {}
  // biome-ignore lint/suspicious/noExplicitAny: a wrong shape fails the journey
  return (await (await fetch(origin() + url, { headers })).json()) as any
}

/** Sends a file through the API; its address, to seal or to share it. */
export async function sendFile(
  { token }: Person,
  folder: 'images' | 'videos' | 'audio' | 'documents',
  { bytes, name, type }: { bytes: Buffer; name: string; type: string },
): Promise<string> {
  const form = new FormData()
  form.append('folder', folder)
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${origin()}/api/upload`, { method: 'POST', headers, body: form })
  return (await answer.json()).url
}

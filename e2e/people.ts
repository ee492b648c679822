import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'

export const PASSWORD = 'mot de passe de test'

export function origin(): string {
  return process.env.E2E_ORIGIN ?? ''
}

/** A name nobody else in the run has. */
export function newPseudo(): string {
  return `voyageur_${randomUUID().slice(0, 8)}`
}

export async function postJson(url: string, body: unknown, token?: string) {
  const response = await fetch(origin() + url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a wrong shape fails the journey
  return (await response.json()) as any
}

/** Registers through the API and opens the session in the browser directly. */
export async function signIn(page: Page): Promise<{ token: string; email: string }> {
  const pseudo = newPseudo()
  const email = `${pseudo}@exemple.test`
  const { token } = await postJson('/api/auth/register', { pseudo, email, password: PASSWORD })
  await page.addInitScript((value) => localStorage.setItem('auth_token', value), token)
  return { token, email }
}

import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { linkIn, mailTo } from './mails.ts'
import { getJson, newPseudo, openBeside, sealThrough, signIn } from './people.ts'

test('a program that opens the link of a mail and does nothing has opened nothing', async ({
  page,
}) => {
  const author = await signIn(page)
  const addressee = `${newPseudo()}@exemple.test`
  const { id } = await sealThrough(author, {
    visibility: 'private',
    target_email: addressee,
    reveal_date: new Date(Date.now() + 2_000).toISOString(),
  })
  const link = linkIn(await mailTo(addressee, /lettre .*s’est ouverte/), '/revelation/')
  const program = await openBeside(page)
  const plain: Record<string, string> = {}
  for (const headers of [plain, { 'sec-purpose': 'prefetch' }]) {
    await program.request.get(link, { headers })
    await program.request.head(link, { headers })
  }
  await program.goto(link, { waitUntil: 'networkidle' })
  await expect(program.getByText('Elle vous attend')).toBeVisible()
  await program.close({ runBeforeUnload: true })

  const { revelation } = await getJson(`/api/revelations/${id}`, author)
  const { state, opened_at, journal } = revelation.delivery
  expect([state, opened_at]).toEqual(['sent', null])
  expect(journal.map(({ step }: { step: string }) => step)).not.toContain('opened')
})

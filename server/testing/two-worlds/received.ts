import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { type Call, jsonOf } from './calls.ts'
import {
  compareBoth,
  compareTraces,
  Difference,
  type Item,
  inBoth,
  pathOf,
  requireRefusal,
  type Story,
  sendBoth,
} from './story.ts'
import type { World } from './worlds.ts'

export const RECEIVED = '/api/revelations/received'

/**
 * What is received says nothing to an address that is not proved; and whoever joined an open letter by its link has it for as
 * long as that link lives.
 */
export async function receiveLetters(story: Story): Promise<void> {
  await waitForClaimant(story)
  for (const item of story.items) if (!item.isGone) await joinAndLose(story, item)
  compareTraces(story, 'what was joined')
}

/** A letter waits for the address of the claimant, who has not proved it, and none for the stranger’s. */
async function waitForClaimant(story: Story): Promise<void> {
  const waiting = ({ people, server }: World): Call => ({
    method: 'POST',
    path: '/api/revelations',
    body: {
      title: 'Pour qui le prouve',
      content: 'Cette lettre attend son destinataire.',
      target_email: people.claimant.email,
      reveal_date: server.clock.now.toISOString(),
      visibility: 'private',
    },
  })
  const sealed = await sendBoth(story, { by: 'author' }, waiting)
  if (sealed.A.status !== 201) throw new Error(`Cannot seal: ${sealed.A.bytes}`)
  for (const query of ['', '?state=waiting', '?q=prouve', '?limit=1']) {
    const listing = (): Call => ({ method: 'GET', path: `${RECEIVED}${query}` })
    const claimant = await compareBoth(story, { by: 'claimant' }, listing)
    const stranger = await compareBoth(story, { by: 'stranger' }, listing)
    const isSame = claimant.A.status === stranger.A.status
    if (isSame && claimant.A.bytes.equals(stranger.A.bytes)) continue
    throw new Difference(`an unproved address is answered ${claimant.A.bytes}`)
  }
}

async function joinAndLose(story: Story, item: Item): Promise<void> {
  const by = item.by === 'claimant' ? ('stranger' as const) : ('claimant' as const)
  const at = (path: string, method: string) => (world: World) => ({
    method,
    path: `${pathOf(item, world.name)}${path}`,
    headers: { [DELIVERY_KEY_HEADER]: item.deliveries[world.name].key },
  })
  const without = (world: World) => ({ method: 'GET', path: pathOf(item, world.name) })
  const listing = (): Call => ({ method: 'GET', path: RECEIVED })
  const joined = await compareBoth(story, { by }, at('/save', 'POST'))
  const isJoined = joined.A.status === 200
  await compareBoth(story, { by }, without)
  await compareBoth(story, { by }, listing)
  await compareBoth(story, { by }, at('/save', 'DELETE'))
  const unjoined = await compareBoth(story, { by }, at('/save', 'DELETE'))
  requireRefusal(`leaving twice by ${by}`, unjoined.A)
  await compareBoth(story, { by }, without)
  await compareBoth(story, { by }, at('/save', 'POST'))
  const revoked = await sendBoth(story, { by: item.by }, ({ name }) => ({
    method: 'POST',
    path: `/api/deliveries/${item.deliveries[name].id}/revoke`,
  }))
  if (!isJoined || revoked.A.status !== 200) return
  const again = await compareBoth(story, { by }, at('/save', 'POST'))
  requireRefusal(`joining by a revoked link by ${by}`, again.A)
  if (item.truth.A.visibility !== 'public') {
    requireRefusal(
      `reading what was joined by ${by}`,
      (await compareBoth(story, { by }, without)).A,
    )
  }
  const left = await compareBoth(story, { by }, listing)
  await inBoth(story, ({ name }) => {
    const shown = jsonOf(left[name])?.revelations ?? []
    if (!shown.some(({ id }: { id: string }) => id === item.ids[name])) return
    throw new Difference(`${item.ids[name]} is received by a revoked link`)
  })
}

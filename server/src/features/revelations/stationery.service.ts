import { INKS, PAPERS, type Stationery } from '#contract/revelations.ts'
import type { EditRevelationInput } from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import { requireFeature } from '#server/features/subscriptions/subscriptions.service.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'

/** What every letter has unless its author chose another one. */
export const PLAIN_STATIONERY: Stationery = { paper: PAPERS[0], ink: INKS[0] }

type StationeryInput = Pick<EditRevelationInput, 'paper' | 'ink'>

/** Whether an edit asks for another paper or ink than the stored one. */
export function changesStationery(
  stored: Stationery,
  { paper = stored.paper, ink = stored.ink }: StationeryInput,
): boolean {
  return paper !== stored.paper || ink !== stored.ink
}

/**
 * Paper and ink after this input; what is absent stays. `feature_of_plan` to whom the plan gives no other than the first of
 * each, unless the letter has it already: the end of a plan takes nothing back.
 */
export async function stationeryAfter(
  tx: AppContext,
  userId: string,
  { paper, ink }: StationeryInput,
  stored: Stationery = PLAIN_STATIONERY,
): Promise<Stationery> {
  const wanted = { paper: paper ?? stored.paper, ink: ink ?? stored.ink }
  const isFree = <Part extends keyof Stationery>(part: Part) =>
    [stored[part], PLAIN_STATIONERY[part]].includes(wanted[part])
  if (!isFree('paper') || !isFree('ink')) await requireFeature(tx, userId, 'themes')
  return wanted
}

/** Null for the plain one, which most letters have. */
export function sealStationery(key: DataKey, { paper, ink }: Stationery): Buffer | null {
  if (!changesStationery(PLAIN_STATIONERY, { paper, ink })) return null
  return sealText(key, 'stationery', JSON.stringify({ paper, ink }))
}

export function openStationery(key: DataKey, sealed: Buffer | null): Stationery {
  return sealed ? JSON.parse(openText(key, 'stationery', sealed)) : PLAIN_STATIONERY
}

import { keptOnDevice } from './kept-on-device.ts'

/** Its author asked for it to be sealed when the network is back; until then it is a draft like any other. */
export interface SealWish {
  notifiesNow: boolean
}

export const storedWish = keptOnDevice('wish:', (stored): SealWish | undefined => {
  const { notifiesNow } = stored as Partial<SealWish>
  return notifiesNow === undefined ? undefined : { notifiesNow }
})

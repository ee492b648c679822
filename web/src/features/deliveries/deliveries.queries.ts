import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type Delivery,
  handDelivery,
  readdressDelivery,
  resendDelivery,
  revokeDelivery,
} from '#contract/deliveries.ts'
import { isOwn, type Revelation } from '#contract/revelations.ts'
import { changeRevelation } from '#web/features/revelations/revelation-cache.ts'
import { callApi } from '#web/lib/api-client.ts'

export function useResendDelivery(revelationId: string, onDone: () => void) {
  const onSuccess = useStoreDelivery(revelationId, onDone)
  return useMutation({
    mutationFn: (id: string) => callApi(resendDelivery, { params: { id } }),
    onSuccess,
  })
}

export function useRevokeDelivery(revelationId: string, onDone: () => void) {
  const onSuccess = useStoreDelivery(revelationId, onDone)
  return useMutation({
    mutationFn: (id: string) => callApi(revokeDelivery, { params: { id } }),
    onSuccess,
  })
}

export function useReaddressDelivery(revelationId: string, onDone: () => void) {
  const onSuccess = useStoreDelivery(revelationId, onDone)
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; address: string; name: string }) =>
      callApi(readdressDelivery, { params: { id }, body }),
    onSuccess,
  })
}

/** Its link to give by hand; the journal says that its author took it. */
export function useHandDelivery(revelationId: string) {
  const onSuccess = useStoreDelivery(revelationId)
  return useMutation({
    mutationFn: (id: string) => callApi(handDelivery, { params: { id } }),
    onSuccess,
  })
}

/** Stores a changed delivery in every copy of its revelation. `onDone` runs first: its component may be gone then. */
function useStoreDelivery(revelationId: string, onDone?: () => void) {
  const client = useQueryClient()
  return ({ delivery }: { delivery: Delivery }) => {
    onDone?.()
    changeRevelation(client, revelationId, (revelation) => withDelivery(revelation, delivery))
  }
}

function withDelivery(revelation: Revelation, changed: Delivery): Revelation {
  if (!isOwn(revelation)) return revelation
  const deliveries = revelation.deliveries.map((known) =>
    known.id === changed.id ? changed : known,
  )
  const [delivery = changed] = deliveries
  return {
    ...revelation,
    deliveries,
    delivery,
    target_email: delivery.address,
    target_name: delivery.name,
    recipients: deliveries.map(({ address, name }) => ({ email: address, name })),
  }
}

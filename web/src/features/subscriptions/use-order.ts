import { useEffect, useRef, useState } from 'react'
import type { Subscription } from '#contract/subscriptions.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { browserTimeZone } from '#web/lib/browser-time-zone.ts'
import { formatDay } from '#web/lib/french-dates.ts'
import { newId } from '#web/lib/new-id.ts'
import { showToast } from '#web/ui/toasts.tsx'
import type { Wish } from './order-dialog.tsx'
import { usePlaceOrder } from './subscriptions.queries.ts'

const ERROR_SHOWN_MS = 5000

export interface OrderFailure {
  title: string
  /** Empty when nobody knows. */
  reason: string
}

/** One thing asked for at a time: wished, confirmed once, said. What failed is told for five seconds. */
export function useOrder() {
  const [wish, setWish] = useState<Wish>()
  const [isOpen, setOpen] = useState(false)
  const [isPlanNew, setPlanNew] = useState(false)
  const [failure, setFailure] = useState<OrderFailure>()
  const { mutate: place, isPending } = usePlaceOrder()
  // Until something else is wished: a second tap may meet the question while it leaves.
  const isPlacing = useRef(false)
  // The same thing asked for again after a failure is the same purchase: its answer may only have been lost.
  const keys = useRef(new Map<string, string>())
  useEffect(() => {
    if (!failure) return
    const timer = setTimeout(() => setFailure(undefined), ERROR_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [failure])

  const confirm = () => {
    if (!wish || isPlacing.current) return
    isPlacing.current = true
    const name = nameOf(wish)
    const key = keys.current.get(name) ?? newId()
    keys.current.set(name, key)
    const asked = 'offer' in wish ? { plan: wish.offer.id } : { storage: wish.option.amount }
    place(
      { key, ...asked },
      {
        onSuccess: (subscription) => {
          keys.current.delete(name)
          setPlanNew('offer' in wish)
          showToast('success', successSentence(wish, subscription))
        },
        onError: (error) =>
          setFailure({ title: failureOf(wish), reason: errorSentence(error, '') }),
        onSettled: () => setOpen(false),
      },
    )
  }

  return {
    wish,
    isOpen,
    isPending,
    /** What was asked for last put one on another plan. */
    isPlanNew,
    failure,
    confirm,
    ask: (next: Wish) => {
      isPlacing.current = false
      setFailure(undefined)
      setPlanNew(false)
      setWish(next)
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}

function nameOf(wish: Wish): string {
  return 'offer' in wish ? wish.offer.id : String(wish.option.amount)
}

function failureOf(wish: Wish): string {
  return 'offer' in wish
    ? 'Erreur lors de la mise à jour du plan'
    : "Erreur lors de l'achat de stockage"
}

function successSentence(wish: Wish, { subscription_expires }: Subscription): string {
  if ('option' in wish) return `${wish.option.label} de plus dans votre espace`
  if (!subscription_expires) return `Plan ${wish.offer.name} activé`
  const end = formatDay(subscription_expires, browserTimeZone())
  return `Plan ${wish.offer.name} activé jusqu’au ${end}`
}

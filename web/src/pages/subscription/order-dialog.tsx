import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PlanOffer, StorageOption, Subscription } from '#contract/subscriptions.ts'
import { PLAN_NAMES } from '#web/features/subscriptions/plan-labels.ts'
import { usePlaceOrder } from '#web/features/subscriptions/subscriptions.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { browserTimeZone, formatDay } from '#web/lib/dates.ts'
import { formatPrice, formatStorage } from '#web/lib/format.ts'
import { createId } from '#web/lib/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'

export type OrderItem = { offer: PlanOffer } | { option: StorageOption }

interface OrderDialogProps {
  item: OrderItem
  open: boolean
  subscription: Subscription
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
  returnTo: () => HTMLElement | null | undefined
}

/** Confirms a simulated purchase: nothing is charged. */
export function OrderDialog({
  item,
  open,
  subscription,
  isPending,
  onConfirm,
  onClose,
  returnTo,
}: OrderDialogProps) {
  const isPlan = 'offer' in item
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}
      returnTo={returnTo}
      title={
        isPlan ? `Passer au plan ${item.offer.name}\u202F?` : `Ajouter ${item.option.label}\u202F?`
      }
      footer={
        <>
          <Button variant="secondary" disabled={isPending} onClick={onClose}>
            Annuler
          </Button>
          <Button busy={isPending} busyLabel="Simulation en cours" onClick={onConfirm}>
            {isPlan ? 'Simuler le changement' : 'Simuler l’achat'}
          </Button>
        </>
      }
    >
      <dl className="divide-y divide-line">
        {isPlan ? (
          <PlanFacts offer={item.offer} />
        ) : (
          <StorageFacts option={item.option} subscription={subscription} />
        )}
        <Line term="À payer aujourd’hui">
          <strong>{formatPrice(0)}</strong>
        </Line>
      </dl>
      <Notice className="mt-4" title="Mode démo&#8239;: rien n’est prélevé">
        L’achat est simulé et prend effet tout de suite.
      </Notice>
      {isPlan && <Changes offer={item.offer} subscription={subscription} />}
    </Dialog>
  )
}

function PlanFacts({ offer }: { offer: PlanOffer }) {
  return (
    <>
      <Line term="Prix affiché">
        {formatPrice(offer.price)} {offer.period}
      </Line>
      <Line term="Durée">Un mois, sans reconduction</Line>
      <Line term="Espace">{formatStorage(offer.storage)}</Line>
    </>
  )
}

function StorageFacts({
  option,
  subscription,
}: {
  option: StorageOption
  subscription: Subscription
}) {
  return (
    <>
      <Line term="Prix affiché">{formatPrice(option.price)}, une fois</Line>
      <Line term="Votre espace ensuite">{formatStorage(storageWith(option, subscription))}</Line>
    </>
  )
}

/** The storage of an account without a verified address does not change. */
function storageWith({ amount }: StorageOption, subscription: Subscription): number {
  const { total_storage, awaits_verification } = subscription
  return awaits_verification ? total_storage : total_storage + amount
}

/** What the change of a paid plan ends. */
function Changes({ offer, subscription }: { offer: PlanOffer; subscription: Subscription }) {
  const { subscription_type: current, used_storage, extra_storage } = subscription
  const room = offer.storage < 0 ? Number.POSITIVE_INFINITY : offer.storage + extra_storage
  return (
    <>
      {current !== 'free' && (
        <p className="mt-4">
          Votre plan {PLAN_NAMES[current]} s’arrête au même moment&#8239;: ce qu’il en restait est
          perdu.
        </p>
      )}
      {used_storage > room && (
        <Notice tone="warning" className="mt-4">
          Vous utilisez {formatStorage(used_storage)}. Rien n’est effacé, mais rien ne pourra être
          ajouté avant de repasser sous {formatStorage(room)}.
        </Notice>
      )}
    </>
  )
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-2.5">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="tabular-digits text-right">{children}</dd>
    </div>
  )
}

const ERROR_SHOWN_MS = 5000

export interface OrderFailure {
  title: string
  /** Empty when unknown. */
  reason: string
}

/** One purchase at a time: opened, then confirmed once. A failure is shown for five seconds. */
export function useOrder() {
  const [item, setItem] = useState<OrderItem>()
  const [isOpen, setOpen] = useState(false)
  const [isPlanNew, setPlanNew] = useState(false)
  const [failure, setFailure] = useState<OrderFailure>()
  const { mutate: place, isPending } = usePlaceOrder()
  // Until the next `open`: a second tap may hit the closing dialog.
  const isPlacing = useRef(false)
  // A repeated attempt is the same purchase: the answer may have been lost.
  const keys = useRef(new Map<string, string>())
  useEffect(() => {
    if (!failure) return
    const timer = setTimeout(() => setFailure(undefined), ERROR_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [failure])

  const confirm = () => {
    if (!item || isPlacing.current) return
    isPlacing.current = true
    const name = nameOf(item)
    const key = keys.current.get(name) ?? createId()
    keys.current.set(name, key)
    const order = 'offer' in item ? { plan: item.offer.id } : { storage: item.option.amount }
    place(
      { key, ...order },
      {
        onSuccess: (subscription) => {
          keys.current.delete(name)
          setPlanNew('offer' in item)
          showToast('success', successMessage(item, subscription))
        },
        onError: (error) =>
          setFailure({ title: failureOf(item), reason: errorSentence(error, '') }),
        onSettled: () => setOpen(false),
      },
    )
  }

  return {
    item,
    isOpen,
    isPending,
    /** The last purchase changed the plan. */
    isPlanNew,
    failure,
    confirm,
    open: (next: OrderItem) => {
      isPlacing.current = false
      setFailure(undefined)
      setPlanNew(false)
      setItem(next)
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}

function nameOf(item: OrderItem): string {
  return 'offer' in item ? item.offer.id : String(item.option.amount)
}

function failureOf(item: OrderItem): string {
  return 'offer' in item
    ? 'Erreur lors de la mise à jour du plan'
    : "Erreur lors de l'achat de stockage"
}

function successMessage(item: OrderItem, { subscription_expires }: Subscription): string {
  if ('option' in item) return `${item.option.label} de plus dans votre espace`
  if (!subscription_expires) return `Plan ${item.offer.name} activé`
  const end = formatDay(subscription_expires, browserTimeZone())
  return `Plan ${item.offer.name} activé jusqu’au ${end}`
}

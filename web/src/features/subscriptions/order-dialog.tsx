import type { ReactNode } from 'react'
import type { PlanOffer, StorageOption, Subscription } from '#contract/subscriptions.ts'
import { formatPrice } from '#web/lib/prices.ts'
import { formatStorage } from '#web/lib/sizes.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PLAN_NAMES } from './plan-words.ts'

export type Wish = { offer: PlanOffer } | { option: StorageOption }

interface OrderDialogProps {
  wish: Wish
  open: boolean
  subscription: Subscription
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
  returnTo: () => HTMLElement | null | undefined
}

/** Asks once more before simulating, and says that nothing is charged. */
export function OrderDialog({
  wish,
  open,
  subscription,
  isPending,
  onConfirm,
  onClose,
  returnTo,
}: OrderDialogProps) {
  const isPlan = 'offer' in wish
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}
      returnTo={returnTo}
      title={
        isPlan ? `Passer au plan ${wish.offer.name}\u00A0?` : `Ajouter ${wish.option.label}\u00A0?`
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
          <PlanFacts offer={wish.offer} />
        ) : (
          <StorageFacts option={wish.option} subscription={subscription} />
        )}
        <Line term="À payer aujourd’hui">
          <strong>{formatPrice(0)}</strong>
        </Line>
      </dl>
      <Notice className="mt-4" title="Mode démo&nbsp;: rien n’est prélevé">
        L’achat est simulé et prend effet tout de suite.
      </Notice>
      {isPlan && <Changes offer={wish.offer} subscription={subscription} />}
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
      <Line term="Votre espace ensuite">{formatStorage(roomWith(option, subscription))}</Line>
    </>
  )
}

/** An address that is not verified has the same room whatever is added. */
function roomWith({ amount }: StorageOption, subscription: Subscription): number {
  const { total_storage, awaits_verification } = subscription
  return awaits_verification ? total_storage : total_storage + amount
}

/** What one gives up, for whoever leaves another plan. */
function Changes({ offer, subscription }: { offer: PlanOffer; subscription: Subscription }) {
  const { subscription_type: current, used_storage, extra_storage } = subscription
  const room = offer.storage < 0 ? Number.POSITIVE_INFINITY : offer.storage + extra_storage
  return (
    <>
      {current !== 'free' && (
        <p className="mt-4">
          Votre plan {PLAN_NAMES[current]} s’arrête au même moment&nbsp;: ce qu’il en restait est
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
      <dd className="digits text-right">{children}</dd>
    </div>
  )
}

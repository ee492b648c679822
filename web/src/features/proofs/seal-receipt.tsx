import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Download, Hourglass, Mail } from 'lucide-react'
import type { AnyProof } from '#contract/proofs/proof.ts'
import { receiptName } from '#contract/receipts.ts'
import type { OwnRevelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { saveJson } from '#web/lib/device.ts'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { formatProvedInstant } from './proved-instant.ts'
import { receiptQuery, useMailReceipt } from './receipts.queries.ts'

/** Whether the log holds one’s own letter, and what one keeps of it. */
export function SealReceipt({ revelation }: { revelation: OwnRevelation }) {
  const receipt = useQuery(receiptQuery(revelation))
  if (receipt.isLoadingError) {
    return <QueryFailure title="Le reçu n’a pas pu être demandé" query={receipt} />
  }
  const { data } = receipt
  if (data === undefined) return <Skeleton className="h-6 w-56" />
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="flex items-start gap-2.5">
        {data ? (
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf-ink" />
        ) : (
          <Hourglass aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-soft" />
        )}
        <span>{data ? <EntryInLog receipt={data} /> : 'Le reçu arrive dans la minute.'}</span>
      </p>
      {data && <ReceiptActions receipt={data} revelation={revelation} />}
    </div>
  )
}

interface ReceiptProps {
  receipt: AnyProof
  revelation: OwnRevelation
}

/** What the receipt says of itself: nothing here was checked. */
function EntryInLog({ receipt }: Pick<ReceiptProps, 'receipt'>) {
  const signedAt = /^signed_at (\S+)$/m.exec(receipt.checkpoint ?? '')?.[1]
  const index =
    receipt.format === 'revelations.app/proof/v1'
      ? receipt.versions.at(-1)?.leaf
      : receipt.leaves.at(-1)?.index
  return (
    <>
      Inscrite au journal
      {signedAt && (
        <>
          {' '}
          le <time dateTime={signedAt}>{formatProvedInstant(signedAt)}</time>
        </>
      )}{' '}
      (inscription n°&nbsp;{formatCount((index ?? 0) + 1)})
    </>
  )
}

function ReceiptActions({ receipt, revelation: { id } }: ReceiptProps) {
  const { user } = useSession()
  const { mutate: mailIt, isPending } = useMailReceipt(id, user?.email ?? '')
  return (
    <>
      <p className="text-ink-soft text-sm">
        Gardez votre reçu&#8239;: il prouve, même sans nous, que cette lettre existait quand le
        journal l’a inscrite. La date est celle que le site a écrite.
      </p>
      <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        <Button
          variant="secondary"
          icon={<Download aria-hidden="true" className="size-5" />}
          onClick={() => saveJson(receipt, receiptName(id))}
        >
          Télécharger le reçu
        </Button>
        {user?.email_verified && (
          <Button
            variant="secondary"
            icon={<Mail aria-hidden="true" className="size-5" />}
            busy={isPending}
            busyLabel="Envoi…"
            onClick={() => mailIt()}
          >
            Recevoir le reçu par e-mail
          </Button>
        )}
      </div>
      <p className="text-ink-soft text-sm">
        Le fichier contient le texte de la lettre&#8239;: gardez-le comme elle.
        {user?.email_verified && ' Celui de l’e-mail ne le contient pas.'}
      </p>
    </>
  )
}

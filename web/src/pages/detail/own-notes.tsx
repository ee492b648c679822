import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { JobType } from '#contract/media.ts'
import type { OwnRevelation } from '#contract/revelations.ts'
import { DeliveryJournal } from '#web/features/deliveries/delivery-journal.tsx'
import { FailedStep, STEP_LABELS } from '#web/features/media/processing-steps.tsx'
import { useIsFreshlySealed } from '#web/features/proofs/fresh-seal.ts'
import { SealReceipt } from '#web/features/proofs/seal-receipt.tsx'
import { itemKey } from '#web/features/revelations/revelation-cache.ts'
import { Spinner } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { NamedPart, type PartName, useIsNamed } from './named-part.tsx'

const DELIVERY: PartName[] = ['remise']

/** What only its author sees: the preparation of the file, and the delivery, which is folded once the letter is open. */
export function OwnNotes({ revelation }: { revelation: OwnRevelation }) {
  const { is_suspended, is_revealed, processing_status } = revelation
  const isDeliveryNamed = useIsNamed(DELIVERY)
  const isFresh = useIsFreshlySealed(revelation)
  const hasNews =
    is_suspended || processing_status === 'processing' || processing_status === 'failed'
  return (
    <>
      {(hasNews || !is_revealed) && (
        <section
          aria-label="Rien que pour vous"
          className="flex flex-col gap-5 rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6"
        >
          {is_suspended && (
            <Notice tone="warning" title="Masquée par l’équipe de Révélations">
              Après un signalement, personne d’autre que vous ne voit cette révélation, et elle
              n’est pas livrée. Un e-mail vous en a dit la raison.
            </Notice>
          )}
          {isFresh && (
            <div className="border-line border-b pb-5">
              <SealReceipt revelation={revelation} />
            </div>
          )}
          <Preparation revelation={revelation} />
          {!is_revealed && (
            <NamedPart names={DELIVERY}>
              <DeliveryJournal revelation={revelation} />
            </NamedPart>
          )}
        </section>
      )}
      {is_revealed && (
        <NamedPart names={DELIVERY}>
          <DeliveryJournal revelation={revelation} isFolded isNamed={isDeliveryNamed} />
        </NamedPart>
      )}
    </>
  )
}

interface PreparationStep {
  type: JobType
  isReady: boolean
}

/** The progress of the file on the server; nothing once all is ready. */
function Preparation({ revelation }: { revelation: OwnRevelation }) {
  const { processing_status, processing_progress } = revelation
  if (processing_status === 'failed') return <FailedPreparation revelation={revelation} />
  if (processing_status !== 'processing') return null
  return (
    <div className="flex flex-col gap-3">
      <ProgressBar label="Préparation du fichier" percent={processing_progress} />
      <ul aria-label="Étapes de la préparation" className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {stepsOf(revelation).map(({ type, isReady }) => (
          <li key={type} className="flex items-center gap-2">
            {isReady ? (
              <CircleCheck aria-hidden="true" className="size-5 text-leaf-ink" />
            ) : (
              <Spinner />
            )}
            {STEP_LABELS[type]}
            <span className="sr-only">{isReady ? '\u202F: prêt' : '\u202F: en cours'}</span>
          </li>
        ))}
      </ul>
      <p className="text-ink-soft text-sm">
        Vous pouvez quitter la page&#8239;: la préparation continue sans vous.
      </p>
    </div>
  )
}

function FailedPreparation({ revelation }: { revelation: OwnRevelation }) {
  const { id, processing_error, failed_jobs } = revelation
  const client = useQueryClient()
  return (
    <Notice tone="warning" {...(processing_error !== null && { title: processing_error })}>
      <ul aria-label="Ce qui a échoué" className="mt-2 flex flex-col gap-3 text-sm">
        {failed_jobs.map((step) => (
          <li key={step.jobId}>
            <p className="font-medium">{STEP_LABELS[step.type]}</p>
            <FailedStep
              step={step}
              onRetried={() => client.invalidateQueries({ queryKey: itemKey(id) })}
            />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function stepsOf(revelation: OwnRevelation): PreparationStep[] {
  const { file_type, teaser_end, teaser_url, thumbnail_complete, file_mobile_url } = revelation
  const light = file_mobile_url !== null
  if (file_type === 'image') return [{ type: 'image', isReady: light }]
  if (file_type === 'audio') return [{ type: 'audio', isReady: light }]
  if (file_type === 'document') return [{ type: 'document', isReady: thumbnail_complete !== null }]
  if (file_type !== 'video') return []
  const teaser: PreparationStep[] =
    teaser_end === null ? [] : [{ type: 'teaser', isReady: teaser_url !== null }]
  return [
    ...teaser,
    { type: 'thumbnails', isReady: thumbnail_complete !== null },
    { type: 'mobile', isReady: light },
  ]
}

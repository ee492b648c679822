import { useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { VisibilityField } from '#web/features/revelations/revelation-fields.tsx'
import { VISIBILITY_LABELS } from '#web/features/revelations/revelation-labels.ts'
import { departureHint, VISIBILITY_HINTS } from '#web/features/revelations/visibility-hints.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface WhoSeesProps {
  form: UseFormReturn<RevelationDraft>
}

/** One line that is right already for most letters, and the tiles for the others. */
export function WhoSees({ form }: WhoSeesProps) {
  const [kind, visibility] = useWatch({ control: form.control, name: ['kind', 'visibility'] })
  const [isChanging, setChanging] = useState(form.formState.errors.visibility !== undefined)
  const hint = departureHint(kind, visibility)
  const { icon: Icon } = VISIBILITY_LABELS[visibility]
  return (
    <div className="flex flex-col gap-3">
      {isChanging ? (
        <VisibilityField form={form} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <div className="min-w-0">
            <h2 className="font-sans font-semibold text-base tracking-normal">
              Qui la verra&#8239;?
            </h2>
            <p className="mt-0.5 flex items-center gap-2">
              <Icon aria-hidden="true" className="size-4.5 shrink-0 text-ink-soft" />
              {VISIBILITY_HINTS[visibility].audience}
            </p>
          </div>
          <Button variant="secondary" onClick={() => setChanging(true)}>
            Changer
            <span className="sr-only"> qui la verra</span>
          </Button>
        </div>
      )}
      <div role="status" className="empty:hidden">
        {hint && <Notice tone="warning">{hint}</Notice>}
      </div>
    </div>
  )
}

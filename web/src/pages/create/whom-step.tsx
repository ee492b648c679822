import { UserPlus } from 'lucide-react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Kind } from '#contract/kinds.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import type { StoredDraft } from '#web/features/revelations/drafts/draft-schema.ts'
import { KindField, useKindChoice } from '#web/features/revelations/kind-field.tsx'
import { PeoplePicker } from '#web/features/revelations/people-picker.tsx'
import { otherRecipients, writtenRows } from '#web/features/revelations/recipients.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { OwnLimits, SharedNotice } from './create-notices.tsx'
import { DraftsList } from './drafts-list.tsx'
import type { Writing } from './use-writing.ts'

interface WhomStepProps {
  writing: Writing
  /** That nothing was chosen yet. */
  error: string | undefined
  onResume: (draft: StoredDraft) => void
}

/** What one writes, and to whom. */
export function WhomStep({ writing, error, onResume }: WhomStepProps) {
  const { form } = writing
  const id = useId()
  const kind = useWatch({ control: form.control, name: 'kind' })
  const choose = useKindChoice(form)
  return (
    <>
      <PageHeading documentTitle="Pour qui · Écrire">Pour qui, et pourquoi&#8239;?</PageHeading>
      {writing.shared && <SharedNotice {...writing.shared} />}
      <DraftsList openId={writing.id} onResume={onResume} />
      <div>
        {error && <FieldError id={id}>{error}</FieldError>}
        <KindField hideLegend value={kind} onChange={choose} />
      </div>
      {kind && <Recipients key={kind} kind={kind} writing={writing} />}
      <OwnLimits />
    </>
  )
}

/** A letter asks for them; of any other kind its author is the one, and may add some. Nobody is never taken for its author. */
function Recipients({ kind, writing: { form } }: { kind: Kind; writing: Writing }) {
  const { email } = useSignedInUser()
  const recipients = useWatch({ control: form.control, name: 'recipients' })
  const isForMeAlone =
    writtenRows(recipients).length > 0 && otherRecipients(recipients, email).length === 0
  const [isPickerOpen, setPickerOpen] = useState(kind === 'letter' || !isForMeAlone)
  const section = useRef<HTMLElement>(null)
  // Below the cards: on a phone it may be out of sight. Under keys, which bring into sight what has the focus, a scroll that
  // goes on would take it out again.
  useLayoutEffect(() => {
    if (document.activeElement?.matches('[name="kind"]:not(:focus-visible)'))
      section.current?.scrollIntoView?.({ block: 'nearest', behavior: 'smooth' })
  }, [])
  return (
    <section ref={section} aria-labelledby="qui" className="scroll-mb-40 flex flex-col gap-3">
      <h2 id="qui" className="text-2xl">
        Qui la recevra&#8239;?
      </h2>
      {isPickerOpen || !isForMeAlone ? (
        <PeoplePicker form={form} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3">
          <p className="min-w-0">
            {kind === 'capsule' ? (
              <>
                Vous, à <EmailAddress>{email}</EmailAddress>
              </>
            ) : (
              'Le jour venu, vous la recevez et tout le monde peut la lire.'
            )}
          </p>
          <Button
            variant="ghost"
            className="-mx-4"
            icon={<UserPlus aria-hidden="true" className="size-5" />}
            onClick={() => setPickerOpen(true)}
          >
            Ajouter quelqu’un
          </Button>
        </div>
      )}
    </section>
  )
}

import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { instantInWords, zoneInWords } from '#contract/date-in-words.ts'
import type { Visibility } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AddresseeFields } from './addressee-fields.tsx'
import { AudienceFields } from './audience-fields.tsx'
import { FormSection } from './form-section.tsx'
import { LetterFields } from './letter-fields.tsx'
import { MomentFields } from './moment-fields.tsx'
import type { RevelationDraft } from './revelation-draft.ts'

interface RevelationFieldsProps {
  form: UseFormReturn<RevelationDraft>
  timeZone: string
  /** The first day that may be chosen. */
  firstDay: string
  /** What is joined to the letter. */
  file: ReactNode
  /** Below the addressee. */
  children?: ReactNode
}

/** All that makes a revelation, in the order one thinks of it. */
export function RevelationFields({
  form,
  timeZone,
  firstDay,
  file,
  children,
}: RevelationFieldsProps) {
  const setVisibility = useOwnAddress(form)
  return (
    <>
      <FormSection title="La lettre" paper>
        <LetterFields form={form} />
      </FormSection>
      <FormSection title="Un fichier, si vous voulez">{file}</FormSection>
      <FormSection title="Quand">
        <MomentFields
          form={form}
          timeZone={timeZone}
          firstDay={firstDay}
          inWords={(instant, isPast) => <OpensIn {...{ instant, isPast, timeZone }} />}
        />
      </FormSection>
      <FormSection title="Pour qui">
        <AudienceFields form={form} onVisibility={setVisibility} />
        <AddresseeFields form={form}>{children}</AddresseeFields>
      </FormSection>
    </>
  )
}

/** « Personnel » fills in the author's own address; another choice takes it away if nobody touched it. */
function useOwnAddress(form: UseFormReturn<RevelationDraft>) {
  const { email } = useSignedInUser()
  return (visibility: Visibility) => {
    const { visibility: before, target_email } = form.getValues()
    form.setValue('visibility', visibility, { shouldDirty: true })
    const write = (address: string) =>
      form.setValue('target_email', address, {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      })
    if (visibility === 'private' && target_email.trim() === '') write(email)
    else if (before === 'private' && target_email === email) write('')
  }
}

interface OpensInProps {
  instant: Date
  isPast: boolean
  timeZone: string
}

function OpensIn({ instant, isPast, timeZone }: OpensInProps) {
  if (isPast) {
    return (
      <Notice tone="warning" title="Elle sera dévoilée immédiatement">
        Cet instant est déjà passé ({zoneInWords(instant, timeZone)}). Choisissez une heure à venir
        pour qu’elle reste scellée.
      </Notice>
    )
  }
  return (
    <p className="text-ink-soft">
      Elle s’ouvrira <strong className="text-ink">{instantInWords(instant, timeZone)}</strong>.
    </p>
  )
}

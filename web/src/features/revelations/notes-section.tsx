import { type UseFormReturn, useWatch } from 'react-hook-form'
import { NOTE_MAX_LENGTH } from '#contract/sealing.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { FormTextArea } from '#web/ui/form-controls.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { FoldedSection } from './form-section.tsx'
import type { RevelationDraft } from './revelation-draft.ts'

const NAMES = ['announcement_note', 'opening_note'] as const

/** A word of the author for each of the e-mails that an addressee receives; of accounts with a proved address. */
export function NotesSection({ form }: { form: UseFormReturn<RevelationDraft> }) {
  const { email_verified } = useSignedInUser()
  const words = useWatch({ control: form.control, name: NAMES })
  const isWritten = words.some((text) => text.trim() !== '')
  const { errors } = form.formState
  return (
    <FoldedSection
      title="Un mot dans l’e-mail"
      hint="Si vous voulez&#8239;: quelques mots de vous, pour prévenir et à l’ouverture."
      isUsed={isWritten || NAMES.some((name) => errors[name])}
    >
      {!email_verified && (
        <Notice
          tone="warning"
          title="Vérifiez d’abord votre adresse e-mail"
          action={
            <ButtonLink variant="secondary" to={paths.ownSettings}>
              Mon adresse
            </ButtonLink>
          }
        >
          Un mot part sous votre nom, chez quelqu’un d’autre&#8239;: il faut savoir qu’il vient de
          vous.
        </Notice>
      )}
      {(email_verified || isWritten) && (
        <>
          <FormTextArea
            form={form}
            name="announcement_note"
            label="Un mot pour prévenir"
            optional
            hint="Il se lit avant la date, dans l’e-mail qui prévient votre destinataire."
            limit={NOTE_MAX_LENGTH}
            rows={3}
          />
          <FormTextArea
            form={form}
            name="opening_note"
            label="Un mot pour l’ouverture"
            optional
            hint="Scellé comme la lettre, il part le jour venu avec le lien qui l’ouvre."
            limit={NOTE_MAX_LENGTH}
            rows={3}
          />
        </>
      )}
    </FoldedSection>
  )
}

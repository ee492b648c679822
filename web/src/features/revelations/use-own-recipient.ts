import type { UseFormReturn } from 'react-hook-form'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { isSameAddress } from '#web/lib/addresses.ts'
import { writtenRows } from './recipients.ts'
import type { RevelationDraft } from './revelation-draft.ts'

/** One’s own address among the recipients: filled in where nobody is named yet, withdrawn where it stands alone. */
export function useOwnRecipient(form: UseFormReturn<RevelationDraft>) {
  const { email } = useSignedInUser()
  const write = (address: string) =>
    form.setValue('recipients.0.email', address, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  return {
    fillIn: () => {
      if (writtenRows(form.getValues('recipients')).length === 0) write(email)
    },
    withdraw: () => {
      const recipients = form.getValues('recipients')
      const isAlone = writtenRows(recipients).length === 1
      if (isAlone && isSameAddress(recipients[0]?.email ?? '', email)) write('')
    },
  }
}

import { type UseFormReturn, useWatch } from 'react-hook-form'
import { isSameAddress, type RevelationDraft } from '#web/features/revelations/revelation-draft.ts'

/** Whether an address was written that the letter did not go to before. */
export function useNewAddressee({ control, formState }: UseFormReturn<RevelationDraft>): boolean {
  const written = useWatch({ control, name: ['target_email', 'second_email'] })
  const { target_email = '', second_email = '' } = formState.defaultValues ?? {}
  return written.some(
    (address) =>
      address.trim() !== '' &&
      ![target_email, second_email].some((known) => isSameAddress(address, known)),
  )
}

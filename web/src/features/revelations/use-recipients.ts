import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { RECIPIENTS_MAX } from '#contract/sealing.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { counted } from '#web/lib/format.ts'
import { blankRecipient, type DraftRecipient, placePeople, writtenRows } from './recipients.ts'
import type { RevelationDraft } from './revelation-draft.ts'

/** The rows of the form, what adds and removes them, and what came of it in words. */
export function useRecipients(form: UseFormReturn<RevelationDraft>) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'recipients' })
  const element = useRef<HTMLDivElement>(null)
  const [news, setNews] = useState<string>()
  const [leftRow, setLeftRow] = useState<number>()
  const [openedRow, setOpenedRow] = useState<number>()
  useEffect(() => {
    if (openedRow === undefined) return
    element.current?.querySelector<HTMLElement>(`[data-row="${openedRow}"] input`)?.focus()
    setOpenedRow(undefined)
  }, [openedRow])
  useEffect(() => {
    if (leftRow === undefined) return
    const controls = element.current
    const inRow = (row: number) =>
      controls?.querySelector<HTMLElement>(`[data-row="${row}"] button[aria-label^="Retirer"]`)
    const next = inRow(leftRow) ?? inRow(leftRow - 1)
    // Those one knows stand where the last of the chosen stood; the way to add others is below them.
    const nearest = controls?.querySelector<HTMLElement>('fieldset button, [data-adds]')
    ;(next ?? nearest)?.focus()
    setLeftRow(undefined)
  }, [leftRow])

  const write = (row: number, person: DraftRecipient) => {
    const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted }
    form.setValue(`recipients.${row}.email`, person.email, options)
    form.setValue(`recipients.${row}.name`, person.name, options)
  }
  const drop = (rows: number[]) => {
    const left = form.getValues('recipients').filter((_, row) => !rows.includes(row))
    if (writtenRows(left).length > 0) return remove(rows)
    // To remove checks every row, and nothing is missing before one wants to go on.
    form.setValue('recipients', [blankRecipient()], { shouldDirty: true })
    form.clearErrors('recipients')
  }
  return {
    rows: fields,
    element,
    news,
    add: (people: readonly DraftRecipient[], first?: number) => {
      const placed = placePeople(form.getValues('recipients'), people, first)
      for (const [row, person] of placed.filled) write(row, person)
      if (placed.appended.length > 0) append(placed.appended, { shouldFocus: false })
      setNews(newsOf(people.length, placed))
    },
    focusRow: (row: number) => {
      setNews(undefined)
      setOpenedRow(row)
    },
    /** Another row to write in, or the one that is there. */
    addBlank: () => {
      setNews(undefined)
      const written = writtenRows(form.getValues('recipients'))
      const blank = fields.findIndex((_, row) => !written.includes(row))
      if (blank !== -1) return setOpenedRow(blank)
      append(blankRecipient(), { focusName: `recipients.${fields.length}.email` })
    },
    remove: (row: number) => {
      const isSomebody = writtenRows(form.getValues('recipients')).includes(row)
      setNews(isSomebody ? newsOfRemoved(1) : undefined)
      setLeftRow(row)
      drop([row])
    },
    removePeople: (people: readonly DraftRecipient[]) => {
      const rows = form.getValues('recipients').flatMap(({ email }, row) => {
        return people.some((person) => isSameAddress(person.email, email)) ? [row] : []
      })
      drop(rows)
      setNews(newsOfRemoved(rows.length))
    },
  }
}

/** A row may be refused for what another says: once any of them changes or goes, each that was is checked again. */
export function useCheckAgain(
  form: UseFormReturn<RevelationDraft>,
  recipients: readonly DraftRecipient[],
): void {
  const check = useEffectEvent(() => {
    const errors = form.formState.errors.recipients ?? []
    const rows = recipients.flatMap((_, row) => {
      const type = errors[row]?.email?.type
      // What the server said of a row is not known here.
      return type && type !== 'server' ? [`recipients.${row}.email` as const] : []
    })
    if (rows.length > 0) void form.trigger(rows)
  })
  const addresses = recipients.map(({ email }) => email).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is checked
  useEffect(() => check(), [addresses])
}

function newsOfRemoved(count: number): string {
  return `${counted(count, 'personne retirée', 'personnes retirées')}.`
}

function newsOf(
  chosen: number,
  { known, refused }: Pick<ReturnType<typeof placePeople>, 'known' | 'refused'>,
): string {
  const added = chosen - known - refused
  return [
    `${counted(added, 'personne ajoutée', 'personnes ajoutées')}.`,
    known > 0 && `${counted(known, 'y était déjà', 'y étaient déjà')}.`,
    refused > 0 &&
      `${RECIPIENTS_MAX} personnes au plus\u202F: ${counted(refused, 'n’a pas de place', 'n’ont pas de place')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

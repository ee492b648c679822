import { Plus, X } from 'lucide-react'
import {
  type ClipboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form'
import { RECIPIENTS_MAX } from '#contract/sealing.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { counted } from '#web/lib/format.ts'
import { fieldProps } from '#web/lib/forms.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ClosePeople } from './close-people.tsx'
import {
  blankRecipient,
  type DraftRecipient,
  parsePeople,
  placePeople,
  writtenRows,
} from './recipients.ts'
import type { RevelationDraft } from './revelation-draft.ts'

interface RecipientFieldsProps {
  form: UseFormReturn<RevelationDraft>
  /** Below the recipients. */
  children?: ReactNode
}

/** Each person the letter is for: an address, and a name if wanted. */
export function RecipientFields({ form, children }: RecipientFieldsProps) {
  const list = useRecipients(form)
  const { rows, element, add, remove } = list
  const recipients = useWatch({ control: form.control, name: 'recipients' })
  useCheckAgain(form, recipients)
  const writtenCount = writtenRows(recipients).length
  const isFull = rows.length >= RECIPIENTS_MAX
  const paste = (row: number) => (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    const people = parsePeople(text)
    // One address alone is pasted as any text is.
    if (people.length === 0 || people[0]?.email === text.trim()) return
    event.preventDefault()
    add(people, row)
  }
  return (
    <div ref={element} className="flex flex-col gap-3">
      <ul className="flex flex-col gap-4 md:gap-2">
        {rows.map(({ id }, row) => (
          <li key={id} data-row={row}>
            <RecipientRow
              form={form}
              row={row}
              person={recipients[row]}
              onPaste={paste(row)}
              onRemove={rows.length > 1 ? () => remove(row) : undefined}
            />
          </li>
        ))}
      </ul>
      <p className="text-ink-soft text-sm">
        {writtenCount > 1
          ? 'Chacun la reçoit à la date, par un lien à son nom. Ses réponses ne vont qu’à vous.'
          : 'La lettre lui est livrée à la date, par un lien personnel.'}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {!isFull && (
          <Button
            variant="ghost"
            className="-ml-4"
            data-adds=""
            icon={<Plus aria-hidden="true" className="size-5" />}
            onClick={list.addBlank}
          >
            Ajouter quelqu’un
          </Button>
        )}
        <p role="status" className="text-ink-soft text-sm">
          {list.news ?? (isFull && `${RECIPIENTS_MAX} personnes au plus.`)}
        </p>
      </div>
      <ClosePeople recipients={recipients} onAdd={add} onRemove={list.removePeople} />
      {writtenCount > 1 && (
        <Switch
          label="Tous se voient"
          hint="Chacun sait pour qui d’autre est la lettre, par les prénoms donnés ici, jamais par les adresses. Sinon, personne ne le sait."
          {...form.register('recipients_see_each_other')}
        />
      )}
      {children}
    </div>
  )
}

/** The rows of the form, what adds and removes them, and what came of it in words. */
function useRecipients(form: UseFormReturn<RevelationDraft>) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'recipients' })
  const element = useRef<HTMLDivElement>(null)
  const [news, setNews] = useState<string>()
  const [leftRow, setLeftRow] = useState<number>()
  useEffect(() => {
    if (leftRow === undefined) return
    const controls = element.current
    const inRow = (row: number) =>
      controls?.querySelector<HTMLElement>(`[data-row="${row}"] button`)
    const next = inRow(leftRow) ?? inRow(leftRow - 1)
    ;(next ?? controls?.querySelector<HTMLElement>('[data-adds]'))?.focus()
    setLeftRow(undefined)
  }, [leftRow])

  const write = (row: number, person: DraftRecipient) => {
    const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted }
    form.setValue(`recipients.${row}.email`, person.email, options)
    form.setValue(`recipients.${row}.name`, person.name, options)
  }
  const drop = (rows: number[]) => {
    const isEveryone = rows.length >= fields.length
    remove(isEveryone ? rows.filter((row) => row > 0) : rows)
    if (isEveryone) write(0, blankRecipient())
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
    addBlank: () => {
      setNews(undefined)
      append(blankRecipient(), { focusName: `recipients.${fields.length}.email` })
    },
    remove: (row: number) => {
      setNews(undefined)
      setLeftRow(row)
      drop([row])
    },
    removePeople: (people: readonly DraftRecipient[]) => {
      const rows = form.getValues('recipients').flatMap(({ email }, row) => {
        return people.some((person) => isSameAddress(person.email, email)) ? [row] : []
      })
      drop(rows)
      setNews(`${counted(rows.length, 'personne retirée', 'personnes retirées')}.`)
    },
  }
}

/** A row may be refused for what another says: once any of them changes or goes, each that was is checked again. */
function useCheckAgain(
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

function newsOf(
  asked: number,
  { known, refused }: Pick<ReturnType<typeof placePeople>, 'known' | 'refused'>,
): string {
  const added = asked - known - refused
  return [
    `${counted(added, 'personne ajoutée', 'personnes ajoutées')}.`,
    known > 0 && `${counted(known, 'y était déjà', 'y étaient déjà')}.`,
    refused > 0 &&
      `${RECIPIENTS_MAX} personnes au plus\u202F: ${counted(refused, 'n’a pas de place', 'n’ont pas de place')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

interface RecipientRowProps {
  form: UseFormReturn<RevelationDraft>
  row: number
  person: DraftRecipient | undefined
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
  /** Not for somebody alone. */
  onRemove: (() => void) | undefined
}

/** The first has the words of the specification; the others stand below it as in a table. */
function RecipientRow({ form, row, person, onPaste, onRemove }: RecipientRowProps) {
  const isFirst = row === 0
  const place = `la ${row + 1}${row === 0 ? 're' : 'e'} personne`
  const called = person?.name.trim() || person?.email.trim() || place
  return (
    <div className="grid items-start gap-2 md:grid-cols-[minmax(0,1fr)_14rem]">
      <TextField
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        label={isFirst ? 'E-mail du destinataire' : `Adresse de ${place}`}
        hideLabel={!isFirst}
        placeholder={isFirst ? undefined : 'Son adresse'}
        onPaste={onPaste}
        trailing={
          onRemove && (
            <IconButton
              label={`Retirer ${called}`}
              icon={<X aria-hidden="true" className="size-5" />}
              onClick={onRemove}
            />
          )
        }
        {...fieldProps(form, `recipients.${row}.email`)}
      />
      <TextField
        autoComplete="off"
        label={isFirst ? 'Son prénom' : `Prénom de ${place}`}
        hideLabel={!isFirst}
        placeholder={isFirst ? 'Facultatif' : 'Son prénom (facultatif)'}
        {...fieldProps(form, `recipients.${row}.name`)}
      />
    </div>
  )
}

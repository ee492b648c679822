import { PencilLine, Plus, X } from 'lucide-react'
import { type ClipboardEvent, type ReactNode, useRef, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { RECIPIENTS_MAX } from '#contract/sealing.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { fieldProps } from '#web/lib/forms.ts'
import { afterPress } from '#web/lib/press.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { KnownPeople } from './known-people.tsx'
import { type DraftRecipient, parsePeople, writtenRows } from './recipients.ts'
import type { RevelationDraft } from './revelation-draft.ts'
import { useCheckAgain, useRecipients } from './use-recipients.ts'

interface PeoplePickerProps {
  form: UseFormReturn<RevelationDraft>
  /** Where no heading says it above. */
  legend?: string
  /** Below the recipients. */
  children?: ReactNode
}

/** Whom the letter is for: people one knows, by name at a touch, or an address and a name if wanted. */
export function PeoplePicker({ form, legend, children }: PeoplePickerProps) {
  const list = useRecipients(form)
  const { rows, element, add, remove } = list
  const recipients = useWatch({ control: form.control, name: 'recipients' })
  useCheckAgain(form, recipients)
  const named = useNamed(recipients)
  const { errors } = form.formState
  const isChip = (row: number) =>
    named.has(recipients[row]?.email) && errors.recipients?.[row] === undefined
  const chosen = rows.flatMap((_, row) => {
    const person = recipients[row]
    return person && isChip(row) ? [{ person, row }] : []
  })
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
    <div
      ref={element}
      tabIndex={-1}
      data-part="people"
      className="flex flex-col gap-4 rounded-field"
    >
      {legend && <p className="-mb-1 font-semibold">{legend}</p>}
      {chosen.length > 0 && (
        <ul aria-label="Ceux qui la recevront" className="flex flex-wrap gap-2">
          {chosen.map(({ person, row }) => (
            <li key={person.email} data-row={row} className="max-w-full">
              <ChosenPerson
                person={person}
                onEdit={() => {
                  named.edit(person)
                  list.focusRow(row)
                }}
                onRemove={() => {
                  named.forget(person.email)
                  remove(row)
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <KnownPeople
        isChosen={({ email }) => recipients.some((known) => isSameAddress(known.email, email))}
        onAdd={(people) => {
          named.add(people)
          add(people)
        }}
        onRemove={list.removePeople}
      />
      {chosen.length < rows.length && (
        <ul className="flex flex-col gap-4 md:gap-2">
          {rows.map(
            ({ id }, row) =>
              !isChip(row) && (
                <li
                  key={id}
                  data-row={row}
                  onBlur={({ currentTarget, relatedTarget }) => {
                    if (currentTarget.contains(relatedTarget)) return
                    afterPress(() => named.endEditing(form.getValues(`recipients.${row}`)))
                  }}
                >
                  <RecipientRow
                    form={form}
                    row={row}
                    person={recipients[row]}
                    onPaste={paste(row)}
                    onRemove={rows.length > 1 ? () => remove(row) : undefined}
                  />
                </li>
              ),
          )}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {!isFull && (
          <Button
            variant="ghost"
            className="-ml-4"
            data-adds=""
            icon={<Plus aria-hidden="true" className="size-5" />}
            onClick={list.addBlank}
          >
            {writtenCount > 0 ? 'Une autre adresse' : 'Ajouter quelqu’un'}
          </Button>
        )}
        <p role="status" className="text-ink-soft text-sm">
          {list.news ?? (isFull && `${RECIPIENTS_MAX} personnes au plus.`)}
        </p>
      </div>
      <p className="text-ink-soft text-sm">
        {writtenCount > 1
          ? 'Chacun la reçoit à la date, par un lien à son nom. Ses réponses ne vont qu’à vous.'
          : 'Elle lui est livrée à la date, par un lien personnel.'}
      </p>
      {writtenCount > 1 && (
        <Switch
          label="Tous se voient"
          hint="Chacun sait pour qui d’autre elle est, par les prénoms donnés ici, jamais par les adresses. Sinon, personne ne le sait."
          {...form.register('recipients_see_each_other')}
        />
      )}
      {children}
    </div>
  )
}

/** Who was chosen by name: at a touch, or before this page was opened. What is typed stays a row under the fingers. */
function useNamed(recipients: readonly DraftRecipient[]) {
  const keyOf = (address: string) => address.trim().toLowerCase()
  const isEditing = useRef(false)
  const [keys, setKeys] = useState(
    () =>
      new Set(recipients.flatMap(({ email, name }) => (email && name.trim() ? keyOf(email) : []))),
  )
  const without = (address: string) => new Set([...keys].filter((key) => key !== keyOf(address)))
  return {
    has: (address: string | undefined) => address !== undefined && keys.has(keyOf(address)),
    add: (people: readonly DraftRecipient[]) =>
      setKeys(new Set([...keys, ...people.map(({ email }) => keyOf(email))])),
    forget: (address: string) => setKeys(without(address)),
    /** A row under the fingers for a while. */
    edit: ({ email }: DraftRecipient) => {
      isEditing.current = true
      setKeys(without(email))
    },
    endEditing: ({ email }: DraftRecipient) => {
      if (!isEditing.current || email.trim() === '') return
      isEditing.current = false
      setKeys(new Set([...keys, keyOf(email)]))
    },
  }
}

interface ChosenPersonProps {
  person: DraftRecipient
  onEdit: () => void
  onRemove: () => void
}

/** Their address is a touch away, and always on the recap. */
function ChosenPerson({ person, onEdit, onRemove }: ChosenPersonProps) {
  const called = person.name.trim() || person.email.trim()
  return (
    <div className="inline-flex max-w-full items-center rounded-full border border-ink bg-sunken ring-1 ring-ink ring-inset">
      <button
        type="button"
        aria-label={`${called}, changer son adresse ou son prénom`}
        onClick={onEdit}
        className="inline-flex min-h-11 min-w-0 items-center gap-2 rounded-l-full py-1.5 pr-1 pl-4 text-left font-semibold hover:underline"
      >
        <span className="min-w-0 [overflow-wrap:anywhere]">{called}</span>
        <PencilLine aria-hidden="true" className="size-4.5 shrink-0 text-ink-soft" />
      </button>
      <IconButton
        label={`Retirer ${called}`}
        icon={<X aria-hidden="true" className="size-5" />}
        className="rounded-full!"
        onClick={onRemove}
      />
    </div>
  )
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

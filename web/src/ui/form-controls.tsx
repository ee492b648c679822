import type { ComponentProps } from 'react'
import {
  Controller,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import { fieldProps } from '#web/lib/forms.ts'
import { ChoiceTiles } from './choice-tiles.tsx'
import { DatePicker } from './date-picker.tsx'
import { TextArea } from './text-area.tsx'

/* Controls that a form of react-hook-form cannot just register. */

interface OfForm<Fields extends FieldValues, Values> {
  form: UseFormReturn<Fields, unknown, Values>
  name: Path<Fields>
}

type Rest<Props> = Omit<Props, keyof OfForm<never, never> | 'value' | 'onChange' | 'error' | 'ref'>

export function FormChoiceTiles<Fields extends FieldValues, Values>({
  form,
  name,
  ...tiles
}: OfForm<Fields, Values> & Rest<ComponentProps<typeof ChoiceTiles<string>>>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { ref, value, onChange }, fieldState }) => (
        <ChoiceTiles
          {...tiles}
          {...{ ref, name, value, onChange }}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

export function FormDatePicker<Fields extends FieldValues, Values>({
  form,
  name,
  ...picker
}: OfForm<Fields, Values> & Rest<ComponentProps<typeof DatePicker>>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { ref, value, onChange }, fieldState }) => (
        <DatePicker {...picker} {...{ ref, value, onChange }} error={fieldState.error?.message} />
      )}
    />
  )
}

/** Counts what is written against its limit. */
export function FormTextArea<Fields extends FieldValues, Values>({
  form,
  name,
  ...area
}: OfForm<Fields, Values> & Rest<ComponentProps<typeof TextArea>>) {
  const written: string | null | undefined = useWatch({ control: form.control, name })
  return <TextArea {...area} length={written?.length ?? 0} {...fieldProps(form, name)} />
}

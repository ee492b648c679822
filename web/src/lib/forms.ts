import { zodResolver } from '@hookform/resolvers/zod'
import type { UseMutationResult } from '@tanstack/react-query'
import { type FocusEvent, useRef } from 'react'
import {
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { type ApiError, fieldErrorsOf } from './api-client.ts'
import { afterPress } from './press.ts'

/** A field as it is registered, and its error. */
export function fieldProps<Fields extends FieldValues, Values>(
  form: UseFormReturn<Fields, unknown, Values>,
  name: Path<Fields>,
) {
  const error: FieldError | undefined = get(form.formState.errors, name)
  const registered = form.register(name)
  return {
    ...registered,
    onBlur: (event: FocusEvent) => afterPress(() => void registered.onBlur(event)),
    error: error?.message,
  }
}

/** Names of the wire that are about a field of another name. */
export type FieldAliases<Fields extends FieldValues> = Readonly<Record<string, Path<Fields>>>

interface RefusalPlaces<Fields extends FieldValues> {
  /** The fields beside which an error of the server may stand, in the order of the form. */
  fields?: readonly Path<Fields>[]
  aliases?: FieldAliases<Fields>
  /** The field that an error code is about. */
  codes?: Partial<Record<ApiError['code'], Path<Fields>>>
}

function refusedFields<Fields extends FieldValues>(
  error: unknown,
  { fields = [], aliases = {}, codes = {} }: RefusalPlaces<Fields>,
): [field: Path<Fields>, message: string][] {
  const names = [...fields, ...(Object.keys(aliases) as Path<Fields>[])]
  return fieldErrorsOf(error, names, codes).map(([name, message]) => [
    aliases[name] ?? name,
    message,
  ])
}

interface ShowRefusalOptions<Fields extends FieldValues> extends RefusalPlaces<Fields> {
  /** Whether the first of the fields gets the focus. */
  shouldFocus: boolean
}

/** Shows the refusals of the server beside their fields; false when no field is concerned. */
export function showRefusal<Fields extends FieldValues, Values>(
  form: UseFormReturn<Fields, unknown, Values>,
  error: unknown,
  { shouldFocus, ...places }: ShowRefusalOptions<Fields>,
): boolean {
  const refused = new Map(refusedFields(error, places))
  for (const [field, message] of refused) form.setError(field, { type: 'server', message })
  const first = places.fields?.find((field) => refused.has(field))
  if (shouldFocus && first) form.setFocus(first)
  return refused.size > 0
}

interface ApiFormOptions<Fields extends FieldValues, Values, Input, Output>
  extends RefusalPlaces<Fields> {
  schema: z.core.$ZodType<Values, Fields>
  mode?: UseFormProps['mode']
  defaultValues: UseFormProps<Fields>['defaultValues']
  mutation: Pick<UseMutationResult<Output, Error, Input>, 'mutate' | 'isPending' | 'error'>
  inputOf: (values: Values) => Input
  onSuccess?: (output: Output, input: Input) => void
  onError?: (error: Error) => void
}

/**
 * A form that sends its valid values with a mutation. Errors of the server that are about a field stand beside it, and the
 * first one gets the focus; `error` is any other. One call at a time.
 */
export function useApiForm<Fields extends FieldValues, Values, Input, Output>({
  schema,
  mode = 'onTouched',
  defaultValues,
  mutation,
  inputOf,
  onSuccess,
  onError,
  ...places
}: ApiFormOptions<Fields, Values, Input, Output>) {
  const form = useForm<Fields, unknown, Values>({
    resolver: zodResolver(schema),
    mode,
    defaultValues,
  })
  const { mutate, isPending, error } = mutation
  const isUnderWay = useRef(false)
  const submit = form.handleSubmit((values) => {
    // A double click is done before the button is drawn as busy.
    if (isUnderWay.current) return
    isUnderWay.current = true
    mutate(inputOf(values), {
      onSettled: () => {
        isUnderWay.current = false
      },
      onSuccess: (output, input) => onSuccess?.(output, input),
      onError: (failure) => {
        showRefusal(form, failure, { ...places, shouldFocus: true })
        onError?.(failure)
      },
    })
  })
  return {
    form,
    field: (name: Path<Fields>) => fieldProps(form, name),
    submit,
    isPending,
    error: refusedFields(error, places).length > 0 ? null : error,
  }
}

/**
 * For a form whose values are not what is sent: the contract's schema checks what they become, and its sentences stand beside
 * the fields that they are about.
 */
export function checkInput<Draft extends FieldValues>(
  schema: z.ZodMiniType,
  inputOf: (draft: Draft) => unknown,
  aliasesOf: (draft: Draft) => FieldAliases<Draft>,
): z.core.CheckFn<Draft> {
  return ({ value, issues }) => {
    const aliases = aliasesOf(value)
    for (const { path, message } of schema.safeParse(inputOf(value)).error?.issues ?? []) {
      const name = String(path[0])
      const field = aliases[path.join('.')] ?? aliases[name] ?? (name in value ? name : undefined)
      if (field) issues.push(fieldIssue(field, message, value))
    }
  }
}

/** An error of one field, beside which the checks of others go on. */
export function fieldIssue(field: string, message: string, input: unknown) {
  return { code: 'custom' as const, path: [field], message, input, continue: true }
}

const QUIET_MS = 400

/**
 * Calls `save` with the values of a form, a moment after each change and at once when the page is left. Returns what
 * stops it, once the last change is saved.
 */
export function autosaveForm<Words extends FieldValues>(
  form: UseFormReturn<Words>,
  save: (words: Words) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const saveNow = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    save(form.getValues())
  }
  const stop = form.subscribe({
    formState: { values: true },
    callback: () => {
      clearTimeout(timer)
      timer = setTimeout(saveNow, QUIET_MS)
    },
  })
  window.addEventListener('pagehide', saveNow)
  return () => {
    stop()
    window.removeEventListener('pagehide', saveNow)
    saveNow()
  }
}

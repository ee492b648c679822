import type { UseMutationResult } from '@tanstack/react-query'
import { type FieldValues, type Path, type UseFormProps, useForm } from 'react-hook-form'
import type { ApiError } from '#web/lib/api-client.ts'
import { fieldErrorsOf } from '#web/lib/api-client.ts'

interface ApiFormOptions<Fields extends FieldValues, Input, Output> {
  /** Options of react-hook-form: a resolver of the schema, and the initial values. */
  form: UseFormProps<Fields, unknown, Fields>
  mutation: Pick<UseMutationResult<Output, Error, Input>, 'mutate' | 'isPending' | 'error'>
  inputOf: (fields: Fields) => Input
  /** The fields beside which an error of the server may stand, in the order of the form. */
  fields?: readonly Path<Fields>[]
  /** The field that an error code is about. */
  codes?: Partial<Record<ApiError['code'], Path<Fields>>>
  onSuccess?: (output: Output, input: Input) => void
  onError?: (error: Error) => void
}

/**
 * A form that sends its valid fields with a mutation. Errors of the server that are about a field stand beside it, and the
 * first one gets the focus; `error` is any other.
 */
export function useApiForm<Fields extends FieldValues, Input, Output>({
  form,
  mutation,
  inputOf,
  fields = [],
  codes = {},
  onSuccess,
  onError,
}: ApiFormOptions<Fields, Input, Output>) {
  const { handleSubmit, setError, formState, register, setFocus, watch } = useForm<
    Fields,
    unknown,
    Fields
  >(form)
  const { mutate, isPending, error } = mutation
  const submit = handleSubmit((values) =>
    mutate(inputOf(values), {
      onSuccess: (output, input) => onSuccess?.(output, input),
      onError: (failure) => {
        for (const [index, [name, message]] of fieldErrorsOf(failure, fields, codes).entries()) {
          setError(name, { message }, { shouldFocus: index === 0 })
        }
        onError?.(failure)
      },
    }),
  )
  const isShownByField = fieldErrorsOf(error, fields, codes).length > 0
  return {
    register,
    errors: formState.errors,
    submit,
    isPending,
    error: isShownByField ? null : error,
    setFocus,
    watch,
  }
}

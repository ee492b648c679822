import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getCalendarFile, getReminder, removeReminder, setReminder } from '#contract/reminders.ts'
import { callApi, errorSentence, fetchFile } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { saveFile } from '#web/lib/device.ts'
import { showToast } from '#web/ui/toasts.tsx'

export function reminderQuery(revelationId: string) {
  return queryOptions({
    queryKey: ['reminders', revelationId],
    queryFn: async ({ signal }) => {
      const input = { params: { id: revelationId } }
      return (await callApi(getReminder, input, { signal })).reminded
    },
  })
}

/** Shown at once, and undone when the server refuses. */
export function useTurnReminder(revelationId: string) {
  const client = useQueryClient()
  const { queryKey } = reminderQuery(revelationId)
  return useMutation({
    // One after the other, so that the last tap wins.
    scope: { id: `reminder ${revelationId}` },
    mutationFn: (isOn: boolean) =>
      callApi(isOn ? setReminder : removeReminder, { params: { id: revelationId } }),
    onMutate: async (isOn) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, isOn)
    },
    onError: (error, isOn) => {
      client.setQueryData(queryKey, !isOn)
      showToast('error', errorSentence(error, 'Le rappel n’a pas pu être enregistré'))
    },
  })
}

export function useSaveCalendarFile(revelationId: string) {
  return useMutation({
    mutationFn: async () => {
      const headers = deliveryKeyHeaders(revelationId)
      const file = await fetchFile(getCalendarFile, { params: { id: revelationId } }, { headers })
      saveFile(file, 'revelation.ics')
    },
    onError: (error) =>
      showToast('error', errorSentence(error, 'L’événement n’a pas pu être préparé')),
  })
}

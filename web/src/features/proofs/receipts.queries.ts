import { queryOptions, useMutation } from '@tanstack/react-query'
import type { AnyProof } from '#contract/proofs/proof.ts'
import { getReceipt, mailReceipt } from '#contract/receipts.ts'
import type { Revelation } from '#contract/revelations.ts'
import { ApiError, callApi, errorSentence } from '#web/lib/api-client.ts'
import { showToast } from '#web/ui/toasts.tsx'

const POLL_EVERY_MS = 10_000

/** The receipt of this version; null until the log holds it, and asked for again until then. */
export function receiptQuery({ id, commitment }: Pick<Revelation, 'id' | 'commitment'>) {
  return queryOptions({
    queryKey: ['receipts', id, commitment],
    queryFn: ({ signal }) => fetchReceipt(id, signal),
    refetchInterval: ({ state }) => (state.data === null ? POLL_EVERY_MS : false),
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
  })
}

async function fetchReceipt(id: string, signal: AbortSignal): Promise<AnyProof | null> {
  try {
    return await callApi(getReceipt, { params: { id } }, { signal })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'receipt_pending') return null
    throw error
  }
}

export function useMailReceipt(id: string, address: string) {
  return useMutation({
    mutationFn: () => callApi(mailReceipt, { params: { id } }),
    onSuccess: ({ queued }) =>
      showToast(
        'success',
        queued ? `Le reçu part vers ${address}` : `Il est déjà en route vers ${address}`,
      ),
    onError: (error) =>
      showToast('error', errorSentence(error, 'Le reçu n’a pas pu être envoyé. Réessayez.')),
  })
}

import { useQueryClient } from '@tanstack/react-query'
import type { Sound } from '#contract/sounds.ts'
import { saveFrom } from '#web/lib/save-file.ts'
import { showToast } from '#web/ui/toasts.tsx'
import { downloadNameOf } from './file-name.ts'
import { renewSound } from './sounds.queries.ts'

/** Saves a sound as it was sent, with a ticket made for this click. */
export function useDownload() {
  const client = useQueryClient()
  return async ({ id }: Sound): Promise<void> => {
    try {
      const fresh = await renewSound(client, id)
      if (!fresh.download_url) throw new Error('it is not to be heard any more')
      saveFrom(asDownload(fresh.download_url), downloadNameOf(fresh.title, fresh.file_name))
    } catch {
      showToast('error', 'Erreur lors du téléchargement')
    }
  }
}

function asDownload(address: string): string {
  const url = new URL(address, window.location.origin)
  url.searchParams.set('download', '1')
  return url.pathname + url.search
}

import type { UploadResult } from '#contract/media.ts'
import type { AppContext } from '#server/context.ts'
import { pathOf } from './file-names.rules.ts'
import { ticketedUrl } from './file-serving.service.ts'
import { estimateSeconds } from './media.rules.ts'
import type { ReceivedFile } from './receiving.service.ts'

const MB = 1024 * 1024

/** The wire shape of an upload, with an address for its sender; other clients rely on its camelCase names. */
export function presentUpload(ctx: AppContext, holder: string, file: ReceivedFile): UploadResult {
  const { facts, steps } = file
  const path = pathOf(file)
  const sizeMB = Math.round((facts.sizeBytes / MB) * 100) / 100
  const isOver = steps.length === 0
  return {
    url: ticketedUrl(ctx, file, 'original', holder),
    path,
    filename: path.slice(path.indexOf('/') + 1),
    originalName: facts.name,
    size: facts.sizeBytes,
    sizeMB,
    mimetype: facts.mimeType,
    duration: facts.durationSeconds,
    processing: {
      enabled: !isOver,
      totalJobs: steps.length,
      jobs: steps.map(({ id, type }) => ({
        jobId: id,
        type,
        estimatedDuration: estimateSeconds(type, facts.durationSeconds),
      })),
    },
    userExperience: {
      canProceed: true,
      message: isOver
        ? 'Votre fichier est prêt.'
        : 'Votre fichier est envoyé. Sa préparation continue sans vous.',
    },
    processingInfo: {
      status: isOver ? 'completed' : 'processing',
      statusText: isOver ? 'Upload terminé' : 'Traitement en cours',
      mbLoaded: sizeMB,
      mbTotal: sizeMB,
    },
  }
}

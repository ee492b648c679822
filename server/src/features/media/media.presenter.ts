import type { UploadResult } from '#contract/media.ts'
import { estimateSeconds } from './media.rules.ts'
import { pathOf } from './media-names.rules.ts'
import type { ReceivedFile } from './media-uploads.service.ts'

const MB = 1024 * 1024

/** The wire shape of an upload; other clients rely on its camelCase names. */
export function presentUpload(file: ReceivedFile, url: string): UploadResult {
  const { facts, steps } = file
  const path = pathOf(file)
  const sizeMB = Math.round((facts.sizeBytes / MB) * 100) / 100
  const isOver = steps.length === 0
  return {
    url,
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

const IMPOSSIBLE = "Impossible d'accéder au microphone."

const REASONS: Record<string, string> = {
  NotAllowedError: 'Autorisez le microphone pour ce site dans votre navigateur, puis réessayez.',
  SecurityError: 'Autorisez le microphone pour ce site dans votre navigateur, puis réessayez.',
  NotFoundError: 'Aucun microphone n’a été trouvé. Branchez-en un, puis réessayez.',
  NotReadableError:
    'Une autre application s’en sert peut-être. Fermez-la ou terminez votre appel, puis réessayez.',
  AbortError:
    'Une autre application s’en sert peut-être. Fermez-la ou terminez votre appel, puis réessayez.',
  OverconstrainedError: 'La configuration de votre microphone n’est pas prise en charge.',
  NotSupportedError: 'La configuration de votre microphone n’est pas prise en charge.',
}

const UNSUPPORTED =
  'Votre navigateur ne sait pas enregistrer. Mettez-le à jour, ou importez un fichier audio.'
const INSECURE =
  'La connexion à cette page n’est pas sécurisée. Ouvrez-la par son adresse en https, puis réessayez.'

/** Why the microphone cannot be had, in words. */
export function microphoneSentence(error: unknown): string {
  const { name = '', message = '' } = error as Partial<Error>
  return `${IMPOSSIBLE} ${REASONS[name] ?? message}`.trim()
}

/** What makes asking pointless; undefined where a microphone may be asked for. */
export function missingSupport(): string | undefined {
  // Browsers hide the microphone from pages that somebody on the way could have changed.
  if (window.isSecureContext === false) return `${IMPOSSIBLE} ${INSECURE}`
  const canRecord = 'MediaRecorder' in window && navigator.mediaDevices?.getUserMedia !== undefined
  return canRecord ? undefined : `${IMPOSSIBLE} ${UNSUPPORTED}`
}

/** One voice near the microphone: the phone takes away the noise around it. */
export function openMicrophone(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  })
}

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

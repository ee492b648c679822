/** A file on its way, as this device remembers it: a closed tab does not lose it. */
export interface KeptUpload {
  id: string
  /** Undefined until the server has begun to receive it. */
  uploadId: string | undefined
  name: string
  type: string
  sizeBytes: number
  lastModified: number
  /** As last heard. */
  receivedBytes: number
  /** Where it is once the server has made a file of it. */
  arrivedPath: string | undefined
  /** The file itself lies on this device too. */
  hasFile: boolean
  touchedAtMs: number
}

export type FileFacts = Pick<KeptUpload, 'name' | 'sizeBytes'> & { lastModified?: number }

/** Why a file is not the one that was on its way, in words; undefined when it is. */
export function refuseOther(wanted: FileFacts, file: File): string | undefined {
  const { name, sizeBytes, lastModified } = wanted
  if (file.name !== name) {
    return `Ce n’est pas le même fichier\u00A0: l’envoi attend «\u00A0${name}\u00A0». Rien n’est perdu.`
  }
  if (file.size !== sizeBytes) {
    return `Ce fichier porte le même nom, mais pas la même taille. Choisissez celui que vous aviez commencé à envoyer\u00A0: rien n’est perdu.`
  }
  if (lastModified !== undefined && file.lastModified !== lastModified) {
    return `Ce fichier porte le même nom, mais il a été modifié depuis. Choisissez celui que vous aviez commencé à envoyer\u00A0: rien n’est perdu.`
  }
  return undefined
}

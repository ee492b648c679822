const CHECKPOINT =
  /(\S+)\s+(0|[1-9]\d{0,15})\s+([A-Za-z0-9+/]{43}=)\s+—\s(\S+)\s+((?:[A-Za-z0-9+/]\s*){91}=)/

/** The checkpoint in what somebody copied from a mail, whose program may have quoted it and broken its lines. */
export function findCheckpoint(text: string): string | undefined {
  const unquoted = text.replaceAll(/^(?:>\s?)+/gm, '').replaceAll('\u00A0', ' ')
  const [, origin, size, root, signer, signature] = CHECKPOINT.exec(unquoted) ?? []
  if (origin === undefined || signature === undefined) return undefined
  return `${origin}\n${size}\n${root}\n\n— ${signer} ${signature.replaceAll(/\s/g, '')}\n`
}
